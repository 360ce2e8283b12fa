// nxv_probe_dot: how fast the kernel "block" of the matrix product is in each of its shapes.
//
//   build/nxv_probe_dot TYPE M N K [BATCHES] [ta] [tb]
//
// Tries many shapes and numbers of splits; the planner's own choice comes first. ta, tb: that operand lies transposed.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime/core/api.h"
#include "runtime/core/stopwatch.h"
#include "runtime/ops/builder.h"
#include "runtime/ops/dot_steps.h"

namespace nxv::bench {
namespace {

constexpr std::chrono::minutes kPatience{5};

struct Problem {
  Type type;
  int64_t m, n, k, batches;
  bool a_transposed, b_transposed;

  double flops() const {
    return 2.0 * static_cast<double>(batches) * static_cast<double>(m) * static_cast<double>(n) *
           static_cast<double>(k);
  }
};

Plan plan_of(const Problem& problem, const Traits& traits, const BlockChoice* choice) {
  const auto [type, m, n, k, batches, ta, tb] = problem;
  const std::array inputs{Input{{type, {batches, m, k}}, {}}, Input{{type, {batches, k, n}}, {}}};
  PlanBuilder builder("dot", traits);
  MatrixProduct product{.a = builder.input(inputs, 0), .b = builder.input(inputs, 1)};
  product.z = builder.output({type, {batches, m, n}});
  product.batches = batches, product.m = m, product.n = n, product.k = k;
  product.a_batch = m * k, product.a_m = ta ? 1 : k, product.a_k = ta ? m : 1;
  product.b_batch = k * n, product.b_k = tb ? 1 : n, product.b_n = tb ? k : 1;
  append_product(builder, product, choice);
  return builder.finish().plan;
}

std::vector<BlockShape> shapes(uint32_t element, const Traits& traits) {
  std::vector<BlockShape> all;
  for (uint32_t m : {32u, 64u, 128u, 256u}) {
    for (uint32_t n : {32u, 64u, 128u, 256u}) {
      for (uint32_t k : {8u, 16u, 32u}) {
        for (auto [reg_m, reg_n] : {std::pair{4u, 4u}, {8u, 4u}, {4u, 8u}, {8u, 8u}, {16u, 8u}, {8u, 16u}}) {
          for (uint32_t lanes_m : {4u, 8u}) {
            const BlockShape shape{m, n, k, reg_m, reg_n, lanes_m};
            const uint32_t threads = shape.threads(), lanes_n = 32 / lanes_m;
            if (threads < 64 || threads > std::min(512u, traits.max_workgroup_size)) continue;
            if (m % (reg_m * lanes_m) != 0 || n % (reg_n * lanes_n) != 0) continue;
            if (m * k / 4 % threads != 0 || n * k / 4 % threads != 0) continue;
            if (shape.shared_bytes(element) > traits.max_shared_bytes) continue;
            if (reg_m * reg_n * element > 512) continue;
            all.push_back(shape);
          }
        }
      }
    }
  }
  return all;
}

class Bench {
 public:
  explicit Bench(const Problem& problem) : problem_(problem), device_(open_device({})) {
    operands_[0] = random(problem.batches * problem.m * problem.k, 1);
    operands_[1] = random(problem.batches * problem.k * problem.n, 2);
    synchronize(*device_, kPatience);
  }

  const DeviceInfo& info() const { return device_info(*device_); }

  double seconds(const Plan& plan) {
    run(plan, 1);
    const double once = run(plan, 2);
    return run(plan, std::clamp(static_cast<int>(0.03 / once), 2, 400));
  }

 private:
  // Zeros would cost less power, and so time, than numbers do.
  BufferView random(int64_t count, uint32_t seed) {
    std::vector<float> numbers(static_cast<size_t>(count));
    std::minstd_rand next(seed);
    for (float& number : numbers) number = static_cast<float>(next() % 65536) / 32768.0f - 1.0f;
    const BufferView wide = upload(*device_, std::as_bytes(std::span(numbers)), 0, Waiting::allow);
    const TensorSpec spec{problem_.type, {count}};
    const std::array inputs{Input{{Type::f32, {count}}, {}}};
    const OpPlan cast = plan_op("as_type", {}, std::span(&spec, 1), inputs, info().traits);
    return execute(*device_, cast.plan, std::span(&wide, 1), 0, Waiting::allow).at(0);
  }

