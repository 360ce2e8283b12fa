#include "test/cpp/support/plan_simulator.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <stdexcept>
#include <string>

#include "test/cpp/support/visit_type.h"

namespace nxv {
namespace {

constexpr int kBufferShift = 40, kKindShift = 56;

[[noreturn]] void wrong(const std::string& message) { throw std::runtime_error(message); }

uint32_t divide_by(uint32_t x, uint32_t magic, uint32_t shift) {
  return static_cast<uint32_t>((uint64_t{x << 1} * magic) >> 32) >> shift;
}

std::string part_of(const std::string& key, int part) {
  size_t begin = 0;
  for (; part > 0; --part) begin = key.find('.', begin) + 1;
  return key.substr(begin, key.find('.', begin) - begin);
}

}  // namespace

PlanSimulator::PlanSimulator(const OpPlan& plan, std::vector<std::vector<std::byte>> inputs, const Traits& traits)
    : plan_(plan), traits_(traits), inputs_(std::move(inputs)) {
  for (uint64_t bytes : plan.plan.output_bytes) outputs_.emplace_back(bytes, std::byte{0xa5});
  for (uint64_t bytes : plan.plan.temp_bytes) temps_.emplace_back(bytes, std::byte{0x5a});
  writes_.resize(outputs_[0].size());
}

void PlanSimulator::run() {
  for (const Step& step : plan_.plan.steps) {
    step_ = &step;
    run_step();
  }
}

size_t PlanSimulator::steps_of(std::string_view access) const {
  return static_cast<size_t>(
      std::ranges::count_if(plan_.plan.steps, [&](const Step& step) { return part_of(step.kernel.key, 3) == access; }));
}

std::vector<std::byte>& PlanSimulator::memory(Ref::Kind kind, uint32_t index) {
  return kind == Ref::Kind::input    ? inputs_.at(index)
         : kind == Ref::Kind::output ? outputs_.at(index)
                                     : temps_.at(index);
}

uint64_t PlanSimulator::address_of(const Ref& ref) const {
  return (static_cast<uint64_t>(ref.kind) << kKindShift) + (uint64_t{ref.index} << kBufferShift) + ref.byte_offset;
}

std::byte* PlanSimulator::resolve(uint64_t address, uint64_t bytes, bool write) {
  const auto kind = static_cast<Ref::Kind>(address >> kKindShift);
  const auto index = static_cast<uint32_t>((address >> kBufferShift) & 0xffff);
  const uint64_t offset = address & ((uint64_t{1} << kBufferShift) - 1);
  std::vector<std::byte>& buffer = memory(kind, index);
  if (offset + bytes > buffer.size()) wrong(step_->kernel.key + " leaves a buffer at " + std::to_string(offset));
  const bool declared = std::ranges::any_of(step_->accesses, [&](const Access& access) {
    return access.kind == kind && access.index == index && access.write == write && access.begin <= offset &&
           offset + bytes <= access.end;
  });
  if (!declared) wrong(step_->kernel.key + " touches what it does not declare, at " + std::to_string(offset));
  if (write && kind == Ref::Kind::output && index == 0) {
    for (uint64_t b = 0; b < bytes; ++b) ++writes_[offset + b];
  }
  return buffer.data() + offset;
}

void PlanSimulator::move(uint64_t from, uint64_t to, uint64_t bytes) {
  std::memmove(resolve(to, bytes, true), resolve(from, bytes, false), bytes);
}

void PlanSimulator::put(uint64_t to, const std::byte* bytes, uint64_t count) {
  std::memcpy(resolve(to, count, true), bytes, count);
}

uint32_t PlanSimulator::constant_of(uint32_t id) const {
  for (const SpecConstant& constant : step_->kernel.constants) {
    if (constant.id == id) return constant.value;
  }
  wrong(step_->kernel.key + " lacks constant " + std::to_string(id));
}

uint32_t PlanSimulator::word(size_t at) const {
  uint32_t value = 0;
  std::memcpy(&value, push_.data() + 4 * at, 4);
  return value;
}

uint64_t PlanSimulator::address(size_t at) const { return word(at) | (uint64_t{word(at + 1)} << 32); }

uint64_t PlanSimulator::invocations() const {
  return uint64_t{step_->groups[0]} * step_->groups[1] * step_->groups[2] * constant_of(0);
}

void PlanSimulator::covers(uint64_t needed) const {
  if (invocations() < needed) wrong(step_->kernel.key + " has too few workgroups");
}

void PlanSimulator::index(uint64_t value) const {
  if (value >= traits_.index32_limit) wrong(step_->kernel.key + " passes the limit of indices");
}

void PlanSimulator::run_step() {
  for (size_t d = 0; d < 3; ++d) {
    if (step_->groups[d] < 1 || step_->groups[d] > traits_.max_groups[d]) wrong("a grid that the device lacks");
  }
  if (step_->push.size() > 128) wrong("too many push constants");
  push_ = step_->push;
  params_ = step_->params;
  for (const AddressSlot& slot : step_->addresses) {
    const uint64_t address = address_of(slot.ref);
    std::memcpy(push_.data() + slot.push_offset, &address, 8);
  }
  for (const AddressSlot& slot : step_->params_addresses) {
    const uint64_t address = address_of(slot.ref);
    std::memcpy(params_.data() + slot.push_offset, &address, 8);
  }
  push_.resize(160);
  const std::string &key = step_->kernel.key, op = part_of(key, 1), types = part_of(key, 2), access = part_of(key, 3);
  if (types[0] == 'b' && std::isdigit(types[1])) bytes_ = std::stoul(types.substr(1)) / 8;
  if (op == "move" && access == "dense") {
    dense();
  } else if (op == "move" && access == "strided") {
    strided();
  } else if (op == "move" && access == "block") {
    block();
  } else if (op == "move" && access == "tile") {
    tile(constant_of(1));
  } else if (op == "move" && access == "patch") {
    tile(4);
  } else if (op == "constant") {
    constant();
  } else if (op == "iota") {
    iota(types);
  } else if (op == "eye") {
    eye();
  } else {
    wrong("no simulation of " + key);
  }
}

void PlanSimulator::dense() {
  const uint64_t n = word(4), vectors = (n * bytes_ + 15) / 16;
  covers((vectors + constant_of(1) - 1) / constant_of(1));
  if (address(0) % 16 != 0 || address(2) % 16 != 0) wrong("a dense copy that isn't aligned");
  index(n - 1);
  for (uint64_t i = 0; i < n; ++i) move(address(0) + i * bytes_, address(2) + i * bytes_, bytes_);
}

void PlanSimulator::strided() {
  const uint32_t n = word(4), rank = constant_of(1);
  covers(n);
  for (uint32_t flat = 0; flat < n; ++flat) {
    uint32_t i = flat, from = word(5), to = 0;
    for (uint32_t d = 0; d < rank; ++d) {
      const size_t at = 6 + 5 * d;
      const uint32_t q = d + 1 < rank ? divide_by(i, word(at + 1), word(at + 2)) : 0;
      const uint32_t r = i - q * word(at);
      from += r * word(at + 3);
      to += r * word(at + 4);
      i = q;
    }
    index(from);
    index(to);
    move(address(0) + from * bytes_, address(2) + to * bytes_, bytes_);
  }
}

void PlanSimulator::block() {
  if (step_->params_offset != 16) wrong("the block's address lies elsewhere");
  const auto param = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, params_.data() + 4 * at, 4);
    return value;
  };
  const auto param64 = [&](size_t at) { return param(at) | (uint64_t{param(at + 1)} << 32); };
  const uint32_t n = word(6), rank = word(8), starts = word(9), starts_move = word(10);
  covers(n);
  uint64_t shift = 0;
  for (uint32_t s = 0; s < starts; ++s) {
    const size_t at = 5 * rank + 8 * s;
    const uint32_t code = param(at + 2), bytes = code & 15;
    uint64_t value = 0;
    std::memcpy(&value, resolve(param64(at), bytes, false), bytes);
    const int unused = 64 - 8 * static_cast<int>(bytes);
    const auto extended = static_cast<int64_t>(value << unused) >> unused;
    if ((code & 16) != 0) value = extended < 0 ? 0 : static_cast<uint64_t>(extended);
    shift += std::min(value, param64(at + 3)) * param64(at + 5);
  }
  const uint64_t a = address(0) + (starts_move == 0 ? shift : 0), z = address(2) + (starts_move == 0 ? 0 : shift);
  for (uint32_t flat = 0; flat < n; ++flat) {
    uint32_t i = flat, from = word(7), to = 0;
    for (uint32_t d = 0; d < rank; ++d) {
      const uint32_t q = divide_by(i, param(5 * d + 1), param(5 * d + 2)), r = i - q * param(5 * d);
      from += r * param(5 * d + 3);
      to += r * param(5 * d + 4);
      i = q;
    }
    index(from);
    index(to);
    move(a + from * bytes_, z + to * bytes_, bytes_);
  }
}

