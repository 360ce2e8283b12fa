#include "runtime/core/pack.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/cli/command.h"
#include "runtime/cli/text.h"
#include "runtime/core/caps.h"
#include "runtime/ops/catalog.h"

namespace nxv::cli {

namespace {

std::vector<std::string> caps_of(const PackEntry& entry) {
  std::vector<std::string> names;
  for (const CapName& cap : cap_names()) {
    if (entry.caps & cap.cap) names.emplace_back(cap.name);
  }
  return names;
}

struct Totals {
  uint64_t bytes = 0, packed_bytes = 0;
  size_t modules = 0;  // different ones
};

Totals totals_of(const Pack& pack) {
  Totals totals;
  for (const PackShard& shard : pack.shards()) {
    totals.bytes += shard.bytes;
    totals.packed_bytes += shard.packed_bytes;
  }
  std::set<std::pair<std::string_view, uint64_t>> places;
  for (const PackEntry& entry : pack.entries()) places.emplace(entry.shard, entry.offset);
  totals.modules = places.size();
  return totals;
}

}  // namespace

void pack_summary(const PackOptions& options) {
  auto pack = Pack::open();
  Totals totals = totals_of(*pack);
  if (options.json) {
    nlohmann::ordered_json json{
        {"digest", pack->digest()},
        {"toolchain", pack->toolchain()},
        {"origin", pack->origin()},
        {"variants", pack->entries().size()},
        {"modules", totals.modules},
        {"bytes", totals.bytes},
        {"compressed_bytes", totals.packed_bytes},
    };
    for (const PackShard& shard : pack->shards()) {
      json["shards"].push_back(
          {{"name", shard.name}, {"bytes", shard.bytes}, {"compressed_bytes", shard.packed_bytes}});
    }
    std::printf("%s\n", json.dump(2).c_str());
    return;
  }
  auto line = [](const char* label, const std::string& text) { std::printf("%-11s %s\n", label, text.c_str()); };
  line("digest", std::string(pack->digest()));
  line("toolchain", std::string(pack->toolchain()));
  line("origin", std::string(pack->origin()));
  line("variants", std::to_string(pack->entries().size()) + " (" + std::to_string(totals.modules) + " modules)");
  line("bytes", size_text(totals.bytes) + " raw, " + size_text(totals.packed_bytes) + " compressed");
}

void pack_kernels(const PackOptions& options) {
  auto pack = Pack::open();
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  Table table({"key", "bytes", "caps"});
  for (const PackEntry& entry : pack->entries()) {
    if (entry.key.find(options.filter) == std::string_view::npos) continue;
    std::vector<std::string> caps = caps_of(entry);
    if (options.json) {
      json.push_back({{"key", entry.key}, {"bytes", entry.bytes}, {"caps", caps}});
    } else {
      table.add({std::string(entry.key), std::to_string(entry.bytes), caps.empty() ? "-" : join(caps, ",")});
    }
  }
  std::fputs(options.json ? (json.dump(2) + "\n").c_str() : table.text().c_str(), stdout);
}

void pack_ops(const PackOptions& options) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  Table table({"op", "family", "operands", "types"});
  for (const OpInfo& op : catalog_ops()) {
    if (op.name.find(options.filter) == std::string_view::npos) continue;
    std::string types = types_of(op.family, op.name);
    if (options.json) {
      json.push_back(
          {{"op", op.name}, {"family", op.family}, {"operands", op.inputs}, {"types", types}, {"nx", op.nx}});
    } else {
      table.add({std::string(op.name), std::string(op.family), std::to_string(op.inputs), types});
    }
  }
  std::fputs(options.json ? (json.dump(2) + "\n").c_str() : table.text().c_str(), stdout);
}

}  // namespace nxv::cli
