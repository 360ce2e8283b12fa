// move: copies whose strides allow elements of exactly the variant's width, in the form that leads to its access.

#include "runtime/cli/snapshot_recipe.h"
#include "runtime/ops/strided_copy.h"

namespace nxv::cli {

namespace {

// Extents and strides of reading in elements of the variant's width; what is written is row-major.
struct Box {
  int64_t from_elements = 0, from_origin = 0;
  std::vector<CopyAxis> axes;
  bool moving = false;  // starts at an index in device memory
};

// to: row-major strides.
std::vector<CopyAxis> written_dense(std::vector<CopyAxis> axes) {
  int64_t stride = 1;
  for (size_t a = axes.size(); a-- > 0;) {
    axes[a].to = stride;
    stride *= axes[a].extent;
  }
  return axes;
}

// Odd extents keep elements from being taken two by two.
std::vector<Box> boxes(std::string_view access) {
  if (access == "dense") return {{1001, 0, {{1001, 1, 0}}}, {33, 0, {{33, 1, 0}}}};
  if (access == "strided") {
    return {{5 * 7 * 19, 0, {{5, 7 * 19, 0}, {7, 19, 0}, {9, 2, 0}}},
            {5 * 7 * 9, 5 * 7 * 9 - 1, {{5, -63, 0}, {7, -9, 0}, {9, -1, 0}}},
            {9, 0, {{11, 0, 0}, {9, 1, 0}, {3, 0, 0}}}};
  }
  if (access == "block") {
    // A permutation of six axes of which no two are one, and a box at a start that the device reads.
    return {{729, 0, {{3, 1, 0}, {3, 9, 0}, {3, 81, 0}, {3, 3, 0}, {3, 27, 0}, {3, 243, 0}}},
            {15 * 17, 0, {{7, 17, 0}, {9, 1, 0}}, true}};
  }
  if (access == "tile" || access == "patch") {
    return {{3 * 37 * 45, 0, {{3, 37 * 45, 0}, {45, 1, 0}, {37, 45, 0}}}, {64 * 128, 0, {{128, 1, 0}, {64, 128, 0}}}};
  }
  return {};
}

Launch launch(const RecipeCall& call, const Box& box, int64_t width, uint64_t number) {
  LaunchBuilder builder(call.signature.op, call.traits_as(call.variant.access != "tile"));
  const ElementKind byte{parse_type("u8"), true};
  std::vector<CopyAxis> axes = written_dense(box.axes);
  int64_t count = 1;
  for (CopyAxis& axis : axes) {
    count *= axis.extent;
    axis.from *= width, axis.to *= width;
  }
  if (width > 1) axes.push_back({width, 1, 1});
  ValueSource source(call.name(), number, Values::ordinary);
  Operand from = builder.tensor({byte.type, {box.from_elements * width}}, source.take(byte, box.from_elements * width));
  StridedCopy copy{.from = from, .from_origin = box.from_origin * width, .axes = axes};
  if (box.moving) {
    const Type index = parse_type("s32");
    for (int64_t start : {3, 100}) {
      std::vector<std::byte> bytes;
      append_part(index, {.integer = start}, bytes);
      copy.starts.push_back({builder.tensor({index, {}}, bytes), 8, copy.starts.empty() ? 17 * width : width});
    }
  }
  copy.to = builder.plan().output({byte.type, {count * width}});
  append_copy(builder.plan(), copy);
  return builder.finish(byte);
}

}  // namespace

std::vector<Launch> copy_launches(const RecipeCall& call) {
  if (call.signature.op != "move" || !call.signature.types.starts_with("b")) return {};
  const int64_t width = std::stol(std::string(call.signature.types.substr(1))) / 8;
  std::vector<Launch> launches;
  if (width == 0) return launches;
  for (const Box& box : boxes(call.variant.access)) launches.push_back(launch(call, box, width, launches.size()));
  return launches;
}

}  // namespace nxv::cli
