// SPDX-License-Identifier: Apache-2.0
// Calls, frames and local memory.
#include "emulator/exec/calls.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/check/fault.h"
#include "emulator/exec/groups.h"
#include "emulator/memory/address_space.h"
#include "emulator/watch/watch.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostDepth = 1024;
constexpr uint32_t kMostLocalBytes = 512 * 1024;

uint32_t special_value(Special s, const Warp& w, uint32_t lane) {
  const LaunchState& launch = *w.worker->launch;
  const uint32_t linear = w.index * 32 + lane;
  const uint32_t bit = 1u << lane;
  switch (s) {
    case Special::kTidX:
      return linear % launch.block.x;
    case Special::kTidY:
      return linear / launch.block.x % launch.block.y;
    case Special::kTidZ:
      return linear / launch.block.x / launch.block.y;
    case Special::kNtidX:
      return launch.block.x;
    case Special::kNtidY:
      return launch.block.y;
    case Special::kNtidZ:
      return launch.block.z;
    case Special::kNctaidX:
      return launch.grid.x;
    case Special::kNctaidY:
      return launch.grid.y;
    case Special::kNctaidZ:
      return launch.grid.z;
    case Special::kLaneid:
      return lane;
    case Special::kWarpid:
      return w.index;
    case Special::kNwarpid:
      return 64;
    case Special::kNsmid:
      return launch.sm_count;
    case Special::kLanemaskEq:
      return bit;
    case Special::kLanemaskLe:
      return bit | (bit - 1);
    case Special::kLanemaskLt:
      return bit - 1;
    case Special::kLanemaskGe:
      return ~(bit - 1);
    case Special::kLanemaskGt:
      return ~(bit | (bit - 1));
    case Special::kDynamicSharedSize:
      return launch.dynamic_shared;
    case Special::kTotalSharedSize:
      return launch.shared_bytes;
    default:
      return 0;
  }
}

template <class T>
void fill(std::byte* at, uint64_t bits) {
  T* lanes = reinterpret_cast<T*>(at);
  for (int i = 0; i < 32; ++i) lanes[i] = static_cast<T>(bits);
}

void write_constant(std::byte* frame, const Program::Constant& c) {
  std::byte* at = frame + c.offset;
  switch (c.bytes) {
    case 0:
      *reinterpret_cast<uint32_t*>(at) = c.bits != 0 ? ~0u : 0;
      break;
    case 2:
      fill<uint16_t>(at, c.bits);
      break;
    case 4:
      fill<uint32_t>(at, c.bits);
      break;
    default:
      fill<uint64_t>(at, c.bits);
      break;
  }
}

std::byte* frame_for(Warp& w, size_t depth, uint32_t function) {
  const Program& program = *w.worker->program;
  const size_t index = depth * program.functions.size() + function;
  if (w.frames.size() <= index) w.frames.resize(index + 1);
  if (w.frames[index] == nullptr) w.frames[index] = make_frame(w);
  set_block_specials(program, w.frames[index].get(), w.block->index);
  return w.frames[index].get();
}

void copy_words(const std::byte* from, std::byte* to, uint32_t words, uint32_t mask) {
  const uint32_t* source = reinterpret_cast<const uint32_t*>(from);
  uint32_t* target = reinterpret_cast<uint32_t*>(to);
  for (uint32_t k = 0; k < words; ++k)
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      target[k * 32 + static_cast<uint32_t>(lane)] = source[k * 32 + static_cast<uint32_t>(lane)];
    }
}

void copy_pieces(Warp& w, const std::vector<CallInfo::Piece>& from, const std::byte* from_frame,
                 const std::vector<CallInfo::Piece>& to, std::byte* to_frame, uint32_t mask) {
  for (size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
    const uint32_t words = std::min(from[i].words, to[i].words);
    copy_words(from_frame + from[i].offset, to_frame + to[i].offset, words, mask);
    for (uint32_t k = 0; k < words && w.worker->launch->values != nullptr; ++k)
      watch_copy(w, from_frame, from[i].offset + k * 128, to_frame, to[i].offset + k * 128, mask);
  }
}

// The function that the first lane calls; narrows mask to the lanes that call the same.
uint32_t indirect_target(const Instr& in, Warp& w, uint32_t* mask) {
  const uint64_t* address = at<uint64_t>(w, in.o[0]);
  const int first = std::countr_zero(*mask);
  const uint64_t target = address[first] - window_begin(Window::kFunction);
  const std::vector<uint32_t>& known = w.worker->program->function_of;
  if (window_of(address[first]) != Window::kFunction || target % 16 != 0 ||
      target / 16 >= known.size() || known[target / 16] == CallInfo::kIndirect)
    fault(w, in, first, "illegal_address", "calls through a pointer that is no function's address");
  uint32_t same = 0;
  for (uint32_t rest = *mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (address[lane] == address[first]) same |= 1u << lane;
  }
  *mask = same;
  return known[target / 16];
}

}  // namespace

