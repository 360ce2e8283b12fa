#include <algorithm>
#include <cmath>
#include <cstdio>
#include <future>
#include <map>
#include <nlohmann/json.hpp>

#include "runtime/cli/command.h"
#include "runtime/cli/parallel.h"
#include "runtime/cli/progress.h"
#include "runtime/cli/text.h"
#include "runtime/cli/verify_check.h"
#include "runtime/cli/verify_inputs.h"
#include "runtime/core/caps.h"
#include "runtime/core/stopwatch.h"
#include "runtime/ops/map_steps.h"

namespace nxv::cli {

namespace {

constexpr uint64_t kChunk = 1 << 22;               // results of one dispatch
constexpr uint64_t kSamples = 1 << 22;             // where not all arguments are tried
constexpr uint64_t kSlowShare = 8;                 // one of so many samples where MPFR computes each value
constexpr uint64_t kComplexShare = 64;             // and where MPC does
constexpr uint64_t kPairs = 1 << 16;               // combinations of special arguments
constexpr uint32_t kFewBits = 16, kManyBits = 32;  // all arguments of so many bits: always, and where asked for

// What one op did for one `types`.
struct Row {
  const SignatureInfo& signature;
  double bound = 0;
  Tally tally{};
  bool exhaustive = false;
  std::string worst{};
  double seconds = 0;

  std::string name() const { return std::string(signature.op) + "." + std::string(signature.types); }
  bool good() const { return tally.beyond == 0; }
};

// Operands and results of one dispatch.
struct Block {
  uint64_t first = 0, count = 0;
  std::vector<std::vector<std::byte>> operands;
  std::vector<std::byte> results;
  BufferView view;
};

// Runs an op over all of its arguments: the device computes a block while the host judges the one before.
class Trial {
 public:
  Trial(Session& session, const SignatureInfo& signature, const Judge& judge, const VerifyInputs& inputs)
      : session_(session), signature_(signature), judge_(judge), inputs_(inputs) {
    const auto kinds = element_kinds(signature.inputs);
    for (const ElementKind& kind : *kinds) types_.push_back(kind.type);
    out_ = element_kind(signature.out)->type;
  }

  Tally run(uint64_t count, const Progress& progress, const std::string& name) {
    Tally total;
    std::future<Tally> judging;
    std::optional<Block> running;
    for (uint64_t first = 0; first < count || running; first += kChunk) {
      std::optional<Block> next;
      if (first < count) next = start_block(first, std::min(kChunk, count - first));
      if (running) {
        session_.read_bytes(running->view, running->results);
        if (judging.valid()) total.merge(judging.get());
        running->view = {};
        judging = std::async(std::launch::async, [this, block = std::move(*running)] { return judged(block); });
      }
      running = std::move(next);
      progress.show(static_cast<size_t>(std::min(first, count)), static_cast<size_t>(count), name);
    }
    if (judging.valid()) total.merge(judging.get());
    return total;
  }

 private:
  Block start_block(uint64_t first, uint64_t count) {
    Block block{first, count, {}, std::vector<std::byte>(count * judge_.parts() * judge_.out().bytes()), {}};
    const size_t parts = judge_.parts();
    for (size_t k = 0; k < judge_.operands(); ++k) {
      block.operands.emplace_back(count * parts * judge_.numbers()[k * parts].bytes());
    }
    parallel_for(count, [&](uint64_t begin, uint64_t end, size_t) {
      uint64_t bits[kMostNumbers];
      for (uint64_t i = begin; i < end; ++i) {
        inputs_.at(first + i, bits);
        for (size_t k = 0; k < judge_.numbers().size(); ++k) {
          const Codec& codec = judge_.numbers()[k];
          codec.store(bits[k], block.operands[k / parts].data() + (i * parts + k % parts) * codec.bytes());
        }
      }
    });
    PlanBuilder plan(signature_.op, session_.info().traits);
    std::vector<Operand> operands;
    std::vector<BufferView> views;
    for (size_t k = 0; k < block.operands.size(); ++k) {
      operands.push_back(
          {{types_[k], {static_cast<int64_t>(count)}}, {Ref::Kind::input, static_cast<uint32_t>(k), 0}, std::nullopt});
      views.push_back(session_.upload_bytes(block.operands[k]));
    }
    const Operand to = plan.output({out_, {static_cast<int64_t>(count)}});
    map_steps(plan, signature_.family, signature_.op, signature_.types, operands, to);
    block.view = session_.execute(plan.finish().plan, views).at(0);
    return block;
  }

