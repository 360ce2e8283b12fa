#pragma once

#include <string_view>
#include <vector>

#include "runtime/core/pack.h"

namespace nxv {

// generated/manifest.tsv, as codegen/pack.py writes it. All views point into the text.
struct Manifest {
  std::string_view toolchain, digest;
  std::vector<PackShard> shards;   // sorted by name
  std::vector<PackEntry> entries;  // sorted by key
};

// Throws invalid_argument with one sentence that names `origin`, where the text is cut short, altered or of another
// format. Every entry of the result lies inside its shard.
Manifest parse_manifest(std::string_view text, std::string_view origin);

}  // namespace nxv
