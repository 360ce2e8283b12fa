#include "runtime/cli/snapshot_digest.h"

#include <cmath>
#include <cstdio>
#include <cstring>

#include "runtime/cli/snapshot_inputs.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace nxv::cli {

struct Digest::State {
  XXH3_state_t xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Digest::~Digest() = default;

void Digest::add(ElementKind kind, std::span<const std::byte> results, bool flush) {
  if (kind.bits_only || !is_float(kind.type)) {
    XXH3_128bits_update(&state_->xxh, results.data(), results.size());
    return;
  }
  const size_t width = kind.bytes() / parts_of(kind.type), count = results.size() / width;
  std::vector<std::byte> clean(results.begin(), results.end());
  auto put = [&](size_t index, double value) {
    std::vector<std::byte> part;
    append_part(kind.type, {.floating = true, .real = value}, part);
    std::memcpy(clean.data() + index * width, part.data(), width);
  };
  for (size_t i = 0; i < count; ++i) {
    double value = part_at(kind.type, results, i).real;
    if (std::isnan(value)) {
      put(i, std::nan(""));
    } else if (flush && value != 0 && std::fabs(value) < 0x1p-126 && has_f32_exponents(kind.type)) {
      put(i, std::copysign(0.0, value));
    }
  }
  XXH3_128bits_update(&state_->xxh, clean.data(), clean.size());
}

std::string Digest::text() const {
  XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

}  // namespace nxv::cli
