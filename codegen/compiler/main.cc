// The build-time half of codegen that must be native: GLSL to SPIR-V in process, zstd, XXH3.
//
//   nxv_compile version
//   nxv_compile compile JOBS RESULTS CACHE THREADS
//   nxv_compile compress|decompress IN OUT
//   nxv_compile hash FILE                           XXH3-128, 32 hex digits
//
// JOBS: for each module a line "key TAB cache name TAB contract (0 or 1) TAB bytes", the source, a newline.
// RESULTS: for each module, in the same order, a line "key TAB SPIR-V hash TAB bytes TAB capabilities TAB interface TAB
// push bytes TAB local size", and its SPIR-V in CACHE/(cache name).spv. Failures go to stderr, "[key] message".

#define XXH_INLINE_ALL
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "codegen/compiler/backend.h"
#include "codegen/compiler/frontend.h"
#include "codegen/compiler/linkage.h"
#include "codegen/compiler/module.h"

namespace nxv::compiler {
namespace {

constexpr int kZstdLevel = 19;
constexpr size_t kShownErrors = 20;

// Raised when the passes between glslang and the pack change.
constexpr int kPasses = 4;

struct Job {
  std::string key, name, source;
  bool contract = false;
  std::string result;  // line of RESULTS
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// Whole or not at all: another process may read or write the same name.
void write_file(const std::filesystem::path& path, std::string_view bytes) {
  static std::atomic<unsigned> number{0};
  std::filesystem::path temporary = path;
  temporary += "." + std::to_string(getpid()) + "." + std::to_string(number++) + ".tmp";
  std::ofstream file(temporary, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + temporary.string());
  std::filesystem::rename(temporary, path);
}

std::string hex(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string_view bytes_of(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t)};
}

Words build(const Frontend& frontend, const Job& job) {
  const auto decorated = [&job](Words words) { return job.contract ? words : forbid_contraction(words); };
  const Words words = optimize(decorated(unroll(decorated(declare_linkage(frontend.compile(job.source))))));
  if (!job.contract && contractible(words)) {
    throw std::runtime_error("spirv-opt: a float instruction lost its NoContraction");
  }
  validate(words);
  return words;
}

// A cached module, empty where there is none or where the file is no SPIR-V.
Words cached(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  const std::string bytes = read_file(path);
  if (bytes.size() < 20 || bytes.size() % 4) return {};
  Words words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  return words[0] == 0x07230203 ? words : Words{};
}

std::string describe(const Job& job, const Words& words) {
  const Facts facts = facts_of(words);
  std::string capabilities;
  for (const std::string& name : facts.capabilities) capabilities += (capabilities.empty() ? "" : ",") + name;
  const std::string_view bytes = bytes_of(words);
  std::ostringstream line;
  line << job.key << '\t' << hex(XXH3_64bits(bytes.data(), bytes.size())) << '\t' << bytes.size() << '\t'
       << (capabilities.empty() ? "-" : capabilities) << '\t' << facts.interface << '\t' << facts.push_bytes << '\t';
  if (facts.specialized_size) {
    line << '-';
  } else {
    line << facts.local[0] << 'x' << facts.local[1] << 'x' << facts.local[2];
  }
  return line.str();
}

std::vector<Job> read_jobs(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Job> jobs;
  std::string header;
  while (std::getline(file, header)) {
    Job job;
    std::string contract, bytes;
    std::istringstream fields(header);
    std::getline(fields, job.key, '\t');
    std::getline(fields, job.name, '\t');
    std::getline(fields, contract, '\t');
    std::getline(fields, bytes, '\t');
    job.contract = contract == "1";
    job.source.resize(std::stoul(bytes));
    file.read(job.source.data(), static_cast<std::streamsize>(job.source.size()));
    if (!file || file.get() != '\n') throw std::runtime_error(path + " is cut short at " + job.key);
    jobs.push_back(std::move(job));
  }
  return jobs;
}

struct Failures {
  std::mutex mutex;
  std::vector<std::pair<std::string, std::string>> list;  // key, message
};

void compile_one(const Frontend& frontend, const std::filesystem::path& cache, Job& job, Failures& failures) {
  try {
    const std::filesystem::path path = cache / (job.name + ".spv");
    Words words = cached(path);
    if (words.empty()) {
      words = build(frontend, job);
      write_file(path, bytes_of(words));
    }
    job.result = describe(job, words);
  } catch (const std::exception& error) {
    const std::lock_guard lock(failures.mutex);
    failures.list.emplace_back(job.key, error.what());
  }
}

int report(Failures& failures) {
  std::ranges::sort(failures.list);
  for (size_t i = 0; i < std::min(kShownErrors, failures.list.size()); ++i) {
    std::istringstream lines(failures.list[i].second);
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) std::cerr << '[' << failures.list[i].first << "] " << line << '\n';
    }
  }
  std::cerr << failures.list.size() << " modules do not compile\n";
  return 1;
}

int compile(const std::string& jobs_path, const std::string& results_path, const std::string& cache, unsigned threads) {
  std::vector<Job> jobs = read_jobs(jobs_path);
  std::filesystem::create_directories(cache);
  const Frontend frontend;
  Failures failures;
  std::atomic<size_t> next{0};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(threads, 1u); ++i) {
      workers.emplace_back([&] {
        for (size_t index; (index = next++) < jobs.size();) compile_one(frontend, cache, jobs[index], failures);
      });
    }
  }
  if (!failures.list.empty()) return report(failures);
  std::string results;
  for (const Job& job : jobs) results += job.result + '\n';
  write_file(results_path, results);
  return 0;
}

void compress(const std::string& in, const std::string& out) {
  const std::string bytes = read_file(in);
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  const size_t size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), kZstdLevel);
  if (ZSTD_isError(size)) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(size));
  packed.resize(size);
  write_file(out, packed);
}

void decompress(const std::string& in, const std::string& out) {
  const std::string packed = read_file(in);
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) throw std::runtime_error(in + ": not zstd");
  std::string bytes(size, '\0');
  const size_t got = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) || got != size) throw std::runtime_error(in + ": damaged");
  write_file(out, bytes);
}

std::string hash(const std::string& path) {
  const std::string bytes = read_file(path);
  const XXH128_hash_t value = XXH3_128bits(bytes.data(), bytes.size());
  return hex(value.high64) + hex(value.low64);
}

std::string version() {
  return "glslang " + frontend_version() + "; " + backend_version() + "; zstd " + ZSTD_versionString() + " level " +
         std::to_string(kZstdLevel) + "; passes " + std::to_string(kPasses);
}

int run(const std::vector<std::string>& args) {
  const std::string command = args.empty() ? "" : args[0];
  if (command == "version") {
    std::cout << version() << '\n';
  } else if (command == "compile" && args.size() == 5) {
    return compile(args[1], args[2], args[3], static_cast<unsigned>(std::stoul(args[4])));
  } else if (command == "compress" && args.size() == 3) {
    compress(args[1], args[2]);
  } else if (command == "decompress" && args.size() == 3) {
    decompress(args[1], args[2]);
  } else if (command == "hash" && args.size() == 2) {
    std::cout << hash(args[1]) << '\n';
  } else {
    std::cerr
        << "usage: nxv_compile version | compile JOBS RESULTS CACHE THREADS | compress IN OUT | decompress IN OUT | "
           "hash FILE\n";
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace nxv::compiler

int main(int argc, char** argv) {
  try {
    return nxv::compiler::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "nxv_compile: " << error.what() << '\n';
    return 1;
  }
}
