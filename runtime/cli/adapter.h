#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "runtime/cli/session.h"

namespace nxv::cli {

// Nx's spelling of an operation as planner calls: the ops of the catalog directly, and what Nx itself composes of them.
// All of it runs on the device. `outs` are the types and shapes the case wants; empty: inferred. Throws Skip, "op NAME
// not in the catalog", for what can't be had.
std::vector<Tensor> call_nx(Session& session, const std::string& op, const nlohmann::json& opts,
                            std::span<const Tensor> inputs, std::span<const TensorSpec> outs);

// As call_nx would, throws Skip where the catalog lacks `op` or what it is made of; needs no device.
void check_nx(const std::string& op, const nlohmann::json& opts);

}  // namespace nxv::cli
