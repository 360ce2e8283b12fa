#include <cmath>
#include <cstdio>

#include "runtime/cli/command.h"
#include "runtime/cli/literal.h"
#include "runtime/cli/npy.h"
#include "runtime/cli/session.h"
#include "runtime/cli/text.h"
#include "runtime/ops/builder.h"
#include "runtime/ops/catalog.h"

namespace nxv::cli {

namespace {

void check_op(const std::string& op) {
  if (find_op(op)) return;
  std::vector<std::string_view> names;
  for (const OpInfo& info : catalog_ops()) names.push_back(info.name);
  std::vector<std::string> near = nearest_names(op, names, 3);
  throw Error(Code::invalid_argument,
              "[run] there is no op \"" + op + "\"" +
                  (near.empty() ? "; nxv pack ops lists them" : "; did you mean " + alternatives(near) + "?"));
}

// The type a bare number takes beside tensors: theirs, made floating where the number has a fraction; s32 or f32 alone.
Type type_beside(const Scalar& scalar, const std::vector<Tensor>& tensors) {
  bool fraction = std::holds_alternative<double>(scalar.value);
  std::optional<Type> type;
  for (const Tensor& tensor : tensors) {
    if (!tensor.scalar) type = type ? merge_types(*type, tensor.spec.type) : tensor.spec.type;
  }
  if (!type) return parse_type(fraction ? "f32" : "s32");
  if (fraction) return to_floating(*type);
  const int64_t* integer = std::get_if<int64_t>(&scalar.value);
  bool negative = integer && *integer < 0;
  return negative && type_info(*type).kind == Kind::uint ? merge_types(*type, parse_type("s32")) : *type;
}

// "2.5" or "2.5:f64"; a file whose name is a number is given as ./2.5.
std::optional<Tensor> inline_scalar(const std::string& text) {
  size_t colon = text.rfind(':');
  std::optional<Scalar> scalar = parse_number(std::string_view(text).substr(0, colon));
  if (!scalar) return std::nullopt;
  Type type = colon == std::string::npos ? Type{} : parse_type(text.substr(colon + 1));
  return Tensor{{type, {}}, {}, scalar};
}

// A number that its type cannot hold is a slip of the pen: it is not cast.
void check_fits(const Tensor& tensor, const std::string& text) {
  const TypeInfo& type = type_info(tensor.spec.type);
  bool fits = true;
  if (const double* number = std::get_if<double>(&tensor.scalar->value)) {
    fits = is_float(tensor.spec.type) &&
           (!std::isfinite(*number) ||
            std::isfinite(std::get<double>(held_scalar(*tensor.scalar, tensor.spec.type).value)));
  } else if (type.kind == Kind::uint || type.kind == Kind::sint) {
    const int64_t* integer = std::get_if<int64_t>(&tensor.scalar->value);
    const bool negative = integer && *integer < 0;
    const uint32_t bits = type.bits - (type.kind == Kind::sint ? 1 : 0);
    const uint64_t most = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
    if (negative) {
      fits = type.kind == Kind::sint && static_cast<uint64_t>(-(*integer + 1)) <= most;
    } else {
      fits = (integer ? static_cast<uint64_t>(*integer) : std::get<uint64_t>(tensor.scalar->value)) <= most;
    }
  }
  if (!fits) throw Error(Code::invalid_argument, "[run] " + text + " does not fit " + std::string(type.name));
}

struct Operands {
  std::vector<Tensor> tensors;
  std::vector<HostTensor> hosts;  // beside `tensors`; empty for inline scalars
};

// Everything that can be refused without a device.
Operands read_inputs(const RunOptions& options) {
  Operands operands;
  for (const std::string& text : options.inputs) {
    if (auto scalar = inline_scalar(text)) {
      operands.tensors.push_back(*scalar);
      operands.hosts.emplace_back();
    } else {
      operands.hosts.push_back(read_npy(text));
      operands.tensors.push_back({operands.hosts.back().spec, {}, std::nullopt});
    }
  }
  for (size_t i = 0; i < options.inputs.size(); ++i) {
    Tensor& tensor = operands.tensors[i];
    bool typed = options.inputs[i].find(':') != std::string::npos;
    if (tensor.scalar && !typed) tensor.spec.type = type_beside(*tensor.scalar, operands.tensors);
    if (tensor.scalar) check_fits(tensor, options.inputs[i]);
  }
  return operands;
}

// What the op gives by itself; where it must be told, the type that the operands meet in and the shape of the first.
TensorSpec natural(const RunOptions& options, const Attrs& attrs, std::span<const Tensor> tensors,
                   const Traits& traits) {
  std::vector<Input> inputs;
  for (const Tensor& tensor : tensors) inputs.push_back(as_input(tensor));
  try {
    return plan_op(options.op, attrs, {}, inputs, traits).outputs.at(0);
  } catch (const Error& error) {
    if (error.code() != Code::invalid_argument || tensors.empty()) throw;
  }
  TensorSpec spec = tensors[0].spec;
  for (const Tensor& tensor : tensors) spec.type = merge_types(spec.type, tensor.spec.type);
  return spec;
}

// What --type and --shape ask for, each or both.
std::vector<TensorSpec> wanted(const RunOptions& options, const Attrs& attrs, std::span<const Tensor> tensors,
                               const Traits& traits) {
  bool typed = !options.type.empty(), shaped = options.shape != kNoShape;
  if (!typed && !shaped) return {};
  TensorSpec spec;
  if (!typed || !shaped) spec = natural(options, attrs, tensors, traits);
  if (typed) spec.type = parse_type(options.type);
  if (shaped) spec.dims = parse_shape(options.shape);
  return {spec};
}

}  // namespace

void run(const RunOptions& options) {
  check_op(options.op);
  Attrs attrs;
  for (const std::string& text : options.attributes) {
    auto [name, value] = parse_attribute(text);
    if (!attrs.emplace(name, value).second)
      throw Error(Code::invalid_argument, "[run] --attr " + name + " is given twice");
  }
  Operands operands = read_inputs(options);
  Session session({.select = options.device});
  std::vector<TensorSpec> outs = wanted(options, attrs, operands.tensors, session.info().traits);
  for (size_t i = 0; i < operands.tensors.size(); ++i) {
    Tensor& tensor = operands.tensors[i];
    if (!tensor.scalar) tensor = session.upload(operands.hosts[i]);
  }
  std::vector<Tensor> results = session.run(options.op, attrs, outs, operands.tensors);
  if (results.size() != options.outputs.size()) {
    throw Error(Code::invalid_argument, "[" + options.op + "] gives " + std::to_string(results.size()) +
                                            " tensors, --out names " + std::to_string(options.outputs.size()) +
                                            " files");
  }
  for (size_t i = 0; i < results.size(); ++i) {
    HostTensor host = session.read(results[i]);
    write_npy(options.outputs[i], host);
    std::printf("%s %s\n", options.outputs[i].c_str(), to_string(host.spec).c_str());
  }
}

}  // namespace nxv::cli
