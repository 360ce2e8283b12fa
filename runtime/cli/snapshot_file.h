#pragma once

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

// By a temporary file and a rename.
void write_snapshot(const std::string& path, const Snapshot& snapshot);

}  // namespace nxv::cli
