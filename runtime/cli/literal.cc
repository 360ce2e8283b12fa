#include "runtime/cli/literal.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "runtime/core/error.h"

namespace nxv::cli {

namespace {

template <typename T>
std::optional<T> whole(std::string_view text) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The integers of a list, separated by commas; a trailing comma is allowed.
std::optional<std::vector<int64_t>> parse_list(std::string_view text) {
  std::vector<int64_t> values;
  while (!text.empty()) {
    size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    auto value = whole<int64_t>(item);
    if (!value) return std::nullopt;
    values.push_back(*value);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return values;
}

AttrValue parse_value(std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
    if (auto list = parse_list(text.substr(1, text.size() - 2))) return *list;
  }
  if (auto integer = whole<int64_t>(text)) return *integer;
  if (auto number = parse_number(text)) {
    if (const double* value = std::get_if<double>(&number->value)) return *value;
  }
  if (text == "true") return int64_t{1};
  if (text == "false") return int64_t{0};
  if (text.find(',') != std::string_view::npos) {
    if (auto list = parse_list(text)) return *list;
  }
  return std::string(text);
}

}  // namespace

std::optional<Scalar> parse_number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (auto value = whole<int64_t>(text)) return Scalar{*value};
  if (auto value = whole<uint64_t>(text)) return Scalar{*value};
  if (auto value = whole<double>(text)) return Scalar{*value};
  return std::nullopt;
}

std::pair<std::string, AttrValue> parse_attribute(std::string_view text) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) {
    throw Error(Code::invalid_argument, "[run] --attr " + std::string(text) + " is not of the form NAME=VALUE");
  }
  return {std::string(text.substr(0, equals)), parse_value(text.substr(equals + 1))};
}

Dims parse_shape(std::string_view text) {
  std::string list(text);
  std::replace(list.begin(), list.end(), 'x', ',');
  std::string plain;
  for (char c : list) {
    if (c == ']')
      plain += ',';
    else if (c != '[')
      plain += c;
  }
  auto dims = parse_list(plain);
  if (!dims || std::any_of(dims->begin(), dims->end(), [](int64_t dim) { return dim < 1; })) {
    throw Error(Code::invalid_argument, "[run] --shape " + std::string(text) + " is not a list of sizes such as 2,3");
  }
  return *dims;
}

}  // namespace nxv::cli
