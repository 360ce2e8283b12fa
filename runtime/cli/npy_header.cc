#include "runtime/cli/npy_header.h"

#include <algorithm>
#include <charconv>

#include "runtime/core/error.h"

namespace nxv::cli {

namespace {

constexpr size_t kLongestString = 64;  // bytes; "fortran_order" is the longest one that is right

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::invalid_argument, why); }

// As much of Python's literals as NumPy writes into a header.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NpyHeader header() {
    NpyHeader header;
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!take('}')) {
      std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        descr = true;
        if (peek() == '[') refuse("holds structured elements; only plain numbers are supported");
        header.descr = string();
      } else if (key == "fortran_order" && !order) {
        order = true;
        header.fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = true;
        header.shape = tuple();
      } else {
        refuse("has a damaged header: unexpected key '" + key + "'");
      }
      if (!take(',') && peek() != '}') refuse("has a damaged header: ',' or '}' is missing");
    }
    skip_space();
    if (at_ != text_.size()) refuse("has a damaged header: text after the dictionary");
    if (!descr || !order || !shape) refuse("has a damaged header: descr, fortran_order or shape is missing");
    return header;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }

  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!take(c)) refuse(std::string("has a damaged header: '") + c + "' is missing");
  }

  std::string string() {
    char quote = peek();
    if (quote != '\'' && quote != '"') refuse("has a damaged header: a string is missing");
    size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) refuse("has a damaged header: a string does not end");
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    // It may come to stand in a message on a terminal.
    bool plain = std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (!plain || value.size() > kLongestString) refuse("has a damaged header: a string of no sense");
    return value;
  }

  bool boolean() {
    peek();
    for (auto [word, value] : {std::pair{std::string_view("True"), true}, {std::string_view("False"), false}}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    refuse("has a damaged header: fortran_order is neither True nor False");
  }

  std::vector<int64_t> tuple() {
    std::vector<int64_t> values;
    expect('(');
    while (!take(')')) {
      peek();
      int64_t value = 0;
      auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc() || value < 0) refuse("has a damaged header: the shape is not a tuple of sizes");
      at_ = static_cast<size_t>(end - text_.data());
      values.push_back(value);
      if (take(',')) continue;
      // (3) is a number in Python, not a tuple.
      if (peek() != ')' || values.size() == 1) refuse("has a damaged header: the shape is not a tuple of sizes");
    }
    return values;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) { return Parser(text).header(); }

}  // namespace nxv::cli
