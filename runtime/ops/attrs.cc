#include "runtime/ops/attrs.h"

#include "runtime/core/error.h"

namespace nxv {

void AttrReader::fail(const std::string& message) const {
  throw Error(Code::invalid_argument, "[" + std::string(op_) + "] " + message);
}

const AttrValue* AttrReader::find(std::string_view name) {
  asked_.emplace(name);
  auto found = attrs_.find(name);
  return found == attrs_.end() ? nullptr : &found->second;
}

std::optional<int64_t> AttrReader::integer(std::string_view name) {
  const AttrValue* value = find(name);
  if (!value) return std::nullopt;
  if (const int64_t* integer = std::get_if<int64_t>(value)) return *integer;
  fail("attribute " + std::string(name) + " must be an integer");
}

std::optional<double> AttrReader::number(std::string_view name) {
  const AttrValue* value = find(name);
  if (!value) return std::nullopt;
  if (const double* number = std::get_if<double>(value)) return *number;
  if (const int64_t* integer = std::get_if<int64_t>(value)) return static_cast<double>(*integer);
  fail("attribute " + std::string(name) + " must be a number");
}

std::optional<std::string> AttrReader::text(std::string_view name) {
  const AttrValue* value = find(name);
  if (!value) return std::nullopt;
  if (const std::string* text = std::get_if<std::string>(value)) return *text;
  fail("attribute " + std::string(name) + " must be a word");
}

std::optional<std::vector<int64_t>> AttrReader::list(std::string_view name) {
  const AttrValue* value = find(name);
  if (!value) return std::nullopt;
  if (const auto* list = std::get_if<std::vector<int64_t>>(value)) return *list;
  if (const int64_t* integer = std::get_if<int64_t>(value)) return std::vector{*integer};
  fail("attribute " + std::string(name) + " must be a list of integers");
}

std::vector<int64_t> AttrReader::required_list(std::string_view name) {
  std::optional<std::vector<int64_t>> value = list(name);
  if (!value) fail("attribute " + std::string(name) + " is missing");
  return *value;
}

void AttrReader::finish() const {
  for (const auto& [name, value] : attrs_) {
    if (asked_.contains(name)) continue;
    std::string known;
    for (const std::string& one : asked_) known += (known.empty() ? "" : ", ") + one;
    fail("unknown attribute " + name + (known.empty() ? "; the operation has none" : "; known are " + known));
  }
}

}  // namespace nxv
