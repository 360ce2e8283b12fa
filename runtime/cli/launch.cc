#include "runtime/cli/launch.h"

#include <algorithm>

namespace nxv::cli {

namespace {

// Integers first: numbers on the host of any such type exist.
std::optional<Type> type_of_width(uint32_t bits) {
  std::optional<Type> found;
  for (Type type : all_types()) {
    if (type_info(type).bits != bits) continue;
    if (!is_float(type)) return type;
    if (!found) found = type;
  }
  return found;
}

}  // namespace

std::optional<ElementKind> element_kind(std::string_view name) {
  if (auto type = type_named(name)) {
    if (type_info(*type).bits % 8 != 0) return std::nullopt;
    return ElementKind{*type, false};
  }
  if (!name.starts_with("b")) return std::nullopt;
  uint32_t bits = 0;
  for (char digit : name.substr(1)) {
    if (digit < '0' || digit > '9') return std::nullopt;
    bits = bits * 10 + static_cast<uint32_t>(digit - '0');
  }
  auto type = bits % 8 == 0 ? type_of_width(bits) : std::nullopt;
  return type ? std::optional(ElementKind{*type, true}) : std::nullopt;
}

std::optional<std::vector<ElementKind>> element_kinds(std::string_view names) {
  std::vector<ElementKind> kinds;
  while (!names.empty()) {
    auto kind = element_kind(names.substr(0, names.find(',')));
    if (!kind) return std::nullopt;
    kinds.push_back(*kind);
    names.remove_prefix(std::min(names.size(), names.find(',') == names.npos ? names.size() : names.find(',') + 1));
  }
  return kinds;
}

bool Launch::runs(std::string_view key) const {
  return std::ranges::find(linked, key) != linked.end() ||
         std::ranges::any_of(plan.plan.steps, [&](const Step& step) { return step.kernel.key == key; });
}

Operand LaunchBuilder::tensor(const TensorSpec& spec, std::vector<std::byte> bytes, uint64_t shift) {
  const auto index = static_cast<uint32_t>(inputs_.size());
  bytes.insert(bytes.begin(), shift, std::byte{0x5a});
  inputs_.push_back(std::move(bytes));
  return {spec, {Ref::Kind::input, index, shift}, std::nullopt, shift == 0 ? 256 : shift & (~shift + 1)};
}

BufferView start(Session& session, const Launch& launch) {
  std::vector<BufferView> views;
  for (const auto& bytes : launch.inputs) views.push_back(session.upload_bytes(bytes));
  return session.execute(launch.plan.plan, views).at(0);
}

}  // namespace nxv::cli
