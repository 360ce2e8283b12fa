#pragma once

#include <cstddef>

namespace nxv::bench {

// Plain C++, vectorised for this machine's processor, on all its cores.
void add(const float* a, const float* b, float* z, size_t n);
float sum(const float* a, size_t n);
int threads();

}  // namespace nxv::bench
