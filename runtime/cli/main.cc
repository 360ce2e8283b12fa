// nxv: the runtime from the command line.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "runtime/cli/command.h"
#include "runtime/core/error.h"

namespace nxv::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr const char* kDeviceHelp = "an index, a name or a part of one, a UUID";

void add_devices(CLI::App& app) {
  CLI::App* command = app.add_subcommand("devices", "list the Vulkan devices and what each can and cannot keep");
  auto options = std::make_shared<DevicesOptions>();
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { devices(*options); });
}

void add_pack(CLI::App& app) {
  CLI::App* command = app.add_subcommand("pack", "describe the kernel pack");
  auto options = std::make_shared<PackOptions>();
  command->add_flag("--json", options->json, "print JSON");
  auto add = [&](const char* name, const char* text) {
    CLI::App* list = command->add_subcommand(name, text);
    list->add_option("filter", options->filter, "only names that contain this");
    list->add_flag("--json", options->json, "print JSON");
    return list;
  };
  CLI::App* kernels = add("list", "one kernel a line: key, bytes, capabilities it needs");
  CLI::App* ops = add("ops", "one op a line: family, operands, types");
  command->require_subcommand(0, 1);
  command->callback([=] {
    kernels->parsed() ? pack_kernels(*options) : ops->parsed() ? pack_ops(*options) : pack_summary(*options);
  });
}

void add_run(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "run one op on tensors in NumPy files");
  auto options = std::make_shared<RunOptions>();
  auto repeated = [&](const char* name, std::vector<std::string>& values, const char* text) {
    CLI::Option* option = command->add_option(name, values, text);
    return option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  command->add_option("op", options->op, "the op, as nxv pack ops lists them")->required();
  repeated("--in", options->inputs, "an operand: a NumPy file, or a number such as 2.5 or 2.5:f64");
  repeated("--attr", options->attributes, "NAME=VALUE: a number, a word, a list (axes=[0,2])");
  repeated("--out", options->outputs, "the NumPy file to write")->required();
  command->add_option("--type", options->type, "the output's type, as Nx writes it (f32)");
  command->add_option("--shape", options->shape, "the output's shape, as 2,3");
  command->add_option("--device", options->device, kDeviceHelp);
  command->callback([options] { run(*options); });
}

void add_cases(CLI::App& app) {
  CLI::App* command = app.add_subcommand("cases", "replay reference cases and compare");
  auto options = std::make_shared<CasesOptions>();
  command->add_option("files", options->files, "files with a case a line, as JSON")->required();
  command->add_option("--filter", options->filter, "only cases whose op or id matches this regular expression");
  command->add_option("--device", options->device, kDeviceHelp);
  command->add_flag("--verbose", options->verbose, "name every case");
  command->callback([options] { cases(*options); });
}

void add_bench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "measure kernels, latencies and transfers");
  auto options = std::make_shared<BenchOptions>();
  command->add_option("filter", options->filter, "only rows whose name matches this regular expression");
  command->add_option("--size", options->size, "elements of the large tensors, as 2^26");
  command->add_option("--device", options->device, kDeviceHelp);
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { bench(*options); });
}

void add_snapshot(CLI::App& app) {
  CLI::App* command = app.add_subcommand("snapshot", "digests of what every kernel of the pack gives");
  auto options = std::make_shared<SnapshotOptions>();
  auto add = [&](const char* name, const char* text) {
    CLI::App* one = command->add_subcommand(name, text);
    one->add_option("file", options->file, "a line a kernel: its key, the digest of its results")->required();
    one->add_option("--only", options->only, "only kernels whose keys contain this");
    one->add_flag("--all", options->all, "also kernels whose results are those of one device (matrix products)");
    one->add_option("--device", options->device, kDeviceHelp);
    return one;
  };
  CLI::App* write = add("write", "run every kernel and record the digests");
  add("verify", "run every kernel and compare with recorded digests");
  command->require_subcommand(1);
  command->callback([=] { write->parsed() ? snapshot_write(*options) : snapshot_verify(*options); });
}

void add_verify(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "hold elementwise ops against exact results: errors in ULP");
  auto options = std::make_shared<VerifyOptions>();
  command->add_option("ops", options->ops, "ops, as nxv pack ops lists them; none: all");
  CLI::Option* samples = command->add_option("--samples", options->samples, "arguments where not all are tried");
  samples->check(CLI::Range(uint64_t{1}, uint64_t{1} << 40));
  CLI::Option* all = command->add_flag("--exhaustive", options->exhaustive, "all arguments of up to 32 bits together");
  all->excludes(samples);
  command->add_option("--device", options->device, kDeviceHelp);
  command->add_flag("--json", options->json, "print JSON");
  command->callback([options] { verify(*options); });
}

int fail(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "nxv: %s\n", message.c_str());
  return kFailed;
}

int main(int argc, char** argv) {
  CLI::App app{"Prebuilt Vulkan kernels on tensors in NumPy files.", "nxv"};
  app.require_subcommand(1);
  for (auto add : {add_devices, add_pack, add_run, add_cases, add_bench, add_snapshot, add_verify}) add(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& usage) {
    app.exit(usage);
    return kUsage;
  } catch (const Exit& exit) {
    return exit.status;
  } catch (const Error& error) {
    return fail(error.what());
  } catch (const std::bad_alloc&) {
    return fail("[host] out of memory");
  } catch (const std::exception& error) {
    return fail(error.what());
  }
}

}  // namespace
}  // namespace nxv::cli

int main(int argc, char** argv) { return nxv::cli::main(argc, argv); }
