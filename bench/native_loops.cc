#include "bench/native_loops.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace nxv::bench {

void add(const float* a, const float* b, float* z, size_t n) {
#pragma omp parallel for simd schedule(static)
  for (size_t i = 0; i < n; ++i) z[i] = a[i] + b[i];
}

float sum(const float* a, size_t n) {
  float total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (size_t i = 0; i < n; ++i) total += a[i];
  return total;
}

int threads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

}  // namespace nxv::bench
