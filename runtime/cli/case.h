#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/cli/compare.h"
#include "runtime/cli/element.h"

namespace nxv::cli {

// A reference case, one line of a file: an operation of Nx with its options, inputs and the outputs it must give.
struct Case {
  std::string id, op;
  nlohmann::json opts;
  std::vector<HostTensor> inputs, outputs;
  Tolerance tolerance;
  std::vector<std::string> tags;

  bool tagged(std::string_view tag) const;
};

// Thrown for a case that isn't replayed; the reason is counted.
struct Skip {
  std::string reason;
};

// A case of either format: tensors in hexadecimal, or as values. Throws Skip where a type is not in the catalog, Error
// or nlohmann's exceptions where the line makes no sense.
Case parse_case(const nlohmann::json& json);

}  // namespace nxv::cli
