#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "runtime/core/error.h"
#include "runtime/ops/broadcast.h"
#include "runtime/ops/op.h"
#include "test/cpp/ops/map_simulator.h"
#include "test/cpp/support/oracle_table.h"
#include "test/cpp/support/values.h"

namespace nxv {
namespace {

using Bytes = std::vector<std::byte>;

const Traits kGpu{.caps = ~0u, .compute_units = 2, .max_groups = {65535, 65535, 65535}};

Type type(std::string_view name) { return parse_type(name); }
Input tensor(std::string_view name, Dims dims, uint64_t alignment = 256) {
  return {{type(name), std::move(dims)}, std::nullopt, alignment};
}
Input number(std::string_view name, Scalar scalar) { return {{type(name), {}}, scalar}; }

Element element_of(Type type) {
  const TypeInfo& info = type_info(type);
  if (info.kind == Kind::float_) return info.bits == 32 ? Element::f32 : Element::f64;
  if (info.kind == Kind::uint) return info.bits == 8 ? Element::u8 : Element::u32;
  return info.bits == 32 ? Element::s32 : Element::s64;
}

struct Ran {
  OpPlan plan;
  std::vector<Bytes> inputs;
  Bytes output;
  std::vector<std::string> keys;
};

// Plans, simulates, and checks that each byte of the output is written once.
Ran run(std::string_view op, std::vector<Input> inputs, const Traits& traits, std::vector<TensorSpec> outs = {}) {
  Ran ran{plan_op(op, {}, outs, inputs, traits), {}, {}, {}};
  for (size_t k = 0; k < inputs.size(); ++k) {
    const Type type = inputs[k].spec.type;
    ran.inputs.push_back(operand_values(element_of(type), type_bytes(type),
                                        static_cast<size_t>(element_count(inputs[k].spec.dims)), k, 5));
  }
  MapSimulator simulator(ran.plan.plan, ran.inputs, traits);
  simulator.run();
  for (uint32_t writes : simulator.writes()) {
    if (writes != 1) {
      ADD_FAILURE() << op << ": an element was written " << writes << " times";
      break;
    }
  }
  ran.output = simulator.output();
  ran.keys = simulator.keys();
  return ran;
}

// The result of `op` in `types` on `inputs` of these shapes, without a plan.
Bytes expected(std::string_view family, std::string_view op, std::string_view types, const Ran& ran,
               const std::vector<Dims>& shapes, const Dims& to) {
  const OracleRow* row = find_oracle(family, op, types);
  const auto count = static_cast<size_t>(element_count(to));
  Bytes out(count * row->out_bytes);
  for (size_t i = 0; i < count; ++i) {
    const std::byte* at[3] = {};
    for (size_t k = 0; k < shapes.size(); ++k) {
      const std::vector<int64_t> strides = broadcast_strides(shapes[k], to);
      size_t rest = i, offset = 0;
      for (size_t d = to.size(); d-- > 0; rest /= static_cast<size_t>(to[d])) {
        offset += rest % static_cast<size_t>(to[d]) * static_cast<size_t>(strides[d]);
      }
      at[k] = ran.inputs[k].data() + offset * row->input_bytes[k];
    }
    row->apply(at, out.data() + i * row->out_bytes);
  }
  return out;
}

void expect_same(const Bytes& want, const Bytes& got, Element element, size_t bytes) {
  ASSERT_EQ(want.size(), got.size());
  for (size_t at = 0; at < want.size(); at += bytes) {
    ASSERT_TRUE(same_value(element, bytes, want.data() + at, got.data() + at))
        << "element " << at / bytes << " is " << shown(element, bytes, got.data() + at) << ", not "
        << shown(element, bytes, want.data() + at);
  }
}

std::string failure(std::string_view op, std::vector<Input> inputs, std::vector<TensorSpec> outs = {}, Attrs attrs = {},
                    Traits traits = kGpu) {
  try {
    plan_op(op, attrs, outs, inputs, traits);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

struct Shapes {
  std::string access;
  std::vector<Dims> in;
  Dims out;
};

const std::vector<Shapes> kShapes = {
    {"dense", {{1013}, {1013}}, {1013}},
    {"dense", {{1}, {}}, {1}},
    {"dense", {{3, 5, 7}, {3, 5, 7}}, {3, 5, 7}},
    {"dense", {{1, 6}, {6}}, {1, 6}},
    {"scalar", {{1013}, {}}, {1013}},
    {"scalar", {{1, 1}, {9, 5}}, {9, 5}},
    {"inner", {{6, 32}, {32}}, {6, 32}},
    {"inner", {{6, 32}, {6, 1}}, {6, 32}},
    {"inner", {{6, 1}, {1, 32}}, {6, 32}},
    {"inner", {{4, 3, 32}, {32}}, {4, 3, 32}},
    {"strided", {{6, 33}, {33}}, {6, 33}},
    {"strided", {{5, 7}, {5, 1}}, {5, 7}},
    {"strided", {{3, 1, 16}, {3, 4, 16}}, {3, 4, 16}},
    {"strided", {{3, 1, 16}, {1, 4, 1}}, {3, 4, 16}},
    {"strided", {{2, 1, 3, 1, 5}, {7, 1, 2, 1}}, {2, 7, 3, 2, 5}},
};

TEST(ElementwisePlan, EveryShapeTakesItsAccessAndIsRight) {
  for (const Shapes& shapes : kShapes) {
    for (const std::string_view name : {"f32", "f64", "u8", "s64"}) {
      if (name == "u8" && shapes.access == "inner" && shapes.out.back() % 16 != 0) continue;
      SCOPED_TRACE(std::string(name) + " " + shapes.access + " " + to_string(TensorSpec{type(name), shapes.out}));
      const Ran ran = run("add", {tensor(name, shapes.in[0]), tensor(name, shapes.in[1])}, kGpu);
      EXPECT_EQ(ran.keys, std::vector{"map2.add." + std::string(name) + "." + shapes.access});
      EXPECT_EQ(ran.plan.outputs, (std::vector{TensorSpec{type(name), shapes.out}}));
      expect_same(expected("map2", "add", name, ran, shapes.in, shapes.out), ran.output, element_of(type(name)),
                  type_bytes(type(name)));
    }
  }
}

TEST(ElementwisePlan, TightLimitsSplitTheWork) {
  Traits groups = kGpu, indices = kGpu, both = kGpu;
  groups.max_groups = {7, 7, 7};
  groups.max_workgroup_size = 2;
  indices.index32_limit = 50;
  both.max_groups = {3, 1, 1};
  both.max_workgroup_size = 1;
  both.index32_limit = 1000;
  for (const Traits& traits : {groups, indices, both}) {
    for (const Shapes& shapes : kShapes) {
      for (const std::string_view name : {"f32", "u8"}) {
        SCOPED_TRACE(std::string(name) + " " + shapes.access + " " + to_string(TensorSpec{type(name), shapes.out}));
        const Ran ran = run("subtract", {tensor(name, shapes.in[0]), tensor(name, shapes.in[1])}, traits);
        expect_same(expected("map2", "subtract", name, ran, shapes.in, shapes.out), ran.output, element_of(type(name)),
                    type_bytes(type(name)));
        if (element_count(shapes.out) > 1000 && traits.max_groups[0] != 7) {
          EXPECT_GT(ran.keys.size(), 1u);
        }
      }
    }
  }
}

TEST(ElementwisePlan, GroupsFoldIntoY) {
  Traits traits = kGpu;
  traits.max_groups = {7, 7, 7};
  traits.compute_units = 1000;
  const Ran ran = run("add", {tensor("f32", {256 * 4 * 40}), tensor("f32", {256 * 4 * 40})}, traits);
  ASSERT_EQ(ran.plan.plan.steps.size(), 1u);
  EXPECT_EQ(ran.plan.plan.steps[0].groups, (std::array<uint32_t, 3>{7, 6, 1}));
}

TEST(ElementwisePlan, RandomBroadcastsAreRight) {
  std::mt19937 random(7);
  std::set<std::string> accesses;
  for (int turn = 0; turn < 300; ++turn) {
    const size_t rank = random() % 5 + 1;
    Dims out(rank);
    for (int64_t& dim : out) dim = std::vector<int64_t>{1, 2, 3, 4, 8, 5}[random() % 6];
    std::vector<Dims> in(3, out);
    for (Dims& dims : in) {
      for (int64_t& dim : dims) dim = random() % 3 == 0 ? 1 : dim;
      dims.erase(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(random() % 4 == 0 ? random() % rank : 0));
    }
    Traits traits = kGpu;
    if (turn % 2) traits.index32_limit = random() % 100 + 4;
    std::vector<Input> inputs;
    for (const Dims& dims : in) inputs.push_back(tensor("s32", dims, random() % 3 == 0 ? 4 : 256));
    const Ran ran = run("clip", inputs, traits, {{type("s32"), out}});
    for (const std::string& key : ran.keys) accesses.insert(key.substr(key.rfind('.') + 1));
    expect_same(expected("map3", "clip", "s32", ran, in, out), ran.output, Element::s32, 4);
  }
  EXPECT_EQ(accesses, (std::set<std::string>{"dense", "scalar", "inner", "strided"}));
}

TEST(ElementwisePlan, MisalignedViewsGoElementByElement) {
  const Ran ran = run("add", {tensor("f32", {64}, 4), tensor("f32", {64})}, kGpu);
  EXPECT_EQ(ran.keys, std::vector<std::string>{"map2.add.f32.strided"});
  EXPECT_EQ(ran.plan.plan.steps[0].kernel.constants[2], (SpecConstant{2, 0x50}));
}

TEST(ElementwisePlan, InlineScalarsAreCastOnTheHost) {
  const Ran ran = run("add", {tensor("f64", {5}), number("f32", {0.1})}, kGpu);
  EXPECT_EQ(ran.keys, std::vector<std::string>{"map2.add.f64.scalar"});
  double held;
  std::memcpy(&held, ran.plan.plan.steps[0].push.data() + 8, sizeof held);
  EXPECT_EQ(held, static_cast<double>(0.1f));
  for (const Access& access : ran.plan.plan.steps[0].accesses) EXPECT_TRUE(access.write || access.index == 0);
}

TEST(ElementwisePlan, ArithmeticComputesInTheOutputsType) {
  const Ran ran = run("add", {tensor("u8", {40}), tensor("s32", {40})}, kGpu, {{type("f32"), {40}}});
  EXPECT_EQ(ran.keys, (std::vector<std::string>{"cast.as_type.u8-f32.dense", "cast.as_type.s32-f32.dense",
                                                "map2.add.f32.dense"}));
}

TEST(ElementwisePlan, TypesAreInferredAsNxDoes) {
  auto out = [](std::string_view op, std::vector<Input> inputs) {
    return to_string(plan_op(op, {}, {}, inputs, kGpu).outputs[0]);
  };
  EXPECT_EQ(out("add", {tensor("u8", {2}), tensor("s32", {3, 1})}), "s32[3][2]");
  EXPECT_EQ(out("add", {tensor("u32", {2}), tensor("s32", {2})}), "s64[2]");
  EXPECT_EQ(out("divide", {tensor("s64", {2}), tensor("s64", {2})}), "f32[2]");
  EXPECT_EQ(out("divide", {tensor("s64", {2}), tensor("f64", {2})}), "f64[2]");
  EXPECT_EQ(out("less", {tensor("s64", {2}), tensor("f32", {2})}), "u8[2]");
  EXPECT_EQ(out("is_nan", {tensor("s64", {2})}), "u8[2]");
  EXPECT_EQ(out("sqrt", {tensor("s32", {2})}), "f32[2]");
  EXPECT_EQ(out("floor", {tensor("s32", {2})}), "s32[2]");
  EXPECT_EQ(out("select", {tensor("f32", {2}), tensor("u8", {2}), tensor("s32", {})}), "s32[2]");
  EXPECT_EQ(out("clip", {tensor("s32", {2}), number("f32", {1.5}), number("s32", {int64_t{3}})}), "f32[2]");
}

TEST(ElementwisePlan, ComparisonsMeetInTheMergedType) {
  const Ran ran = run("equal", {tensor("u8", {33}), tensor("s32", {33})}, kGpu, {{type("u8"), {33}}});
  EXPECT_EQ(ran.keys, (std::vector<std::string>{"cast.as_type.u8-s32.dense", "map2.equal.s32.dense"}));
  const Ran wide = run("equal", {tensor("s32", {33}), tensor("s32", {33})}, kGpu, {{type("f32"), {33}}});
  EXPECT_EQ(wide.keys, (std::vector<std::string>{"map2.equal.s32.dense", "cast.as_type.u8-f32.dense"}));
}

TEST(ElementwisePlan, SelectMakesItsPredicateBytes) {
  const Ran ran = run("select", {tensor("f32", {33}), tensor("s64", {33}), tensor("s64", {33})}, kGpu);
  EXPECT_EQ(ran.keys, (std::vector<std::string>{"map1.logical.f32.dense", "map3.select.b64.dense"}));
  const Ran scalar = run("select", {number("f32", {-0.0}), tensor("f32", {33}), tensor("f32", {33})}, kGpu);
  EXPECT_EQ(scalar.keys, (std::vector<std::string>{"map3.select.b32.scalar"}));
  EXPECT_TRUE(std::memcmp(scalar.output.data(), scalar.inputs[2].data(), scalar.output.size()) == 0);
}

TEST(ElementwisePlan, CastsOfTheSameTypeCopy) {
  const Ran ran = run("as_type", {tensor("s32", {33})}, kGpu, {{type("s32"), {33}}});
  EXPECT_EQ(ran.keys, std::vector<std::string>{"map1.identity.b32.dense"});
  EXPECT_EQ(ran.output, ran.inputs[0]);
}

TEST(ElementwisePlan, ErrorsSayWhatIsWrong) {
  EXPECT_EQ(failure("frobnicate", {}), "[frobnicate] unknown op");
  EXPECT_EQ(failure("add", {tensor("f32", {2}), tensor("f32", {3})}),
            "[add] shapes f32[2] and f32[3] do not broadcast");
  EXPECT_EQ(failure("add", {tensor("f32", {2})}), "[add] takes 2 operands, not 1");
  EXPECT_EQ(failure("add", {tensor("f32", {2}), tensor("f32", {2})}, {{type("f32"), {3}}}),
            "[add] f32[2] does not broadcast to f32[3]");
  EXPECT_EQ(failure("bitwise_and", {tensor("f32", {2}), tensor("f32", {2})}),
            "[bitwise_and] has no f32; types: s16, s32, s64, s8, u16, u32, u64, u8");
  EXPECT_EQ(failure("add", {tensor("f32", {2}), tensor("f32", {2})}, {}, {{"axis", int64_t{1}}}),
            "[add] unknown attribute axis; the operation has none");
  EXPECT_EQ(failure("add", {tensor("f32", {0}), tensor("f32", {2})}), "[shape] a dimension must be at least 1, not 0");
  EXPECT_EQ(failure("add", {tensor("f32", {2}, 2), tensor("f32", {2})}),
            "[add] operand 0 is not aligned to its elements");
  EXPECT_EQ(failure("as_type", {tensor("f32", {2})}), "[as_type] needs the output's type");
  Traits weak = kGpu;
  weak.caps = 0;
  EXPECT_EQ(failure("add", {tensor("f64", {2}), tensor("f64", {2})}, {}, {}, weak),
            "[map2.add.f64.dense] device lacks float64");
}

TEST(ElementwisePlan, LargeWorkTakesSeveralVectorsAnInvocation) {
  auto vectors = [](int64_t n, bool cpu) {
    Traits traits = kGpu;
    traits.cpu = cpu;
    const Input operands[] = {tensor("f32", {n}), tensor("f32", {n})};
    return plan_op("add", {}, {}, operands, traits).plan.steps[0].kernel.constants[1].value;
  };
  EXPECT_EQ(vectors(1000, true), 1u);
  EXPECT_EQ(vectors(1 << 20, true), 4u);
  EXPECT_EQ(vectors(1000, false), 1u);
  EXPECT_EQ(vectors(1 << 20, false), 2u);
}

}  // namespace
}  // namespace nxv
