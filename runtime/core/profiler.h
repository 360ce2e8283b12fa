#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/core/api.h"

namespace nxv {

// Times a key. Thread-safe.
class Profiler {
 public:
  void add(const std::string& key, double nanoseconds);
  // The key with the largest total first.
  std::vector<ProfileRow> rows() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, ProfileRow, std::less<>> rows_;
};

// The rows as a table for people.
std::string profile_text(const std::vector<ProfileRow>& rows);

}  // namespace nxv
