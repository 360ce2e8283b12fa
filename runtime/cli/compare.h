#pragma once

#include <optional>
#include <string>

#include "runtime/cli/case.h"

namespace nxv::cli {

// Nothing where `got` is what was wanted; else one line: the first element that differs, what came and what was wanted.
std::optional<std::string> difference(const HostTensor& got, const HostTensor& want, const Tolerance& tolerance);

}  // namespace nxv::cli
