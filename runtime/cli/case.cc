#include "runtime/cli/case.h"

#include <algorithm>
#include <cmath>

#include "runtime/core/error.h"

namespace nxv::cli {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::invalid_argument, "[cases] " + why); }

TensorSpec parse_spec(const json& tensor) {
  const auto& name = tensor.at("type").get_ref<const std::string&>();
  std::optional<Type> type = type_named(name);
  if (!type) throw Skip{"type " + name + " not in the catalog"};
  return {*type, tensor.at("shape").get<Dims>()};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  refuse(std::string("'") + c + "' is not a lower-case hexadecimal digit");
}

std::vector<std::byte> parse_hex(const std::string& text) {
  if (text.size() % 2) refuse("an odd number of hexadecimal digits");
  std::vector<std::byte> bytes(text.size() / 2);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(hex_digit(text[2 * i]) << 4 | hex_digit(text[2 * i + 1]));
  }
  return bytes;
}

Number parse_number(const json& value) {
  if (value.is_number_unsigned()) return {.integer = static_cast<__int128>(value.get<uint64_t>())};
  if (value.is_number_integer()) return {.integer = value.get<int64_t>()};
  if (value.is_number_float()) return {.floating = true, .real = value.get<double>()};
  if (value == "NaN") return {.floating = true, .real = NAN};
  if (value == "Infinity") return {.floating = true, .real = INFINITY};
  if (value == "-Infinity") return {.floating = true, .real = -INFINITY};
  refuse("a value is no number: " + value.dump());
}

void append_element(Type type, const json& value, std::vector<std::byte>& bytes) {
  if (parts_of(type) == 1) return append_part(type, parse_number(value), bytes);
  append_part(type, parse_number(value.is_array() ? value.at(0) : value), bytes);
  append_part(type, value.is_array() ? parse_number(value.at(1)) : Number{.floating = true}, bytes);
}

Number whole(const Number& number) {
  return number.floating ? number : Number{.floating = true, .real = number.as_double()};
}

// start + i * step, in integers where both are.
Number line_value(const Number& start, const Number& step, int64_t i) {
  if (!start.floating && !step.floating) return {.integer = start.integer + step.integer * i};
  return {.floating = true, .real = whole(start).real + whole(step).real * static_cast<double>(i)};
}

std::vector<std::byte> generate(const TensorSpec& spec, const json& gen) {
  const auto& kind = gen.at("kind").get_ref<const std::string&>();
  int64_t count = element_count(spec.dims);
  std::vector<std::byte> bytes;
  if (kind == "fill") {
    for (int64_t i = 0; i < count; ++i) append_element(spec.type, gen.at("value"), bytes);
  } else if (kind == "iota") {
    Number start = parse_number(gen.at("start")), step = parse_number(gen.at("step"));
    for (int64_t i = 0; i < count; ++i) append_part(spec.type, line_value(start, step, i), bytes);
  } else if (kind == "mod") {
    auto mul = gen.at("mul").get<int64_t>(), mod = gen.at("mod").get<int64_t>(), add = gen.at("add").get<int64_t>();
    for (int64_t i = 0; i < count; ++i) append_part(spec.type, {.integer = i * mul % mod + add}, bytes);
  } else if (kind == "cycle_rows") {
    int64_t row = count / spec.dims.at(0);
    for (int64_t i = 0; i < count; ++i)
      append_element(spec.type, gen.at("values").at(static_cast<size_t>(i / row)), bytes);
  } else {
    refuse("unknown generator " + kind);
  }
  return bytes;
}

HostTensor parse_tensor(const json& json) {
  HostTensor tensor{parse_spec(json), {}};
  if (json.contains("hex")) {
    tensor.bytes = parse_hex(json.at("hex").get_ref<const std::string&>());
  } else if (json.contains("gen")) {
    tensor.bytes = generate(tensor.spec, json.at("gen"));
  } else {
    for (const auto& value : json.at("values")) append_element(tensor.spec.type, value, tensor.bytes);
  }
  if (type_info(tensor.spec.type).bits < 8 && !json.contains("hex")) {
    tensor.bytes = packed_bits(tensor.spec.type, tensor.bytes);
  }
  if (tensor.bytes.size() != byte_size(tensor.spec)) refuse("a tensor's bytes do not fill " + to_string(tensor.spec));
  return tensor;
}

Tolerance parse_tolerance(const json& json, bool by_values) {
  const auto& kind = json.at("kind").get_ref<const std::string&>();
  Tolerance tolerance{.value = json.value("value", 0.0),
                      .abs = json.value("abs", 0.0),
                      .zero_sign = json.value("zero_sign", false),
                      .larger = by_values};
  using Kind = Tolerance::Kind;
  if (kind == "exact") {
    tolerance.kind = by_values ? Kind::exact_numbers : Kind::exact_bytes;
  } else if (kind == "ulp") {
    tolerance.kind = Kind::ulp;
  } else if (kind == "rel") {
    tolerance.kind = Kind::rel;
  } else {
    refuse("unknown tolerance " + kind);
  }
  return tolerance;
}

}  // namespace

bool Case::tagged(std::string_view tag) const { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }

Case parse_case(const nlohmann::json& json) {
  Case parsed;
  parsed.id = json.at("id").get<std::string>();
  parsed.op = json.at("op").get<std::string>();
  parsed.opts = json.at("opts");
  parsed.tags = json.value("tags", std::vector<std::string>{});
  for (const auto& tensor : json.at("inputs")) parsed.inputs.push_back(parse_tensor(tensor));
  for (const auto& tensor : json.at("output")) parsed.outputs.push_back(parse_tensor(tensor));
  if (parsed.outputs.empty()) refuse("no output");
  parsed.tolerance = parse_tolerance(json.at("tol"), !json.at("output").at(0).contains("hex"));
  return parsed;
}

}  // namespace nxv::cli
