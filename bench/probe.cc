// nxv_probe: how near the planner's f32 add and sum come to the best that hand-written kernels reach on a device.
//
//   build/nxv_probe [--quick] [DEVICE]
//
// The kernels are bench/probe/pack (see bench/README.md); each is tried with many workgroup sizes, amounts of work an
// invocation and layouts. The best is then run in turns with the planner's plan, and a loop of plain C++ beside them.
// Ends with a line each: the rates and the ratio to the best pattern and to the loop.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "bench/native_loops.h"
#include "runtime/core/api.h"
#include "runtime/core/stopwatch.h"
#include "runtime/ops/op.h"

namespace nxv::bench {
namespace {

constexpr std::chrono::minutes kPatience{5};
constexpr uint64_t kLongestLoop = 65535;  // iterations: llvmpipe leaves longer loops early, without a word

// A device, and work on it that is timed by the clock.
class Bench {
 public:
  Bench(const std::string& select, int64_t n) : device_(open_device({.select = select})), n_(n) {
    std::vector<float> numbers(static_cast<size_t>(n));
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 4);
    for (BufferView& view : operands_) view = upload(*device_, std::as_bytes(std::span(numbers)), 0, Waiting::allow);
  }

  const DeviceInfo& info() const { return device_info(*device_); }

  // The first output of the plan, after one run of it.
  std::vector<float> result(const Plan& plan) {
    BufferView out = execute(*device_, plan, inputs(plan), 0, Waiting::allow).at(0);
    std::vector<float> numbers(plan.output_bytes.at(0) / sizeof(float));
    read(*device_, out, std::as_writable_bytes(std::span(numbers)), kPatience);
    return numbers;
  }

  // Seconds of one of `runs` runs in a row.
  double seconds(const Plan& plan, int runs) {
    Stopwatch watch;
    for (int run = 0; run < runs; ++run) execute(*device_, plan, inputs(plan), 0, Waiting::allow);
    synchronize(*device_, kPatience);
    return watch.seconds() / runs;
  }

  int64_t n() const { return n_; }

 private:
  std::span<const BufferView> inputs(const Plan&) const { return operands_; }