  double run(const Plan& plan, int runs) {
    Stopwatch watch;
    for (int i = 0; i < runs; ++i) execute(*device_, plan, operands_, 0, Waiting::allow);
    synchronize(*device_, kPatience);
    return watch.seconds() / runs;
  }

  Problem problem_;
  DevicePtr device_;
  BufferView operands_[2];
};

std::string describe(const BlockChoice& choice) {
  const BlockShape& s = choice.shape;
  char text[96];
  std::snprintf(text, sizeof text, "%3u x %3u x %2u, %2u x %2u, lanes %u, splits %lld", s.m, s.n, s.k, s.reg_m, s.reg_n,
                s.lanes_m, static_cast<long long>(choice.splits));
  return text;
}

void print(const Problem& problem, double seconds, const std::string& what) {
  std::printf("%8.2f TFLOP/s %10.1f us  %s\n", problem.flops() / seconds / 1e12, seconds * 1e6, what.c_str());
  std::fflush(stdout);
}

void run(const Problem& problem, double budget) {
  Stopwatch watch;
  Bench bench(problem);
  const Traits& traits = bench.info().traits;
  const auto element = static_cast<uint32_t>(std::max<uint64_t>(4, type_bytes(problem.type)));
  std::printf("%s %s: %lld batches, m %lld, n %lld, k %lld%s%s\n", bench.info().name.c_str(),
              std::string(type_info(problem.type).name).c_str(), static_cast<long long>(problem.batches),
              static_cast<long long>(problem.m), static_cast<long long>(problem.n), static_cast<long long>(problem.k),
              problem.a_transposed ? ", a transposed" : "", problem.b_transposed ? ", b transposed" : "");
  const BlockChoice own = choose_block({problem.batches, problem.m, problem.n, problem.k}, element, traits);
  print(problem, bench.seconds(plan_of(problem, traits, nullptr)), "planner, block would be " + describe(own));
  std::vector<std::pair<double, BlockChoice>> tried;
  for (const BlockShape& shape : shapes(element, traits)) {
    const auto tiles = [](int64_t extent, int64_t tile) { return (extent + tile - 1) / tile; };
    const int64_t groups = problem.batches * tiles(problem.m, shape.m) * tiles(problem.n, shape.n);
    for (int64_t splits : {1, 2, 4, 8, 16}) {
      if (splits > 1 && (groups * splits > 6 * int64_t{traits.compute_units} || problem.k / splits < 64)) break;
      if (watch.seconds() > budget) break;
      const BlockChoice choice{shape, splits};
      tried.emplace_back(bench.seconds(plan_of(problem, traits, &choice)), choice);
    }
  }
  std::ranges::sort(tried, {}, [](const auto& entry) { return entry.first; });
  for (size_t i = 0; i < std::min<size_t>(tried.size(), 6); ++i) {
    print(problem, bench.seconds(plan_of(problem, traits, &tried[i].second)), describe(tried[i].second));
  }
  std::printf("%zu tried in %.0f s\n", tried.size(), watch.seconds());
}

}  // namespace
}  // namespace nxv::bench

int main(int argc, char** argv) {
  try {
    if (argc < 5) throw nxv::Error(nxv::Code::invalid_argument, "TYPE M N K [BATCHES] [ta] [tb]");
    const auto number = [&](int i) { return static_cast<int64_t>(std::atoll(argv[i])); };
    nxv::bench::Problem problem{nxv::parse_type(argv[1]), number(2), number(3), number(4), 1, false, false};
    for (int i = 5; i < argc; ++i) {
      if (std::strcmp(argv[i], "ta") == 0) {
        problem.a_transposed = true;
      } else if (std::strcmp(argv[i], "tb") == 0) {
        problem.b_transposed = true;
      } else {
        problem.batches = number(i);
      }
    }
    const char* budget = std::getenv("NXV_PROBE_SECONDS");
    nxv::bench::run(problem, budget ? std::atof(budget) : 30);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nxv_probe_dot: %s\n", error.what());
    return 1;
  }
}
