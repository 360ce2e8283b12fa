#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace nxv::cli {

// Calls `work(begin, end, part)` for as many parts of 0 … count as the host has processors, a thread each.
inline size_t parallel_parts() { return std::max(1u, std::thread::hardware_concurrency()); }

inline void parallel_for(uint64_t count, const std::function<void(uint64_t begin, uint64_t end, size_t part)>& work) {
  const uint64_t parts = std::min<uint64_t>(parallel_parts(), std::max<uint64_t>(count / 1024, 1));
  std::vector<std::jthread> threads;
  for (uint64_t part = 1; part < parts; ++part) {
    threads.emplace_back(
        [&, part] { work(count * part / parts, count * (part + 1) / parts, static_cast<size_t>(part)); });
  }
  work(0, count / parts, 0);
}

}  // namespace nxv::cli
