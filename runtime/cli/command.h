#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nxv::cli {

// The subcommands. Each throws Error for what the user should read, and Exit to end with a status of its own.

struct DevicesOptions {
  bool json = false;
};
void devices(const DevicesOptions& options);

struct PackOptions {
  bool json = false;
  std::string filter;  // of names: what they contain
};
void pack_summary(const PackOptions& options);
void pack_kernels(const PackOptions& options);
void pack_ops(const PackOptions& options);

constexpr const char* kNoShape = "-";

struct RunOptions {
  std::string op, type, shape = kNoShape, device;
  std::vector<std::string> inputs, attributes, outputs;
};
void run(const RunOptions& options);

struct CasesOptions {
  std::vector<std::string> files;
  std::string filter, device;
  bool verbose = false;
};
void cases(const CasesOptions& options);

struct BenchOptions {
  std::string filter, size, device;
  bool json = false;
};
void bench(const BenchOptions& options);

struct SnapshotOptions {
  std::string file, device;
  std::string only;  // keys that contain this
  bool all = false;  // also families whose results are those of one device
};
void snapshot_write(const SnapshotOptions& options);
void snapshot_verify(const SnapshotOptions& options);

struct VerifyOptions {
  std::vector<std::string> ops;  // none: all
  std::string device;
  uint64_t samples = 0;  // 0: as many as the device is good for
  bool exhaustive = false, json = false;
};
void verify(const VerifyOptions& options);

// Thrown by a command that has said all there is to say.
struct Exit {
  int status = 0;
};

}  // namespace nxv::cli
