#include "test/cpp/ops/map_simulator.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/ops/catalog.h"
#include "test/cpp/support/oracle_table.h"

namespace nxv {
namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

// Addresses that tell buffers apart. Buffers start at multiples of 256.
uint64_t base_of(Ref::Kind kind, uint32_t index) {
  return (static_cast<uint64_t>(kind) + 1) << 56 | static_cast<uint64_t>(index) << 48;
}

struct Reader {
  const std::vector<std::byte>& bytes;
  size_t at = 0;
  template <typename T>
  T next() {
    require(at + sizeof(T) <= bytes.size(), "reads past the push constants or the parameters");
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
    return value;
  }
};

std::vector<std::byte> patched(std::vector<std::byte> bytes, const std::vector<AddressSlot>& slots) {
  for (const AddressSlot& slot : slots) {
    const uint64_t address = base_of(slot.ref.kind, slot.ref.index) + slot.ref.byte_offset;
    std::memcpy(bytes.data() + slot.push_offset, &address, sizeof address);
  }
  return bytes;
}

uint64_t divided(uint64_t x, uint32_t magic, uint32_t shift) {
  require(x < (uint64_t{1} << 31), "divides more than 31 bits");
  return ((x << 1) * magic >> 32) >> shift;
}

}  // namespace

struct MapSimulator::Kernel {
  const OracleRow* row = nullptr;
  std::string access = {};
  uint32_t elems = 1, workgroup = 1, vectors = 1, modes = 0, rank = 1, vector_stores = 1;
  uint64_t operands[3] = {}, to = 0, columns = 1;
  uint32_t n = 0, magic = 0, shift = 0;
  struct Dim {
    uint32_t extent, magic, shift, strides[3];
  };
  std::vector<Dim> dims = {};

  uint32_t mode(size_t k) const { return modes >> (4 * k) & 15; }
  // Where operand k's element for element i lies.
  uint64_t offset(size_t k, uint64_t i) const {
    if (access == "dense") return i;
    if (access == "scalar") return mode(k) == 2 ? 0 : i;
    if (access == "inner") {
      const uint64_t vector = i / elems, row_index = divided(vector, magic, shift);
      const uint64_t column = vector - row_index * columns;
      require(column < columns, "the division is off");
      switch (mode(k)) {
        case 2:
          return 0;
        case 3:
          return column * elems + i % elems;
        case 4:
          return row_index;
        default:
          return i;
      }
    }
    // Vectors take one offset for their first element.
    const bool first = mode(k) == 5 || mode(k) == 6;
    uint64_t index = first && i / elems < n / elems ? i / elems * elems : i, at = 0;
    const uint64_t lane = i - index;
    for (size_t d = dims.size() - 1; d > 0; --d) {
      const uint64_t outer = divided(index, dims[d].magic, dims[d].shift);
      at += (index - outer * dims[d].extent) * dims[d].strides[k];
      index = outer;
    }
    at += index * dims[0].strides[k];
    return mode(k) == 5 ? at + lane : at;
  }
};

MapSimulator::MapSimulator(const Plan& plan, std::vector<std::vector<std::byte>> inputs, const Traits& traits)
    : plan_(plan), traits_(traits), inputs_(std::move(inputs)) {
  for (uint64_t bytes : plan.output_bytes) outputs_.emplace_back(bytes, std::byte{0xa5});
  for (uint64_t bytes : plan.temp_bytes) temps_.emplace_back(bytes, std::byte{0xa5});
  writes_.resize(outputs_.at(0).size());
}

std::vector<std::byte>& MapSimulator::memory(Ref::Kind kind, uint32_t index) {
  return kind == Ref::Kind::input    ? inputs_.at(index)
         : kind == Ref::Kind::output ? outputs_.at(index)
                                     : temps_.at(index);
}

std::byte* MapSimulator::resolve(uint64_t address, uint64_t bytes, bool write, const Step& step) {
  for (const Access& access : step.accesses) {
    const uint64_t base = base_of(access.kind, access.index);
    if (access.write != write || address < base + access.begin || address + bytes > base + access.end) continue;
    std::vector<std::byte>& all = memory(access.kind, access.index);
    const uint64_t at = address - base;
    require(at + bytes <= all.size(), step.kernel.key + " leaves its buffer");
    if (write && access.kind == Ref::Kind::output) {
      for (uint64_t i = 0; i < bytes; ++i) ++writes_[at + i];
    }
    return all.data() + at;
  }
  throw std::runtime_error(step.kernel.key + " touches what it doesn't declare");
}

