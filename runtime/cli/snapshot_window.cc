// Sliding windows: channels first and last, with padding, strides and dilations, and windows that take several
// dispatches on a CPU device; and the gradients of their extremes.

#include <array>

#include "runtime/cli/snapshot_recipe.h"

namespace nxv::cli {

namespace {

struct Sliding {
  Dims dims, window, strides, padding, dilations;
  bool special = true;  // NaN and infinities among the numbers
};

const std::array<Sliding, 4>& all_windows() {
  static const std::array<Sliding, 4> kWindows{{
      {{3, 2, 19, 23}, {1, 1, 3, 2}, {1, 1, 2, 2}, {0, 0, 0, 0, 1, 1, 0, 1}, {1, 1, 1, 1}},
      {{2, 17, 15, 8}, {1, 2, 3, 1}, {1, 1, 2, 1}, {0, 0, 1, 0, -1, 2, 0, 0}, {1, 2, 1, 1}},
      {{301}, {5}, {1}, {4, 4}, {2}},
      {{40003}, {40000}, {1}, {0, 0}, {1}, false},
  }};
  return kWindows;
}

Attrs attrs_of(const Sliding& one) {
  return {
      {"window", one.window}, {"strides", one.strides}, {"padding", one.padding}, {"window_dilations", one.dilations}};
}

}  // namespace

std::vector<Launch> window_launches(const RecipeCall& call) {
  auto kind = element_kind(call.signature.inputs), out = element_kind(call.signature.out);
  if (!kind || !out) return {};
  const bool product = call.signature.op == "window_product";
  std::vector<Launch> launches;
  for (const Sliding& one : all_windows()) {
    ValueSource source(call.name(), launches.size(), call.values);
    std::vector<std::byte> bytes =
        source.take(*kind, element_count(one.dims), {.near_one = product, .special = one.special});
    const Input input{{kind->type, one.dims}, {}};
    OpPlan plan = plan_op(call.signature.op, attrs_of(one), {}, std::array{input}, call.traits_as(call.traits.cpu));
    launches.push_back({std::move(plan), {std::move(bytes)}, *out, {}});
  }
  return launches;
}

std::vector<Launch> window_scatter_launches(const RecipeCall& call) {
  auto kind = element_kind(call.signature.inputs);
  if (!kind) return {};
  const bool collects = call.signature.op == "window_collect";
  const Sliding pooling{{2, 21, 22}, {1, 3, 4}, {1, 2, 2}, {0, 0, 1, 1, 2, 0}, {1, 1, 1}};
  const Dims positions{2, 11, 11};
  ValueSource source(call.name(), 0, call.values);
  // What is picked, or what is collected, has the variant's type; the other operand is made of bytes.
  const ElementKind bytes{Type::u8, false};
  const ElementKind tensor = collects ? bytes : *kind, values = collects ? *kind : bytes;
  std::vector<std::vector<std::byte>> operands{source.take(tensor, element_count(pooling.dims)),
                                               source.take(values, element_count(positions)),
                                               source.take(collects ? values : tensor, 1, {.first_special = false})};
  const Type initial = collects ? values.type : tensor.type;
  const std::array inputs{Input{{tensor.type, pooling.dims}, {}}, Input{{values.type, positions}, {}},
                          Input{{initial, {}}, {}}};
  const TensorSpec out{values.type, pooling.dims};
  Attrs attrs = attrs_of(pooling);
  attrs.erase("window_dilations");
  std::vector<Launch> launches;
  OpPlan plan = plan_op(collects ? "window_scatter_max" : call.signature.op, attrs, std::array{out}, inputs,
                        call.traits_as(call.traits.cpu));
  launches.push_back({std::move(plan), std::move(operands), values, {}});
  return launches;
}

}  // namespace nxv::cli
