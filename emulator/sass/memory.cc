// SPDX-License-Identifier: Apache-2.0
// Loads and stores: the handlers, and how addresses are written.
#include "emulator/sass/memory_global.h"
#include "emulator/sass/memory_local.h"
#include "emulator/sass/memory_shared.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// ---- the handlers

enum class Where : uint8_t { kGlobal, kShared, kLocal, kGeneric };

// Lanes of a generic access by the window that they reach.
struct Parts {
  uint32_t global = 0, shared = 0, local = 0;
};
Parts split(Lanes& l, uint32_t on) {
  Parts p;
  for (uint32_t rest = on; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const uint64_t upper = l.address[i] >> 32;
    if (upper == shared_window()) {
      p.shared |= 1u << i;
      l.address[i] = shared_offset(static_cast<uint32_t>(l.address[i]));
    } else if (upper == local_window()) {
      p.local |= 1u << i;
      l.address[i] = static_cast<uint32_t>(l.address[i]);
    } else {
      p.global |= 1u << i;
    }
  }
  return p;
}

Parts whole(Where where, uint32_t on) {
  Parts p;
  (where == Where::kLocal ? p.local : p.global) = on;
  return p;
}

template <Where W, int Bytes, bool Signed>
struct Load {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    if (W != Where::kGeneric && (op.flags & kOrders) != 0) note_reading(w);
    uint64_t first;
    if constexpr (W == Where::kShared) {
      Pattern& p = find_shared_pattern(op, w, on, &first);
      return load_from_shared<Bytes, Signed>(op, w, p, first);
    }
    if constexpr (W == Where::kGlobal)
      if (Pattern* p = find_global_pattern(op, w, on, &first);
          p != nullptr && load_pattern<Bytes, Signed>(op, w, *p, first))
        return;
    Lanes l;
    find_addresses(op, w, l);
    const Parts p = W == Where::kGeneric ? split(l, on) : whole(W, on);
    if (p.global != 0) l.mask = p.global, load_from_global<Bytes, Signed>(op, w, l);
    if (p.shared != 0) l.mask = p.shared, load_from_shared<Bytes, Signed>(op, w, l);
    if (p.local != 0) l.mask = p.local, load_from_local<Bytes, Signed>(op, w, l);
  }
};
template <Where W, int Bytes>
struct Store {
  LOCKSTEP_INLINE static void run(const Op& op, Warp& w, uint32_t on) {
    uint64_t first;
    if constexpr (W == Where::kShared) {
      Pattern& p = find_shared_pattern(op, w, on, &first);
      return store_to_shared<Bytes>(op, w, p, first, row(op.source[1], w));
    }
    if constexpr (W == Where::kGlobal)
      if (Pattern* p = find_global_pattern(op, w, on, &first);
          p != nullptr && store_pattern<Bytes>(op, w, *p, first))
        return;
    Lanes l;
    find_addresses(op, w, l);
    const Parts p = W == Where::kGeneric ? split(l, on) : whole(W, on);
    if (p.global != 0) l.mask = p.global, store_to_global<Bytes>(op, w, l);
    if (p.shared != 0) l.mask = p.shared, store_to_shared<Bytes>(op, w, l, row(op.source[1], w));
    if (p.local != 0) l.mask = p.local, store_to_local<Bytes>(op, w, l);
  }
};

template <Where W>
Run find_load(int bytes, bool sign) {
  switch (bytes) {
    case 1:
      return sign ? pick<Load<W, 1, true>>() : pick<Load<W, 1, false>>();
    case 2:
      return sign ? pick<Load<W, 2, true>>() : pick<Load<W, 2, false>>();
    case 4:
      return pick<Load<W, 4, false>>();
    case 8:
      return pick<Load<W, 8, false>>();
    default:
      return pick<Load<W, 16, false>>();
  }
}
template <Where W>
Run find_store(int bytes) {
  switch (bytes) {
    case 1:
      return pick<Store<W, 1>>();
    case 2:
      return pick<Store<W, 2>>();
    case 4:
      return pick<Store<W, 4>>();
    case 8:
      return pick<Store<W, 8>>();
    default:
      return pick<Store<W, 16>>();
  }
}

