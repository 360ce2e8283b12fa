#pragma once

#include <string>

namespace nxv {

// The switches of CONTRIBUTING.md, read here and nowhere else.
struct Environment {
  std::string device;      // NXV_DEVICE: index, name or part of one, UUID
  bool validate = false;   // NXV_VALIDATE=1: Khronos validation layer, its messages go to stderr
  bool serialize = false;  // NXV_SERIALIZE=1: a barrier before each dispatch
  bool profile = false;    // NXV_PROFILE=1: time each dispatch, a table a key at close
  std::string pack;        // NXV_PACK: a pack to use instead of the embedded one
  std::string cache;  // NXV_CACHE, else $XDG_CACHE_HOME/nx_vulkan, else ~/.cache/nx_vulkan; empty: no cache on disk
};

// NXV_CACHE set but empty, or "off", switches the cache on disk off.
Environment read_environment();

}  // namespace nxv
