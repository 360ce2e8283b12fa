#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nxv::cli {

std::string join(std::span<const std::string> parts, std::string_view separator);

// "1.50 GiB"
std::string size_text(uint64_t bytes);

// Printf's %.*g and the like into a string.
std::string number_text(double value, int digits);

// Up to `most` of `names` that look like `name`, best first; empty where none does.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string_view> names, size_t most);

// `"a", "b" or "c"`
std::string alternatives(std::span<const std::string> names);

// Rows of cells as left-aligned columns (cells that begin with a digit to the right), two spaces between.
class Table {
 public:
  explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace nxv::cli