Where where_of(std::string_view name) {
  const char last = name.back();
  return last == 'G'   ? Where::kGlobal
         : last == 'S' ? Where::kShared
         : last == 'L' ? Where::kLocal
                       : Where::kGeneric;
}

void note_kind(Builder& b) {
  if (b.has("STRONG") || b.has("MMIO")) {
    b.op.flags |= kOrders;
    if (!b.has("SM") && !b.has("CTA")) b.op.flags |= kPassesL1;
  }
  if (b.has("LU") || b.has("NA")) b.op.flags |= kLeavesL1;
}

// Rd, address.
bool prepare_load(Builder& b) {
  const int bytes = width_of(b);
  const Where where = where_of(b.in.name);
  int at = 1;
  while (at < b.in.operand_count && b.operand(at).kind != OperandKind::kAddress) ++at;
  if (at == b.in.operand_count) return false;
  int to = 0;
  while (to < at && b.operand(to).kind != OperandKind::kRegister) ++to;
  b.to(to, (bytes + 3) / 4);
  if (!address_of(b, at, where == Where::kGlobal || where == Where::kGeneric)) return false;
  b.op.bytes = static_cast<uint8_t>(bytes);
  note_kind(b);
  const bool sign = b.has("S8") || b.has("S16");
  switch (where) {
    case Where::kGlobal:
      return b.run(find_load<Where::kGlobal>(bytes, sign));
    case Where::kShared:
      return b.run(find_load<Where::kShared>(bytes, sign));
    case Where::kLocal:
      return b.run(find_load<Where::kLocal>(bytes, sign));
    default:
      return b.run(find_load<Where::kGeneric>(bytes, sign));
  }
}

// address, Rs.
bool prepare_store(Builder& b) {
  const int bytes = width_of(b);
  const Where where = where_of(b.in.name);
  if (!address_of(b, 0, where == Where::kGlobal || where == Where::kGeneric)) return false;
  b.from(1, 1, Kind::kInteger, bytes <= 4 ? 1 : bytes / 4);
  b.op.bytes = static_cast<uint8_t>(bytes);
  note_kind(b);
  switch (where) {
    case Where::kGlobal:
      return b.run(find_store<Where::kGlobal>(bytes));
    case Where::kShared:
      return b.run(find_store<Where::kShared>(bytes));
    case Where::kLocal:
      return b.run(find_store<Where::kLocal>(bytes));
    default:
      return b.run(find_store<Where::kGeneric>(bytes));
  }
}

// ---- the rest

// Pd, Pe, address: whether it lies in the window of the space named (S, L, or G: neither).
void query_space(const Op& op, Warp& w, uint32_t on) {
  Lanes l;
  find_addresses(op, w, l);
  uint32_t holds = 0;
  for (int i = 0; i < 32; ++i) {
    const uint64_t upper = l.address[i] >> 32;
    const bool shared = upper == shared_window(), local = upper == local_window();
    const bool here = op.sub == 0 ? shared : op.sub == 1 ? local : !shared && !local;
    holds |= static_cast<uint32_t>(here) << i;
  }
  write_predicate(w, op.out[0], holds, on);
}
bool prepare_qspc(Builder& b) {
  b.out_predicate(0, 0);
  int at = 0;
  while (at < b.in.operand_count && b.operand(at).kind != OperandKind::kAddress) ++at;
  if (at == b.in.operand_count || !address_of(b, at, true)) return false;
  b.op.sub = b.has("S") ? 0 : b.has("L") || b.has("D") ? 1 : 2;
  return b.run(&query_space);
}

void empty_l1(const Op& op, Warp& w, uint32_t) {
  if (w.worker->l1 != nullptr) w.worker->l1->invalidate(static_cast<int>(w.index), op.access);
}
void prefetch(const Op& op, Warp& w, uint32_t on) {
  Lanes l;
  find_addresses(op, w, l);
  for (uint64_t& address : l.address) address &= ~uint64_t{31};
  w.worker->accesses[op.access].sectors += distinct_sectors(l.address, on);
}
bool prepare_cctl(Builder& b) {
  b.accesses = true;
  if (b.has("IVALL")) return b.run(&empty_l1);
  if (!b.has("PF1") && !b.has("PF2")) return false;
  return address_of(b, 0, true) && b.run(&prefetch);
}
bool prepare_fence(Builder& b) { return b.run(nullptr); }

}  // namespace

