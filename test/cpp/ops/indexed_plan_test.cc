#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "runtime/core/error.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/plan_traits.h"

namespace nxv {
namespace {

Input tensor(Type type, const Dims& dims, uint64_t alignment = 256) { return {{type, dims}, {}, alignment}; }

OpPlan planned(std::string_view op, const Attrs& attrs, const std::vector<Input>& inputs,
               const Traits& traits = traits_of(false), const std::vector<TensorSpec>& outs = {}) {
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
  const OpPlan plan = planned("gather", {}, {from, indices}, traits_of(false, true));
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
  Traits traits = traits_of(false);
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
    planned("gather", {}, {t, i}, traits_of(false), {{Type::f32, {7}}});
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

std::vector<std::string> ops_of(const OpPlan& plan) {
  std::vector<std::string> ops;
  for (const Step& step : plan.plan.steps) {
    const std::string& key = step.kernel.key;
    const size_t begin = key.find('.') + 1;
    ops.push_back(key.substr(begin, key.find('.', begin) - begin));
  }
  return ops;
}

std::vector<Input> operands(Type type, const Dims& target, const Dims& indices, const Dims& updates,
                            uint64_t alignment = 256) {
  return {tensor(type, target, alignment), tensor(Type::s32, indices), tensor(type, updates, alignment)};
}

using Ops = std::vector<std::string>;

TEST(UpdatePlan, FewUpdatesNeedNeitherTableNorSort) {
  const std::vector<Input> few = operands(Type::f32, {1000, 64}, {64, 1}, {64, 64});
  EXPECT_EQ(ops_of(planned("indexed_put", {}, few)), (Ops{"move", "index_slots", "indexed_put"}));
  EXPECT_EQ(ops_of(planned("indexed_add", {}, few)), (Ops{"move", "index_slots", "indexed_add"}));
}

TEST(UpdatePlan, ManyGoThroughATableOrASort) {
  const std::vector<Input> many = operands(Type::f32, {1000, 64}, {65, 1}, {65, 64});
  EXPECT_EQ(ops_of(planned("indexed_put", {}, many)), (Ops{"move", "index_slots", "index_claims", "indexed_put"}));
  const Ops digit{"index_tally", "index_scan", "index_scan", "index_rank"};
  Ops want{"move", "index_slots"};
  for (int pass = 0; pass < 2; ++pass) want.insert(want.end(), digit.begin(), digit.end());
  want.emplace_back("indexed_add");
  const OpPlan plan = planned("indexed_add", {}, many);
  EXPECT_EQ(ops_of(plan), want) << "1,000 slots have two digits";
  EXPECT_EQ(plan.plan.steps[2].kernel.key, "indexed.index_tally.b32.group");
  Traits cpu = traits_of(false);
  cpu.cpu = true;
  EXPECT_EQ(planned("indexed_add", {}, many, cpu).plan.steps[2].kernel.key, "indexed.index_tally.b32.serial");
  Traits small = traits_of(false);
  small.max_workgroup_size = 128;
  EXPECT_EQ(planned("indexed_add", {}, many, small).plan.steps[2].kernel.key, "indexed.index_tally.b32.serial");
  EXPECT_EQ(ops_of(planned("indexed_add", {}, operands(Type::f32, {1, 64}, {65, 1}, {65, 64}))),
            (Ops{"move", "index_slots", "indexed_add"}))
      << "one slot is sorted";
}

TEST(UpdatePlan, WideIntegersNeedNoOrder) {
  EXPECT_EQ(ops_of(planned("indexed_add", {}, operands(Type::s64, {1000, 64}, {65, 1}, {65, 64}))),
            (Ops{"move", "index_slots", "index_sum"}));
  EXPECT_EQ(planned("indexed_add", {}, operands(Type::u32, {9}, {65, 1}, {65})).plan.steps.back().kernel.key,
            "indexed.index_sum.b32.strided");
}

TEST(UpdatePlan, RowsMoveAsVectorsWhereTheyAreAligned) {
  const auto last = [](std::string_view op, const std::vector<Input>& inputs, const Attrs& attrs = {}) {
    return planned(op, attrs, inputs).plan.steps.back();
  };
  EXPECT_EQ(last("indexed_put", operands(Type::f32, {1000, 64}, {9, 1}, {9, 64})).kernel.key,
            "indexed.indexed_put.b128.strided");
  EXPECT_EQ(last("indexed_put", operands(Type::f32, {1000, 64}, {9, 1}, {9, 62})).kernel.key,
            "indexed.indexed_put.b64.strided");
  EXPECT_EQ(last("indexed_put", operands(Type::f32, {64, 1000}, {9, 1}, {9, 64}), {{"axes", Dims{1}}}).kernel.key,
            "indexed.indexed_put.b32.strided");
  EXPECT_EQ(constant_of(last("indexed_add", operands(Type::f32, {1000, 64}, {9, 1}, {9, 64})), 4), 1u);
  EXPECT_EQ(constant_of(last("indexed_add", operands(Type::f32, {1000, 62}, {9, 1}, {9, 62})), 4), 0u);
  EXPECT_EQ(constant_of(last("indexed_add", operands(Type::f32, {1000, 64}, {9, 1}, {9, 64}, 8)), 4), 0u);
}

// A sum that one dispatch leaves to the next is not rounded in between.
TEST(UpdatePlan, NarrowFloatsInPiecesAreAddedAsF32) {
  const std::vector<Input> inputs = operands(Type::bf16, {70, 50}, {60, 1}, {60, 50});
  EXPECT_EQ(planned("indexed_add", {}, inputs).plan.steps.back().kernel.key, "indexed.indexed_add.bf16.strided");
  const OpPlan pieces = planned("indexed_add", {}, inputs, traits_of(false, true));
  for (const Step& step : pieces.plan.steps) {
    EXPECT_NE(step.kernel.key, "indexed.indexed_add.bf16.strided");
    for (uint32_t groups : step.groups) EXPECT_LE(groups, 7u);
  }
}

TEST(UpdatePlan, StepsStayInsideOfTheirOperands) {
  for (bool limited : {false, true}) {
    const std::vector<Input> inputs = operands(Type::f64, {10, 30, 3}, {900, 1}, {900, 10, 2});
    for (const std::string_view op : {"indexed_put", "indexed_add"}) {
      const OpPlan plan = planned(op, {{"axes", Dims{1}}}, inputs, traits_of(false, limited));
      for (const Step& step : plan.plan.steps) {
        for (const Access& access : step.accesses) {
          const uint64_t bytes = access.kind == Ref::Kind::input    ? byte_size(inputs[access.index].spec)
                                 : access.kind == Ref::Kind::output ? plan.plan.output_bytes[access.index]
                                                                    : plan.plan.temp_bytes[access.index];
          EXPECT_LE(access.end, bytes) << step.kernel.key;
        }
      }
    }
  }
}

TEST(UpdatePlan, TypesAreNxs) {
  const std::vector<Input> mixed{tensor(Type::s32, {9}), tensor(Type::u8, {4, 1}), tensor(Type::f16, {4})};
  EXPECT_EQ(planned("indexed_add", {}, mixed).outputs[0], (TensorSpec{Type::f16, {9}}));
  const std::vector<Input> packed{tensor(Type::u4, {9}, 1), tensor(Type::s64, {4, 1}), tensor(Type::u2, {4}, 1)};
  EXPECT_EQ(planned("indexed_put", {}, packed).outputs[0], (TensorSpec{Type::u4, {9}}));
}

TEST(UpdatePlan, RefusesWhatDoesNotFit) {
  expect_error("[indexed_add] takes 3 operands, not 2", [&] {
    planned("indexed_add", {}, {tensor(Type::f32, {3}), tensor(Type::s32, {2, 1})});
  });
  expect_error("[indexed_put] cannot update f32[3][4] with f32[2][5] at s32[2][1]", [&] {
    planned("indexed_put", {}, operands(Type::f32, {3, 4}, {2, 1}, {2, 5}));
  });
  expect_error("[indexed_put] cannot update f32[3][4] with f32[3][4] at s32[2][1]", [&] {
    planned("indexed_put", {}, operands(Type::f32, {3, 4}, {2, 1}, {3, 4}));
  });
  expect_error("[indexed_add] reaches more slices than 31 bits count", [&] {
    planned("indexed_add", {}, operands(Type::u8, {1 << 16, 1 << 16}, {2, 2}, {2}));
  });
  expect_error("[indexed_put] has slices of more elements than 32 bits count", [&] {
    planned("indexed_put", {}, operands(Type::f32, {3, 2001}, {2, 1}, {2, 2001}), traits_of(false, true));
  });
  expect_error("[index_rank] is a kernel, not an operation",
               [&] { planned("index_rank", {}, {tensor(Type::u32, {3})}); });
}

}  // namespace
}  // namespace nxv
