// SPDX-License-Identifier: Apache-2.0
// Atomic operations on global and shared memory, lane after lane.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "emulator/count/wavefronts.h"
#include "emulator/numerics/updates.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/memory.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// ATOMS.CAST.SPIN: the result is whether it swapped. Of the lanes of a bank one at most does (seen
// on an H200).
template <class T>
T try_swap(T old, T b, T c) {
  return num::swap_if(old, b, c);
}

enum class Where : uint8_t { kGlobal, kShared, kGeneric };
constexpr uint16_t kAddsUp = 1 << 15, kSwapsOnce = 1 << 14, kSwaps = 1 << 13;

void count_global(const Op& op, Warp& w, const uint64_t* address, uint32_t on) {
  Accesses& c = w.worker->accesses[op.access];
  ++c.requests;
  c.sectors += distinct_sectors(address, on);
  const uint32_t turns = returned_sectors(address, on);
  c.turns += turns;
  if (op.sub2 != 0) c.returned_sectors += turns;
  if (w.worker->l1 != nullptr)
    w.worker->l1->lanes(static_cast<int>(w.index), op.access, L1Access::kAtomic, address, on,
                        op.bytes);
}
void count_shared(const Op& op, Warp& w, const uint64_t* address, uint32_t on) {
  Accesses& c = w.worker->accesses[op.access];
  ++c.shared_requests;
  c.wavefronts_ideal += shared_wavefronts(address, on, op.bytes, false).ideal;
  // All seen on an H200: POPC.INC adds up what a word gets, one turn for all lanes that want it, as
  // a store; a swap reads and writes, and CAST.SPIN has one turn.
  if ((op.flags & kAddsUp) != 0)
    c.wavefronts += shared_wavefronts(address, on, op.bytes, false).count;
  else if ((op.flags & kSwapsOnce) != 0)
    c.wavefronts += op.bytes / 2u;
  else
    c.wavefronts +=
        (op.flags & kSwaps ? 2u : 1u) * shared_atomic_turns(address, on, op.bytes, false).turns;
}

// Lanes of one ATOMS.CAST.SPIN that may swap: one a bank (of 64 bits one a bank of either half of
// the warp, and one an address).
struct SwapTurn {
  uint32_t taken[2] = {0, 0};
  uint64_t first_half[16] = {};
  int swapped = 0;
  bool takes(int lane, uint64_t address, size_t bytes) {
    const bool wide = bytes == 8;
    const uint32_t bank = 1u << (wide ? address >> 3 & 15 : address >> 2 & 31);
    uint32_t& half = taken[wide ? lane / 16 : 0];
    if ((half & bank) != 0) return false;
    if (wide && lane >= 16 &&
        std::find(first_half, first_half + swapped, address) != first_half + swapped)
      return false;
    if (wide && lane < 16) first_half[swapped++] = address;
    half |= bank;
    return true;
  }
};

template <class T>
void put_result(uint32_t* d, int i, T value) {
  d[i] = static_cast<uint32_t>(value);
  if constexpr (sizeof(T) == 8) d[i + 32] = static_cast<uint32_t>(value >> 32);
}

// Op::sub2: a result is wanted. Sources 1 and 2: operands.
template <class T, Where W, num::Update<T> InGlobal, num::Update<T> InShared>
void atomic(const Op& op, Warp& w, uint32_t on) {
  Lanes l;
  find_addresses(op, w, l);
  uint32_t shared = W == Where::kShared ? on : 0;
  for (uint32_t rest = on; rest != 0 && W != Where::kGlobal; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (W == Where::kGeneric && l.address[i] >> 32 == shared_window()) shared |= 1u << i;
    if ((shared >> i & 1) != 0) l.address[i] = shared_offset(static_cast<uint32_t>(l.address[i]));
  }
  if (shared != 0) count_shared(op, w, l.address, shared);
  if ((on & ~shared) != 0) count_global(op, w, l.address, on & ~shared);
  const uint32_t *b = row(op.source[1], w), *c = row(op.source[2], w);
  const auto operand = [](const uint32_t* from, int i) {
    if constexpr (sizeof(T) == 8)
      return from[i] | uint64_t{from[i + 32]} << 32;
    else
      return static_cast<T>(from[i]);
  };
  uint32_t* d = to_row(op, w);
  const bool several = w.worker->launch->several_threads;
  SwapTurn turn;
  for (uint32_t rest = on; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const uint64_t address = l.address[i];
    T old;
    if ((shared >> i & 1) != 0) {
      if (address + sizeof(T) > w.block->shared.size() || address % sizeof(T) != 0)
        shared_fault(w, i, address, sizeof(T), true);
      if (InShared == &try_swap<T> && !turn.takes(i, address, sizeof(T))) {
        put_result<T>(d, i, 0);
        continue;
      }
      old = num::update<T>(w.block->shared.data() + address, operand(b, i), operand(c, i), InShared,
                           false);
    } else {
      Allocation* a = w.worker->launch->memory->owner(address);
      if (a == nullptr || address < a->begin || sizeof(T) > touchable(*a) ||
          address - a->begin > touchable(*a) - sizeof(T) || address % sizeof(T) != 0 ||
          !a->admits_store())
        global_fault(w, i, address, sizeof(T), true);
      old = num::update<T>(a->data + (address - a->begin), operand(b, i), operand(c, i), InGlobal,
                           several);
    }
    if (op.sub2 == 0) continue;
    if (InShared == &try_swap<T>) old = old == operand(b, i);
    put_result<T>(d, i, old);
  }
  write_predicate(w, op.out[0], ~0u, on);
  note_reading(w);
}

