#pragma once

// The functions that script/ulp_f64 measures: the library's, and the truth twice, fast and exact.

#include <mpfr.h>

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace nxv::ulp {

using Random = std::mt19937_64;

struct Function {
  std::string name;
  int operands;
  double (*library)(double, double);
  long double (*fast)(long double, long double);             // good to a few 2⁻¹¹ of a double's step
  int (*exact)(mpfr_t out, const mpfr_t a, const mpfr_t b);  // as MPFR rounds
  std::vector<double> hard;                                  // first operands whose neighbourhoods are looked at
  std::function<void(Random&, double&, double&)> domain;     // an argument where the function is not trivial
  // Steps are those of this magnitude at least: the terms that cancel near zeros.
  double (*terms)(double a);
};

std::vector<Function> functions();

// Operations on doubles that one call costs: additions, subtractions and multiplications; divisions and roots apart.
struct Cost {
  int arithmetic = 0, divisions = 0;
};
Cost cost_of(const std::string& name, double a, double b);

}  // namespace nxv::ulp
