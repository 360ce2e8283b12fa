#include "test/cpp/property/draw.h"

#include <algorithm>
#include <numeric>

namespace nxv::property {

// FNV-1a, then the finalizer of SplitMix64.
uint64_t mixed_seed(uint64_t seed, std::string_view part, uint64_t number) {
  uint64_t mixed = 0xcbf29ce484222325 ^ seed;
  for (char c : part) mixed = (mixed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  mixed += (number + 1) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

int64_t Draw::rank(int64_t least) {
  return std::max<int64_t>(least, any({0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6}));
}

int64_t Draw::extent(int64_t most) {
  static const Dims kPrimes{2, 3, 5, 7, 11, 13, 17, 31, 61, 127, 257, 1009, 1999};
  static const Dims kRound{2, 4, 8, 12, 16, 32, 64, 128, 256, 1024};
  int64_t n = 1;
  switch (below(8)) {
    case 0:
      break;
    case 1:
    case 2:
      n = any(kPrimes);
      break;
    case 3:
    case 4:
      n = any(kRound);
      break;
    case 5:
      n = between(1, most);
      break;
    default:
      n = between(1, 12);
  }
  return n <= most ? n : between(1, std::min<int64_t>(most, 12));
}

Dims Draw::shape(int64_t rank, int64_t most) {
  Dims dims(static_cast<size_t>(rank));
  int64_t left = one_in(4) ? most : between(1, most);
  for (int64_t axis : permutation(rank)) {
    int64_t& dim = dims[static_cast<size_t>(axis)];
    dim = extent(left);
    left /= dim;
  }
  return dims;
}

Dims Draw::permutation(int64_t rank) {
  Dims axes(static_cast<size_t>(rank));
  std::iota(axes.begin(), axes.end(), int64_t{0});
  for (int64_t i = rank; i-- > 1;) std::swap(axes[static_cast<size_t>(i)], axes[static_cast<size_t>(below(i + 1))]);
  return axes;
}

Dims Draw::axes(int64_t rank, int64_t count) {
  Dims axes = permutation(rank);
  axes.resize(static_cast<size_t>(count));
  return axes;
}

Dims Draw::broadcastable(const Dims& dims) {
  Dims from = dims;
  const int64_t way = below(6);
  if (way == 0) return {};
  for (int64_t& dim : from) {
    if (way < 4 && one_in(way + 1)) dim = 1;
  }
  if (one_in(3)) from.erase(from.begin(), from.begin() + below(static_cast<int64_t>(from.size()) + 1));
  return from;
}

}  // namespace nxv::property
