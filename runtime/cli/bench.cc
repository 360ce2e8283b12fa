#include <bit>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <regex>

#include "runtime/cli/benchmark.h"
#include "runtime/cli/command.h"
#include "runtime/cli/measure.h"
#include "runtime/cli/text.h"

namespace nxv::cli {

namespace {

constexpr double kGiga = 1e9;

struct Result {
  Benchmark benchmark;
  double seconds = 0;
  double share = 0;  // of the copy's rate

  double gigabytes() const { return static_cast<double>(benchmark.bytes()) / seconds / kGiga; }
  double gigaflops() const { return benchmark.flops / seconds / kGiga; }
};

// "2^26" or "67108864"; powers of two only, so that matrices of so many elements are as square as can be.
int64_t parse_size(const std::string& text) {
  std::string_view digits = text;
  bool power = digits.starts_with("2^");
  if (power) digits.remove_prefix(2);
  int64_t value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  bool good = error == std::errc() && end == digits.data() + digits.size() && value > 0 && (!power || value < 40);
  if (good && power) value = int64_t{1} << value;
  if (!good || !std::has_single_bit(static_cast<uint64_t>(value)) || value < 4) {
    throw Error(Code::invalid_argument, "[bench] --size " + text + " is not a power of two such as 2^26");
  }
  return value;
}

// The largest tensors are f64, and a few of them are alive at once.
int64_t fitting(int64_t elements, const DeviceInfo& device) {
  auto bytes = [](int64_t n) { return static_cast<uint64_t>(n) * 8; };
  while (elements > 4 &&
         (bytes(elements) > device.traits.max_allocation || bytes(elements) * 8 > device.memory_bytes)) {
    elements /= 2;
  }
  return elements;
}

BenchmarkSizes sizes_for(const BenchOptions& options, const DeviceInfo& device) {
  BenchmarkSizes sizes;
  if (!options.size.empty()) {
    sizes.elements = {fitting(parse_size(options.size), device)};
  } else if (device.cpu) {
    sizes.elements = {fitting(int64_t{1} << 24, device)};
  } else {
    sizes.elements = {fitting(int64_t{1} << 28, device), fitting(int64_t{1} << 27, device)};
  }
  sizes.matrices = device.cpu ? std::vector<int64_t>{512} : std::vector<int64_t>{1024, 4096};
  return sizes;
}

std::string power_text(int64_t elements) {
  if (!std::has_single_bit(static_cast<uint64_t>(elements))) return std::to_string(elements);
  return "2^" + std::to_string(std::countr_zero(static_cast<uint64_t>(elements)));
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2f" : value < 1000 ? "%.1f" : "%.0f", value);
  return text;
}

void print_row(const Result& result) {
  const Benchmark& row = result.benchmark;
  std::string rate =
      row.flops > 0 ? rounded(result.gigaflops()) + " GFLOP/s" : rounded(result.gigabytes()) + " GB/s   ";
  std::string share = row.flops > 0 ? "" : rounded(result.share) + " of copy";
  std::printf("%-20s %6s %18s  %14s %12s us\n", row.name.c_str(), power_text(row.elements()).c_str(), rate.c_str(),
              share.c_str(), rounded(result.seconds * 1e6).c_str());
  std::fflush(stdout);
}

void print_figure(const Figure& figure) {
  std::printf("%-20s %10s %-5s %s\n", figure.name.c_str(), rounded(figure.value).c_str(), figure.unit.c_str(),
              figure.what.c_str());
}

nlohmann::ordered_json to_json(const Result& result) {
  nlohmann::ordered_json json{{"name", result.benchmark.name},
                              {"elements", result.benchmark.elements()},
                              {"microseconds", result.seconds * 1e6}};
  if (result.benchmark.flops > 0) {
    json["gigaflops"] = result.gigaflops();
  } else {
    json["gigabytes_per_second"] = result.gigabytes();
    json["share_of_copy"] = result.share;
  }
  return json;
}

class Bench {
 public:
  explicit Bench(const BenchOptions& options)
      : options_(options), filter_(parse_filter(options.filter)), session_({.select = options.device}) {}

  void run() {
    json_["device"] = session_.info().name;
    json_["driver"] = session_.info().driver;
    if (!options_.json) std::printf("%s, %s\n", session_.info().name.c_str(), session_.info().driver.c_str());
    rates();
    figures();
    if (options_.json) std::printf("%s\n", json_.dump(2).c_str());
  }

 private:
  static std::regex parse_filter(const std::string& text) {
    try {
      return std::regex(text);
    } catch (const std::regex_error&) {
      throw Error(Code::invalid_argument, "[bench] " + text + " is not a regular expression");
    }
  }

  bool wanted(const std::string& name) const { return std::regex_search(name, filter_); }

  // Kernels are timed by the device's clock, as peers are by theirs; a CPU device's clock is the host's.
  void rates() {
    Session timed({.select = options_.device, .profile = !session_.info().cpu});
    json_["rates"] = nlohmann::ordered_json::array();
    double copy = 0;  // bytes a second
    for (Benchmark& benchmark : benchmarks(sizes_for(options_, session_.info()))) {
      bool is_copy = copy == 0;
      if (!is_copy && !wanted(benchmark.name)) continue;
      try {
        Result result{std::move(benchmark)};
        result.seconds = measure(timed, result.benchmark);
        if (is_copy) copy = result.gigabytes();
        result.share = result.gigabytes() / copy;
        options_.json ? json_["rates"].push_back(to_json(result)) : print_row(result);
      } catch (const Error& error) {
        if (is_copy || error.code() != Code::unsupported) throw;
        if (!options_.json) std::printf("%-20s skipped: %s\n", benchmark.name.c_str(), error.what());
      }
    }
  }

  void figures() {
    uint64_t transfer = session_.info().cpu ? 1ull << 28 : 1ull << 30;
    json_["figures"] = nlohmann::ordered_json::array();
    for (const Figure& figure : measure_latencies(
             session_, [&](const std::string& name) { return wanted(name); }, transfer)) {
      if (options_.json) {
        json_["figures"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
      } else {
        print_figure(figure);
      }
    }
  }

  const BenchOptions& options_;
  std::regex filter_;
  Session session_;
  nlohmann::ordered_json json_;
};

}  // namespace

void bench(const BenchOptions& options) { Bench(options).run(); }

}  // namespace nxv::cli
