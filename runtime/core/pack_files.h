#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace nxv {

// A file of the pack that the build put into the program, by its path below generated/.
struct PackFile {
  std::string_view path;
  std::span<const std::byte> bytes;
};

// Defined by cmake/pack.cmake's generated source.
std::span<const PackFile> embedded_pack();

}  // namespace nxv