  Tally judged(const Block& block) const {
    std::vector<Tally> parts(parallel_parts());
    parallel_for(block.count, [&](uint64_t begin, uint64_t end, size_t part) {
      Tally mine;
      const size_t per = judge_.parts();
      uint64_t bits[kMostNumbers], got[2];
      for (uint64_t i = begin; i < end; ++i) {
        for (size_t k = 0; k < judge_.numbers().size(); ++k) {
          const Codec& codec = judge_.numbers()[k];
          bits[k] = codec.load(block.operands[k / per].data() + (i * per + k % per) * codec.bytes());
        }
        for (size_t k = 0; k < per; ++k) {
          got[k] = judge_.out().load(block.results.data() + (i * per + k) * judge_.out().bytes());
        }
        judge_.judge(bits, got, mine);
      }
      forget_precise_caches();
      parts[part] = mine;
    });
    Tally total;
    for (const Tally& part : parts) total.merge(part);
    return total;
  }

  Session& session_;
  const SignatureInfo& signature_;
  const Judge& judge_;
  const VerifyInputs& inputs_;
  std::vector<Type> types_;
  Type out_{};
};

std::string ulp_text(double ulp) {
  if (std::isinf(ulp)) return "inf";
  return number_text(ulp, ulp >= 1000 ? 3 : 5);
}

class Verification {
 public:
  explicit Verification(const VerifyOptions& options) : options_(options), session_({.select = options.device}) {}

  void run() {
    for (const std::string& op : options_.ops) check_name(op);
    if (!options_.json) head();
    for (const SignatureInfo& signature : catalog_signatures()) {
      const bool wanted = options_.ops.empty() || std::ranges::find(options_.ops, signature.op) != options_.ops.end();
      if (wanted && elementwise(signature)) one(signature);
    }
    options_.json ? print_json() : print_end();
    if (failed_ > 0) throw Exit{1};
  }

 private:
  static bool elementwise(const SignatureInfo& signature) {
    // The ops that can be linked, not what links them.
    return signature.family != "link" &&
           find_variant(signature.family, signature.op, signature.types, "function") != nullptr;
  }

  static void check_name(const std::string& op) {
    std::vector<std::string_view> known;
    for (const SignatureInfo& signature : catalog_signatures()) {
      if (elementwise(signature) && (known.empty() || known.back() != signature.op)) known.push_back(signature.op);
    }
    if (std::ranges::find(known, op) != known.end()) return;
    auto near = nearest_names(op, known, 3);
    throw Error(Code::invalid_argument, "[verify] no elementwise op \"" + op + "\"" +
                                            (near.empty() ? "" : "; did you mean " + alternatives(near) + "?"));
  }

  void skip(const std::string& reason) { ++skipped_[reason]; }

  // All arguments of f32 functions on GPUs, and wherever they are asked for; else samples.
  uint32_t most_bits(const SignatureInfo& signature) const {
    const bool of_f32 = signature.inputs == "f32" && signature.family == "map1";
    const bool many = options_.exhaustive || (of_f32 && !session_.info().cpu && options_.samples == 0);
    return many ? kManyBits : kFewBits;
  }

  void one(const SignatureInfo& signature) {
    const VariantInfo& variant = *find_variant(signature.family, signature.op, signature.types, "dense");
    if (const uint32_t lacks = variant.caps & ~session_.info().traits.caps) {
      return skip("device lacks " + caps_text(lacks));
    }
    std::string reason;
    auto judge = Judge::find(signature, session_.info().flushes_f32_subnormals, reason);
    if (!judge) return skip(reason);
    uint64_t samples = options_.samples == 0 ? kSamples : options_.samples;
    const bool complex = judge->parts() == 2;
    if (judge->slow()) samples = std::max<uint64_t>(samples / (complex ? kComplexShare : kSlowShare), 1);
    const uint64_t pairs = complex ? std::min<uint64_t>(samples, kPairs) : kPairs;
    std::vector<const Codec*> codecs;
    for (const Codec& codec : judge->numbers()) codecs.push_back(&codec);
    const VerifyInputs inputs(signature.op, codecs, samples, most_bits(signature), pairs);
    const uint64_t count = judge->only_hard_points() ? inputs.hard_count() : inputs.count();
    if (count == 0) return skip("no reference for " + std::string(signature.op) + " of f64: built without MPFR");
    Row row{.signature = signature, .bound = judge->bound(), .exhaustive = inputs.exhaustive()};
    Stopwatch watch;
    try {
      Progress progress("arguments");
      row.tally = Trial(session_, signature, *judge, inputs).run(count, progress, row.name());
    } catch (const Error& error) {
      if (error.code() != Code::unsupported) throw;
      return skip(error.what());
    }
    row.seconds = watch.seconds();
    if (row.tally.worst > 0) row.worst = judge->describe(row.tally);
    row.good() ? ++passed_ : ++failed_;
    options_.json ? json_.push_back(to_json(row)) : print(row);
    undecided_ += row.tally.undecided;
    flushed_ += row.tally.flushed;
  }

