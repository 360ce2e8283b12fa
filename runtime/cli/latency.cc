#include <algorithm>
#include <cstring>

#include "runtime/cli/measure.h"
#include "runtime/core/stopwatch.h"

namespace nxv::cli {

namespace {

constexpr std::chrono::minutes kPatience{5};
constexpr int kDispatches = 1000;
constexpr int kRounds = 9;
constexpr int kSmallRuns = 2000;
constexpr double kMicro = 1e6;
constexpr double kGiga = 1e9;
constexpr int64_t kSmall = 1024;  // elements

// Small additions on one device, planned once.
class Small {
 public:
  explicit Small(Session& session) : session_(session), spec_{parse_type("f32"), {kSmall}} {
    a_ = session.run_one("iota", {}, spec_, {}).view;
    b_ = session.run_one("iota", {}, spec_, {}).view;
    plan_ = planned(spec_);
    execute(a_);
    wait();
  }

  void wait() { synchronize(session_.device(), kPatience); }

  BufferView execute(const BufferView& a) {
    const BufferView operands[] = {a, b_};
    return nxv::execute(session_.device(), plan_, operands, 0, Waiting::allow).at(0);
  }

  double alone() {
    Stopwatch watch;
    execute(a_);
    wait();
    return watch.seconds();
  }

  void one() { execute(a_); }

  void independent() {
    for (int i = 0; i < kDispatches; ++i) execute(a_);
  }

  void dependent() {
    BufferView x = a_;
    for (int i = 0; i < kDispatches; ++i) x = execute(x);
  }

  // Keeps the device busy for a few milliseconds.
  void long_work() {
    if (!long_operand_.buffer) {
      TensorSpec spec{parse_type("f32"), {session_.info().cpu ? int64_t{1} << 22 : int64_t{1} << 26}};
      long_operand_ = session_.run_one("iota", {}, spec, {}).view;
      long_plan_ = planned(spec);
    }
    const BufferView operands[] = {long_operand_, long_operand_};
    for (int i = 0; i < (session_.info().cpu ? 4 : 40); ++i) {
      nxv::execute(session_.device(), long_plan_, operands, 0, Waiting::allow);
    }
  }

 private:
  Plan planned(const TensorSpec& spec) {
    const Input input{.spec = spec, .scalar = std::nullopt};
    const Input inputs[] = {input, input};
    return plan_op("add", {}, std::span(&spec, 1), inputs, session_.info().traits).plan;
  }

  Session& session_;
  TensorSpec spec_;
  BufferView a_, b_, long_operand_;
  Plan plan_, long_plan_;
};

template <typename Work>
double median_seconds(int rounds, const Work& work) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) times.push_back(work());
  return median(times);
}

template <typename Work>
double timed(const Work& work) {
  Stopwatch watch;
  work();
  return watch.seconds();
}

// What `work` adds to the time of other work that the device is busy with: its own time there, without that of
// recording it.
template <typename Work>
double behind_long_work(Small& small, const Work& work) {
  auto once = [&](bool with) {
    return median_seconds(kRounds, [&] {
      return timed([&] {
        small.long_work();
        if (with) work();
        small.wait();
      });
    });
  };
  once(true);
  double without = once(false);
  return std::max(once(true) - without, 0.0);
}

double upload_rate(Session& session, const HostTensor& tensor) {
  double seconds = median_seconds(kRounds, [&] {
    return timed([&] {
      Tensor there = session.upload(tensor);
      synchronize(session.device(), kPatience);
    });
  });
  return static_cast<double>(tensor.bytes.size()) / seconds / kGiga;
}

double download_rate(Session& session, HostTensor& tensor) {
  Tensor there = session.upload(tensor);
  double seconds = median_seconds(
      kRounds, [&] { return timed([&] { read(session.device(), there.view, tensor.bytes, kPatience); }); });
  return static_cast<double>(tensor.bytes.size()) / seconds / kGiga;
}

}  // namespace

std::vector<Figure> measure_latencies(Session& session, const std::function<bool(const std::string&)>& wanted,
                                      uint64_t transfer_bytes) {
  std::vector<Figure> figures;
  Small small(session);
  auto add = [&](const char* name, const char* unit, const char* what, auto value) {
    if (wanted(name)) figures.push_back({name, value(), unit, what});
  };
  add("latency.small_add", "us", "one add of 1024 f32, submitted and waited for",
      [&] { return kMicro * median_seconds(kSmallRuns, [&] { return small.alone(); }); });
  add("latency.submit", "us", "waiting for a dispatch that is submitted alone, without recording it", [&] {
    return kMicro * median_seconds(kSmallRuns, [&] {
             small.one();
             return timed([&] { small.wait(); });
           });
  });
  add("latency.record", "us", "binding and appending one dispatch, its output allocated", [&] {
    return kMicro / kDispatches * median_seconds(kRounds, [&] {
             double seconds = timed([&] { small.independent(); });
             small.wait();
             return seconds;
           });
  });
  add("dispatch.dependent", "us", "each of 1,000 dispatches that need the one before, on the device",
      [&] { return kMicro / kDispatches * behind_long_work(small, [&] { small.dependent(); }); });
  add("dispatch.independent", "us", "each of 1,000 dispatches that need none other, on the device",
      [&] { return kMicro / kDispatches * behind_long_work(small, [&] { small.independent(); }); });
  add("eager.dependent", "us", "each of 1,000 dependent dispatches, from the first append to the last result", [&] {
    return kMicro / kDispatches * median_seconds(kRounds, [&] {
             return timed([&] {
               small.dependent();
               small.wait();
             });
           });
  });
  add("eager.independent", "us", "each of 1,000 independent dispatches, from the first append to the last result", [&] {
    return kMicro / kDispatches * median_seconds(kRounds, [&] {
             return timed([&] {
               small.independent();
               small.wait();
             });
           });
  });
  if (wanted("transfer.upload") || wanted("transfer.download")) {
    HostTensor host{{parse_type("f32"), {static_cast<int64_t>(transfer_bytes / 4)}}, {}};
    host.bytes.resize(transfer_bytes);
    std::memset(host.bytes.data(), 1, transfer_bytes);
    add("transfer.upload", "GB/s", "from pageable memory", [&] { return upload_rate(session, host); });
    add("transfer.download", "GB/s", "to pageable memory", [&] { return download_rate(session, host); });
  }
  return figures;
}

}  // namespace nxv::cli
