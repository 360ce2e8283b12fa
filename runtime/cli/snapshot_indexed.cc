// Reads by indices, some of them outside of their axis.

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/gather_steps.h"

namespace nxv::cli {

namespace {

// Indices for axes of the given sizes, one of each in a row.
std::vector<std::byte> some_indices(Type type, int64_t rows, const std::vector<int64_t>& sizes, ValueSource& source) {
  std::vector<std::byte> bytes;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t size : sizes) {
      const auto beyond = static_cast<uint64_t>(size + 4);
      append_part(type, {.integer = static_cast<int64_t>(source.next() % beyond) - 2}, bytes);
    }
  }
  return bytes;
}

// Slices of `width` bytes: the elements of the variant.
Launch gather_launch(const RecipeCall& call, Type index, const std::vector<int64_t>& sizes, int64_t width,
                     uint64_t number) {
  constexpr int64_t kRows = 301;
  LaunchBuilder builder(call.signature.op, call.traits);
  const ElementKind byte{Type::u8, true};
  ValueSource source(call.name(), number, Values::ordinary);
  Gather gather{.dims = {kRows, width}, .from_strides = {0, 1}};
  gather.index_strides = {static_cast<int64_t>(sizes.size()), 0};
  int64_t stride = width;
  for (int64_t size : sizes) {
    gather.indexed.push_back({size, stride});
    stride *= size;
  }
  gather.from = builder.tensor({byte.type, {stride}}, source.take(byte, stride));
  gather.indices =
      builder.tensor({index, {kRows, static_cast<int64_t>(sizes.size())}}, some_indices(index, kRows, sizes, source));
  gather.to = builder.plan().output({byte.type, {kRows, width}});
  append_gather(builder.plan(), gather);
  return builder.finish(byte);
}

}  // namespace

std::vector<Launch> indexed_launches(const RecipeCall& call) {
  if (call.signature.op != "gather") return {};
  const int64_t width = std::stol(std::string(call.signature.types.substr(1))) / 8;
  return {gather_launch(call, Type::s32, {37}, width, 0), gather_launch(call, Type::s64, {5, 9}, width, 1),
          gather_launch(call, Type::s16, {3, 3, 2, 2, 3, 2, 2}, width, 2)};
}

}  // namespace nxv::cli
