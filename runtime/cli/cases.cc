#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <regex>

#include "runtime/cli/adapter.h"
#include "runtime/cli/case.h"
#include "runtime/cli/command.h"
#include "runtime/cli/compare.h"
#include "runtime/cli/progress.h"

namespace nxv::cli {

namespace {

// Cases under way at once: enough to keep pipelines coming while results are waited for.
constexpr size_t kBatch = 256;

class Replay {
 public:
  Replay(Session& session, const CasesOptions& options) : session_(session), verbose_(options.verbose) {}

  void add(const nlohmann::json& json) {
    std::string id = json.at("id");
    try {
      check_nx(json.at("op"), json.at("opts"));
      Case parsed = parse_case(json);
      if (parsed.tagged("float_to_int_out_of_range")) throw Skip{"tagged float_to_int_out_of_range"};
      batch_.push_back({.wanted = std::move(parsed)});
    } catch (const Skip& skip) {
      note_skip(id, skip.reason);
    } catch (const nlohmann::json::exception& error) {
      throw Error(Code::invalid_argument, "[cases] " + id + " is not a case: " + error.what());
    }
    if (batch_.size() == kBatch) flush();
  }

  // First all that can go without waiting, which sets the making of pipelines going, then the rest, then the results.
  void flush() {
    for (Waiting waiting : {Waiting::refuse, Waiting::allow}) {
      session_.set_waiting(waiting);
      for (Item& item : batch_) start(item);
    }
    for (Item& item : batch_) finish(item);
    batch_.clear();
  }

  size_t done() const { return passed_ + failed_ + skipped_; }

  // Returns whether all that ran passed.
  bool summary() const {
    for (const auto& [reason, count] : reasons_) std::printf("skipped: %s: %zu\n", reason.c_str(), count);
    std::printf("%zu passed, %zu failed, %zu skipped\n", passed_, failed_, skipped_);
    return failed_ == 0;
  }

 private:
  struct Item {
    Case wanted;
    std::vector<Tensor> got{};
    std::optional<std::string> failure{}, skip{};
    bool started = false;
  };

  void start(Item& item) {
    if (item.started) return;
    try {
      std::vector<Tensor> inputs;
      for (const HostTensor& tensor : item.wanted.inputs) inputs.push_back(session_.upload(tensor));
      std::vector<TensorSpec> outs;
      for (const HostTensor& tensor : item.wanted.outputs) outs.push_back(tensor.spec);
      item.got = call_nx(session_, item.wanted.op, item.wanted.opts, inputs, outs);
    } catch (const NotReady&) {
      return;
    } catch (const Skip& skip) {
      item.skip = skip.reason;
    } catch (const Error& error) {
      note_error(item, error);
    }
    item.started = true;
  }

  void finish(Item& item) {
    try {
      if (!item.failure && !item.skip) item.failure = compare(item);
    } catch (const Error& error) {
      note_error(item, error);
    }
    const Case& wanted = item.wanted;
    if (item.failure && wanted.tagged("subnormal") && session_.info().flushes_f32_subnormals) {
      item.skip = "device flushes subnormals";
    }
    if (item.skip) return note_skip(wanted.id, *item.skip);
    if (!item.failure) {
      ++passed_;
      if (verbose_) std::printf("passed: %s\n", wanted.id.c_str());
      return;
    }
    ++failed_;
    std::printf("failed: %s (%s): %s\n", wanted.id.c_str(), wanted.op.c_str(), item.failure->c_str());
  }

  std::optional<std::string> compare(const Item& item) {
    const Case& wanted = item.wanted;
    if (item.got.size() != wanted.outputs.size()) return "gives " + std::to_string(item.got.size()) + " tensors";
    for (size_t i = 0; i < item.got.size(); ++i) {
      if (auto why = difference(session_.read(item.got[i]), wanted.outputs[i], wanted.tolerance)) return why;
    }
    return std::nullopt;
  }

  void note_error(Item& item, const Error& error) {
    if (error.code() == Code::device_lost) throw error;
    std::string text = error.what();
    if (error.code() != Code::unsupported) {
      item.failure = text;
    } else {
      // Without the key in front: reasons are counted.
      item.skip = item.wanted.op + ": " + text.substr(std::min(text.find("] "), text.size() - 2) + 2);
    }
  }

  void note_skip(const std::string& id, const std::string& reason) {
    ++skipped_;
    ++reasons_[reason];
    if (verbose_) std::printf("skipped: %s: %s\n", id.c_str(), reason.c_str());
  }

  Session& session_;
  bool verbose_;
  std::vector<Item> batch_;
  size_t passed_ = 0, failed_ = 0, skipped_ = 0;
  std::map<std::string, size_t> reasons_;
};

std::regex parse_filter(const std::string& text) {
  try {
    return std::regex(text);
  } catch (const std::regex_error&) {
    throw Error(Code::invalid_argument, "[cases] --filter " + text + " is not a regular expression");
  }
}

std::vector<nlohmann::json> read_lines(const std::string& path, const std::regex& filter) {
  std::ifstream file(path);
  if (!file) throw Error(Code::invalid_argument, "[cases] " + path + " cannot be opened: " + std::strerror(errno));
  std::vector<nlohmann::json> lines;
  std::string line;
  for (size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty()) continue;
    nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("id") || !json.contains("op") || !json["op"].is_string()) {
      throw Error(Code::invalid_argument, "[cases] " + path + ":" + std::to_string(number) + " is not a case");
    }
    const auto& op = json["op"].get_ref<const std::string&>();
    if (std::regex_search(op, filter) || std::regex_search(json["id"].get<std::string>(), filter)) {
      lines.push_back(std::move(json));
    }
  }
  return lines;
}

}  // namespace

void cases(const CasesOptions& options) {
  std::regex filter = parse_filter(options.filter);
  std::vector<nlohmann::json> lines;
  for (const std::string& file : options.files) {
    for (auto& json : read_lines(file, filter)) lines.push_back(std::move(json));
  }
  Session session({.select = options.device});
  Replay replay(session, options);
  {
    Progress progress("cases");
    for (const auto& json : lines) {
      progress.show(replay.done(), lines.size());
      replay.add(json);
    }
    replay.flush();
  }
  if (!replay.summary()) throw Exit{1};
}

}  // namespace nxv::cli
