// Elements of 2 and 4 bits: each packed type there is, and an amount that ends within a byte.

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/packed.h"

namespace nxv::cli {

std::vector<Launch> packed_launches(const RecipeCall& call) {
  constexpr int64_t kElements = 4099;
  const bool packs = call.signature.op == "pack";
  std::vector<Launch> launches;
  for (const Type type : all_types()) {
    if (!is_packed(type)) continue;
    const ElementKind byte{Type::u8, true};
    const TensorSpec packed{type, {kElements}}, bytes{Type::u8, {kElements}};
    const auto packed_bytes = static_cast<int64_t>(byte_size(packed));
    LaunchBuilder builder(call.signature.op, call.traits);
    ValueSource source(call.name(), launches.size(), call.values);
    Operand from = builder.tensor(bytes, source.take(byte, packs ? kElements : packed_bytes, {}));
    Operand to = builder.plan().output({Type::u8, {packs ? packed_bytes : kElements}});
    if (packs) {
      to.spec = packed;
      pack_steps(builder.plan(), from, to);
    } else {
      from.spec = packed;
      unpack_steps(builder.plan(), from, to);
    }
    launches.push_back(builder.finish(byte));
  }
  return launches;
}

}  // namespace nxv::cli
