#include "runtime/cli/snapshot_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "runtime/core/error.h"

namespace nxv::cli {

namespace {

constexpr std::string_view kTitle = "# nxv snapshot 1";

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), file_(path) {
    if (!file_) fail("cannot be opened: " + std::string(std::strerror(errno)));
  }

  Snapshot read() {
    if (!next() || line_ != kTitle) fail("is not a snapshot: its first line is not \"" + std::string(kTitle) + "\"");
    Snapshot snapshot;
    snapshot.device = header("device");
    snapshot.driver = header("driver");
    snapshot.pack = header("pack");
    while (next() && !line_.starts_with("# end ")) add(snapshot);
    if (line_ != "# end " + std::to_string(snapshot.lines.size()) || file_.eof()) {
      fail("is cut short or has lost lines: it ends with " + std::to_string(snapshot.lines.size()) +
           " keys and no line that says so; write it anew");
    }
    return snapshot;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(Code::invalid_argument, "[snapshot] " + path_ + " " + why);
  }

  bool next() {
    ++number_;
    return static_cast<bool>(std::getline(file_, line_));
  }

  std::string header(const std::string& name) {
    const std::string prefix = "# " + name + " ";
    if (!next() || !line_.starts_with(prefix)) fail("is cut short or damaged: it does not say its " + name);
    return line_.substr(prefix.size());
  }

  static bool is_digest(std::string_view text) {
    return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == text.npos;
  }

  void add(Snapshot& snapshot) {
    const size_t first = line_.find('\t'), second = line_.find('\t', first + 1);
    bool good = first != line_.npos && second != line_.npos && first > 0;
    if (good) {
      SnapshotLine line{line_.substr(first + 1, second - first - 1), line_.substr(second + 1)};
      good = is_digest(line.digest) && (line.subnormal == kNoDigest || is_digest(line.subnormal)) &&
             snapshot.lines.emplace(line_.substr(0, first), line).second;
    }
    if (!good) fail("is cut short or damaged at line " + std::to_string(number_));
  }

  const std::string& path_;
  std::ifstream file_;
  std::string line_;
  size_t number_ = 0;
};

}  // namespace

Snapshot read_snapshot(const std::string& path) { return Reader(path).read(); }

SnapshotWriter::SnapshotWriter(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  std::error_code error;
  if (std::filesystem::is_directory(path_, error)) fail("it is a folder");
  file_.open(part_, std::ios::trunc);
  if (!file_) fail(std::strerror(errno));
}

SnapshotWriter::~SnapshotWriter() {
  std::error_code error;
  std::filesystem::remove(part_, error);
}

void SnapshotWriter::write(const Snapshot& snapshot) {
  file_ << kTitle << "\n# device " << snapshot.device << "\n# driver " << snapshot.driver << "\n# pack "
        << snapshot.pack << '\n';
  for (const auto& [key, line] : snapshot.lines) file_ << key << '\t' << line.digest << '\t' << line.subnormal << '\n';
  file_ << "# end " << snapshot.lines.size() << '\n';
  file_.close();
  if (!file_) fail(std::strerror(errno));
  std::error_code error;
  std::filesystem::rename(part_, path_, error);
  if (error) fail(error.message());
}

void SnapshotWriter::fail(const std::string& why) const {
  throw Error(Code::invalid_argument, "[snapshot] " + path_ + " cannot be written: " + why);
}

}  // namespace nxv::cli
