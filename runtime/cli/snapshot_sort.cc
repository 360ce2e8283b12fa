// Sorts: each width as unsigned and signed integers and as floats of that width; places in the row along with the
// elements.

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/order_bits.h"
#include "runtime/ops/sort.h"

namespace nxv::cli {

namespace {

struct Sized {
  int64_t rows, n;
  bool descending = false, indices = false;
};

constexpr Sized kSizes[] = {{37, 50},        {37, 41, true, true},  {3, 300}, {2, 511, true, true},
                            {2, 5000, true}, {1, 1300, false, true}};

Launch launch(const RecipeCall& call, Type type, const Sized& size, uint64_t number) {
  Traits traits = call.traits_as(call.variant.access.starts_with("serial"));
  // Tiles of 512 elements, so that few elements fill several.
  traits.max_shared_bytes = 4096;
  LaunchBuilder builder("sort", traits);
  ValueSource source(call.name(), number, call.values);
  const ElementKind kind{type}, out{size.indices ? Type::s32 : type};
  const Dims dims{size.rows, size.n};
  const Operand from = builder.tensor({type, dims}, source.take(kind, element_count(dims)));
  const Operand to = builder.plan().output({out.type, dims});
  append_sort(builder.plan(), from, size.rows, size.n, size.descending,
              size.indices ? Sorted{.indices = to} : Sorted{.values = to});
  return builder.finish(out);
}

}  // namespace

std::vector<Launch> sort_launches(const RecipeCall& call) {
  std::vector<Launch> launches;
  for (Type type : all_types()) {
    if (type_info(type).kind == Kind::complex || width_name(type) != call.signature.inputs) continue;
    // One type tells whether a tile is sorted; the rules of all are in kernels whose pipelines are quick to make.
    const bool quick = call.variant.access == "rank" || call.variant.access.starts_with("serial");
    if (!quick && type != Type::f8_e4m3fn && type != Type::bf16 && type != Type::f32 && type != Type::f64) continue;
    for (const Sized& size : kSizes) launches.push_back(launch(call, type, size, launches.size()));
  }
  return launches;
}

}  // namespace nxv::cli
