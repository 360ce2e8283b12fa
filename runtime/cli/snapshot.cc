#include <cstdio>
#include <set>

#include "runtime/cli/command.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/snapshot_recipe.h"
#include "runtime/cli/snapshot_run.h"

namespace nxv::cli {

namespace {

constexpr size_t kShown = 20;  // lines of a kind

SnapshotRun run_all(Session& session, const Pack& pack, const SnapshotOptions& options) {
  Progress progress("kernels");
  return run_snapshot(session, pack, {.only = options.only, .contracted = options.all},
                      [&](size_t done, size_t total) { progress.show(done, total); });
}

// Lines with a reason each, cut where there are many; their number is in the summary.
class Report {
 public:
  void passed(size_t count = 1) { passed_ += count; }
  void failed(const std::string& kind, const std::string& line) {
    if (failures_[kind]++ < kShown) std::printf("%s: %s\n", kind.c_str(), line.c_str());
  }
  void skipped(const std::string& reason, const std::string& key = "") {
    if (++reasons_[reason] <= kShown && !key.empty()) std::printf("%s: %s\n", reason.c_str(), key.c_str());
  }

  // Returns whether nothing failed.
  bool summary() const {
    size_t failed = 0, skipped = 0;
    for (const auto& [kind, count] : failures_) {
      std::printf("%s: %zu\n", kind.c_str(), count);
      failed += count;
    }
    for (const auto& [reason, count] : reasons_) {
      std::printf("skipped: %s: %zu\n", reason.c_str(), count);
      skipped += count;
    }
    std::printf("%zu passed, %zu failed, %zu skipped\n", passed_, failed, skipped);
    return failed == 0;
  }

 private:
  size_t passed_ = 0;
  std::map<std::string, size_t> failures_, reasons_;
};

void report_run(Report& report, const SnapshotRun& run) {
  for (const std::string& key : run.without_recipe) report.failed("no recipe", key);
  for (const auto& [key, why] : run.failed) report.failed("does not run", key + ": " + why);
  for (const auto& [key, why] : run.skipped) report.skipped(why);
}

class Comparison {
 public:
  Comparison(const Snapshot& recorded, const SnapshotRun& run, const DeviceInfo& device, Report& report)
      : recorded_(recorded), run_(run), device_(device), report_(report) {
    same_device_ = recorded.device == run.snapshot.device && recorded.driver == run.snapshot.driver;
  }

  void compare() {
    const std::set<std::string_view> unreached(run_.without_recipe.begin(), run_.without_recipe.end());
    for (const auto& [key, line] : recorded_.lines) {
      if (run_.snapshot.lines.contains(key)) continue;
      if (!run_.skipped.contains(key) && !run_.failed.contains(key) && !unreached.contains(key)) {
        report_.failed("missing", key + " is recorded, but not in the pack");
      }
    }
    for (const auto& [key, line] : run_.snapshot.lines) {
      auto found = recorded_.lines.find(key);
      if (found == recorded_.lines.end()) {
        report_.failed("new", key + " is in the pack, but not recorded");
      } else {
        compare(key, line, found->second);
      }
    }
  }

 private:
  void compare(const std::string& key, const SnapshotLine& got, const SnapshotLine& want) {
    const bool device_bound = is_contracted(key.substr(0, key.find('.'))) && !same_device_;
    if (device_bound) return report_.skipped("the bits of one device, recorded on another");
    if (got.digest == want.digest) {
      report_.passed();
    } else {
      report_.failed("differs", key + " gives " + got.digest + ", recorded is " + want.digest);
    }
    if (got.subnormal == want.subnormal) {
      if (got.subnormal != kNoDigest) report_.passed();
    } else if (device_.flushes_f32_subnormals && flushing(key)) {
      report_.skipped("flushed by this device", key);
    } else {
      report_.failed("differs for subnormals", key + " gives " + got.subnormal + ", recorded is " + want.subnormal);
    }
  }

  static bool flushing(const std::string& key) {
    const VariantInfo* variant = find_variant(key);
    const SignatureInfo* signature =
        variant ? find_signature(key.substr(0, key.find('.')), variant->op, variant->types) : nullptr;
    return signature && may_flush(*signature);
  }

  const Snapshot& recorded_;
  const SnapshotRun& run_;
  const DeviceInfo& device_;
  Report& report_;
  bool same_device_ = false;
};

}  // namespace

void snapshot_write(const SnapshotOptions& options) {
  SnapshotWriter writer(options.file);
  Session session({.select = options.device});
  auto pack = Pack::open();
  SnapshotRun run = run_all(session, *pack, options);
  Report report;
  report_run(report, run);
  report.passed(run.snapshot.lines.size());
  const bool whole = run.without_recipe.empty() && run.failed.empty();
  if (whole) writer.write(run.snapshot);
  std::printf("%s: %zu keys of pack %s, on %s\n", whole ? options.file.c_str() : "not written",
              run.snapshot.lines.size(), run.snapshot.pack.c_str(), run.snapshot.device.c_str());
  if (!run.without_recipe.empty()) std::printf("%zu keys have no recipe\n", run.without_recipe.size());
  if (!report.summary()) throw Exit{1};
}

void snapshot_verify(const SnapshotOptions& options) {
  Snapshot recorded = read_snapshot(options.file);
  std::erase_if(recorded.lines, [&](const auto& line) { return line.first.find(options.only) == std::string::npos; });
  Session session({.select = options.device});
  auto pack = Pack::open();
  std::printf("recorded on %s (%s), pack %s\nthis is     %s (%s), pack %s\n", recorded.device.c_str(),
              recorded.driver.c_str(), recorded.pack.c_str(), session.info().name.c_str(),
              session.info().driver.c_str(), std::string(pack->digest()).c_str());
  SnapshotRun run = run_all(session, *pack, options);
  Report report;
  report_run(report, run);
  Comparison(recorded, run, session.info(), report).compare();
  if (!run.without_recipe.empty()) std::printf("%zu keys have no recipe\n", run.without_recipe.size());
  if (!report.summary()) throw Exit{1};
}

}  // namespace nxv::cli
