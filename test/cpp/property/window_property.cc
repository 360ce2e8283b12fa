// Sliding windows of any strides, padding and dilations.

#include <gtest/gtest.h>

#include <algorithm>

#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/window_fold_oracle.h"
#include "test/cpp/property/cases.h"
#include "test/cpp/property/values.h"

namespace nxv::property {
namespace {

using oracle::Windows;

// About half of the axes have no window; the elements under all windows together stay below 50,000.
Windows drawn_windows(Draw& draw, bool dilated) {
  Windows w;
  w.dims = draw.shape(draw.rank(), draw.any<int64_t>({60, 500, kMostElements}));
  int64_t left = 50000 / element_count(w.dims), room = 4 * kMostElements / element_count(w.dims);
  for (int64_t n : w.dims) {
    int64_t low = 0, high = 0, dilation = 1, window = 1, stride = 1;
    if (draw.one_in(2)) {
      low = draw.between(-2, 4), high = draw.between(-2, 4);
      if (n + low + high < 1 || n + low + high > n * room) low = high = 0;
      dilation = dilated && draw.one_in(2) ? draw.between(1, 4) : 1;
      stride = draw.between(1, 4);
      const int64_t most = std::min((n + low + high - 1) / dilation + 1, std::max<int64_t>(left, 1));
      window = draw.one_in(4) ? most : draw.between(1, std::min<int64_t>(most, 6));
      left /= window;
      room = std::max<int64_t>(room * n / std::max(n, n + low + high), 1);
    }
    w.window.push_back(window);
    w.strides.push_back(stride);
    w.padding.insert(w.padding.end(), {low, high});
    w.dilations.push_back(dilation);
  }
  return w;
}

Case drawn_window(Draw& draw) {
  const std::string op = draw.any<std::string>({"window_sum", "window_product", "window_max", "window_min"});
  const bool extreme = op == "window_max" || op == "window_min";
  const Type type = draw.few(op, extreme ? real_types() : device_types(), 5);
  const Windows windows = drawn_windows(draw, true);
  Case one{.op = op, .attrs = windows.attrs(), .traits = drawn_traits(draw, op + std::string(type_info(type).name))};
  const int64_t count = element_count(windows.dims);
  const Bytes bytes = extreme              ? special_values(draw, type, count)
                      : op == "window_sum" ? ordinary_values(draw, type, count, 50)
                                           : factors(draw, type, count);
  one.operands = {tensor(draw, {type, windows.dims}, bytes)};
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    one.results = {{{type, windows.positions()},
                    bytes_of(oracle::folded_windows(op, windows, numbers_of<T>(bytes))),
                    Match::numbers}};
  });
  return one;
}

Case drawn_window_scatter(Draw& draw) {
  const std::string op = draw.any<std::string>({"window_scatter_max", "window_scatter_min"});
  const Type type = draw.few(op, real_types(), 4);
  const Windows windows = drawn_windows(draw, false);
  Case one{.op = op, .traits = drawn_traits(draw, op + std::string(type_info(type).name))};
  one.attrs = {{"window", windows.window}, {"strides", windows.strides}, {"padding", windows.padding}};
  const Dims positions = windows.positions();
  // Many ties.
  const Bytes tensor_bytes = whole_values(draw, type, element_count(windows.dims), 3),
              source = ordinary_values(draw, type, element_count(positions), 50),
              initial = whole_values(draw, type, 1, 3);
  one.operands = {tensor(draw, {type, windows.dims}, tensor_bytes), tensor(draw, {type, positions}, source),
                  tensor_or_number(draw, {type, {}}, initial)};
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!oracle::kIsComplex<T>) {
      const T start = numbers_of<T>(initial)[0];
      const std::vector<T> results =
          oracle::scattered_windows(op, windows, numbers_of<T>(tensor_bytes), numbers_of<T>(source), start, start);
      one.results = {{{type, windows.dims}, bytes_of(results), Match::numbers}};
    }
  });
  return one;
}

TEST(Property, Window) { check_cases("Window", 700, drawn_window); }
TEST(Property, WindowScatter) { check_cases("WindowScatter", 300, drawn_window_scatter); }

}  // namespace
}  // namespace nxv::property
