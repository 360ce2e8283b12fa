// nxv: the runtime from the command line.

#include <cstdio>
#include <exception>
#include <string>

#include "runtime/cli/command.h"
#include "runtime/core/api.h"

namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;

int fail(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "nxv: %s\n", message.c_str());
  return kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Prebuilt Vulkan kernels on tensors in NumPy files.", "nxv"};
  app.require_subcommand(1);
  nxv::cli::add_devices(app);
  nxv::cli::add_pack(app);
  nxv::cli::add_run(app);
  nxv::cli::add_cases(app);
  nxv::cli::add_bench(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& usage) {
    app.exit(usage);
    return kUsage;
  } catch (const nxv::cli::Exit& exit) {
    return exit.status;
  } catch (const nxv::Error& error) {
    return fail(error.what());
  } catch (const std::bad_alloc&) {
    return fail("[host] out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}
