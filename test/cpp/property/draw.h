#pragma once

// Random numbers, shapes and attributes of a case; the same on every machine for the same seed.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv::property {

// Most elements of a tensor.
inline constexpr int64_t kMostElements = 2000;

// A seed for one part of a run, from that of the whole.
uint64_t mixed_seed(uint64_t seed, std::string_view part, uint64_t number = 0);

// One thread.
class Draw {
 public:
  // `run_seed` stays the same for all cases of a run.
  Draw(uint64_t run_seed, uint64_t case_seed) : run_seed_(run_seed), random_(case_seed) {}

  uint64_t run_seed() const { return run_seed_; }
  uint64_t bits() { return random_(); }
  uint32_t seed() { return static_cast<uint32_t>(random_()); }
  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  // True once in `n`.
  bool one_in(int64_t n) { return below(n) == 0; }

  template <typename T>
  T any(const std::vector<T>& list) {
    return list[static_cast<size_t>(below(static_cast<int64_t>(list.size())))];
  }
  template <typename T>
  T any(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<int64_t>(list.size()))];
  }

  // One of `count` that a run picks out of a list: each may need a pipeline of its own, so that a run takes few, and
  // another seed others.
  template <typename T>
  T few(std::string_view name, const std::vector<T>& list, size_t count) {
    std::vector<T> left = list, taken;
    for (size_t i = 0; i < count && !left.empty(); ++i) {
      const auto at = static_cast<std::ptrdiff_t>(mixed_seed(run_seed_, name, i) % left.size());
      taken.push_back(left[static_cast<size_t>(at)]);
      left.erase(left.begin() + at);
    }
    return any(taken);
  }

  // 0 to 6, most of them small.
  int64_t rank(int64_t least = 0);
  // An extent of at most `most`: ones, primes, powers of two, any number.
  int64_t extent(int64_t most);
  // At most `most` elements.
  Dims shape(int64_t rank, int64_t most = kMostElements);
  // 0 … rank − 1 in any order.
  Dims permutation(int64_t rank);
  // `count` different axes, in any order.
  Dims axes(int64_t rank, int64_t count);
  // Something that broadcasts to `dims`.
  Dims broadcastable(const Dims& dims);

 private:
  uint64_t run_seed_;
  std::mt19937_64 random_;
};

}  // namespace nxv::property
