#include "runtime/core/fork_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "runtime/core/error.h"

namespace nxv {
namespace {

constexpr size_t kPageBytes = 4096;

}  // namespace

ForkGuard::ForkGuard() : pid_(getpid()) {
  void* page = mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
#ifdef MADV_WIPEONFORK
  if (madvise(page, kPageBytes, MADV_WIPEONFORK) == 0) {
    page_ = static_cast<volatile unsigned*>(page);
    *page_ = 1;
    return;
  }
#endif
  munmap(page, kPageBytes);
}

ForkGuard::~ForkGuard() {
  if (page_) munmap(const_cast<unsigned*>(page_), kPageBytes);
}

bool ForkGuard::in_child() const { return page_ ? *page_ == 0 : getpid() != pid_; }

void ForkGuard::fail(std::string_view function) {
  throw Error(
      Code::invalid_argument,
      "[" + std::string(function) + "] this device was opened before a fork; open one in the child process instead");
}

}  // namespace nxv