Frame make_frame(const Warp& w) {
  const Program& program = *w.worker->program;
  const size_t bytes = (size_t{program.frame_bytes} + 63) / 64 * 64;
  Frame owner(static_cast<std::byte*>(std::aligned_alloc(64, std::max<size_t>(bytes, 64))));
  if (owner == nullptr) throw std::bad_alloc();
  std::byte* frame = owner.get();
  std::memset(frame, 0, bytes);
  for (const Program::Constant& c : program.constants) write_constant(frame, c);
  for (const auto& [special, offset] : program.specials) {
    uint32_t* lanes = reinterpret_cast<uint32_t*>(frame + offset);
    for (uint32_t i = 0; i < 32; ++i) lanes[i] = special_value(special, w, i);
  }
  return owner;
}

void set_block_specials(const Program& program, std::byte* frame, const uint32_t index[3]) {
  for (const auto& [special, offset] : program.specials) {
    if (special < Special::kCtaidX || special > Special::kCtaidZ) continue;
    fill<uint32_t>(frame + offset,
                   index[static_cast<int>(special) - static_cast<int>(Special::kCtaidX)]);
  }
}

void clear_registers(const FunctionInfo& f, std::byte* frame, uint32_t mask, uint32_t unwritten) {
  const uint32_t words[] = {unwritten, unwritten, unwritten, unwritten};
  for (size_t k = 0; k < f.zeroed.size(); ++k) {
    std::byte* at = frame + f.zeroed[k];
    const size_t width = f.zeroed_width[k];
    if (width == 0) {
      *reinterpret_cast<uint32_t*>(at) &= ~mask;
      continue;
    }
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
      std::memcpy(at + static_cast<size_t>(std::countr_zero(rest)) * width, words, width);
  }
}

void call_function(const Instr& in, Warp& w, uint32_t mask) {
  const Program& program = *w.worker->program;
  const CallInfo& call = program.calls[in.aux];
  uint32_t target = call.function;
  if (target == CallInfo::kIndirect) target = indirect_target(in, w, &mask);
  if (mask != w.active) {  // one part at a time; the others come back to this call, or pass it
    const uint32_t all = (in.flags & kFlagGuarded) != 0
                             ? w.active & (predicate(w, in.guard) ^ in.guard_flip)
                             : w.active;
    std::vector<Part> parts{{mask, w.pc}};
    if ((all & ~mask) != 0) parts.push_back({all & ~mask, w.pc});
    if ((w.active & ~all) != 0) parts.push_back({w.active & ~all, w.pc + 1});
    split_group(w, parts, nullptr);
  }
  const FunctionInfo& f = program.functions[target];
  std::vector<CallRecord>& calls = w.groups[static_cast<size_t>(w.current)].calls;
  if (calls.size() >= kMostDepth)
    fault(w, in, std::countr_zero(mask), "illegal_address",
          "calls functions more than 1024 deep: the stack is full; does the recursion end?");
  if (kLocalTop - w.local_base + f.local_bytes > kMostLocalBytes)
    fault(w, in, std::countr_zero(mask), "illegal_address",
          "needs more than 512 KiB of local memory: the stack is full; does the recursion end?");
  calls.push_back({w.pc, w.frame, w.join, w.local_base, w.function});
  std::byte* frame = frame_for(w, calls.size(), target);
  clear_registers(f, frame, mask, w.worker->launch->unwritten);
  if (w.worker->launch->values != nullptr) {
    watch_unset(w, f.zeroed, frame, mask);
    watch_call(in, w, frame, mask);
  }
  copy_pieces(w, call.in_pieces, w.frame, f.parameters, frame, mask);
  w.frame = frame;
  w.local_base -= f.local_bytes;
  w.local.reserve(w.local_base, w.worker->launch->unwritten);
  w.function = target;
  w.join = nullptr;
  w.pc = program.code.data() + f.entry;
}

void return_from_function(Warp& w) {
  const Program& program = *w.worker->program;
  std::vector<CallRecord>& calls = w.groups[static_cast<size_t>(w.current)].calls;
  const CallRecord record = calls.back();
  calls.pop_back();
  const CallInfo& call = program.calls[record.return_to->aux];
  copy_pieces(w, program.functions[w.function].results, w.frame, call.out_pieces, record.frame,
              w.active);
  w.frame = record.frame;
  w.join = record.join;
  w.local_base = record.local_base;
  w.function = record.function;
  w.pc = record.return_to + 1;
}

}  // namespace lockstep::emulator
