#pragma once

#include <CLI/CLI.hpp>

namespace nxv::cli {

// Each adds one subcommand. Its callback throws Error for what the user should read and Exit to end with a status of
// its own.
void add_devices(CLI::App& app);
void add_pack(CLI::App& app);
void add_run(CLI::App& app);
void add_cases(CLI::App& app);
void add_bench(CLI::App& app);

// Thrown by a command that has said all there is to say.
struct Exit {
  int status = 0;
};

}  // namespace nxv::cli
