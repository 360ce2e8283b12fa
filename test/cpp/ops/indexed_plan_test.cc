#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"

namespace nxv {
namespace {

Traits traits_of(bool limited = false) {
  Traits traits{.caps = 0x7f};
  if (limited) {
    traits.max_groups = {7, 7, 7};
    traits.index32_limit = 1000;
  }
  return traits;
}

Input tensor(Type type, const Dims& dims, uint64_t alignment = 256) { return {{type, dims}, {}, alignment}; }

OpPlan planned(std::string_view op, const Attrs& attrs, const std::vector<Input>& inputs,
               const Traits& traits = traits_of(), const std::vector<TensorSpec>& outs = {}) {
  return plan_op(op, attrs, outs, inputs, traits);
}

uint32_t constant_of(const Step& step, uint32_t id) {
  const auto found = std::ranges::find(step.kernel.constants, id, &SpecConstant::id);
  return found == step.kernel.constants.end() ? ~0u : found->value;
}

void expect_error(const std::string& text, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), text);
  }
}

TEST(GatherPlan, RowsMoveAsVectorsWhereTheyAreAligned) {
  const auto key = [](std::string_view op, const Attrs& attrs, const Input& from, const Input& indices) {
    const OpPlan plan = planned(op, attrs, {from, indices});
    EXPECT_EQ(plan.plan.steps.size(), 1u);
    return plan.plan.steps[0].kernel.key;
  };
  const Input indices = tensor(Type::s32, {50, 1});
  EXPECT_EQ(key("gather", {}, tensor(Type::f32, {1000, 64}), indices), "indexed.gather.b128.strided");
  EXPECT_EQ(key("gather", {}, tensor(Type::f32, {1000, 64}, 8), indices), "indexed.gather.b64.strided");
  EXPECT_EQ(key("gather", {}, tensor(Type::f32, {1000, 63}), indices), "indexed.gather.b32.strided");
  EXPECT_EQ(key("gather", {}, tensor(Type::f16, {1000, 6}), indices), "indexed.gather.b32.strided");
  EXPECT_EQ(key("gather", {}, tensor(Type::u8, {1000, 10}), indices), "indexed.gather.b16.strided");
  EXPECT_EQ(key("gather", {{"axes", Dims{1}}}, tensor(Type::f32, {100, 64}), indices), "indexed.gather.b32.strided");
  EXPECT_EQ(key("take", {{"axis", int64_t{1}}}, tensor(Type::f32, {7, 5, 12}), tensor(Type::u8, {2, 3})),
            "indexed.gather.b128.strided");
  EXPECT_EQ(key("take_along_axis", {{"axis", int64_t{1}}}, tensor(Type::f64, {7, 5}), tensor(Type::s64, {7, 2})),
            "indexed.gather.b64.strided");
}

TEST(GatherPlan, ShapesAreNxs) {
  const auto out = [](std::string_view op, const Attrs& attrs, const Dims& from, const Dims& indices) {
    return planned(op, attrs, {tensor(Type::bf16, from), tensor(Type::u64, indices)}).outputs[0];
  };
  EXPECT_EQ(out("gather", {}, {3, 4, 5}, {6, 2}), (TensorSpec{Type::bf16, {6, 5}}));
  EXPECT_EQ(out("gather", {{"axes", Dims{1}}}, {3, 4, 5}, {6, 7, 1}), (TensorSpec{Type::bf16, {6, 7, 3, 5}}));
  EXPECT_EQ(out("gather", {}, {3}, {1}), (TensorSpec{Type::bf16, {}}));
  EXPECT_EQ(out("take", {{"axis", int64_t{1}}}, {3, 4, 5}, {6, 7}), (TensorSpec{Type::bf16, {3, 6, 7, 5}}));
  EXPECT_EQ(out("take", {}, {3, 4}, {}), (TensorSpec{Type::bf16, {4}}));
  EXPECT_EQ(out("take_along_axis", {{"axis", int64_t{1}}}, {3, 4, 5}, {3, 9, 5}), (TensorSpec{Type::bf16, {3, 9, 5}}));
}

