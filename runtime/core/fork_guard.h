#pragma once

#include <string_view>

namespace nxv {

// Tells whether this process is the one that made the object: a fork has the memory of a device but none of its
// threads. Reads one word of a page that the kernel wipes in children.
class ForkGuard {
 public:
  ForkGuard();
  ~ForkGuard();
  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;

  bool in_child() const;
  // Throws invalid_argument, "[function] …", in a child.
  void require(std::string_view function) const {
    if (in_child()) fail(function);
  }

 private:
  [[noreturn]] static void fail(std::string_view function);

  const int pid_;
  volatile unsigned* page_ = nullptr;  // null: the kernel cannot wipe, so the pid is asked for
};

}  // namespace nxv
