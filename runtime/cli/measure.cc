#include "runtime/cli/measure.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "runtime/core/stopwatch.h"

namespace nxv::cli {

namespace {

constexpr std::chrono::minutes kPatience{5};
constexpr double kRoundSeconds = 0.05;  // of GPU work between two waits: what a wait costs no longer matters
constexpr int kRounds = 7;
constexpr int kMostRuns = 1000;   // a round
constexpr size_t kMostTurns = 3;  // sets of operands
// In flight: fresh memory is cleared by the driver, which takes bandwidth.
constexpr uint64_t kMostOutputBytes = 8ull << 30;

void wait(Session& session) { synchronize(session.device(), kPatience); }

// Counters from 0 on. Made on the device.
Tensor counters(Session& session, const TensorSpec& spec) { return session.run_one("iota", {}, spec, {}); }

// Random numbers, the same ones again and again.
Tensor uniform(Session& session, const TensorSpec& spec, double low, double high, uint64_t seed) {
  constexpr int64_t kPeriod = 1 << 20;
  const int64_t count = element_count(spec.dims), period = std::min(count, kPeriod);
  HostTensor numbers{{parse_type("f64"), {period}}, std::vector<std::byte>(static_cast<size_t>(period) * 8)};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> within(low, high);
  for (int64_t i = 0; i < period; ++i) {
    const double number = within(random);
    std::memcpy(numbers.bytes.data() + i * 8, &number, sizeof number);
  }
  const Tensor wide = session.upload(numbers);
  const Tensor once = session.run_one("as_type", {}, {spec.type, {period}}, {&wide, 1});
  return viewed_as(session.run_one("broadcast", {}, {spec.type, {count / period, period}}, {&once, 1}), spec);
}

Tensor operand(Session& session, const Benchmark& benchmark, const TensorSpec& spec, uint64_t seed) {
  if (!benchmark.range) return counters(session, spec);
  return uniform(session, spec, benchmark.range->first, benchmark.range->second, seed);
}

// Operands and outputs of a benchmark, planned once.
class Work {
 public:
  Work(Session& session, const Benchmark& benchmark) : session_(session), memory_(session.info().memory_bytes) {
    std::vector<Input> inputs;
    uint64_t operand_bytes = benchmark.bytes() - byte_size(benchmark.out);
    size_t turns = std::clamp<size_t>(memory_ / 4 / std::max<uint64_t>(operand_bytes, 1), 1, kMostTurns);
    for (size_t turn = 0; turn < turns; ++turn) {
      std::vector<BufferView>& views = operands_.emplace_back();
      for (const TensorSpec& spec : benchmark.inputs) {
        views.push_back(operand(session, benchmark, spec, turn * 8 + views.size()).view);
      }
    }
    for (const TensorSpec& spec : benchmark.inputs) inputs.push_back({.spec = spec, .scalar = std::nullopt});
    plan_ = plan_op(benchmark.op, benchmark.attrs, std::span(&benchmark.out, 1), inputs, session.info().traits).plan;
    most_runs_ = std::clamp<uint64_t>(
        std::min(memory_ / 4, kMostOutputBytes) / std::max<uint64_t>(byte_size(benchmark.out), 1), 1, kMostRuns);
    wait(session);
  }

  int most_runs() const { return static_cast<int>(most_runs_); }

  // By the device's own clock where the session profiles, else by the host's.
  double seconds(int runs) {
    double busy_before = device_seconds();
    Stopwatch watch;
    for (int run = 0; run < runs; ++run) {
      execute(session_.device(), plan_, operands_[static_cast<size_t>(run) % operands_.size()], 0, Waiting::allow);
    }
    wait(session_);
    double busy = device_seconds() - busy_before;
    return busy > 0 ? busy : watch.seconds();
  }

 private:
  double device_seconds() {
    double total = 0;
    for (const ProfileRow& row : profile(session_.device())) total += row.total_ns * 1e-9;
    return total;
  }

  Session& session_;
  uint64_t memory_;
  std::vector<std::vector<BufferView>> operands_;
  Plan plan_;
  uint64_t most_runs_ = 1;
};

}  // namespace

double measure(Session& session, const Benchmark& benchmark) {
  Work work(session, benchmark);
  work.seconds(1);  // makes pipelines
  double once = work.seconds(1);
  int runs = std::clamp(static_cast<int>(std::ceil(kRoundSeconds / once)), 1, work.most_runs());
  work.seconds(runs);  // brings memory in
  // Short work looks longer alone than it is in a row.
  runs = std::clamp(static_cast<int>(std::ceil(kRoundSeconds / (work.seconds(runs) / runs))), 1, work.most_runs());
  work.seconds(runs);
  std::vector<double> rounds;
  for (int round = 0; round < kRounds; ++round) rounds.push_back(work.seconds(runs) / runs);
  return median(rounds);
}

}  // namespace nxv::cli
