// Products of matrices: an orientation of the operands an access.

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/dot_steps.h"

namespace nxv::cli {

std::vector<Launch> dot_launches(const RecipeCall& call) {
  auto kinds = element_kinds(call.signature.inputs);
  auto out = element_kind(call.signature.out);
  const std::string_view access = call.variant.access;
  const bool matrix = access == "block" || access == "rows", column = access.ends_with("column");
  const bool line = access.ends_with("line");
  if (!kinds || kinds->size() != 2 || !out || !(matrix || column || line)) return {};
  const bool cpu = access == "rows" || access.starts_with("serial");
  const int64_t batches = 2, m = 37, n = matrix ? 45 : 1, k = 123;
  LaunchBuilder builder(call.signature.op, call.traits_as(cpu));
  ValueSource source(call.name(), 0, call.values);
  const ValueSource::Style finite{.near_one = false, .special = false};
  MatrixProduct product{.batches = batches, .m = m, .n = n, .k = k, .a_batch = m * k, .b_batch = k * n};
  // With a transposed a, the columns of a lie side by side.
  product.a_m = column ? 1 : k, product.a_k = column ? m : 1;
  product.b_k = n, product.b_n = 1;
  product.a = builder.tensor({kinds->at(0).type, {batches, m, k}}, source.take(kinds->at(0), batches * m * k, finite));
  product.b = builder.tensor({kinds->at(1).type, {batches, k, n}}, source.take(kinds->at(1), batches * k * n, finite));
  product.z = builder.plan().output({out->type, {batches, m, n}});
  append_product(builder.plan(), product);
  std::vector<Launch> launches;
  launches.push_back(builder.finish(*out));
  return launches;
}

}  // namespace nxv::cli
