// What goes along axes: reductions, statistics, sorts, running sums.

#include "runtime/cli/adapter_rules.h"

namespace nxv::cli::adapter {

Tensors reduce(const Call& call) { return {run(call, call.op, reduction(call), call.in)}; }

Tensors arg_reduce(const Call& call) {
  Attrs attrs{{"tie_break", call.opts.value("tie_break", std::string("low"))}};
  if (call.has("axis")) attrs["axis"] = normal_axis(call.opts.at("axis").get<int64_t>(), call.in[0].spec.dims.size());
  if (call.opts.value("keep_axis", false)) attrs["keep_axis"] = int64_t{1};
  return {run(call, call.op, attrs, call.in)};
}

Tensors scan(const Call& call) {
  Attrs attrs{{"axis", normal_axis(call.opts.value("axis", int64_t{0}), call.in[0].spec.dims.size())}};
  if (call.opts.value("reverse", false)) attrs["reverse"] = int64_t{1};
  return {run(call, call.op, attrs, call.in)};
}

Tensors sort(const Call& call) {
  Attrs attrs{{"direction", call.opts.value("direction", std::string("asc"))}};
  const size_t rank = call.in[0].spec.dims.size();
  if (rank > 0) attrs["axis"] = normal_axis(call.opts.value("axis", int64_t{0}), rank);
  return {run(call, call.op, attrs, call.in)};
}

namespace {

// The two elements of a vector, as scalars.
Tensors halves(const Call& call, const Tensor& two) {
  Tensors parts;
  for (int64_t start : {0, 1}) {
    const Attrs attrs{{"starts", Dims{start}}, {"lengths", Dims{1}}};
    parts.push_back(reshaped(between(call, "slice", attrs, {two}), {}));
  }
  return parts;
}

}  // namespace

// The middle of the sorted elements, or the mean of the two there.
Tensors median(const Call& call) {
  Tensor t = call.in[0];
  const bool whole = !call.has("axis");
  if (whole) t = reshaped(t, {element_count(t.spec.dims)});
  const int64_t axis = whole ? 0 : normal_axis(call.opts.at("axis").get<int64_t>(), t.spec.dims.size());
  const int64_t n = t.spec.dims.at(static_cast<size_t>(axis)), some = n % 2 == 1 ? 1 : 2;
  Dims starts(t.spec.dims.size(), 0), lengths = t.spec.dims;
  starts[static_cast<size_t>(axis)] = (n - some + 1) / 2;
  lengths[static_cast<size_t>(axis)] = some;
  const Tensor middle = between(call, "slice", {{"starts", starts}, {"lengths", lengths}},
                                {between(call, "sort", {{"axis", axis}}, {t})});
  Dims kept = middle.spec.dims;
  if (call.opts.value("keep_axis", false) && !whole) {
    kept[static_cast<size_t>(axis)] = 1;
  } else {
    kept.erase(kept.begin() + axis);
  }
  if (some == 1) return {reshaped(middle, kept)};
  // Without an axis Nx adds the two in their own type, and integers wrap.
  const Tensor sum =
      whole ? between(call, "add", {}, halves(call, middle)) : between(call, "sum", {{"axes", Dims{axis}}}, {middle});
  Tensors operands{reshaped(sum, kept), number(2, sum.spec.type)};
  return {run(call, "divide", {}, operands)};
}

Tensors top_k(const Call& call) {
  return call.session.run("top_k", {{"k", call.opts.value("k", int64_t{1})}}, call.outs, call.in);
}

namespace {

int64_t reduced_count(const Call& call) {
  const Dims& dims = call.in[0].spec.dims;
  if (!call.has("axes")) return element_count(dims);
  int64_t count = 1;
  for (int64_t axis : normal_axes(call.list("axes"), dims.size())) count *= dims.at(static_cast<size_t>(axis));
  return count;
}

}  // namespace

Tensors mean(const Call& call) {
  return {divided(call, between(call, "sum", reduction(call), {call.in[0]}), reduced_count(call))};
}

namespace {

// The mean square of what is left when the mean is taken away.
Tensor squares(const Call& call) {
  Attrs kept = reduction(call);
  kept["keep_axes"] = int64_t{1};
  Tensor total = between(call, "sum", kept, {call.in[0]});
  Tensor center = between(call, "divide", {}, {total, number(reduced_count(call), total.spec.type)});
  Tensor apart = between(call, "subtract", {}, {call.in[0], center});
  return between(call, "sum", reduction(call), {between(call, "multiply", {}, {apart, apart})});
}

}  // namespace

Tensors variance(const Call& call) {
  return {divided(call, squares(call), reduced_count(call) - call.opts.value("ddof", int64_t{0}))};
}

Tensors standard_deviation(const Call& call) {
  Tensor total = squares(call);
  int64_t count = reduced_count(call) - call.opts.value("ddof", int64_t{0});
  Tensors operands{between(call, "divide", {}, {total, number(count, total.spec.type)})};
  return {run(call, "sqrt", {}, operands)};
}

Tensors softmax(const Call& call) {
  Attrs axis{{"axes", std::vector{normal_axis(call.opts.at("axis").get<int64_t>(), call.in[0].spec.dims.size())}},
             {"keep_axes", int64_t{1}}};
  Tensor top = between(call, "reduce_max", axis, {call.in[0]});
  Tensor powers = between(call, "exp", {}, {between(call, "subtract", {}, {call.in[0], top})});
  Tensors operands{powers, between(call, "sum", axis, {powers})};
  return {run(call, "divide", {}, operands)};
}

// log Σ exp(x - top) + top; an infinite top is left where it is.
Tensors logsumexp(const Call& call) {
  Attrs kept = reduction(call);
  kept["keep_axes"] = int64_t{1};
  Tensor top = between(call, "reduce_max", kept, {call.in[0]});
  if (is_float(top.spec.type)) {
    const Tensor infinite = between(call, "is_infinity", {}, {top});
    top = between(call, "select", {}, {infinite, number(0, top.spec.type), top});
  }
  Tensor powers = between(call, "exp", {}, {between(call, "subtract", {}, {call.in[0], top})});
  if (call.has("exp_scaling_factor")) {
    const Tensor factor = number(call.opts.at("exp_scaling_factor").get<double>(), powers.spec.type);
    powers = between(call, "multiply", {}, {factor, powers});
  }
  const Tensor sum = between(call, "sum", reduction(call), {powers});
  Tensors operands{between(call, "log", {}, {sum}), reshaped(top, sum.spec.dims)};
  return {run(call, "add", {}, operands)};
}

}  // namespace nxv::cli::adapter
