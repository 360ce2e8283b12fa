#include "runtime/core/linker.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/core/error.h"
#include "runtime/core/spirv_module.h"

namespace nxv {
namespace {

using spirv::Instruction;
using spirv::Words;

[[noreturn]] void bad_program(const std::string& what) { throw Error(Code::invalid_argument, "[link] " + what); }

// The signature of a function as it stands in the module that is being made.
struct Symbol {
  uint32_t id = 0, result = 0;
  std::vector<uint32_t> parameters;
};

// The module that is being made: the frame, and what was taken into it.
class Output {
 public:
  explicit Output(const spirv::Module& frame) : version_(frame.version), bound_(frame.bound) {
    memory_model_.assign(frame.memory_model.words.begin(), frame.memory_model.words.end());
    for (const Instruction& one : frame.capabilities) capability(one[1]);
    for (const Instruction& one : frame.extensions) extension(spirv::text_of(one.words.subspan(1)));
    for (const Instruction& one : frame.imports) imports_[spirv::text_of(one.words.subspan(2))] = one[1];
    entry_.assign(frame.entry_points.at(0).words.begin(), frame.entry_points.at(0).words.end());
    for (const Instruction& one : frame.modes) append(modes_, one.words);
    for (const Instruction& one : frame.decorations) append(decorations_, one.words);
    for (const Instruction& one : frame.globals) global(one.words);
  }

  uint32_t fresh() { return bound_++; }
  void capability(uint32_t one) {
    if (one != spirv::kCapabilityLinkage) capabilities_.insert(one);
  }
  void extension(const std::string& name) { extensions_.insert(name); }
  // The wider of two addressing models.
  void memory_model(const Instruction& one) { memory_model_[1] = std::max(memory_model_[1], one[1]); }
  uint32_t import(const std::string& name) {
    auto [place, added] = imports_.try_emplace(name, 0);
    if (added) place->second = fresh();
    return place->second;
  }
  void decoration(const Words& words) { append(decorations_, words); }
  void function(const Words& words) { append(functions_, words); }

  // Declares a type, constant or variable; types that must not stand twice are found again.
  uint32_t global(std::span<const uint32_t> words) {
    const Instruction one{words[0] & 0xffffu, words};
    const size_t at = spirv::result_at(one);
    if (unique(one.op)) {
      Words key(words.begin(), words.end());
      key[at] = 0;
      auto [place, added] = types_.try_emplace(std::move(key), words[at]);
      if (!added) return place->second;
    }
    append(globals_, words);
    if (at) declared_[words[at]] = Words(words.begin(), words.end());
    return at ? words[at] : 0;
  }
  // Since SPIR-V 1.4 entry points name every global variable.
  void interface(uint32_t variable) {
    entry_.push_back(variable);
    entry_[0] += 1u << 16;
  }
  const Words& declaration(uint32_t id) const { return declared_.at(id); }

  uint32_t constant(uint32_t type, uint32_t value) {
    auto [place, added] = constants_.try_emplace(value, 0);
    if (added) {
      place->second = fresh();
      global(Words{4u << 16 | spirv::kOpConstant, type, place->second, value});
    }
    return place->second;
  }

  Words finish() const {
    Words words{0x07230203, version_, 0, bound_, 0};
    for (const uint32_t one : capabilities_) append(words, Words{2u << 16 | spirv::kOpCapability, one});
    for (const std::string& name : extensions_) {
      const Words text = spirv::literal(name);
      words.push_back(static_cast<uint32_t>(1 + text.size()) << 16 | spirv::kOpExtension);
      append(words, text);
    }
    for (const auto& [name, id] : imports_) {
      const Words text = spirv::literal(name);
      append(words, Words{static_cast<uint32_t>(2 + text.size()) << 16 | spirv::kOpExtInstImport, id});
      append(words, text);
    }
    for (const Words* part : {&memory_model_, &entry_, &modes_, &decorations_, &globals_, &functions_}) {
      append(words, *part);
    }
    return words;
  }

 private:
  static void append(Words& to, std::span<const uint32_t> words) { to.insert(to.end(), words.begin(), words.end()); }

