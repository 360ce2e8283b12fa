#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime/cli/session.h"
#include "runtime/cli/snapshot_file.h"
#include "runtime/core/pack.h"

namespace nxv::cli {

// What running the kernels of a pack on this device gave.
struct SnapshotRun {
  Snapshot snapshot;
  std::map<std::string, std::string> skipped;  // key → why
  std::map<std::string, std::string> failed;   // key → what it failed with
  std::vector<std::string> without_recipe;     // keys that no launch reaches
};

struct SnapshotSelection {
  std::string only;         // keys that contain this
  bool contracted = false;  // also the families whose results are those of one device
};

// Runs every kernel of the pack that the device supports on numbers that depend on its op and types only. `progress` is
// told how many of how many are done.
SnapshotRun run_snapshot(Session& session, const Pack& pack, const SnapshotSelection& selection,
                         const std::function<void(size_t done, size_t total)>& progress);

}  // namespace nxv::cli
