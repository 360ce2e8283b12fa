#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nxv::cli {

// The Python dictionary at the start of a NumPy file.
struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Takes exactly the three keys, each once, in any order. Throws invalid_argument with a reason that has no file name.
NpyHeader parse_npy_header(std::string_view text);

}  // namespace nxv::cli