  void head() const {
    std::printf("%s, %s\n", session_.info().name.c_str(), session_.info().driver.c_str());
    std::printf("%-28s %11s %-8s %9s %7s %10s  %s\n", "op", "arguments", "", "max ULP", "bound", "right", "");
  }

  static std::string right_text(const Tally& tally) {
    if (tally.right == tally.results) return "all";
    char text[32];
    std::snprintf(text, sizeof text, "%.5f%%",
                  100 * static_cast<double>(tally.right) / static_cast<double>(tally.results));
    return text;
  }

  static void print(const Row& row) {
    const Tally& tally = row.tally;
    std::string notes = row.good() ? "" : "FAILED: " + std::to_string(tally.beyond) + " past the bound";
    auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : "; ") + text; };
    if (tally.flushed > 0) note(std::to_string(tally.flushed) + " flushed");
    if (tally.undecided > 0) note(std::to_string(tally.undecided) + " undecided");
    std::printf("%-28s %11llu %-8s %9s %7s %10s  %s\n", row.name().c_str(),
                static_cast<unsigned long long>(tally.results), row.exhaustive ? "(all)" : "(some)",
                ulp_text(tally.worst).c_str(), ulp_text(row.bound).c_str(), right_text(tally).c_str(), notes.c_str());
    if (tally.worst > 0.5 || !row.good()) std::printf("    worst: %s\n", row.worst.c_str());
    std::fflush(stdout);
  }

  nlohmann::ordered_json to_json(const Row& row) const {
    const Tally& tally = row.tally;
    nlohmann::ordered_json json{
        {"op", row.signature.op},           {"types", row.signature.types}, {"arguments", tally.results},
        {"exhaustive", row.exhaustive},     {"max_ulp", nullptr},           {"bound_ulp", row.bound},
        {"correctly_rounded", tally.right}, {"flushed", tally.flushed},     {"undecided", tally.undecided},
        {"past_the_bound", tally.beyond},   {"worst", row.worst},           {"seconds", row.seconds},
    };
    // JSON has no infinity: a result of the wrong kind (NaN, sign of zero) is past any bound.
    if (!std::isinf(tally.worst)) json["max_ulp"] = tally.worst;
    return json;
  }

  size_t skipped_total() const {
    size_t total = 0;
    for (const auto& [reason, count] : skipped_) total += count;
    return total;
  }

  void print_json() const {
    nlohmann::ordered_json json{{"device", session_.info().name},
                                {"driver", session_.info().driver},
                                {"cannot_keep", session_.info().cannot_keep},
                                {"rows", json_},
                                {"skipped", skipped_},
                                {"passed", passed_},
                                {"failed", failed_}};
    std::printf("%s\n", json.dump(2).c_str());
  }

  void print_end() const {
    const auto& lost = session_.info().cannot_keep;
    std::printf("this device cannot keep: %s\n", lost.empty() ? "nothing, it keeps all" : join(lost, "; ").c_str());
    if (flushed_ > 0) std::printf("flushed subnormals, which the contract allows: %llu\n", flushed_);
    if (undecided_ > 0) {
      std::printf("undecided whether correctly rounded: %llu (%s)\n", undecided_,
                  has_precise("exp") ? "MPFR could not tell" : "this nxv was built without MPFR");
    }
    for (const auto& [reason, count] : skipped_) std::printf("skipped: %s: %zu\n", reason.c_str(), count);
    std::printf("%zu passed, %zu failed, %zu skipped\n", passed_, failed_, skipped_total());
  }

  const VerifyOptions& options_;
  Session session_;
  nlohmann::ordered_json json_ = nlohmann::ordered_json::array();
  std::map<std::string, size_t> skipped_;
  size_t passed_ = 0, failed_ = 0;
  unsigned long long undecided_ = 0, flushed_ = 0;
};

}  // namespace

void verify(const VerifyOptions& options) { Verification(options).run(); }

}  // namespace nxv::cli
