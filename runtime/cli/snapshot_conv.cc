// Convolutions: channels first and last, padded, strided and dilated, in groups; long sums for those that leave parts.

#include <array>

#include "runtime/cli/snapshot_recipe.h"

namespace nxv::cli {

std::vector<Launch> conv_launches(const RecipeCall& call) {
  auto kinds = element_kinds(call.signature.inputs);
  auto out = element_kind(call.signature.out);
  const std::string_view access = call.variant.access;
  if (!kinds || kinds->size() != 2 || !out || !(access == "tile" || access == "direct")) return {};
  const Type type = kinds->at(0).type;
  struct Shape {
    Dims input, kernel;
    Attrs attrs;
  };
  // Only sums that are cut give another type.
  const bool parts = out->type != type;
  const std::array shapes{
      Shape{{2, 16, 9, 10}, {36, 16, 3, 2}, {{"strides", Dims{2, 1}}, {"padding", Dims{1, 0, -1, 2}}}},
      Shape{{1, 6, 6, 28},
            {3, 3, 14, 34},
            {{"input_permutation", Dims{0, 3, 1, 2}},
             {"kernel_permutation", Dims{3, 2, 0, 1}},
             {"output_permutation", Dims{0, 3, 1, 2}},
             {"input_dilation", Dims{2, 1}},
             {"feature_group_size", int64_t{2}}}},
      Shape{{1, 9000, 2, 2}, {17, 9000, 2, 2}, {}}};
  std::vector<Launch> launches;
  for (const Shape& shape : shapes) {
    if (parts && shape.input[1] != 9000) continue;
    ValueSource source(call.name(), launches.size(), call.values);
    const ValueSource::Style finite{.near_one = false, .special = false};
    std::vector<std::vector<std::byte>> operands{source.take(kinds->at(0), element_count(shape.input), finite),
                                                 source.take(kinds->at(1), element_count(shape.kernel), finite)};
    const std::array inputs{Input{{type, shape.input}, {}}, Input{{type, shape.kernel}, {}}};
    OpPlan plan = plan_op("conv", shape.attrs, {}, inputs, call.traits_as(access == "direct"));
    launches.push_back({std::move(plan), std::move(operands), kinds->at(0), {}});
  }
  return launches;
}

}  // namespace nxv::cli
