#pragma once

// What writing by indices leaves behind.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "test/cpp/ops/reduce_oracle.h"
#include "test/cpp/support/narrow_float.h"

namespace nxv {

// The target after one update after the other. op: indexed_put, indexed_add; sums of narrow floats stay f32.
template <typename T>
std::vector<std::byte> updated(std::string_view op, const std::vector<std::byte>& target,
                               const std::vector<int64_t>& places, const std::vector<std::byte>& updates) {
  const auto numbers = [](const std::vector<std::byte>& bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  std::vector<T> to = numbers(target);
  const std::vector<T> from = numbers(updates);
  std::vector<Promoted<T>> sums;
  std::vector<bool> added(to.size());
  for (T value : to) sums.push_back(promoted(value));
  for (size_t i = 0; i < places.size(); ++i) {
    const auto at = static_cast<size_t>(places[i]);
    if (op == "indexed_put") {
      to[at] = from[i];
    } else {
      sums[at] = oracle::add(sums[at], promoted(from[i]));
      added[at] = true;
    }
  }
  for (size_t i = 0; i < to.size(); ++i) {
    if (added[i]) to[i] = static_cast<T>(sums[i]);
  }
  std::vector<std::byte> bytes(target.size());
  std::memcpy(bytes.data(), to.data(), bytes.size());
  return bytes;
}

}  // namespace nxv
