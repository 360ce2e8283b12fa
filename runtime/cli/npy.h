#pragma once

#include <string>

#include "runtime/cli/element.h"

namespace nxv::cli {

// Reads a NumPy file of format 1, 2 or 3. Arrays in Fortran's order come back row-major; bool comes back as u8. Throws
// invalid_argument, "[npy] FILE ...", for anything it can't take whole: damaged or truncated files, big-endian, object
// or structured elements, types that the catalog lacks, dimensions of 0.
HostTensor read_npy(const std::string& path);

// Writes format 1.0 (2.0 where the header is too long for it), by a temporary file and a rename.
void write_npy(const std::string& path, const HostTensor& tensor);

}  // namespace nxv::cli
