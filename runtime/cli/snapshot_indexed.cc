// Reads and updates by indices, some of them outside of their axis.

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/gather_steps.h"
#include "runtime/ops/strided_copy.h"
#include "runtime/ops/update_steps.h"

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

struct UpdateShape {
  int64_t slots = 0, count = 0, slice = 1;
};

// Updates of slices of elements of `kind`: a table or a sort for many, neither for few.
Launch update_launch(const RecipeCall& call, ElementKind kind, const UpdateShape& shape, bool cpu, bool adds,
                     uint64_t number) {
  LaunchBuilder builder(call.signature.op, call.traits_as(cpu));
  ValueSource source(call.name(), number, call.values);
  const TensorSpec target{kind.type, {shape.slots, shape.slice}};
  const Operand from = builder.tensor(target, source.take(kind, shape.slots * shape.slice));
  IndexedUpdates updates{.count = shape.count, .slice = {shape.slice}, .strides = {1}};
  updates.indexed = {{shape.slots, shape.slice}};
  updates.indices =
      builder.tensor({Type::s32, {shape.count, 1}}, some_indices(Type::s32, shape.count, {shape.slots}, source));
  updates.updates = builder.tensor({kind.type, {shape.count, shape.slice}},
                                   source.take(kind, shape.count * shape.slice, {.special = false}));
  updates.to = builder.plan().output(target);
  append_dense_copy(builder.plan(), from, updates.to);
  if (adds) {
    append_add(builder.plan(), updates);
  } else {
    append_put(builder.plan(), updates);
  }
  return builder.finish(kind);
}

// Of integers, s16 where a sort is to be reached.
std::vector<Launch> slot_launches(const RecipeCall& call) {
  const bool wide = call.signature.types == "b64", sums = call.signature.op == "index_sum";
  const ElementKind number{!sums ? Type::s16 : wide ? Type::s64 : Type::s32, false};
  const bool adds = call.signature.op != "index_claims", cpu = call.variant.access == "serial";
  return {update_launch(call, number, {301, 5000}, cpu, adds, 0),
          update_launch(call, number, {70'000, 9000}, cpu, adds, 1)};
}

}  // namespace

std::vector<Launch> indexed_launches(const RecipeCall& call) {
  const bool cpu = call.traits.cpu;
  if (call.signature.op.starts_with("index_")) return slot_launches(call);
  if (call.signature.op == "indexed_add") {
    const auto kind = element_kind(call.signature.out);
    if (!kind) return {};
    return {update_launch(call, *kind, {301, 1009}, cpu, true, 0),
            update_launch(call, *kind, {19, 50, 16}, cpu, true, 1)};
  }
  const int64_t width = std::stol(std::string(call.signature.types.substr(1))) / 8;
  if (call.signature.op == "indexed_put") {
    const ElementKind byte{Type::u8, true};
    return {update_launch(call, byte, {301, 1009, width}, cpu, false, 0),
            update_launch(call, byte, {19, 50, width}, cpu, false, 1)};
  }
  if (call.signature.op != "gather") return {};
  return {gather_launch(call, Type::s32, {37}, width, 0), gather_launch(call, Type::s64, {5, 9}, width, 1),
          gather_launch(call, Type::s16, {3, 3, 2, 2, 3, 2, 2}, width, 2)};
}

}  // namespace nxv::cli