uint64_t shared_window() { return (first_window() >> 32) + 2; }
uint64_t local_window() { return (first_window() >> 32) + 3; }

// ---- by the lanes' addresses

Pattern& find_pattern(const Op& op, Warp& w, const Lanes& l, uint32_t place_bits) {
  alignas(64) uint32_t low[32];
  for (int i = 0; i < 32; ++i) low[i] = static_cast<uint32_t>(l.address[i]);
  const auto place = static_cast<uint32_t>(l.address[std::countr_zero(l.mask)]) & place_bits;
  return w.worker->patterns.find(low, l.mask, place, op.access, op.bytes);
}
Pattern* find_global_pattern(const Op& op, Warp& w, const Lanes& l) {
  Pattern& p = find_pattern(op, w, l, 127);
  uint64_t different = 0;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    different |= l.address[i] ^ p.address(l.address[p.first], i);
  }
  return different == 0 ? &p : nullptr;
}
void count_lanes(const Op& op, Warp& w, const Lanes& l, bool store) {
  Accesses& c = w.worker->accesses[op.access];
  ++c.requests;
  const AccessLines lines = w.worker->l1->split(l.address, l.mask);
  c.conflict_eighths +=
      w.worker->l1->bank_conflict_eighths(l.address, l.mask, op.bytes, lines.count);
  count_lines(op, w, lines, 0, l.mask, store);
}
void fault_in_shared(const Op& op, Warp& w, const Pattern& p, uint64_t first, bool store) {
  for (uint32_t rest = p.mask; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    const uint64_t offset =
        shared_offset(static_cast<uint32_t>(p.address(first, i) + kSharedFirst));
    if (offset + op.bytes > w.block->shared.size() || (offset & (op.bytes - 1u)) != 0)
      shared_fault(w, i, offset, op.bytes, store);
  }
}

void note_reading(Warp& w) { w.spins = true; }

int width_of(const Builder& b) {
  if (b.has("U8") || b.has("S8")) return 1;
  if (b.has("U16") || b.has("S16")) return 2;
  return b.has("64") ? 8 : b.has("128") ? 16 : 4;
}
bool address_of(Builder& b, int i, bool wide) {
  const Operand& o = b.operand(i);
  if (o.kind != OperandKind::kAddress) return false;
  Operand base;
  base.kind = OperandKind::kRegister;
  base.index = o.index;
  const bool pair = wide && o.part != "U32";
  b.from(0, base, Kind::kInteger, pair ? 2 : 1);
  b.op.value = o.value;
  // Before CC 9.0 a block's shared memory begins at address 0.
  if (b.sm < 90 && (b.in.name == "LDS" || b.in.name == "STS" || b.in.name == "ATOMS"))
    b.op.value += kSharedFirst;
  b.op.flags |= wide ? kWideAddress : 0;
  const int scale = o.part == "X4" ? 2 : o.part == "X8" ? 3 : o.part == "X16" ? 4 : 0;
  if (scale != 0 && wide) return false;
  b.op.flags = static_cast<uint16_t>(b.op.flags | scale << kScaleShift);
  if (pair) b.op.flags |= kWideRegister;
  if (o.uniform != kZeroUniform) {
    Operand more;
    more.kind = OperandKind::kUniform;
    more.index = o.uniform;
    if (pair && o.index != kZeroRegister) return false;
    b.from(3, more, Kind::kInteger, wide ? 2 : 1);
    b.op.flags |= kUniformAdded;
  }
  b.flow.address = b.flow.reads;
  b.flow.reads.clear();
  b.accesses = true;
  return true;
}

const std::vector<Semantics>& memory_semantics() {
  static const std::vector<Semantics> all = {
      {"LDG", &prepare_load},  {"LDS", &prepare_load},     {"LDL", &prepare_load},
      {"LD", &prepare_load},   {"STG", &prepare_store},    {"STS", &prepare_store},
      {"STL", &prepare_store}, {"ST", &prepare_store},     {"QSPC", &prepare_qspc},
      {"CCTL", &prepare_cctl}, {"MEMBAR", &prepare_fence},
  };
  return all;
}

}  // namespace lockstep::emulator::sass
