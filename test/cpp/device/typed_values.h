#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "test/cpp/device/plan_runner.h"
#include "test/cpp/ops/reduce_oracle.h"
#include "test/cpp/support/visit_type.h"

namespace nxv {

template <typename T>
std::vector<T> numbers_of(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// The same bits, where NaN is one value.
template <typename T>
bool same(T a, T b) {
  if constexpr (oracle::kIsComplex<T>) {
    return same(a.real(), b.real()) && same(a.imag(), b.imag());
  } else {
    return oracle::is_nan(promoted(a)) ? oracle::is_nan(promoted(b)) : std::memcmp(&a, &b, sizeof a) == 0;
  }
}

template <typename T>
void compare(const std::vector<T>& want, const Bytes& bytes, const std::string& what) {
  const std::vector<T> got = numbers_of<T>(bytes);
  ASSERT_EQ(want.size(), got.size()) << what;
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_TRUE(same(want[i], got[i])) << what << ": result " << i << " is " << +promoted(want[i]) << ", not "
                                       << +promoted(got[i]);
  }
}

}  // namespace nxv
