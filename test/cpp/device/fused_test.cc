// Linked kernels give the bits of their ops done one by one.

#include "runtime/ops/fused.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "runtime/core/linker.h"
#include "runtime/ops/catalog.h"
#include "test/cpp/device/plan_runner.h"

namespace nxv {
namespace {

const Pack& pack() {
  static const std::shared_ptr<const Pack> pack = Pack::open();
  return *pack;
}

Input tensor(std::string_view type, int64_t count) { return {{parse_type(type), {count}}, std::nullopt, 64}; }
Input number(std::string_view type, double value) { return {{parse_type(type), {}}, Scalar{value}}; }

Bytes run(std::string_view op, const std::vector<Input>& inputs, const std::vector<Bytes>& bytes,
          std::optional<Type> out = {}) {
  std::vector<TensorSpec> outs;
  if (out) outs.push_back({*out, inputs[0].spec.dims});
  std::vector<PlacedBytes> placed;
  for (const Bytes& one : bytes) placed.push_back({one});
  return run_plan(plan_op(op, {}, outs, inputs, test_traits(true)), placed);
}

// a · b, plus 1.5, the square root of its magnitude, less than c: several types, a scalar, chains of results.
TEST(Fused, GivesTheBitsOfSeparateDispatches) {
  for (const char* type : {"f32", "f64"}) {
    for (const int64_t count : {1, 3, 4, 7, 1024, 40009}) {
      const Type t = parse_type(type);
      const Bytes a = varied_bytes(t, count, 1), b = varied_bytes(t, count, 2), c = varied_bytes(t, count, 3);
      const Input x = tensor(type, count);
      const Bytes product = run("multiply", {x, x}, {a, b});
      const Bytes sum = run("add", {x, number(type, 1.5)}, {product, {}});
      const Bytes root = run("sqrt", {x}, {run("abs", {x}, {sum})});
      const Bytes less = run("less", {x, x}, {root, c});
      const FusedProgram program{{{"multiply", {0, 1}}, {"add", {4, 3}}, {"abs", {5}}, {"sqrt", {6}}, {"less", {7, 2}}},
                                 {7}};
      FusedProgram test = program;
      test.outputs = {8};
      const std::vector<Input> inputs{x, x, x, number(type, 1.5)};
      for (const bool cpu : {false, true}) {
        for (const bool narrow : {false, true}) {
          const Traits traits = test_traits(cpu, narrow);
          EXPECT_EQ(run_plan(plan_fused(pack(), program, inputs, traits), {{a}, {b}, {c}, {}}), root) << type << count;
          EXPECT_EQ(run_plan(plan_fused(pack(), test, inputs, traits), {{a}, {b}, {c}, {}}), less) << type << count;
        }
      }
    }
  }
}

// Registers are wider than narrow types: what one op gives must be rounded or wrapped before the next reads it.
TEST(Fused, NarrowTypesAreRoundedBetweenOps) {
  for (const char* type : {"u8", "s8", "u16", "s16", "f16", "bf16", "f8", "f8_e4m3fn"}) {
    SCOPED_TRACE(type);
    const int64_t count = 1003;
    const Type t = parse_type(type);
    const Bytes a = varied_bytes(t, count, 1), b = varied_bytes(t, count, 2);
    const Input x = tensor(type, count);
    const Bytes sum = run("add", {x, x}, {a, b});
    const Bytes product = run("multiply", {x, x}, {sum, a});
    const Bytes want = run("less", {x, x}, {product, sum});
    const FusedProgram program{{{"add", {0, 1}}, {"multiply", {2, 0}}, {"less", {3, 2}}}, {4}};
    EXPECT_EQ(run_plan(plan_fused(pack(), program, std::vector{x, x}, test_traits(true)), {{a}, {b}}), want);
  }
}

TEST(Fused, CastsAndSelects) {
  const int64_t count = 1001;
  const Bytes a = varied_bytes(parse_type("f32"), count, 4), b = varied_bytes(parse_type("s32"), count, 5);
  const Bytes cast = run("as_type", {tensor("s32", count)}, {b}, parse_type("f32"));
  const Bytes less = run("less", {tensor("f32", count), tensor("f32", count)}, {a, cast});
  const Bytes want = run("select", {tensor("u8", count), tensor("f32", count), tensor("f32", count)}, {less, a, cast});
  const FusedProgram program{{{"as_type", {1}, parse_type("f32")}, {"less", {0, 2}}, {"select", {3, 0, 2}}}, {4}};
  const OpPlan plan =
      plan_fused(pack(), program, std::vector{tensor("f32", count), tensor("s32", count)}, test_traits(true));
  EXPECT_EQ(run_plan(plan, {{a}, {b}}), want);
}

// Every function of the pack can be taken; of each op the driver accepts what comes of some, in turn of all types.
TEST(Fused, EveryFunctionLinks) {
  size_t linked = 0, runs = 0;
  const uint32_t caps = test_traits(true).caps;
  for (const VariantInfo& variant : catalog_variants()) {
    if (variant.access != "function" || variant.key.starts_with("link.") || (variant.caps & ~caps)) continue;
    SCOPED_TRACE(variant.key);
    const SignatureInfo& signature = *find_signature(find_op(variant.op)->family, variant.op, variant.types);
    FusedCall call{std::string(variant.op), {}};
    const bool cast = find_op(variant.op)->family == "cast";
    if (cast) call.out = parse_type(signature.out);
    std::vector<Input> inputs;
    std::vector<PlacedBytes> bytes;
    std::istringstream names{std::string(signature.inputs)};
    for (std::string name; std::getline(names, name, ',');) {
      static const std::map<std::string, const char*> kTypes{
          {"b8", "u8"}, {"b16", "f16"}, {"b32", "f32"}, {"b64", "f64"}, {"b128", "c128"}};
      const auto width = kTypes.find(name);
      inputs.push_back(tensor(width == kTypes.end() ? name : width->second, 37));
      call.operands.push_back(static_cast<uint32_t>(bytes.size()));
      bytes.push_back({varied_bytes(inputs.back().spec.type, 37, static_cast<uint32_t>(bytes.size()))});
    }
    const OpPlan fused =
        plan_fused(pack(), {{call}, {static_cast<uint32_t>(inputs.size())}}, inputs, test_traits(false));
    // Functions of complex numbers are long: a driver takes seconds for each.
    const bool complex = variant.types.starts_with('c') && variant.op != "exp" && variant.op != "multiply";
    if (++linked % 3 != 0 || complex) continue;
    std::vector<TensorSpec> outs;
    if (cast) outs.push_back({call.out, {37}});
    const OpPlan alone = plan_op(variant.op, {}, outs, inputs, test_traits(false));
    EXPECT_EQ(run_plan(fused, bytes), run_plan(alone, bytes));
    ++runs;
  }
  EXPECT_GT(linked, 900u);
  EXPECT_GT(runs, 200u);
}

TEST(Fused, RefusesWhatDoesNotFit) {
  const std::vector<Input> inputs{tensor("f32", 8), tensor("s32", 8)};
  const auto refused = [&](const FusedProgram& program, const char* why) {
    try {
      plan_fused(pack(), program, inputs, test_traits(true));
      FAIL() << why;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused({{{"add", {0, 1}}}, {2}}, "add has no kernel for f32, s32; types: ");
  refused({{{"add", {0, 2}}}, {2}}, "value 2 is not there yet");
  refused({{{"no_such_op", {0}}}, {2}}, "no op no_such_op");
  refused({{{"negate", {0, 0}}}, {2}}, "takes 1 operands, not 2");
  refused({{{"negate", {0}}}, {}}, "without an output");
  refused({{{"sum", {0}}}, {2}}, "has no f32");
}

}  // namespace
}  // namespace nxv
