#include "runtime/cli/compare.h"

#include <algorithm>
#include <cmath>

namespace nxv::cli {

namespace {

// The position of a float among all floats of its type; -0 stands where 0 does.
int64_t step_of(uint64_t bits, uint32_t width) {
  uint64_t sign = 1ull << (width - 1);
  auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return bits & sign ? -magnitude : magnitude;
}

bool close(const HostTensor& got, const HostTensor& want, size_t index, const Tolerance& tolerance) {
  Type type = want.spec.type;
  uint64_t got_bits = part_bits(type, got.bytes, index), want_bits = part_bits(type, want.bytes, index);
  if (got_bits == want_bits) return true;
  if (!is_float(type)) {
    if (tolerance.kind != Tolerance::Kind::rel) return false;
    double g = part_at(type, got.bytes, index).as_double(), w = part_at(type, want.bytes, index).as_double();
    return std::fabs(g - w) <= tolerance.value * std::fabs(w) + tolerance.abs;
  }
  double g = part_at(type, got.bytes, index).real, w = part_at(type, want.bytes, index).real;
  if (std::isnan(g) || std::isnan(w)) return std::isnan(g) && std::isnan(w);
  switch (tolerance.kind) {
    case Tolerance::Kind::exact_bytes:
      return false;
    case Tolerance::Kind::exact_numbers:
      return g == w && !tolerance.zero_sign;
    case Tolerance::Kind::ulp: {
      if (std::isinf(g) || std::isinf(w)) return false;
      uint32_t width = type_info(type).bits / static_cast<uint32_t>(parts_of(type));
      __int128 apart = static_cast<__int128>(step_of(got_bits, width)) - step_of(want_bits, width);
      return static_cast<double>(apart < 0 ? -apart : apart) <= tolerance.value;
    }
    case Tolerance::Kind::rel: {
      if (std::isinf(g) || std::isinf(w)) return false;
      double relative = tolerance.value * std::fabs(w);
      return std::fabs(g - w) <= (tolerance.larger ? std::max(relative, tolerance.abs) : relative + tolerance.abs);
    }
  }
  return false;
}

std::string element_text(const HostTensor& tensor, size_t element) {
  size_t parts = parts_of(tensor.spec.type);
  std::string text = to_text(part_at(tensor.spec.type, tensor.bytes, element * parts));
  if (parts == 2) text += " and " + to_text(part_at(tensor.spec.type, tensor.bytes, element * parts + 1)) + "i";
  return text;
}

std::string index_text(const Dims& dims, size_t element) {
  std::string text;
  for (size_t axis = dims.size(); axis-- > 0;) {
    auto dim = static_cast<size_t>(dims[axis]);
    text = std::to_string(element % dim) + (text.empty() ? "" : ", ") + text;
    element /= dim;
  }
  return "[" + text + "]";
}

}  // namespace

std::optional<std::string> difference(const HostTensor& got, const HostTensor& want, const Tolerance& tolerance) {
  if (got.spec != want.spec) return "gives " + to_string(got.spec) + ", wanted " + to_string(want.spec);
  size_t parts = parts_of(want.spec.type);
  size_t count = static_cast<size_t>(element_count(want.spec.dims)) * parts;
  std::optional<size_t> first;
  size_t differing = 0;
  for (size_t i = 0; i < count; ++i) {
    if (close(got, want, i, tolerance)) continue;
    if (!first) first = i / parts;
    ++differing;
  }
  if (!first) return std::nullopt;
  return "element " + index_text(want.spec.dims, *first) + " is " + element_text(got, *first) + ", wanted " +
         element_text(want, *first) + " (" + std::to_string(differing) + " of " + std::to_string(count) + " differ)";
}

}  // namespace nxv::cli
