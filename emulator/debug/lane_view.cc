// SPDX-License-Identifier: Apache-2.0
#include "emulator/debug/lane_view.h"

#include <algorithm>
#include <cstdio>

#include "emulator/memory/address_space.h"

namespace lockstep::emulator {

using State = Bytes::State;
using Where = Spot::Space;

Spot Spot::plus(uint64_t bytes) const {
  Spot moved = *this;
  moved.at += bytes;
  return moved;
}

State Bytes::state(size_t first, size_t count) const {
  State worst = State::kKnown;
  for (size_t i = first; i < first + count; ++i)
    worst = std::max(worst, i < states.size() ? states[i] : State::kUnknown);
  return worst;
}

void Written::set_register(size_t depth, uint32_t offset, bool set) {
  constexpr size_t kMostRegisters = size_t{1} << 22;
  if (offset == kNoOperand || offset / kUnit >= kMostRegisters) return;
  if (registers.size() <= depth) registers.resize(depth + 1);
  std::vector<bool>& all = registers[depth];
  if (all.size() <= offset / kUnit) all.resize(offset / kUnit + 1);
  all[offset / kUnit] = set;
}

bool Written::register_set(size_t depth, uint32_t offset) const {
  return depth < registers.size() && offset / kUnit < registers[depth].size() &&
         registers[depth][offset / kUnit];
}

LaneView::LaneView(const Module& module, const std::vector<uint64_t>& addresses, const Warp& warp,
                   uint32_t lane, const Written& written)
    : module_(module),
      addresses_(addresses),
      warp_(warp),
      lane_(lane),
      written_(written),
      depth_(warp.groups[static_cast<size_t>(warp.current)].calls.size()) {}

Spot LaneView::locate(const Home& home) const {
  Spot from;
  const auto offset = static_cast<uint64_t>(home.offset);
  switch (home.kind) {
    case Home::Kind::kConstant:
      return {Where::kConstant, static_cast<uint64_t>(home.constant), 0};
    case Home::Kind::kSymbol:
      return locate_symbol(home.symbol).plus(offset);
    case Home::Kind::kRegister:
      return {Where::kRegister, 0, home.reg};
    case Home::Kind::kPointer: {
      uint64_t address = 0;
      if (!read_number({Where::kRegister, 0, home.reg}, 8, &address)) return {};
      return {Where::kGeneric, address + offset, 0};
    }
    case Home::Kind::kUnknown:
      break;
  }
  return from;
}

Spot LaneView::locate_symbol(std::string_view symbol) const {
  const FunctionInfo& f = info();
  const Program& program = *warp_.worker->program;
  const std::vector<Variable>& variables = module_.functions[f.function].variables;
  for (size_t i = 0; i < std::min(variables.size(), f.variables.size()); ++i) {
    const uint32_t place = f.variables[i];
    if (variables[i].name != symbol || place == kNoOperand) continue;
    if (variables[i].space == Space::kLocal)
      return {Where::kLocal, uint64_t{warp_.local_base} + place, 0};
    if (variables[i].space == Space::kShared) return {Where::kShared, place, 0};
    if (variables[i].space != Space::kParam) break;
    if (warp_.function == 0) return {Where::kParameter, place, 0};
    return {Where::kFrame, 0, place};
  }
  const auto found = module_.variable_index.find(symbol);
  if (found == module_.variable_index.end()) return {};
  const Variable& v = module_.variables[found->second];
  if (v.space != Space::kShared) {
    const uint64_t address = addresses_[found->second];
    return {address == 0 ? Where::kNowhere : Where::kGeneric, address, 0};
  }
  const uint32_t place = found->second < program.module_shared.size()
                             ? program.module_shared[found->second]
                             : kNoOperand;
  if (v.is_extern || v.bytes == 0) return {Where::kShared, program.static_shared_bytes, 0};
  return {place == kNoOperand ? Where::kNowhere : Where::kShared, place, 0};
}

void LaneView::read_generic(uint64_t address, uint8_t* byte, State* state) const {
  const Window window = window_of(address);
  if (window == Window::kLocal)
    return read_byte({Where::kLocal, address - window_begin(window), 0}, byte, state);
  if (window == Window::kShared)
    return read_byte({Where::kShared, shared_offset(address - window_begin(window)), 0}, byte,
                     state);
  const Allocation* a = warp_.worker->launch->memory->owner(address);
  if (a == nullptr || !a->contains(address, address)) return;
  const auto offset = static_cast<size_t>(address - a->begin);
  *byte = static_cast<uint8_t>(a->data[offset]);
  *state =
      a->defined == nullptr || a->defined->is_defined(offset, 1) ? State::kKnown : State::kUnset;
}

void LaneView::read_byte(const Spot& from, uint8_t* byte, State* state) const {
  const Program& program = *warp_.worker->program;
  const auto take = [&](const std::byte* at, State how) {
    *byte = static_cast<uint8_t>(*at);
    *state = how;
  };
  switch (from.space) {
    case Where::kConstant:
      break;
    case Where::kRegister: {
      const Function& f = module_.functions[info().function];
      if (from.reg >= f.registers.size() || from.reg >= info().registers.size()) return;
      const uint32_t offset = info().registers[from.reg];
      const auto width = static_cast<uint64_t>(type_bytes(f.registers[from.reg]));
      if (offset == kNoOperand || width < 2 || from.at >= width) return;
      return take(warp_.frame + offset + lane_ * width + from.at,
                  written_.register_set(depth_, offset) ? State::kKnown : State::kUnset);
    }
    case Where::kFrame: {
      const uint64_t at = from.reg + from.at / 4 * 128 + lane_ * 4 + from.at % 4;
      if (from.at < (1 << 20) && at < program.frame_bytes) take(warp_.frame + at, State::kKnown);
      return;
    }
    case Where::kParameter: {
      const std::vector<std::byte>& all = warp_.worker->launch->parameters;
      if (from.at < all.size()) take(&all[from.at], State::kKnown);
      return;
    }
    case Where::kLocal: {
      const uint64_t word = from.at / 4;
      if (!warp_.local.holds(from.at, 1)) return;
      const bool set = word < written_.local.size() && written_.local[word];
      return take(warp_.local.at(from.at, lane_), set ? State::kKnown : State::kUnset);
    }
    case Where::kShared: {
      SharedMemory& shared = warp_.block->shared;
      if (from.at >= shared.bytes()) return;
      const bool set = shared.writers()[from.at >> shared.shift()] != 0;
      return take(shared.data() + from.at, set ? State::kKnown : State::kUnset);
    }
    case Where::kGeneric:
      return read_generic(from.at, byte, state);
    case Where::kNowhere:
      return;
  }
}

Bytes LaneView::read(const Spot& from, size_t bytes) const {
  Bytes out;
  out.bytes.assign(bytes, 0);
  out.states.assign(bytes, State::kUnknown);
  for (size_t i = 0; i < bytes; ++i) {
    if (from.space == Where::kConstant) {
      out.bytes[i] = static_cast<uint8_t>(i < 8 ? from.at >> (8 * i) : 0);
      out.states[i] = State::kKnown;
    } else {
      read_byte(from.plus(i), &out.bytes[i], &out.states[i]);
    }
  }
  return out;
}

bool LaneView::read_number(const Spot& from, size_t bytes, uint64_t* value) const {
  if (bytes == 0 || bytes > 8) return false;
  const Bytes read_ = read(from, bytes);
  if (read_.state(0, bytes) != State::kKnown) return false;
  *value = 0;
  for (size_t i = 0; i < bytes; ++i) *value |= uint64_t{read_.bytes[i]} << (8 * i);
  return true;
}

std::string LaneView::pointer_text(uint64_t address, uint64_t element_bytes) const {
  if (address == 0) return "null";
  const Window window = window_of(address);
  const auto inside = [&] { return std::to_string(address - window_begin(window)); };
  if (window == Window::kLocal) return "byte " + inside() + " of local memory";
  if (window == Window::kShared)
    return "byte " + std::to_string(shared_offset(address - window_begin(window))) +
           " of shared memory";
  if (const Allocation* a = warp_.worker->launch->memory->owner(address); a != nullptr) {
    const auto offset = static_cast<int64_t>(address - a->begin);
    const auto element = static_cast<int64_t>(std::max<uint64_t>(element_bytes, 1));
    if (element_bytes != 0 && element < (1 << 20) && offset % element == 0)
      return "&" + a->name + "[" + std::to_string(offset / element) + "]";
    return "byte " + std::to_string(offset) + " of " + a->name;
  }
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

bool LaneView::builtin(std::string_view name, char axis, int64_t* value) const {
  if (axis < 'x' || axis > 'z') return false;
  const auto k = static_cast<size_t>(axis - 'x');
  const LaunchState& launch = *warp_.worker->launch;
  const auto of = [&](const Dim3& d) { return k == 0 ? d.x : k == 1 ? d.y : d.z; };
  const uint32_t linear = warp_.index * 32 + lane_;
  const uint32_t thread[] = {linear % launch.block.x, linear / launch.block.x % launch.block.y,
                             linear / launch.block.x / launch.block.y};
  if (name == "threadIdx")
    *value = thread[k];
  else if (name == "blockIdx")
    *value = warp_.block->index[k];
  else if (name == "blockDim")
    *value = of(launch.block);
  else if (name == "gridDim")
    *value = of(launch.grid);
  else
    return false;
  return true;
}

}  // namespace lockstep::emulator
