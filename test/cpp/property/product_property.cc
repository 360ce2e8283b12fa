// dot and conv on whole numbers so small that sums are exact in any order.

#include <gtest/gtest.h>

#include <algorithm>

#include "test/cpp/device/typed_values.h"
#include "test/cpp/ops/conv_oracle.h"
#include "test/cpp/ops/dot_oracle.h"
#include "test/cpp/property/cases.h"
#include "test/cpp/property/indices.h"
#include "test/cpp/property/values.h"

namespace nxv::property {
namespace {

// Every type holds them; integers wrap.
Bytes operand(Draw& draw, Type type, const Dims& dims) {
  const int64_t count = element_count(dims);
  return is_float(type) ? whole_values(draw, type, count, 4) : special_values(draw, type, count);
}

template <typename T>
std::vector<Promoted<T>> promoted_numbers(const Bytes& bytes) {
  std::vector<Promoted<T>> numbers;
  for (T value : numbers_of<T>(bytes)) numbers.push_back(promoted(value));
  return numbers;
}

// Of the axes that both operands have, `batches` and `contractions`, and of their own ones.
Case drawn_dot(Draw& draw) {
  const Type type = draw.few("dot", device_types(), 4);
  Case one{.op = "dot", .traits = drawn_traits(draw, "dot" + std::string(type_info(type).name), 12)};
  const int64_t batches = draw.one_in(2) ? 0 : draw.between(0, 2),
                contractions = draw.one_in(3) ? draw.between(0, 2) : 1;
  const Dims batch = draw.shape(batches, 12);
  const Dims contracted = draw.shape(contractions, draw.any({40, 300}));
  const int64_t each = std::max<int64_t>(kMostElements / element_count(batch) / element_count(contracted), 1);
  oracle::Dot dot;
  const auto side = [&](Dims& dims, Dims& batch_axes, Dims& contract_axes) {
    Dims parts = batch;
    parts.insert(parts.end(), contracted.begin(), contracted.end());
    const Dims own = draw.shape(draw.one_in(3) ? draw.between(0, 2) : 1, std::min<int64_t>(each, 150));
    parts.insert(parts.end(), own.begin(), own.end());
    const auto rank = static_cast<int64_t>(parts.size());
    Dims place = draw.one_in(2) ? draw.permutation(rank) : other_axes(rank, {});
    dims.resize(parts.size());
    for (size_t i = 0; i < parts.size(); ++i) dims[static_cast<size_t>(place[i])] = parts[i];
    const auto middle = place.begin() + batches, end = middle + contractions;
    batch_axes.assign(place.begin(), middle);
    contract_axes.assign(middle, end);
  };
  side(dot.a, dot.batch_a, dot.contract_a);
  side(dot.b, dot.batch_b, dot.contract_b);
  const Bytes a = operand(draw, type, dot.a), b = operand(draw, type, dot.b);
  one.attrs = {{"contract_a", dot.contract_a},
               {"contract_b", dot.contract_b},
               {"batch_a", dot.batch_a},
               {"batch_b", dot.batch_b}};
  one.operands = {tensor(draw, {type, dot.a}, a), tensor(draw, {type, dot.b}, b)};
  Dims dims = batch;
  for (const auto& [from, axes, contract] :
       {std::tuple{dot.a, dot.batch_a, dot.contract_a}, std::tuple{dot.b, dot.batch_b, dot.contract_b}}) {
    Dims named = axes;
    named.insert(named.end(), contract.begin(), contract.end());
    const Dims own = picked(from, other_axes(static_cast<int64_t>(from.size()), named));
    dims.insert(dims.end(), own.begin(), own.end());
  }
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    const oracle::Products<T> want = oracle::products(dot, numbers_of<T>(a), numbers_of<T>(b));
    one.results = {{{type, dims}, bytes_of(want.sums), Match::unsigned0}};
  });
  return one;
}

// Dimensions in the order that the convolution has them, laid out by a permutation.
Dims laid_out(Draw& draw, const Dims& dims, Dims& permutation) {
  const auto rank = static_cast<int64_t>(dims.size());
  permutation = draw.one_in(2) ? draw.permutation(rank) : other_axes(rank, {});
  Dims placed(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) placed[static_cast<size_t>(permutation[i])] = dims[i];
  return placed;
}

oracle::Conv drawn_shapes(Draw& draw) {
  oracle::Conv conv;
  const int64_t spatial = draw.any({0, 1, 1, 2, 2, 2, 3, 4});
  conv.features = draw.one_in(3) ? draw.between(1, 4) : 1;
  conv.batches = conv.features == 1 && draw.one_in(4) ? draw.between(1, 3) : 1;
  const int64_t channels = draw.extent(16), filters = conv.features * conv.batches * draw.extent(12);
  Dims input{conv.batches * draw.between(1, 3), channels * conv.features}, kernel{filters, channels};
  int64_t room = std::max<int64_t>(kMostElements / element_count(input), 1);
  int64_t kernel_room = std::max<int64_t>(kMostElements / element_count(kernel), 1);
  for (int64_t d = 0; d < spatial; ++d) {
    const int64_t extent = draw.extent(std::min<int64_t>(room, 40));
    const int64_t dilation = draw.one_in(3) ? draw.between(1, 3) : 1;
    const int64_t kernel_dilation = draw.one_in(3) ? draw.between(1, 3) : 1;
    int64_t low = draw.between(-2, 3), high = draw.between(-2, 3);
    const int64_t inside = (extent - 1) * dilation + 1;
    if (inside + low + high < 1) low = high = 0;
    const int64_t most = (inside + low + high - 1) / kernel_dilation + 1;
    const int64_t length = draw.between(1, std::min({most, kernel_room, int64_t{5}}));
    input.push_back(extent);
    kernel.push_back(length);
    room = std::max<int64_t>(room / extent, 1);
    kernel_room = std::max<int64_t>(kernel_room / length, 1);
    conv.strides.push_back(draw.between(1, 3));
    conv.padding.insert(conv.padding.end(), {low, high});
    conv.input_dilation.push_back(dilation);
    conv.kernel_dilation.push_back(kernel_dilation);
  }
  conv.input = laid_out(draw, input, conv.input_permutation);
  conv.kernel = laid_out(draw, kernel, conv.kernel_permutation);
  laid_out(draw, input, conv.output_permutation);
  return conv;
}

Case drawn_conv(Draw& draw) {
  std::vector<Type> floats;
  for (Type type : device_types()) {
    if (is_float(type)) floats.push_back(type);
  }
  const Type type = draw.few("conv", floats, 6);
  const oracle::Conv conv = drawn_shapes(draw);
  Case one{
      .op = "conv", .attrs = conv.attrs(), .traits = drawn_traits(draw, "conv" + std::string(type_info(type).name))};
  const Bytes a = operand(draw, type, conv.input), b = operand(draw, type, conv.kernel);
  one.operands = {tensor(draw, {type, conv.input}, a), tensor(draw, {type, conv.kernel}, b)};
  visit_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_integral_v<T>) {
      std::vector<T> results;
      for (Promoted<T> sum : oracle::convolved(conv, promoted_numbers<T>(a), promoted_numbers<T>(b))) {
        results.push_back(static_cast<T>(sum));
      }
      one.results = {{{type, oracle::conv_dims(conv)}, bytes_of(results), Match::unsigned0}};
    }
  });
  return one;
}

TEST(Property, Dot) { check_cases("Dot", 700, drawn_dot); }
TEST(Property, Conv) { check_cases("Conv", 500, drawn_conv); }

}  // namespace
}  // namespace nxv::property
