// SPDX-License-Identifier: Apache-2.0
// Atomic operations, lane after lane. On global memory they are atomic between host threads too.
#include "emulator/exec/atomics.h"

#include <bit>
#include <utility>

#include "emulator/check/memory_faults.h"
#include "emulator/exec/async_copies.h"
#include "emulator/exec/memory_handlers.h"
#include "emulator/launch/launch.h"
#include "emulator/numerics/updates.h"

namespace lockstep::emulator {
namespace {

// Bounds, alignment, initialization and races of one lane's atomic operation on shared memory.
template <class T>
std::byte* check_shared(const Instr& in, Warp& w, int lane, uint64_t offset) {
  SharedMemory& shared = w.block->shared;
  if (offset + sizeof(T) > shared.bytes())
    shared_bounds_fault(in, w, lane, offset, sizeof(T), true);
  const Program& program = *w.worker->program;
  if (const int number = program.accesses[in.aux].variable; number >= 0) {
    const Program::SharedVariable& v = program.shared_variables[static_cast<size_t>(number)];
    if (offset - v.offset + sizeof(T) > v.bytes)
      shared_variable_fault(in, w, lane, v, offset, sizeof(T), true);
  }
  if (offset % sizeof(T) != 0) shared_alignment_fault(in, w, lane, offset, sizeof(T), true);
  if (shared.any_copies()) check_no_copy(in, w, lane, offset, sizeof(T), true);
  const uint32_t tag = shared.tag(w.index) | static_cast<uint32_t>(lane);
  for (uint64_t u = offset >> shared.shift(); u <= (offset + sizeof(T) - 1) >> shared.shift();
       ++u) {
    const auto unit = static_cast<uint32_t>(u);
    SharedConflict c = shared.check_load(unit, tag, w.order, true);
    if (!c.found) c = shared.check_store(unit, tag, w.order, true, true);
    if (c.found) shared_race_fault(in, w, lane, c, !c.uninitialized);
    shared.note_store(unit, tag, w.order, true);
  }
  return shared.data() + offset;
}

template <class T, Space S, num::Update<T> InGlobal, num::Update<T> InShared>
void atomic(const Instr& in, Warp& w, uint32_t mask) {
  Lanes l;
  find_addresses(in, w, l);
  const bool several = w.worker->launch->several_threads;
  const uint32_t own = 1u << w.index;
  Block& block = *w.block;
  if ((in.sub & kOrdering) != 0) {
    w.synchronizes = true;
    w.order.all_meet();
    block.shared.order_after(w.index, block.published & ~own);
  }
  block.published |= own | block.shared.ordered(w.index);
  uint32_t shared = S == Space::kShared ? mask : 0;
  for (uint32_t rest = mask; rest != 0 && S != Space::kGlobal; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (S == Space::kNone && window_of(l.address[lane]) == Window::kShared) {
      shared |= 1u << lane;
      l.address[lane] -= window_begin(Window::kShared);
    }
    if ((shared >> lane & 1) != 0) l.address[lane] = shared_offset(l.address[lane]);
  }
  const T* b = at<T>(w, in.o[1]);
  const T* c = in.o[2] == kNoOperand ? b : at<T>(w, in.o[2]);
  T* d = in.o[0] == kNoOperand ? nullptr : at<T>(w, in.o[0]);
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    T old;
    if ((shared >> lane & 1) != 0) {
      std::byte* place = check_shared<T>(in, w, lane, l.address[lane]);
      old = num::update<T>(place, b[lane], c[lane], InShared, false);
    } else {
      Allocation& a = check_global(in, w, lane, l.address[lane], sizeof(T), true);
      const uint64_t offset = l.address[lane] - a.begin;
      if (!a.defined->is_defined(offset, sizeof(T)))
        undefined_fault(in, w, lane, a, offset, sizeof(T));
      old = num::update<T>(a.data + offset, b[lane], c[lane], InGlobal, several);
    }
    if (d != nullptr) d[lane] = old;
  }
}

template <class T, num::Update<T> G, num::Update<T> S = G>
Handler by_space(Space space) {
  switch (space) {
    case Space::kGlobal:
      return &atomic<T, Space::kGlobal, G, S>;
    case Space::kShared:
      return &atomic<T, Space::kShared, G, S>;
    case Space::kNone:
      return &atomic<T, Space::kNone, G, S>;
    default:
      return nullptr;
  }
}

template <class T>
Handler find_integer_atomic(const Opcode& op, Space s) {
  const bool sign = is_signed(op.type());
  if (op.has("add")) return by_space<T, &num::add_to<T>>(s);
  if (op.has("exch")) return by_space<T, &num::exchange<T>>(s);
  if (op.has("cas")) return by_space<T, &num::swap_if<T>>(s);
  if (op.has("and")) return by_space<T, &num::both<T>>(s);
  if (op.has("or")) return by_space<T, &num::either<T>>(s);
  if (op.has("xor")) return by_space<T, &num::differ<T>>(s);
  if (op.has("min"))
    return sign ? by_space<T, &num::least<T, std::make_signed_t<T>>>(s)
                : by_space<T, &num::least<T, T>>(s);
  if (op.has("max"))
    return sign ? by_space<T, &num::most<T, std::make_signed_t<T>>>(s)
                : by_space<T, &num::most<T, T>>(s);
  if (op.has("inc")) return by_space<T, &num::increment<T>>(s);
  if (op.has("dec")) return by_space<T, &num::decrement<T>>(s);
  return nullptr;
}

}  // namespace

int atomic_bytes(const Opcode& op) {
  if (op.has("v2") || op.has("v4") || op.has("v8")) return 0;
  const int bytes = type_bytes(op.type());
  return bytes == 16 ? 0 : bytes;
}

Handler find_atomic(const Opcode& op, Space space) {
  if (op.types.size() != 1) return nullptr;
  if (is_float(op.type()) && !op.has("add")) return nullptr;
  switch (op.type()) {
    case Type::kB16:
      return op.has("cas") ? by_space<uint16_t, &num::swap_if<uint16_t>>(space) : nullptr;
    case Type::kB32:
    case Type::kU32:
    case Type::kS32:
      return find_integer_atomic<uint32_t>(op, space);
    case Type::kB64:
    case Type::kU64:
    case Type::kS64:
      return find_integer_atomic<uint64_t>(op, space);
    case Type::kF32:
      return by_space<uint32_t, &num::add_to_f32<true>, &num::add_to_f32<false>>(space);
    case Type::kF64:
      return by_space<uint64_t, &num::add_to_f64>(space);
    case Type::kF16:
      return by_space<uint16_t, &num::add_to_half<num::F16>>(space);
    case Type::kBf16:
      return by_space<uint16_t, &num::add_to_half<num::Bf16>>(space);
    case Type::kF16x2:
      return by_space<uint32_t, &num::add_to_halves<num::F16>>(space);
    case Type::kBf16x2:
      return by_space<uint32_t, &num::add_to_halves<num::Bf16>>(space);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::emulator