// The pieces write the output once, one after the other, and none reads outside of an operand.
TEST(GatherPlan, NarrowLimitsCutTheOutput) {
  const Input from = tensor(Type::f32, {40, 30, 3}), indices = tensor(Type::s32, {900, 1});
  const OpPlan plan = planned("gather", {}, {from, indices}, traits_of(true));
  EXPECT_GE(plan.plan.steps.size(), 41u);
  uint64_t written = 0;
  for (const Step& step : plan.plan.steps) {
    for (uint32_t groups : step.groups) EXPECT_LE(groups, 7u);
    EXPECT_EQ(constant_of(step, 5), 1u) << "3,600 elements, and indices of 1,000";
    for (const Access& access : step.accesses) {
      if (access.write) {
        EXPECT_EQ(access.begin, written);
        written = access.end;
      } else {
        EXPECT_LE(access.end, byte_size(access.index == 0 ? from.spec : indices.spec));
      }
    }
  }
  EXPECT_EQ(written, plan.plan.output_bytes[0]);
}

TEST(GatherPlan, FarElementsAreReachedWith64Bits) {
  Traits traits = traits_of();
  traits.max_allocation = uint64_t{1} << 40;
  const auto step = [&](const Dims& dims) {
    return planned("gather", {}, {tensor(Type::f32, dims), tensor(Type::s32, {9, 1})}, traits).plan.steps.at(0);
  };
  EXPECT_EQ(constant_of(step({int64_t{1} << 31}), 5), 0u);
  EXPECT_EQ(constant_of(step({(int64_t{1} << 31) + 1}), 5), 1u);
  EXPECT_EQ(constant_of(step({int64_t{1} << 31, 4}), 5), 0u) << "vectors of 4";
}

TEST(GatherPlan, ManyAxesGoToMemory) {
  const Dims dims(8, 3);
  const Attrs odd{{"axes", Dims{1, 3, 5, 7}}};
  const Step far = planned("gather", odd, {tensor(Type::f32, dims), tensor(Type::s32, {9, 4})}).plan.steps.at(0);
  EXPECT_EQ(constant_of(far, 6), 1u);
  EXPECT_EQ(far.params.size(), (5u * 5 + 4 * 2) * 4);
  const Step near = planned("gather", {}, {tensor(Type::f32, {3, 3, 3}), tensor(Type::s32, {9, 3})}).plan.steps.at(0);
  EXPECT_EQ(constant_of(near, 6), 0u);
  EXPECT_TRUE(near.params.empty());
}

TEST(GatherPlan, RefusesWhatDoesNotFit) {
  const Input t = tensor(Type::f32, {3, 4}), i = tensor(Type::s32, {6, 2});
  expect_error("[gather] takes 2 operands, not 1", [&] { planned("gather", {}, {t}); });
  expect_error("[gather] indices must be integers, not f32[6][2]", [&] {
    planned("gather", {}, {t, tensor(Type::f32, {6, 2})});
  });
  expect_error("[gather] has 1 axes for 2 indices", [&] { planned("gather", {{"axes", Dims{1}}}, {t, i}); });
  expect_error("[gather] has no axis 2 in rank 2", [&] { planned("gather", {{"axes", Dims{0, 2}}}, {t, i}); });
  expect_error("[gather] names axis 1 twice", [&] { planned("gather", {{"axes", Dims{1, 1}}}, {t, i}); });
  expect_error("[gather] needs indices of rank 1 at least", [&] { planned("gather", {}, {t, tensor(Type::s8, {})}); });
  expect_error("[gather] gives f32[6], not f32[7]", [&] {
    planned("gather", {}, {t, i}, traits_of(), {{Type::f32, {7}}});
  });
  expect_error("[take] has no axis 2 in rank 2", [&] { planned("take", {{"axis", int64_t{2}}}, {t, i}); });
  expect_error("[take] unknown attribute axes; known are axis", [&] { planned("take", {{"axes", Dims{0}}}, {t, i}); });
  expect_error("[take_along_axis] has indices s32[6][2] for f32[3][4] along axis 0", [&] {
    planned("take_along_axis", {}, {t, i});
  });
  Traits bare;
  expect_error("[indexed.gather.b8.strided] device lacks storage8", [&] {
    planned("gather", {}, {tensor(Type::u8, {3}), tensor(Type::s32, {6, 1})}, bare);
  });
}

TEST(GatherPlan, PackedElementsGoAsBytes) {
  const OpPlan plan = planned("gather", {}, {tensor(Type::u4, {9}, 1), tensor(Type::s2, {6, 1}, 1)});
  EXPECT_EQ(plan.outputs[0], (TensorSpec{Type::u4, {6}}));
  EXPECT_EQ(planned("take", {}, {tensor(Type::f32, {9}), tensor(Type::u4, {6}, 1)}).outputs[0].type, Type::f32);
}

}  // namespace
}  // namespace nxv
