#include "runtime/cli/npy.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "runtime/cli/npy_header.h"
#include "runtime/core/error.h"

namespace nxv::cli {

namespace {

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kHeaderAlignment = 64;
constexpr size_t kLongestHeader = 1 << 20;  // bytes; a shape of 64 dimensions needs about 1,400

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// "[npy] FILE why"
class Refuse {
 public:
  explicit Refuse(const std::string& path) : path_(path) {}
  [[noreturn]] void operator()(const std::string& why) const {
    throw Error(Code::invalid_argument, "[npy] " + path_ + " " + why);
  }

 private:
  const std::string& path_;
};

uint32_t little_endian(const std::byte* bytes, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= std::to_integer<uint32_t>(bytes[i]) << (8 * i);
  return value;
}

// The catalog's type of a NumPy descr such as "<f4".
Type element_type(const std::string& descr, const Refuse& refuse) {
  if (descr.size() < 2) refuse("has elements of the unknown type '" + descr + "'");
  char order = descr[0];
  std::string_view rest = std::string_view(descr).substr(1);
  if (rest[0] == 'O') refuse("holds Python objects; only plain numbers are supported");
  if (rest == "b1") rest = "u1";
  if (order == '>' && rest.substr(1) != "1")
    refuse("is big-endian (" + descr + "); save it little-endian, as '<" + std::string(rest) + "'");
  std::string known;
  for (Type type : all_types()) {
    const TypeInfo& info = type_info(type);
    if (info.npy.empty()) continue;
    if (info.npy.substr(1) == rest && std::strchr("<|=>", order)) return type;
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  refuse("has elements of the type '" + descr + "', which is not supported (supported: " + known + " and bool)");
}

// Dimensions whose product of bytes fits.
uint64_t checked_bytes(const TensorSpec& spec, const Refuse& refuse) {
  uint64_t bytes = type_bytes(spec.type);
  for (int64_t dim : spec.dims) {
    if (dim == 0) refuse("has a dimension of size 0; tensors have at least one element");
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(dim), &bytes))
      refuse("has a shape that no memory can hold");
  }
  if (bytes > std::numeric_limits<int64_t>::max()) refuse("has a shape that no memory can hold");
  return bytes;
}

// Element i of the result is the element that row-major counting reaches in an array whose first index runs fastest.
std::vector<std::byte> to_row_major(const std::vector<std::byte>& bytes, const Dims& dims, size_t width) {
  std::vector<std::byte> out(bytes.size());
  std::vector<size_t> strides(dims.size()), index(dims.size());
  size_t stride = width;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    strides[axis] = stride;
    stride *= static_cast<size_t>(dims[axis]);
  }
  size_t from = 0;
  for (size_t to = 0; to < out.size(); to += width) {
    std::memcpy(out.data() + to, bytes.data() + from, width);
    for (size_t axis = dims.size(); axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < static_cast<size_t>(dims[axis])) break;
      from -= strides[axis] * static_cast<size_t>(dims[axis]);
      index[axis] = 0;
    }
  }
  return out;
}

NpyHeader read_header(std::FILE* file, const Refuse& refuse) {
  std::byte start[12];
  if (std::fread(start, 1, 8, file) != 8) refuse("is too short to be a NumPy file");
  if (std::memcmp(start, kMagic.data(), kMagic.size()) != 0) refuse("is not a NumPy file");
  auto major = std::to_integer<int>(start[6]), minor = std::to_integer<int>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse("has NumPy format " + std::to_string(major) + "." + std::to_string(minor) +
           "; 1.0, 2.0 and 3.0 are supported");
  }
  size_t width = major == 1 ? 2 : 4;
  if (std::fread(start + 8, 1, width, file) != width) refuse("is truncated in its header");
  size_t length = little_endian(start + 8, width);
  if (length > kLongestHeader) refuse("has a damaged header: " + std::to_string(length) + " bytes long");
  std::string text(length, '\0');
  if (std::fread(text.data(), 1, length, file) != length) refuse("is truncated in its header");
  try {
    return parse_npy_header(text);
  } catch (const Error& error) {
    refuse(error.what());
  }
}