void PlanSimulator::tile(uint64_t edge) {
  const uint32_t rows = word(4), columns = word(5), a_step = word(6), z_step = word(7);
  const uint32_t tiles_r = word(8), tiles_c = word(9), tiles = word(14), batch_dims = constant_of(3);
  if (tiles_r != (rows + edge - 1) / edge || tiles_c != (columns + edge - 1) / edge) wrong("tiles do not fit");
  covers(edge == 4 ? tiles : uint64_t{tiles} * constant_of(0));
  for (uint32_t t = 0; t < tiles; ++t) {
    uint32_t q = divide_by(t, word(12), word(13));
    const uint64_t c0 = (t - q * tiles_c) * edge;
    const uint32_t rest = q;
    q = divide_by(rest, word(10), word(11));
    const uint64_t r0 = (rest - q * tiles_r) * edge;
    uint32_t a_base = 0, z_base = 0;
    for (uint32_t d = 0; d < batch_dims; ++d) {
      const size_t at = 15 + 5 * d;
      uint32_t b = q;
      if (d + 1 < batch_dims) {
        q = divide_by(b, word(at + 1), word(at + 2));
        b -= q * word(at);
      }
      a_base += b * word(at + 3);
      z_base += b * word(at + 4);
    }
    for (uint64_t r = r0; r < std::min<uint64_t>(r0 + edge, rows); ++r) {
      for (uint64_t c = c0; c < std::min<uint64_t>(c0 + edge, columns); ++c) {
        const uint64_t from = a_base + c * a_step + r, to = z_base + r * z_step + c;
        index(from);
        index(to);
        move(address(0) + from * bytes_, address(2) + to * bytes_, bytes_);
      }
    }
  }
  if (edge == 4 || constant_of(2) == 1) return;
  const uint64_t vector = constant_of(2) * bytes_;
  for (uint64_t aligned : {address(0), address(2), a_step * bytes_, z_step * bytes_, rows * bytes_, columns * bytes_}) {
    if (aligned % vector != 0) wrong("a tile's vectors aren't aligned");
  }
}