  // Types that are neither aggregates nor pointers.
  static bool unique(uint32_t op) {
    return op >= spirv::kOpTypeVoid && op <= spirv::kOpTypeFunction && op != spirv::kOpTypeArray &&
           op != spirv::kOpTypeRuntimeArray && op != spirv::kOpTypeStruct && op != spirv::kOpTypePointer;
  }

  uint32_t version_, bound_;
  Words memory_model_, entry_, modes_, decorations_, globals_, functions_;
  std::set<uint32_t> capabilities_;
  std::set<std::string> extensions_;
  std::map<std::string, uint32_t> imports_;
  std::map<Words, uint32_t> types_;
  std::unordered_map<uint32_t, Words> declared_;
  std::map<uint32_t, uint32_t> constants_;
};

// Takes functions of one library module, with all that they need, into the output.
class Library {
 public:
  Library(const spirv::Module& module, Output& output) : module_(module), output_(output) {
    for (const Instruction& one : module.globals) {
      if (const size_t at = spirv::result_at(one)) globals_[one[at]] = &one;
      if (one.op == spirv::kOpTypeForwardPointer) forward_[one[1]] = &one;
    }
    for (const Instruction& one : module.imports) sets_[one[1]] = spirv::text_of(one.words.subspan(2));
    for (const Instruction& one : module.decorations) decorations_[one[1]].push_back(&one);
  }

  Symbol take(const std::string& name) {
    const uint32_t function = module_.symbol(name);
    if (taken_.empty()) take_declarations();
    take_function(function);
    const Instruction& head = module_.function(function).body[0];
    const Words& type = output_.declaration(mapped(head[4]));
    return {mapped(function), type[2], {type.begin() + 3, type.end()}};
  }

 private:
  void take_declarations() {
    for (const Instruction& one : module_.capabilities) output_.capability(one[1]);
    for (const Instruction& one : module_.extensions) output_.extension(spirv::text_of(one.words.subspan(1)));
    output_.memory_model(module_.memory_model);
  }

  void take_function(uint32_t id) {
    if (!taken_.insert(id).second) return;
    const spirv::Function& function = module_.function(id);
    Words words;
    for (const Instruction& one : function.body) {
      if (one.op == spirv::kOpFunctionCall) take_function(one[3]);
      append_mapped(words, one);
    }
    output_.function(words);
  }

  void append_mapped(Words& to, const Instruction& one) {
    const size_t start = to.size();
    to.insert(to.end(), one.words.begin(), one.words.end());
    for (const size_t i : spirv::ids_of(one)) to[start + i] = mapped(one[i]);
  }

  // The id in the output. What the module declares is declared there first.
  uint32_t mapped(uint32_t id) {
    if (const auto found = ids_.find(id); found != ids_.end()) return found->second;
    if (const auto set = sets_.find(id); set != sets_.end()) return ids_[id] = output_.import(set->second);
    const auto global = globals_.find(id);
    if (global == globals_.end()) {
      ids_[id] = output_.fresh();  // local to a function, or a function
      decorate(id);
      return ids_[id];
    }
    if (!open_.insert(id).second) throw Error(Code::unsupported, "[link] a type that points to itself");
    const Instruction& one = *global->second;
    const size_t at = spirv::result_at(one);
    Words words(one.words.begin(), one.words.end());
    for (const size_t i : spirv::ids_of(one)) {
      if (i != at) words[i] = mapped(one[i]);
    }
    words[at] = output_.fresh();
    // Validators look through a pointer without one, and refuse conversions to a pointer to 16-bit data.
    if (const auto found = forward_.find(id); found != forward_.end()) {
      output_.global(Words{found->second->words[0], words[at], found->second->words[2]});
    }
    const uint32_t made = output_.global(words);
    ids_[id] = made;
    if (made == words[at]) decorate(id);
    if (one.op == spirv::kOpVariable) output_.interface(made);
    return made;
  }