std::string header_text(const TensorSpec& spec) {
  std::string shape;
  for (int64_t dim : spec.dims) shape += std::to_string(dim) + (spec.dims.size() == 1 ? "," : ", ");
  if (spec.dims.size() > 1) shape.resize(shape.size() - 2);
  return "{'descr': '" + std::string(type_info(spec.type).npy) + "', 'fortran_order': False, 'shape': (" + shape +
         "), }";
}

// Magic, version, length, dictionary, padding and a newline.
std::string header_bytes(const TensorSpec& spec) {
  std::string text = header_text(spec);
  size_t length_width = text.size() + kHeaderAlignment > 0xffff ? 4 : 2;
  size_t prefix = kMagic.size() + 2 + length_width;
  text.append(kHeaderAlignment - 1 - (prefix + text.size()) % kHeaderAlignment, ' ');
  text += '\n';
  std::string bytes(kMagic);
  bytes += static_cast<char>(length_width == 2 ? 1 : 2);
  bytes += '\0';
  for (size_t i = 0; i < length_width; ++i) bytes += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return bytes + text;
}

}  // namespace

HostTensor read_npy(const std::string& path) {
  Refuse refuse(path);
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) refuse(std::string("cannot be opened: ") + std::strerror(errno));
  NpyHeader header = read_header(file.get(), refuse);
  HostTensor tensor{{element_type(header.descr, refuse), header.shape}, {}};
  uint64_t bytes = checked_bytes(tensor.spec, refuse);
  // The file's own size is looked at first: a damaged shape must not ask for terabytes.
  long start = std::ftell(file.get());
  if (start < 0 || std::fseek(file.get(), 0, SEEK_END) != 0) refuse("cannot be read: it is not an ordinary file");
  uint64_t there = static_cast<uint64_t>(std::ftell(file.get()) - start);
  if (there != bytes) {
    refuse((there < bytes ? "is truncated: " : "is damaged: ") + to_string(tensor.spec) + " takes " +
           std::to_string(bytes) + " bytes, the file has " + std::to_string(there));
  }
  std::fseek(file.get(), start, SEEK_SET);
  tensor.bytes.resize(bytes);
  if (std::fread(tensor.bytes.data(), 1, bytes, file.get()) != bytes) refuse("cannot be read to its end");
  if (header.fortran_order && tensor.spec.dims.size() > 1) {
    tensor.bytes = to_row_major(tensor.bytes, tensor.spec.dims, type_bytes(tensor.spec.type));
  }
  return tensor;
}

namespace {

bool is_link(const std::string& path) {
  struct stat link;
  return lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode);
}

}  // namespace

void write_npy(const std::string& path, const HostTensor& tensor) {
  Refuse refuse(path);
  if (type_info(tensor.spec.type).npy.empty()) {
    refuse("cannot hold " + std::string(type_info(tensor.spec.type).name) + ": NumPy has no such type");
  }
  std::string header = header_bytes(tensor.spec);
  auto written = [&](const std::string& name) {
    File file(std::fopen(name.c_str(), "wb"));
    return file && std::fwrite(header.data(), 1, header.size(), file.get()) == header.size() &&
           std::fwrite(tensor.bytes.data(), 1, tensor.bytes.size(), file.get()) == tensor.bytes.size() &&
           std::fflush(file.get()) == 0;
  };
  struct stat there;
  const bool exists = stat(path.c_str(), &there) == 0;
  if ((exists && !S_ISREG(there.st_mode)) || is_link(path)) {
    // A device, a pipe or a link stays what it is.
    if (!written(path)) refuse(std::string("cannot be written: ") + std::strerror(errno));
    return;
  }
  std::string temporary = path + ".tmp" + std::to_string(getpid());
  if (written(temporary) && (!exists || chmod(temporary.c_str(), there.st_mode & 07777) == 0) &&
      std::rename(temporary.c_str(), path.c_str()) == 0) {
    return;
  }
  std::string why = std::strerror(errno);
  std::remove(temporary.c_str());
  refuse("cannot be written: " + why);
}

}  // namespace nxv::cli
