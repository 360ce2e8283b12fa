#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

namespace nxv::cli {

// A line on the terminal that shows how far the work is; nothing where stderr is not a terminal.
class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)), shown_(isatty(STDERR_FILENO)) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(size_t done, size_t total, const std::string& more = "") const {
    if (!shown_) return;
    std::fprintf(stderr, "\r%zu of %zu %s%s%s\033[K", done, total, what_.c_str(), more.empty() ? "" : ": ",
                 more.c_str());
  }
  void clear() const {
    if (shown_) std::fprintf(stderr, "\r\033[K");
  }

 private:
  std::string what_;
  bool shown_;
};

}  // namespace nxv::cli