template <class T, Where W, num::Update<T> G, num::Update<T> S = G>
Run handler() {
  return &atomic<T, W, G, S>;
}
template <class T, Where W>
Run find_integer(const Builder& b, bool sign) {
  using Signed = std::make_signed_t<T>;
  if (b.has("CAST")) return b.has("SPIN") ? handler<T, W, &try_swap<T>>() : nullptr;
  if (b.has("CAS")) return handler<T, W, &num::swap_if<T>>();
  if (b.has("EXCH")) return handler<T, W, &num::exchange<T>>();
  if (b.has("ADD")) return handler<T, W, &num::add_to<T>>();
  if (b.has("AND")) return handler<T, W, &num::both<T>>();
  if (b.has("OR")) return handler<T, W, &num::either<T>>();
  if (b.has("XOR")) return handler<T, W, &num::differ<T>>();
  if (b.has("MIN"))
    return sign ? handler<T, W, &num::least<T, Signed>>() : handler<T, W, &num::least<T, T>>();
  if (b.has("MAX"))
    return sign ? handler<T, W, &num::most<T, Signed>>() : handler<T, W, &num::most<T, T>>();
  if (b.has("INC")) return handler<T, W, &num::increment<T>>();
  if (b.has("DEC")) return handler<T, W, &num::decrement<T>>();
  return nullptr;
}
template <Where W>
Run find(Builder& b) {
  const bool add = b.has("ADD");
  b.op.bytes = 4;
  if (b.has("F32"))
    return add ? handler<uint32_t, W, &num::add_to_f32<true>, &num::add_to_f32<false>>() : nullptr;
  if (b.has("F16x2")) return add ? handler<uint32_t, W, &num::add_to_halves<num::F16>>() : nullptr;
  if (b.has("BF16x2"))
    return add ? handler<uint32_t, W, &num::add_to_halves<num::Bf16>>() : nullptr;
  if (b.has("F64")) {
    b.op.bytes = 8;
    return add ? handler<uint64_t, W, &num::add_to_f64>() : nullptr;
  }
  if (b.has("128") || b.has("F16x4") || b.has("F32x2") || b.has("F32x4") || b.has("BF16x4"))
    return nullptr;
  if (b.has("64") || b.has("S64")) {
    b.op.bytes = 8;
    return find_integer<uint64_t, W>(b, b.has("S64"));
  }
  return find_integer<uint32_t, W>(b, b.has("S32"));
}

// Pd, Rd, address, Rb, Rc (ATOM, ATOMG); Rd, address, Rb, Rc (ATOMS); address, Rb (RED, REDG).
bool prepare_atomic(Builder& b) {
  int at = 0;
  while (at < b.in.operand_count && b.operand(at).kind != OperandKind::kAddress) ++at;
  if (at == b.in.operand_count) return false;
  const std::string_view name = b.in.name;
  const bool shared = name == "ATOMS", generic = name == "ATOM";
  if (!address_of(b, at, !shared)) return false;
  b.op.to = 0;
  const Run run = shared    ? find<Where::kShared>(b)
                  : generic ? find<Where::kGeneric>(b)
                            : find<Where::kGlobal>(b);
  if (run == nullptr) return false;
  if (shared && b.has("CAST")) b.op.flags |= kSwapsOnce;
  if (shared && b.has("CAS")) b.op.flags |= kSwaps;
  const int rows = b.op.bytes / 4;
  for (int k = 0; k < at; ++k) {
    const Operand& o = b.operand(k);
    if (o.kind == OperandKind::kPredicate) b.out_predicate(0, k);
    if (o.kind == OperandKind::kRegister) {
      b.to(o, rows);
      b.op.sub2 =
          generic || o.index != kZeroRegister || b.has("CAS") || b.has("CAST") || b.has("EXCH");
    }
  }
  if (b.has("POPC")) {  // ATOMS.POPC.INC.32: every active lane adds one
    Operand one;
    one.kind = OperandKind::kImmediate;
    one.value = 1;
    b.from(1, one);
    b.from(2, one);
    b.op.flags |= kAddsUp;
    return b.run(handler<uint32_t, Where::kShared, &num::add_to<uint32_t>>());
  }
  if (at + 1 >= b.in.operand_count) return false;
  b.from(1, at + 1, Kind::kInteger, rows);
  const bool third = at + 2 < b.in.operand_count && (b.has("CAS") || b.has("CAST"));
  b.from(2, third ? at + 2 : at + 1, Kind::kInteger, rows);
  return b.run(run);
}

}  // namespace

const std::vector<Semantics>& atomic_semantics() {
  static const std::vector<Semantics> all = {{"ATOM", &prepare_atomic},
                                             {"ATOMG", &prepare_atomic},
                                             {"ATOMS", &prepare_atomic},
                                             {"RED", &prepare_atomic},
                                             {"REDG", &prepare_atomic}};
  return all;
}

}  // namespace lockstep::emulator::sass