  void decorate(uint32_t id) {
    const auto found = decorations_.find(id);
    if (found == decorations_.end()) return;
    for (const Instruction* one : found->second) {
      Words words(one->words.begin(), one->words.end());
      words[1] = ids_[id];
      output_.decoration(words);
    }
  }

  const spirv::Module& module_;
  Output& output_;
  std::unordered_map<uint32_t, const Instruction*> globals_, forward_;
  std::unordered_map<uint32_t, std::string> sets_;
  std::unordered_map<uint32_t, std::vector<const Instruction*>> decorations_;
  std::unordered_map<uint32_t, uint32_t> ids_;
  std::set<uint32_t> taken_, open_;
};

// Writes the instructions of one placeholder's body.
class Body {
 public:
  explicit Body(Output& output) : output_(output) {}

  uint32_t call(const Symbol& function, std::initializer_list<uint32_t> arguments) {
    return call(function, std::vector<uint32_t>(arguments));
  }
  uint32_t call(const Symbol& function, const std::vector<uint32_t>& arguments) {
    return result(spirv::kOpFunctionCall, function.result, prepend(function.id, arguments));
  }
  uint32_t add(uint32_t type, uint32_t a, uint32_t b) { return result(spirv::kOpIAdd, type, {a, b}); }
  uint32_t extract(uint32_t type, uint32_t composite, uint32_t index) {
    return result(spirv::kOpCompositeExtract, type, {composite, index});
  }
  uint32_t bitcast(uint32_t type, uint32_t value) { return result(spirv::kOpBitcast, type, {value}); }
  uint32_t construct(uint32_t type, const std::vector<uint32_t>& parts) {
    return result(spirv::kOpCompositeConstruct, type, parts);
  }
  const Words& words() const { return words_; }

 private:
  static std::vector<uint32_t> prepend(uint32_t first, const std::vector<uint32_t>& rest) {
    std::vector<uint32_t> all{first};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }
  uint32_t result(uint32_t op, uint32_t type, const std::vector<uint32_t>& operands) {
    const uint32_t id = output_.fresh();
    words_.push_back(static_cast<uint32_t>(3 + operands.size()) << 16 | op);
    words_.push_back(type);
    words_.push_back(id);
    words_.insert(words_.end(), operands.begin(), operands.end());
    return id;
  }

  Output& output_;
  Words words_;
};

class Linker {
 public:
  Linker(const Pack& pack, const LinkProgram& program)
      : pack_(pack), program_(program), frame_(module(program.frame)), output_(frame_) {}

  std::shared_ptr<const LinkedKernel> run() {
    check();
    for (const auto& input : program_.inputs) inputs_.push_back(take_operand(input.operand));
    for (const auto& output : program_.outputs) outputs_.push_back(take_operand(output.operand));
    for (const auto& call : program_.calls) calls_.push_back(take(call.function, "op"));
    check_calls();
    const spirv::Function& operand = frame_.function(frame_.symbol("operand"));
    operand_ = {operand.id, operand.body[0][1], {operand.body[1][1]}};
    uint_ = operand.body[1][1];
    write_functions();

    auto linked = std::make_shared<LinkedKernel>();
    linked->words = output_.finish();
    linked->caps = caps_;
    linked->push_bytes = pack_.entry(program_.frame).push_bytes;
    linked->key = key();
    return linked;
  }

 private:
  struct Operand {
    Symbol load_vector, store_vector, load_element, store_element, scalar;
  };

  void check() const {
    if (program_.inputs.size() + program_.outputs.size() > kLinkOperands) {
      bad_program(std::to_string(program_.inputs.size() + program_.outputs.size()) + " operands, at most " +
                  std::to_string(kLinkOperands) + " fit");
    }
    if (program_.outputs.empty() || program_.vectors == 0) bad_program("a program without an output");
    size_t values = program_.inputs.size();
    for (const auto& call : program_.calls) {
      for (const uint32_t argument : call.arguments) {
        if (argument >= values) bad_program("[" + call.function + "] reads a value that comes later");
      }
      ++values;
    }
    for (const auto& output : program_.outputs) {
      if (output.value >= values) bad_program("an output is a value that is not there");
    }
  }

