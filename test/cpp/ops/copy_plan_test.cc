#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/support/plan_simulator.h"

namespace nxv {
namespace {

constexpr Traits kAll{.caps = 0x7f};

Traits limited(Traits traits) {
  traits.max_groups = {7, 7, 7};
  traits.index32_limit = 1000;
  return traits;
}

Traits cpu(Traits traits) {
  traits.cpu = true;
  return traits;
}

std::vector<std::byte> bytes_of(const std::vector<int32_t>& values) {
  std::vector<std::byte> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<int32_t> values_of(const std::vector<std::byte>& bytes) {
  std::vector<int32_t> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

struct Tensor {
  Dims dims;
  std::vector<int32_t> values;
};

// Distinct elements: no test can pass by mistake.
Tensor counted(const Dims& dims, int32_t first = 1) {
  Tensor tensor{dims, std::vector<int32_t>(static_cast<size_t>(element_count(dims)))};
  std::iota(tensor.values.begin(), tensor.values.end(), first);
  return tensor;
}

int64_t flat(const Dims& dims, const Dims& index) {
  int64_t at = 0;
  for (size_t d = 0; d < dims.size(); ++d) at = at * dims[d] + index[d];
  return at;
}

// What `element` says of every index of `dims`.
std::vector<int32_t> expected(const Dims& dims, const std::function<int32_t(const Dims&)>& element) {
  std::vector<int32_t> values;
  Dims index(dims.size());
  for (int64_t i = 0; i < element_count(dims); ++i) {
    int64_t rest = i;
    for (size_t d = dims.size(); d-- > 0; rest /= dims[d]) index[d] = rest % dims[d];
    values.push_back(element(index));
  }
  return values;
}

struct Result {
  Dims dims;
  std::vector<int32_t> values;
  size_t steps = 0;
};

// Plans and simulates on s32 tensors; every byte of the output must have been written.
Result run(std::string_view op, const Attrs& attrs, const std::vector<Tensor>& tensors, const Traits& traits,
           uint64_t alignment = 256, const std::function<void(const PlanSimulator&)>& look = {}) {
  std::vector<Input> inputs;
  std::vector<std::vector<std::byte>> memory;
  for (const Tensor& tensor : tensors) {
    inputs.push_back({{Type::s32, tensor.dims}, {}, alignment});
    memory.push_back(bytes_of(tensor.values));
  }
  const OpPlan plan = plan_op(op, attrs, {}, inputs, traits);
  PlanSimulator simulator(plan, memory, traits);
  simulator.run();
  for (uint32_t writes : simulator.writes()) {
    if (writes == 0) throw std::runtime_error("an element is never written");
  }
  if (look) look(simulator);
  return {plan.outputs[0].dims, values_of(simulator.output(0)), plan.plan.steps.size()};
}

const Traits kDevices[] = {kAll, cpu(kAll), limited(kAll), limited(cpu(kAll))};

TEST(CopyPlan, TransposesAnyRank) {
  const struct {
    Dims dims, axes;
  } cases[] = {{{1}, {0}},
               {{31, 64}, {1, 0}},
               {{64, 65}, {1, 0}},
               {{4, 7, 9}, {2, 0, 1}},
               {{3, 16, 20}, {0, 2, 1}},
               {{2, 3, 4, 5, 6, 2}, {5, 3, 1, 0, 2, 4}},
               {{2, 2, 3, 2, 3, 2, 2, 3}, {7, 5, 3, 1, 6, 4, 2, 0}}};
  for (const Traits& traits : kDevices) {
    for (const auto& [dims, axes] : cases) {
      const Tensor t = counted(dims);
      const Result got = run("transpose", {{"axes", axes}}, {t}, traits);
      const auto want = expected(got.dims, [&](const Dims& index) {
        Dims from(dims.size());
        for (size_t d = 0; d < axes.size(); ++d) from[static_cast<size_t>(axes[d])] = index[d];
        return t.values[static_cast<size_t>(flat(dims, from))];
      });
      EXPECT_EQ(got.values, want);
    }
  }
}

TEST(CopyPlan, TransposesThroughTilesWhereThereIsRoom) {
  const Tensor t = counted({3, 64, 96});
  run("transpose", {{"axes", Dims{0, 2, 1}}}, {t}, kAll, 256,
      [](const PlanSimulator& simulator) { EXPECT_EQ(simulator.steps_of("tile"), 1u); });
  run("transpose", {{"axes", Dims{0, 2, 1}}}, {t}, cpu(kAll), 256,
      [](const PlanSimulator& simulator) { EXPECT_EQ(simulator.steps_of("patch"), 1u); });
  run("transpose", {{"axes", Dims{1, 0, 2}}}, {t}, kAll, 256,
      [](const PlanSimulator& simulator) { EXPECT_EQ(simulator.steps_of("strided"), 1u); });
}

TEST(CopyPlan, BroadcastsAlongNamedAxes) {
  for (const Traits& traits : kDevices) {
    const Tensor t = counted({4, 1, 31});
    const Result got = run("broadcast", {{"shape", Dims{4, 3, 5, 31}}, {"axes", Dims{0, 2, 3}}}, {t}, traits);
    EXPECT_EQ(got.values,
              expected(got.dims, [&](const Dims& i) { return t.values[static_cast<size_t>(i[0] * 31 + i[3])]; }));
    const Result line = run("broadcast", {{"shape", Dims{7, 65}}}, {counted({65})}, traits);
    EXPECT_EQ(line.values, expected(line.dims, [&](const Dims& i) { return static_cast<int32_t>(i[1]) + 1; }));
  }
}

TEST(CopyPlan, SlicesWithStepsAndClampedStarts) {
  for (const Traits& traits : kDevices) {
    const Tensor t = counted({9, 70});
    const Result got =
        run("slice", {{"starts", Dims{-3, 66}}, {"lengths", Dims{5, 7}}, {"strides", Dims{2, 3}}}, {t}, traits);
    EXPECT_EQ(got.dims, (Dims{3, 3}));
    EXPECT_EQ(got.values, expected(got.dims, [&](const Dims& i) {
                return t.values[static_cast<size_t>(2 * i[0] * 70 + 63 + 3 * i[1])];
              }));
  }
}

TEST(CopyPlan, ReadsStartsInTheKernel) {
  for (const Traits& traits : kDevices) {
    for (const auto& [a, b, row, column] :
         {std::array{2, 5, 2, 5}, std::array{-7, 1000, 0, 66}, std::array{100, -1, 6, 0}}) {
      const Tensor t = counted({9, 70});
      const Result got = run("slice", {{"lengths", Dims{3, 4}}}, {t, {{}, {a}}, {{}, {b}}}, traits);
      EXPECT_EQ(got.values, expected(got.dims, [&](const Dims& i) {
                  return t.values[static_cast<size_t>((row + i[0]) * 70 + column + i[1])];
                }));
      const Tensor box = counted({3, 4}, 5000);
      const Result put = run("put_slice", {}, {t, box, {{}, {a}}, {{}, {b}}}, traits);
      EXPECT_EQ(put.values, expected(put.dims, [&](const Dims& i) {
                  const int64_t r = i[0] - row, c = i[1] - column;
                  const bool inside = r >= 0 && r < 3 && c >= 0 && c < 4;
                  return inside ? box.values[static_cast<size_t>(r * 4 + c)]
                                : t.values[static_cast<size_t>(i[0] * 70 + i[1])];
                }));
    }
  }
}

TEST(CopyPlan, Reverses) {
  for (const Traits& traits : kDevices) {
    for (const Dims& axes : {Dims{0}, Dims{1}, Dims{0, 2}, Dims{0, 1, 2}}) {
      const Tensor t = counted({5, 16, 24});
      const Result got = run("reverse", {{"axes", axes}}, {t}, traits);
      EXPECT_EQ(got.values, expected(got.dims, [&](Dims i) {
                  for (int64_t axis : axes)
                    i[static_cast<size_t>(axis)] = t.dims[static_cast<size_t>(axis)] - 1 - i[static_cast<size_t>(axis)];
                  return t.values[static_cast<size_t>(flat(t.dims, i))];
                }));
    }
  }
}

TEST(CopyPlan, PadsCropsAndSpreads) {
  for (const Traits& traits : kDevices) {
    for (const Dims& config : {Dims{1, 2, 0, 0, 0, 0}, Dims{0, 0, 2, 3, 1, 1}, Dims{-2, 1, 1, -1, -3, 0},
                               Dims{9, -9, 0, 0, 0, 3}, Dims{-1, -1, 0, -2, -3, 0}, Dims{0, 0, 0, 0, 0, 0}}) {
      const Tensor t = counted({4, 21});
      const Result got = run("pad", {{"config", config}}, {t, {{}, {-9}}}, traits);
      EXPECT_EQ(got.values, expected(got.dims, [&](const Dims& i) {
                  Dims from(2);
                  for (size_t d = 0; d < 2; ++d) {
                    const int64_t at = i[d] - config[3 * d], step = config[3 * d + 2] + 1;
                    if (at < 0 || at % step != 0 || at / step >= t.dims[d]) return -9;
                    from[d] = at / step;
                  }
                  return t.values[static_cast<size_t>(flat(t.dims, from))];
                }));
    }
  }
}

TEST(CopyPlan, JoinsAndStacks) {
  for (const Traits& traits : kDevices) {
    for (size_t axis : {0u, 1u, 2u}) {
      std::vector<Tensor> tensors;
      std::vector<int64_t> begins;
      int64_t total = 0;
      for (int64_t length : {3, 1, 8}) {
        Dims dims{2, 5, 4};
        dims[axis] = length;
        begins.push_back(total);
        total += length;
        tensors.push_back(counted(dims, static_cast<int32_t>(1000 * total)));
      }
      const Result got = run("concatenate", {{"axis", static_cast<int64_t>(axis)}}, tensors, traits);
      EXPECT_EQ(got.values, expected(got.dims, [&](Dims i) {
                  const size_t part = i[axis] >= begins[2] ? 2 : i[axis] >= begins[1] ? 1 : 0;
                  i[axis] -= begins[part];
                  return tensors[part].values[static_cast<size_t>(flat(tensors[part].dims, i))];
                }));
    }
    const Tensor a = counted({3, 17}), b = counted({3, 17}, 600);
    for (size_t axis : {0u, 1u, 2u}) {
      const Result got = run("stack", {{"axis", static_cast<int64_t>(axis)}}, {a, b}, traits);
      EXPECT_EQ(got.values, expected(got.dims, [&](Dims i) {
                  const Tensor& from = i[axis] == 0 ? a : b;
                  i.erase(i.begin() + static_cast<int64_t>(axis));
                  return from.values[static_cast<size_t>(flat(from.dims, i))];
                }));
    }
  }
}

TEST(CopyPlan, TakesViewsThatAreBarelyAligned) {
  for (uint64_t alignment : {4u, 8u, 16u}) {
    const Tensor t = counted({64, 64});
    const Result got = run("transpose", {}, {t}, kAll, alignment,
                           [&](const PlanSimulator& simulator) { EXPECT_EQ(simulator.steps_of("tile"), 1u); });
    EXPECT_EQ(got.values,
              expected(got.dims, [&](const Dims& i) { return t.values[static_cast<size_t>(i[1] * 64 + i[0])]; }));
    run("concatenate", {}, {t, t}, kAll, alignment);
  }
}

TEST(CopyPlan, JoinsNeighbouringAxesAndWidensElements) {
  const Input input{{Type::u8, {8, 4, 16}}, {}, 256};
  const OpPlan plan =
      plan_op("slice", {{"starts", Dims{2, 0, 0}}, {"lengths", Dims{3, 4, 16}}}, {}, std::array{input}, kAll);
  ASSERT_EQ(plan.plan.steps.size(), 1u);
  EXPECT_EQ(plan.plan.steps[0].kernel.key, "copy.move.b128.dense");
  const OpPlan odd =
      plan_op("slice", {{"starts", Dims{2, 1, 4}}, {"lengths", Dims{3, 2, 12}}}, {}, std::array{input}, kAll);
  EXPECT_EQ(odd.plan.steps[0].kernel.key, "copy.move.b32.strided");
}

TEST(CopyPlan, RandomMovesAreRight) {
  std::mt19937 random(7);
  const auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  for (int round = 0; round < 300; ++round) {
    Dims dims;
    for (int64_t rank = pick(0, 6); rank > 0; --rank) dims.push_back(pick(1, dims.size() < 2 ? 20 : 5));
    const Tensor t = counted(dims);
    Dims starts, lengths, strides;
    for (int64_t dim : dims) {
      lengths.push_back(pick(1, dim));
      starts.push_back(pick(0, dim));
      strides.push_back(pick(1, 3));
    }
    const Traits& traits = kDevices[static_cast<size_t>(pick(0, 3))];
    const uint64_t alignment = uint64_t{4} << pick(0, 3);
    const Result got =
        run("slice", {{"starts", starts}, {"lengths", lengths}, {"strides", strides}}, {t}, traits, alignment);
    ASSERT_EQ(got.values, expected(got.dims, [&](Dims i) {
                for (size_t d = 0; d < i.size(); ++d)
                  i[d] = std::min(starts[d], dims[d] - lengths[d]) + i[d] * strides[d];
                return t.values[static_cast<size_t>(flat(dims, i))];
              }));
    Dims axes(dims.size());
    std::iota(axes.begin(), axes.end(), 0);
    std::shuffle(axes.begin(), axes.end(), random);
    const Result turned = run("transpose", {{"axes", axes}}, {t}, traits, alignment);
    ASSERT_EQ(turned.values, expected(turned.dims, [&](const Dims& i) {
                Dims from(dims.size());
                for (size_t d = 0; d < i.size(); ++d) from[static_cast<size_t>(axes[d])] = i[d];
                return t.values[static_cast<size_t>(flat(dims, from))];
              }));
  }
}

void expect_error(const std::string& text, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), text);
  }
}

TEST(CopyPlan, RefusesWhatDoesNotFit) {
  const Input a{{Type::f32, {2, 3}}, {}}, b{{Type::f32, {4, 3}}, {}};
  expect_error("[transpose] names axis 1 twice", [&] {
    plan_op("transpose", {{"axes", Dims{1, 1}}}, {}, std::array{a}, kAll);
  });
  expect_error("[concatenate] cannot join f32[2][3] and f32[4][3] along axis 1", [&] {
    plan_op("concatenate", {{"axis", int64_t{1}}}, {}, std::array{a, b}, kAll);
  });
  expect_error("[slice] cannot take 3 of 2 along axis 0", [&] {
    plan_op("slice", {{"starts", Dims{0, 0}}, {"lengths", Dims{3, 1}}}, {}, std::array{a}, kAll);
  });
  expect_error("[pad] leaves nothing of axis 0", [&] {
    plan_op("pad", {{"config", Dims{-1, -1, 0, 0, 0, 0}}}, {}, std::array{a, Input{{Type::f32, {}}, {}}}, kAll);
  });
  expect_error("[reverse] has no axis 2 in rank 2", [&] {
    plan_op("reverse", {{"axes", Dims{2}}}, {}, std::array{a}, kAll);
  });
  expect_error("[stack] cannot stack f32[2][3] and f32[4][3]", [&] {
    plan_op("stack", {}, {}, std::array{a, b}, kAll);
  });
  expect_error("[move] is a kernel, not an operation", [&] { plan_op("move", {}, {}, std::array{a}, kAll); });
  Traits bare;
  const Input bytes{{Type::u8, {3, 3}}, {}};
  expect_error("[copy.move.b8.strided] device lacks storage8",
               [&] { plan_op("transpose", {}, {}, std::array{bytes}, bare); });
}

}  // namespace
}  // namespace nxv
