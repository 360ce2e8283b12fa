#include "runtime/core/profiler.h"

#include <algorithm>
#include <cstdio>

namespace nxv {

void Profiler::add(const std::string& key, double nanoseconds) {
  std::lock_guard lock(mutex_);
  ProfileRow& row = rows_[key];
  if (row.count == 0) {
    row.key = key;
    row.min_ns = row.max_ns = nanoseconds;
  }
  ++row.count;
  row.total_ns += nanoseconds;
  row.min_ns = std::min(row.min_ns, nanoseconds);
  row.max_ns = std::max(row.max_ns, nanoseconds);
}

std::vector<ProfileRow> Profiler::rows() const {
  std::vector<ProfileRow> rows;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [key, row] : rows_) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ProfileRow& a, const ProfileRow& b) { return a.total_ns > b.total_ns; });
  return rows;
}

std::string profile_text(const std::vector<ProfileRow>& rows) {
  std::string text = "     total ms      count     mean us      min us      max us  key\n";
  for (const ProfileRow& row : rows) {
    char line[160];
    std::snprintf(line, sizeof line, "%13.3f %10llu %11.2f %11.2f %11.2f  ", row.total_ns / 1e6,
                  static_cast<unsigned long long>(row.count), row.total_ns / 1e3 / static_cast<double>(row.count),
                  row.min_ns / 1e3, row.max_ns / 1e3);
    text += line + row.key + "\n";
  }
  return text;
}

}  // namespace nxv
