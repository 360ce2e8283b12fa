#include "runtime/cli/snapshot_run.h"

#include <algorithm>

#include "runtime/cli/snapshot_digest.h"
#include "runtime/cli/snapshot_recipe.h"
#include "runtime/core/caps.h"

namespace nxv::cli {

namespace {

// Kernels under way at once: enough to keep pipelines coming while results are waited for.
constexpr size_t kBatch = 64;
// Batches of one opening of the device: Mesa 25's llvmpipe takes two megabytes for a pipeline.
constexpr size_t kBatches = 8;

struct Job {
  std::string key;
  Values values;
  std::vector<Launch> launches;
  std::vector<BufferView> results;  // of the launches that were appended
};

class Runner {
 public:
  Runner(Session& session, const Pack& pack, SnapshotRun& run) : session_(session), pack_(pack), run_(run) {}

  void add(const PackEntry& entry, const SignatureInfo& signature, const VariantInfo& variant, Recipe recipe) {
    std::vector<Values> sets{Values::ordinary};
    if (sees_subnormals(signature)) sets.push_back(Values::subnormal);
    for (Values values : sets) {
      Job job{std::string(entry.key), values, recipe({variant, signature, values, session_.info().traits, pack_}), {}};
      std::erase_if(job.launches, [&](const Launch& launch) {
        return !launch.runs(entry.key) || launch.plan.plan.output_bytes.size() != 1;
      });
      if (job.launches.empty()) {
        run_.without_recipe.push_back(job.key);
        return;
      }
      jobs_.push_back(std::move(job));
    }
    if (jobs_.size() >= kBatch) flush();
  }

  // First all that can go without waiting, which sets the making of pipelines going, then the rest, then the results.
  void flush() {
    for (Waiting waiting : {Waiting::refuse, Waiting::allow}) {
      session_.set_waiting(waiting);
      for (Job& job : jobs_) guarded(job, [&] { start_some(job); });
    }
    for (Job& job : jobs_) guarded(job, [&] { finish(job); });
    jobs_.clear();
    if (++flushes_ % kBatches == 0) session_.reopen();
  }

 private:
  void guarded(Job& job, const std::function<void()>& work) {
    if (run_.failed.contains(job.key)) return;
    try {
      work();
    } catch (const Error& error) {
      if (error.code() == Code::device_lost || error.code() == Code::timeout) throw;
      run_.failed[job.key] = error.what();
      run_.snapshot.lines.erase(job.key);
    }
  }

  void start_some(Job& job) {
    try {
      while (job.results.size() < job.launches.size()) {
        job.results.push_back(start(session_, job.launches[job.results.size()]));
      }
    } catch (const NotReady&) {
    }
  }

  void finish(const Job& job) {
    Digest digest;
    for (size_t i = 0; i < job.launches.size(); ++i) {
      std::vector<std::byte> bytes(job.launches[i].plan.plan.output_bytes[0]);
      session_.read_bytes(job.results[i], bytes);
      digest.add(job.launches[i].out, bytes, job.values == Values::ordinary);
    }
    SnapshotLine& line = run_.snapshot.lines[job.key];
    (job.values == Values::ordinary ? line.digest : line.subnormal) = digest.text();
  }

  Session& session_;
  const Pack& pack_;
  SnapshotRun& run_;
  std::vector<Job> jobs_;
  size_t flushes_ = 0;
};

// "map2" of "map2.add.f32.dense", and "f32" as its third part.
std::string_view part_of(std::string_view key, size_t index) {
  for (; index > 0; --index) key.remove_prefix(std::min(key.size(), key.find('.') + 1));
  return key.substr(0, key.find('.'));
}

}  // namespace

SnapshotRun run_snapshot(Session& session, const Pack& pack, const SnapshotSelection& selection,
                         const std::function<void(size_t done, size_t total)>& progress) {
  SnapshotRun run;
  run.snapshot.device = session.info().name;
  run.snapshot.driver = session.info().driver;
  run.snapshot.pack = pack.digest();
  Runner runner(session, pack, run);
  size_t done = 0;
  for (const PackEntry& entry : pack.entries()) {
    progress(done++, pack.entries().size());
    if (entry.key.find(selection.only) == std::string_view::npos) continue;
    const std::string_view family = part_of(entry.key, 0);
    if (is_contracted(family) && !selection.contracted) {
      run.skipped[std::string(entry.key)] = std::string(family) + " gives the bits of one device; --all takes it in";
    } else if (const uint32_t lacks = entry.caps & ~session.info().traits.caps) {
      run.skipped[std::string(entry.key)] = "device lacks " + caps_text(lacks);
    } else {
      const VariantInfo* variant = find_variant(entry.key);
      const SignatureInfo* signature = find_signature(family, part_of(entry.key, 1), part_of(entry.key, 2));
      Recipe recipe = find_recipe(family);
      if (variant && signature && recipe) {
        runner.add(entry, *signature, *variant, recipe);
      } else {
        run.without_recipe.emplace_back(entry.key);
      }
    }
  }
  runner.flush();
  return run;
}

}  // namespace nxv::cli
