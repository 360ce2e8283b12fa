#pragma once

#include <fstream>
#include <map>
#include <string>

namespace nxv::cli {

inline constexpr const char* kNoDigest = "-";

// What is kept of one kernel's results.
struct SnapshotLine {
  std::string digest;
  std::string subnormal = kNoDigest;  // of results for subnormal operands, where there is a difference
};

// The digests of a pack's kernels, and where they come from. As text:
//
//   # nxv snapshot 1
//   # device NAME
//   # driver NAME
//   # pack DIGEST
//   KEY<TAB>DIGEST<TAB>DIGEST of subnormals, or -     sorted by key
//   # end LINES
struct Snapshot {
  std::string device, driver, pack;
  std::map<std::string, SnapshotLine, std::less<>> lines;  // by key
};

// Throws invalid_argument, "[snapshot] FILE ...", for anything that is not a whole snapshot.
Snapshot read_snapshot(const std::string& path);

// Writes a snapshot by a temporary file beside it and a rename. Opened before the kernels run: a path that cannot be
// written is refused at once.
class SnapshotWriter {
 public:
  explicit SnapshotWriter(std::string path);
  ~SnapshotWriter();
  SnapshotWriter(const SnapshotWriter&) = delete;
  SnapshotWriter& operator=(const SnapshotWriter&) = delete;

  void write(const Snapshot& snapshot);

 private:
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_, part_;
  std::ofstream file_;
};

}  // namespace nxv::cli