  // Registers meet by size: functions that only move bits take whatever has as many.
  void check_calls() {
    for (const Operand& input : inputs_) types_.push_back(input.scalar.result);
    for (size_t c = 0; c < calls_.size(); ++c) {
      const auto& arguments = program_.calls[c].arguments;
      bool good = arguments.size() == calls_[c].parameters.size();
      for (size_t a = 0; good && a < arguments.size(); ++a) {
        good = bits_of(types_[arguments[a]]) == bits_of(calls_[c].parameters[a]);
      }
      if (!good) bad_program("[" + program_.calls[c].function + "] takes operands of other sizes");
      types_.push_back(calls_[c].result);
    }
    for (size_t k = 0; k < outputs_.size(); ++k) {
      if (bits_of(types_[program_.outputs[k].value]) != bits_of(outputs_[k].scalar.result)) {
        bad_program("[" + program_.outputs[k].operand + "] is stored from a value of another size");
      }
    }
  }

  uint32_t bits_of(uint32_t type) const {
    const Words& words = output_.declaration(type);
    return (words[0] & 0xffffu) == spirv::kOpTypeVector ? words[3] * bits_of(words[2]) : words[2];
  }

  uint32_t as_type(Body& body, const std::vector<uint32_t>& values, uint32_t value, uint32_t type) {
    return types_[value] == type ? values[value] : body.bitcast(type, values[value]);
  }

  const spirv::Module& module(const std::string& key) {
    auto [place, added] = modules_.try_emplace(key);
    if (added) place->second = std::make_unique<spirv::Module>(pack_.spirv(pack_.entry(key)));
    caps_ |= pack_.entry(key).caps;
    return *place->second;
  }

  Symbol take(const std::string& key, const std::string& symbol) {
    auto& library = libraries_[key];
    if (!library) library = std::make_unique<Library>(module(key), output_);
    return library->take(symbol);
  }

  Operand take_operand(const std::string& key) {
    return {take(key, "load_vector"), take(key, "store_vector"), take(key, "load_element"), take(key, "store_element"),
            take(key, "scalar")};
  }

  void write_functions() {
    for (const spirv::Function& function : frame_.functions) {
      Words words;
      std::vector<uint32_t> parameters;
      for (const Instruction& one : function.body) {
        if (one.op == spirv::kOpFunctionParameter) parameters.push_back(one[2]);
      }
      const bool vectors = function.id == frame_.symbol("vectors"), vector = function.id == frame_.symbol("vector");
      if (!vectors && !vector && function.id != frame_.symbol("element")) {
        for (const Instruction& one : function.body) words.insert(words.end(), one.words.begin(), one.words.end());
        output_.function(words);
        continue;
      }
      for (const Instruction& one : function.body) {
        if (one.op == spirv::kOpFunction || one.op == spirv::kOpFunctionParameter) {
          words.insert(words.end(), one.words.begin(), one.words.end());
        }
      }
      words[3] = 0;  // the driver may put it inline
      words.push_back(2u << 16 | spirv::kOpLabel);
      words.push_back(output_.fresh());
      Body body(output_);
      if (vectors) {
        write_vectors(body, parameters[0], parameters[1]);
      } else if (vector) {
        write_vectors(body, parameters[0], 0);
      } else {
        write_element(body, parameters[0]);
      }
      words.insert(words.end(), body.words().begin(), body.words().end());
      words.push_back(1u << 16 | spirv::kOpReturn);
      words.push_back(1u << 16 | spirv::kOpFunctionEnd);
      output_.function(words);
    }
  }

  uint32_t slot(Body& body, size_t k) {
    return body.call(operand_, {output_.constant(uint_, static_cast<uint32_t>(k))});
  }