void MapSimulator::run_step(const Step& step) {
  const std::string& key = step.kernel.key;
  const size_t op = key.find('.') + 1, types = key.find('.', op) + 1, access = key.find('.', types) + 1;
  Kernel kernel{
      find_oracle(key.substr(0, op - 1), key.substr(op, types - 1 - op), key.substr(types, access - 1 - types)),
      key.substr(access), 1};
  require(kernel.row != nullptr, "no reference for " + key);
  const OracleRow& row = *kernel.row;
  kernel.elems = find_variant(row.family, row.op, row.types, kernel.access)->elems;
  for (const SpecConstant& constant : step.kernel.constants) {
    uint32_t* const places[] = {&kernel.workgroup, &kernel.vectors, &kernel.modes, &kernel.rank, &kernel.vector_stores};
    *places[constant.id] = constant.value;
  }
  Reader push{patched(step.push, step.addresses)};
  for (size_t k = 0; k < row.inputs.size(); ++k) kernel.operands[k] = push.next<uint64_t>();
  kernel.to = push.next<uint64_t>();
  if (kernel.access == "strided") {
    require(step.params_offset == push.at, key + " has its parameters elsewhere");
    push.next<uint64_t>();
  }
  kernel.n = push.next<uint32_t>();
  require(kernel.n > 0 && kernel.n <= traits_.index32_limit, key + " passes the index limit");
  if (kernel.access == "inner") {
    kernel.columns = push.next<uint32_t>();
    kernel.magic = push.next<uint32_t>();
    kernel.shift = push.next<uint32_t>();
    require(kernel.n % (kernel.columns * kernel.elems) == 0, key + " has part of a row");
  }
  require(push.at == push.bytes.size() && push.bytes.size() <= 128, key + " has other push constants");
  Reader params{step.params};
  for (uint32_t d = 0; kernel.access == "strided" && d < kernel.rank; ++d) {
    Kernel::Dim dim{params.next<uint32_t>(), params.next<uint32_t>(), params.next<uint32_t>(), {}};
    for (uint32_t& stride : dim.strides) stride = params.next<uint32_t>();
    kernel.dims.push_back(dim);
  }
  for (int d = 0; d < 3; ++d)
    require(step.groups[d] >= 1 && step.groups[d] <= traits_.max_groups[d], key + " has too many groups");
  const uint64_t groups = uint64_t{step.groups[0]} * step.groups[1] * step.groups[2];
  require(groups * kernel.workgroup * kernel.vectors * kernel.elems >= kernel.n, key + " leaves elements out");

  auto vector_at = [&](uint64_t address, size_t bytes, const char* what) {
    require(address % std::min<uint64_t>(16, kernel.elems * bytes) == 0,
            key + ": " + what + " is not aligned to vectors");
  };
  const uint64_t whole = kernel.n / kernel.elems * kernel.elems;
  if (whole > 0 && kernel.vector_stores) vector_at(kernel.to, row.out_bytes, "the output");
  for (uint64_t i = 0; i < kernel.n; ++i) {
    const std::byte* operands[3] = {};
    for (size_t k = 0; k < row.inputs.size(); ++k) {
      if (kernel.access != "dense" && kernel.mode(k) == 1) {
        operands[k] = reinterpret_cast<const std::byte*>(&kernel.operands[k]);
        continue;
      }
      const uint64_t bytes = row.input_bytes[k], address = kernel.operands[k] + kernel.offset(k, i) * bytes;
      const uint32_t mode = kernel.access == "dense" ? 0 : kernel.mode(k);
      const bool vectors = kernel.access == "strided" ? mode == 5 : mode == 0 || mode == 3;
      if (vectors && i < whole && i % kernel.elems == 0) vector_at(address, bytes, "an operand");
      operands[k] = resolve(address, bytes, false, step);
    }
    row.apply(operands, resolve(kernel.to + i * row.out_bytes, row.out_bytes, true, step));
  }
}

void MapSimulator::run() {
  for (const Step& step : plan_.steps) run_step(step);
}

std::vector<std::string> MapSimulator::keys() const {
  std::vector<std::string> keys;
  for (const Step& step : plan_.steps) keys.push_back(step.kernel.key);
  return keys;
}

}  // namespace nxv
