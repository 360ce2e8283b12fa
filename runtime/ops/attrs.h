#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ops/op.h"

namespace nxv {

// Reads an operation's attributes. Each getter throws invalid_argument where the value has another type; `finish`
// throws where an attribute was given that nobody asked for.
class AttrReader {
 public:
  AttrReader(std::string_view op, const Attrs& attrs) : op_(op), attrs_(attrs) {}

  std::optional<int64_t> integer(std::string_view name);
  int64_t integer(std::string_view name, int64_t absent) { return integer(name).value_or(absent); }
  std::optional<double> number(std::string_view name);  // integers are numbers too
  std::optional<std::string> text(std::string_view name);
  std::optional<std::vector<int64_t>> list(std::string_view name);
  std::vector<int64_t> required_list(std::string_view name);
  void finish() const;

 private:
  const AttrValue* find(std::string_view name);
  [[noreturn]] void fail(const std::string& message) const;

  std::string_view op_;
  const Attrs& attrs_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace nxv
