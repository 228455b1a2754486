// SPDX-License-Identifier: Apache-2.0
// Atomic operations, lane after lane. On global memory they are atomic between host threads too.
#include "emulator/exec/atomics.h"

#include <bit>
#include <utility>

#include "emulator/check/memory_faults.h"
#include "emulator/count/wavefronts.h"
#include "emulator/exec/async_copies.h"
#include "emulator/exec/launch.h"
#include "emulator/exec/memory_handlers.h"
#include "emulator/exec/waits.h"
#include "emulator/numerics/float32.h"
#include "emulator/numerics/float64.h"
#include "emulator/numerics/half.h"

namespace lockstep::emulator {
namespace {

// What an operation makes of the old value and its one or two operands.
template <class T>
using Change = T (*)(T old, T b, T c);

template <class T>
T add(T old, T b, T) {
  return static_cast<T>(old + b);
}
template <class T>
T exchange(T, T b, T) {
  return b;
}
template <class T>
T swap_if(T old, T b, T c) {
  return old == b ? c : old;
}
template <class T>
T both(T old, T b, T) {
  return old & b;
}
template <class T>
T either(T old, T b, T) {
  return old | b;
}
template <class T>
T differ(T old, T b, T) {
  return old ^ b;
}
template <class T>
T least(T old, T b, T) {
  return b < old ? b : old;
}
template <class T>
T most(T old, T b, T) {
  return b > old ? b : old;
}
template <class T>
T least_signed(T old, T b, T) {
  return static_cast<std::make_signed_t<T>>(b) < static_cast<std::make_signed_t<T>>(old) ? b : old;
}
template <class T>
T most_signed(T old, T b, T) {
  return static_cast<std::make_signed_t<T>>(b) > static_cast<std::make_signed_t<T>>(old) ? b : old;
}
template <class T>
T increment(T old, T b, T) {
  return old >= b ? 0 : old + 1;
}
template <class T>
T decrement(T old, T b, T) {
  return old == 0 || old > b ? b : old - 1;
}

// On the card, f32 additions flush subnormals in global memory but not in shared memory.
template <bool Ftz>
uint32_t add_f32(uint32_t old, uint32_t b, uint32_t) {
  return num::add_f32<num::Round::kNearest, Ftz>(old, b);
}
uint64_t add_f64(uint64_t old, uint64_t b, uint64_t) { return num::add_f64<>(old, b); }
template <class Format>
uint16_t add_half(uint16_t old, uint16_t b, uint16_t) {
  return num::add_half<Format>(old, b);
}
template <class Format>
uint32_t add_halves(uint32_t old, uint32_t b, uint32_t) {
  const uint32_t high =
      num::add_half<Format>(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16));
  return num::add_half<Format>(static_cast<uint16_t>(old), static_cast<uint16_t>(b)) | high << 16;
}

template <class T>
T change_global(std::byte* place, T b, T c, Change<T> change, bool several_threads) {
  T* cell = reinterpret_cast<T*>(place);
  T old = __atomic_load_n(cell, __ATOMIC_RELAXED);
  if (!several_threads) {
    __atomic_store_n(cell, change(old, b, c), __ATOMIC_RELAXED);
    return old;
  }
  while (!__atomic_compare_exchange_n(cell, &old, change(old, b, c), true, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
  }
  return old;
}

void note_global(const Instr& in, Warp& w, const uint64_t* address, uint32_t mask, uint32_t bytes,
                 bool returns) {
  MemoryCounters& c = w.worker->memory[in.aux];
  ++c.requests;
  c.sectors += distinct_sectors(address, mask);
  const uint32_t turns = returned_sectors(address, mask);
  c.wavefronts += turns;
  // Without a result ptxas makes a reduction of it, but where the address's space is not known.
  if (returns) c.returned_sectors += turns;
  if (w.worker->l1 != nullptr)
    w.worker->l1->lanes(static_cast<int>(w.index), in.profile, L1Access::kAtomic, address, mask,
                        bytes);
}

// Operations that the card's shared memory lacks: ptxas makes loops of compare and swap of them.
bool is_loop(Change<uint32_t> change) {
  return change == &add_f32<false> || change == &add_halves<num::F16> ||
         change == &add_halves<num::Bf16>;
}
bool is_loop(Change<uint64_t>) { return true; }
bool is_loop(Change<uint16_t>) { return true; }

void note_shared(const Instr& in, Warp& w, const uint64_t* address, uint32_t mask, uint32_t bytes,
                 bool loop) {
  MemoryCounters& c = w.worker->memory[in.aux];
  ++c.requests;
  ++c.shared_requests;
  const Wavefronts count = shared_wavefronts(address, mask, bytes, false);
  c.wavefronts += count.count;
  c.wavefronts_ideal += count.ideal;
  const AtomicTurns turns = shared_atomic_turns(address, mask, bytes, loop);
  c.slow_path += turns.turns;
  c.slow_path_lanes += turns.lanes;
  c.bank_conflicts += turns.load_wavefronts;
}

// Bounds, alignment, initialization and races of one lane's atomic operation on shared memory.
template <class T>
std::byte* check_shared(const Instr& in, Warp& w, int lane, uint64_t offset) {
  SharedMemory& shared = w.block->shared;
  if (offset + sizeof(T) > shared.bytes())
    shared_bounds_fault(in, w, lane, offset, sizeof(T), true);
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

// What it does to a word that is counted up or down; no change at all tells that it is watched.
template <class T, Change<T> F>
uint8_t counts_to(T old, T b) {
  const bool negative = static_cast<T>(b << 1) >> 1 != b;
  if (F == &add<T> && b != 0) return negative ? kCountedDown : kCountedUp;
  if (F == &increment<T> && old < b) return kCountedUp;
  if (F == &decrement<T> && old != 0 && old <= b) return kCountedDown;
  return kStored;
}

template <class T, Space S, Change<T> InGlobal, Change<T> InShared>
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
  if ((in.sub & kDecides) != 0) {
    w.given -= std::exchange(w.slice, 0);  // the next ticket is another warp's
    if (shared != 0) note_shared_ticket(in, w);
    if ((mask & ~shared) != 0) note_global_reading(in, w, l.address, mask & ~shared);
  }
  if (shared != 0) note_shared(in, w, l.address, shared, sizeof(T), is_loop(InShared));
  if ((mask & ~shared) != 0) {
    constexpr bool kNoReduction = InGlobal == &exchange<T> || InGlobal == &swap_if<T>;
    const bool returns = kNoReduction || S != Space::kGlobal || (in.sub & kOrdering) != 0;
    note_global(in, w, l.address, mask & ~shared, sizeof(T), returns);
  }
  const T* b = at<T>(w, in.o[1]);
  const T* c = in.o[2] == kNoOperand ? b : at<T>(w, in.o[2]);
  T* d = in.o[0] == kNoOperand ? nullptr : at<T>(w, in.o[0]);
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    T old;
    if ((shared >> lane & 1) != 0) {
      std::byte* place = check_shared<T>(in, w, lane, l.address[lane]);
      old = change_global<T>(place, b[lane], c[lane], InShared, false);
      w.worker->shared_changes |= counts_to<T, InShared>(old, b[lane]);
    } else {
      Allocation& a = check_global(in, w, lane, l.address[lane], sizeof(T), true, 0);
      const uint64_t offset = l.address[lane] - a.begin;
      if (!a.defined->is_defined(offset, sizeof(T)))
        undefined_fault(in, w, lane, a, offset, sizeof(T));
      old = change_global<T>(a.data + offset, b[lane], c[lane], InGlobal, several);
      (void)a.admits_store(counts_to<T, InGlobal>(old, b[lane]));
    }
    if (d != nullptr) d[lane] = old;
  }
}

template <class T, Change<T> G, Change<T> S = G>
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
  if (op.has("add")) return by_space<T, &add<T>>(s);
  if (op.has("exch")) return by_space<T, &exchange<T>>(s);
  if (op.has("cas")) return by_space<T, &swap_if<T>>(s);
  if (op.has("and")) return by_space<T, &both<T>>(s);
  if (op.has("or")) return by_space<T, &either<T>>(s);
  if (op.has("xor")) return by_space<T, &differ<T>>(s);
  if (op.has("min")) return sign ? by_space<T, &least_signed<T>>(s) : by_space<T, &least<T>>(s);
  if (op.has("max")) return sign ? by_space<T, &most_signed<T>>(s) : by_space<T, &most<T>>(s);
  if (op.has("inc")) return by_space<T, &increment<T>>(s);
  if (op.has("dec")) return by_space<T, &decrement<T>>(s);
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
      return op.has("cas") ? by_space<uint16_t, &swap_if<uint16_t>>(space) : nullptr;
    case Type::kB32:
    case Type::kU32:
    case Type::kS32:
      return find_integer_atomic<uint32_t>(op, space);
    case Type::kB64:
    case Type::kU64:
    case Type::kS64:
      return find_integer_atomic<uint64_t>(op, space);
    case Type::kF32:
      return by_space<uint32_t, &add_f32<true>, &add_f32<false>>(space);
    case Type::kF64:
      return by_space<uint64_t, &add_f64>(space);
    case Type::kF16:
      return by_space<uint16_t, &add_half<num::F16>>(space);
    case Type::kBf16:
      return by_space<uint16_t, &add_half<num::Bf16>>(space);
    case Type::kF16x2:
      return by_space<uint32_t, &add_halves<num::F16>>(space);
    case Type::kBf16x2:
      return by_space<uint32_t, &add_halves<num::Bf16>>(space);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::emulator
