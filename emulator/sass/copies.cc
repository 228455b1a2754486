// SPDX-License-Identifier: Apache-2.0
// LDGSTS, copies from global to shared memory: done at once, so that the waits behind them have
// nothing to do.
#include "emulator/sass/memory_global.h"
#include "emulator/sass/memory_shared.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

// Source 0: the address in global memory; 1 and Op::to: that in shared memory. A lane for which
// in[0] does not hold stores zeros and reads nothing. With .ZFILL (Op::sub) the low bits of the
// address say how many of the last bytes are zeros.
template <int Bytes>
void copy_to_shared(const Op& op, Warp& w, uint32_t on) {
  alignas(64) uint32_t data[32 * Bytes / 4] = {};
  const uint32_t read_by = on & read(op.in[0], w);
  Lanes l;
  find_addresses(op, w, l);
  uint8_t zeros[32] = {};
  for (int i = 0; i < 32 && op.sub != 0; ++i) {
    zeros[i] = static_cast<uint8_t>(l.address[i] % Bytes);
    l.address[i] -= zeros[i];
  }
  if (read_by == 0) {
    ++w.worker->accesses[op.access].requests;
  } else {
    l.mask = read_by;
    if (Pattern* p = find_global_pattern(op, w, l); p != nullptr)
      count_pattern(op, w, *p, l.address[p->first], false);
    else
      count_lanes(op, w, l, false);
    for (uint32_t rest = read_by; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      std::byte bytes[Bytes] = {};
      std::memcpy(bytes, lane_place(op, w, l, i, false), static_cast<size_t>(Bytes - zeros[i]));
      take<Bytes, false>(data, i, bytes);
    }
  }
  const uint32_t* to = row(op.source[1], w);
  for (int i = 0; i < 32; ++i) l.address[i] = shared_offset(to[i] + op.to);
  l.mask = on;
  store_to_shared<Bytes>(op, w, l, data);
}
// [shared], [global], P.
bool prepare_ldgsts(Builder& b) {
  const int bytes = width_of(b);
  const Operand& to = b.operand(0);
  if (to.kind != OperandKind::kAddress || to.has_uniform || !to.part.empty() ||
      !address_of(b, 1, true))
    return false;
  Operand base;
  base.kind = OperandKind::kRegister;
  base.index = to.index;
  b.from(1, base);
  b.op.to = static_cast<uint32_t>(to.value) + (b.sm < 90 ? kSharedFirst : 0);
  if (b.in.operand_count > 2) b.in_predicate(0, 2);
  b.op.sub = b.has("ZFILL");
  b.op.bytes = static_cast<uint8_t>(bytes);
  b.op.flags |= b.has("BYPASS") ? kPassesL1 : 0;
  return b.run(bytes == 4   ? &copy_to_shared<4>
               : bytes == 8 ? &copy_to_shared<8>
                            : &copy_to_shared<16>);
}
bool prepare_none(Builder& b) { return b.run(nullptr); }

}  // namespace

const std::vector<Semantics>& copy_semantics() {
  static const std::vector<Semantics> all = {{"LDGSTS", &prepare_ldgsts},
                                             {"LDGDEPBAR", &prepare_none}};
  return all;
}

}  // namespace lockstep::emulator::sass