  DevicePtr device_;
  int64_t n_;
  BufferView operands_[2];
};

struct Pattern {
  std::string name;
  Plan plan;
};

Step step(const std::string& key, std::vector<SpecConstant> constants, uint32_t groups, std::vector<Ref> refs,
          uint32_t number) {
  Step step;
  step.kernel = {key, std::move(constants)};
  step.groups = {groups, 1, 1};
  step.push.resize(8 * refs.size() + 4);
  for (size_t i = 0; i < refs.size(); ++i) step.addresses.push_back({static_cast<uint32_t>(8 * i), refs[i]});
  std::memcpy(step.push.data() + 8 * refs.size(), &number, 4);
  return step;
}

Access access(Ref::Kind kind, uint32_t index, uint64_t bytes) {
  return {kind, index, 0, bytes, kind != Ref::Kind::input};
}

std::vector<Pattern> adds(const Bench& bench, bool quick) {
  std::vector<Pattern> patterns;
  auto bytes = static_cast<uint64_t>(bench.n()) * 4;
  for (const char* unit : {"vector", "scalar"}) {
    auto units = static_cast<uint64_t>(bench.n()) / (unit[0] == 'v' ? 4 : 1);
    for (uint32_t workgroup : {32u, 64u, 128u, 256u, 512u}) {
      for (uint32_t each : {1u, 2u, 4u, 8u, 16u}) {
        for (uint32_t variant = 0; variant < 8; ++variant) {
          uint32_t apart = variant & 1, together = variant >> 1 & 1, checked = variant >> 2;
          if (each == 1 && (apart || together)) continue;
          if (quick && (checked || workgroup % 128 || each > 4)) continue;
          uint64_t groups = units / (uint64_t{workgroup} * each);
          if (units % (uint64_t{workgroup} * each) || groups > bench.info().traits.max_groups[0]) continue;
          using Kind = Ref::Kind;
          Step one =
              step(std::string("probe_add.probe_add.f32.") + unit,
                   {{0, workgroup}, {1, each}, {2, apart}, {3, together}, {4, checked}}, static_cast<uint32_t>(groups),
                   {{Kind::input, 0}, {Kind::input, 1}, {Kind::output, 0}}, static_cast<uint32_t>(units));
          one.accesses = {access(Kind::input, 0, bytes), access(Kind::input, 1, bytes), access(Kind::output, 0, bytes)};
          patterns.push_back({std::string(unit) + ", workgroup " + std::to_string(workgroup) + ", " +
                                  std::to_string(each) + (apart ? " apart" : " side by side") +
                                  (together ? ", loads first" : "") + (checked ? ", checked" : ""),
                              {{bytes}, {}, {std::move(one)}}});
        }
      }
    }
  }
  return patterns;
}

// A pass over the numbers, and one over the sums that it leaves.
std::vector<Pattern> sums(const Bench& bench, bool quick) {
  std::vector<Pattern> patterns;
  auto bytes = static_cast<uint64_t>(bench.n()) * 4;
  for (const char* unit : {"vector", "scalar"}) {
    auto units = static_cast<uint64_t>(bench.n()) / (unit[0] == 'v' ? 4 : 1);
    for (uint32_t workgroup : {1u, 8u, 32u, 128u, 256u}) {
      for (uint32_t groups : {2u, 4u, 16u, 64u, 256u, 1024u}) {
        for (uint32_t accumulators : {1u, 2u, 4u, 8u}) {
          for (uint32_t apart : {0u, 1u}) {
            uint64_t invocations = uint64_t{workgroup} * groups;
            if (invocations % 4 || units % (invocations * accumulators)) continue;
            if (units / (invocations * accumulators) > kLongestLoop) continue;
            if (quick && (groups > 64 || workgroup > 32 || accumulators == 2)) continue;
            using Kind = Ref::Kind;
            std::string key = std::string("probe_sum.probe_sum.f32.") + unit;
            Step first = step(key, {{0, workgroup}, {1, accumulators}, {2, apart}}, groups,
                              {{Kind::input, 0}, {Kind::temp, 0}}, static_cast<uint32_t>(units / invocations));
            first.accesses = {access(Kind::input, 0, bytes), access(Kind::temp, 0, invocations * 4)};
            Step second = step("probe_sum.probe_sum.f32.vector", {{0, 1}, {1, 1}, {2, 0}}, 1,
                               {{Kind::temp, 0}, {Kind::output, 0}}, static_cast<uint32_t>(invocations / 4));
            second.accesses = {{Kind::temp, 0, 0, invocations * 4, false}, access(Kind::output, 0, 4)};
            patterns.push_back({std::string(unit) + ", " + std::to_string(groups) + " workgroups of " +
                                    std::to_string(workgroup) + ", " + std::to_string(accumulators) + " accumulators" +
                                    (apart ? ", apart" : ", side by side"),
                                {{4}, {invocations * 4}, {std::move(first), std::move(second)}}});
          }
        }
      }
    }
  }
  return patterns;
}

Plan planned(const char* op, int64_t n, int inputs, const Traits& traits) {
  TensorSpec spec{parse_type("f32"), {n}};
  std::vector<Input> operands(static_cast<size_t>(inputs), Input{.spec = spec, .scalar = std::nullopt});
  return plan_op(op, {}, {}, operands, traits).plan;
}

// The fastest of `patterns` whose result is `right`. All are tried once, the best few again and again.
const Pattern& best_of(Bench& bench, const std::vector<Pattern>& patterns,
                       const std::function<bool(const std::vector<float>&)>& right) {
  std::vector<std::pair<double, const Pattern*>> ranked;
  for (const Pattern& pattern : patterns) {
    if (!right(bench.result(pattern.plan))) {
      throw Error(Code::internal, "[probe] wrong result of " + pattern.name);
    }
    ranked.emplace_back(std::min(bench.seconds(pattern.plan, 1), bench.seconds(pattern.plan, 2)), &pattern);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min<size_t>(ranked.size(), 8));
  for (auto& [seconds, pattern] : ranked) {
    std::vector<double> times;
    for (int round = 0; round < 7; ++round) times.push_back(bench.seconds(pattern->plan, 4));
    seconds = median(times);
  }
  std::sort(ranked.begin(), ranked.end());
  return *ranked[0].second;
}

struct Rates {
  double planner, best, loop;  // seconds
};

void print(const char* name, uint64_t bytes, const Rates& rates, const std::string& best, const Plan& plan) {
  auto speed = [&](double seconds) { return static_cast<double>(bytes) / seconds / 1e9; };
  std::string keys;
  for (const Step& step : plan.steps) keys += (keys.empty() ? "" : " + ") + step.kernel.key;
  std::printf("%s: planner %.2f GB/s (%s)\n", name, speed(rates.planner), keys.c_str());
  std::printf("%s: best pattern %.2f GB/s (%s)\n", name, speed(rates.best), best.c_str());
  std::printf("%s: C++ loop %.2f GB/s (%d threads)\n", name, speed(rates.loop), threads());
  std::printf("%s: %.2f of the best pattern, %.2f of the loop\n", name, rates.best / rates.planner,
              rates.loop / rates.planner);
}

// The two plans and the loop in turns, so that the machine's moods hit all alike.
Rates duel(Bench& ours, const Plan& plan, Bench& probe, const Plan& pattern, const std::function<void()>& loop) {
  std::vector<double> planner, best, native;
  for (int round = 0; round < 11; ++round) {
    planner.push_back(ours.seconds(plan, 4));
    best.push_back(probe.seconds(pattern, 4));
    Stopwatch watch;
    loop();
    native.push_back(watch.seconds());
  }
  return {median(planner), median(best), median(native)};
}

int run(const std::string& select, bool quick, const char* pack) {
  const int64_t n = 1 << 24;
  Bench ours(select, n);
  setenv("NXV_PACK", pack, 1);
  Bench probe(select, n);
  std::printf("%s, %s\n", ours.info().name.c_str(), ours.info().driver.c_str());
  std::vector<float> a(n), b(n), z(n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = b[i] = static_cast<float>(i % 4);

  auto added = [&](const std::vector<float>& got) {
    for (size_t i = 0; i < got.size(); ++i) {
      if (got[i] != 2 * a[i]) return false;
    }
    return true;
  };
  std::vector<Pattern> patterns = adds(probe, quick);
  const Pattern add_best = best_of(probe, patterns, added);
  Plan add_plan = planned("add", n, 2, ours.info().traits);
  if (!added(ours.result(add_plan))) throw Error(Code::internal, "[probe] wrong result of the planner's add");
  Rates rates = duel(ours, add_plan, probe, add_best.plan, [&] { add(a.data(), b.data(), z.data(), a.size()); });
  print("add.f32", 12ull * n, rates, add_best.name, add_plan);

  double total = 0;
  for (float x : a) total += x;
  auto summed = [&](const std::vector<float>& got) { return std::fabs(got[0] - total) <= 1e-6 * total; };
  patterns = sums(probe, quick);
  const Pattern sum_best = best_of(probe, patterns, summed);
  Plan sum_plan = planned("sum", n, 1, ours.info().traits);
  if (!summed(ours.result(sum_plan))) throw Error(Code::internal, "[probe] wrong result of the planner's sum");
  volatile float sink = 0;
  rates = duel(ours, sum_plan, probe, sum_best.plan, [&] { sink = sum(a.data(), a.size()); });
  print("sum.f32", 4ull * n, rates, sum_best.name, sum_plan);
  return 0;
}

}  // namespace
}  // namespace nxv::bench

int main(int argc, char** argv) {
  bool quick = false;
  std::string device;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      quick = true;
    } else {
      device = argv[i];
    }
  }
  try {
    return nxv::bench::run(device, quick, NXV_PROBE_PACK);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nxv_probe: %s\n", error.what());
    return 1;
  }
}