  // All loads before the first store, so that they are under way together.
  void write_vectors(Body& body, uint32_t first, uint32_t step) {
    std::vector<uint32_t> slots;
    for (size_t k = 0; k < inputs_.size() + outputs_.size(); ++k) slots.push_back(slot(body, k));
    std::vector<uint32_t> at{first};
    if (step) {
      while (at.size() < program_.vectors) at.push_back(body.add(uint_, at.back(), step));
    }
    std::vector<std::vector<uint32_t>> loaded(at.size());
    for (size_t u = 0; u < at.size(); ++u) {
      for (size_t k = 0; k < inputs_.size(); ++k) {
        const bool scalar = program_.inputs[k].scalar;
        loaded[u].push_back(scalar ? body.call(inputs_[k].scalar, {slots[k]})
                                   : body.call(inputs_[k].load_vector, {slots[k], at[u]}));
      }
    }
    for (size_t u = 0; u < at.size(); ++u) {
      std::vector<std::vector<uint32_t>> results(outputs_.size());
      for (uint32_t e = 0; e < elems(); ++e) {
        std::vector<uint32_t> values;
        for (size_t k = 0; k < inputs_.size(); ++k) {
          values.push_back(program_.inputs[k].scalar ? loaded[u][k]
                                                     : body.extract(inputs_[k].scalar.result, loaded[u][k], e));
        }
        compute(body, values);
        for (size_t k = 0; k < outputs_.size(); ++k) results[k].push_back(output(body, values, k));
      }
      for (size_t k = 0; k < outputs_.size(); ++k) {
        const Symbol& store = outputs_[k].store_vector;
        body.call(store, {slots[inputs_.size() + k], at[u], body.construct(store.parameters[2], results[k])});
      }
    }
  }

  void write_element(Body& body, uint32_t index) {
    std::vector<uint32_t> values;
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const uint32_t place = slot(body, k);
      values.push_back(program_.inputs[k].scalar ? body.call(inputs_[k].scalar, {place})
                                                 : body.call(inputs_[k].load_element, {place, index}));
    }
    compute(body, values);
    for (size_t k = 0; k < outputs_.size(); ++k) {
      body.call(outputs_[k].store_element, {slot(body, inputs_.size() + k), index, output(body, values, k)});
    }
  }

  void compute(Body& body, std::vector<uint32_t>& values) {
    for (size_t c = 0; c < calls_.size(); ++c) {
      std::vector<uint32_t> arguments;
      for (size_t a = 0; a < calls_[c].parameters.size(); ++a) {
        arguments.push_back(as_type(body, values, program_.calls[c].arguments[a], calls_[c].parameters[a]));
      }
      values.push_back(body.call(calls_[c], arguments));
    }
  }

  uint32_t output(Body& body, const std::vector<uint32_t>& values, size_t k) {
    return as_type(body, values, program_.outputs[k].value, outputs_[k].scalar.result);
  }

  // Elements of a vector: the length of the arrays that the stores take.
  uint32_t elems() const {
    const Words& array = output_.declaration(outputs_[0].store_vector.parameters[2]);
    return output_.declaration(array[3])[3];
  }

  std::string key() const {
    std::string text = program_.frame + ";" + std::to_string(program_.vectors);
    for (const auto& input : program_.inputs) text += ";" + input.operand + (input.scalar ? "s" : "v");
    for (const auto& call : program_.calls) {
      text += ";" + call.function;
      for (const uint32_t argument : call.arguments) text += "," + std::to_string(argument);
    }
    for (const auto& output : program_.outputs) text += ";" + output.operand + "=" + std::to_string(output.value);
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    char name[48];
    std::snprintf(name, sizeof name, "linked.%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    return name;
  }

  const Pack& pack_;
  const LinkProgram& program_;
  std::map<std::string, std::unique_ptr<spirv::Module>> modules_;
  std::map<std::string, std::unique_ptr<Library>> libraries_;
  uint32_t caps_ = 0;
  const spirv::Module& frame_;
  Output output_;
  std::vector<Operand> inputs_, outputs_;
  std::vector<Symbol> calls_;
  std::vector<uint32_t> types_;  // of the values' registers
  Symbol operand_;
  uint32_t uint_ = 0;
};

}  // namespace

std::shared_ptr<const LinkedKernel> link(const Pack& pack, const LinkProgram& program) {
  return Linker(pack, program).run();
}

}  // namespace nxv