void PlanSimulator::constant() {
  const uint64_t n = word(2), per_vector = 16 / bytes_;
  covers(n / per_vector + (n % per_vector != 0 ? 1 : 0));
  if (address(0) % 16 != 0) wrong("a fill that isn't aligned");
  index(n - 1);
  for (uint64_t i = 0; i < n; ++i) put(address(0) + i * bytes_, push_.data() + 16, bytes_);
}

void PlanSimulator::eye() {
  const uint32_t n = word(2), columns = word(8), rows = word(11);
  covers((n + 16 / bytes_ - 1) / (16 / bytes_));
  index(n - 1);
  const std::byte zeros[16] = {};
  for (uint32_t i = 0; i < n; ++i) {
    uint32_t row = divide_by(i, word(9), word(10));
    const uint32_t column = i - row * columns;
    row += word(3);
    row -= divide_by(row, word(12), word(13)) * rows;
    put(address(0) + i * bytes_, row == column ? push_.data() + 16 : zeros, bytes_);
  }
}

void PlanSimulator::iota(std::string_view type) {
  const uint32_t n = word(2), size = word(7);
  const uint64_t bytes = type_bytes(parse_type(type)), per_vector = 16 / bytes;
  covers((n + per_vector - 1) / per_vector);
  index(n - 1);
  if (address(0) % 16 != 0) wrong("an iota that isn't aligned");
  for (uint32_t i = 0; i < n; ++i) {
    uint64_t counter = (word(3) | (uint64_t{word(4)} << 32)) + i;
    if (constant_of(1) != 0) {
      const uint32_t outer = divide_by(word(3) + i, word(5), word(6));
      counter = outer - divide_by(outer, word(8), word(9)) * size;
    }
    visit_type(parse_type(type), [&](auto zero) {
      const auto value = static_cast<decltype(zero)>(counter);
      put(address(0) + i * bytes, reinterpret_cast<const std::byte*>(&value), bytes);
    });
  }
}

}  // namespace nxv
