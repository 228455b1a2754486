// SPDX-License-Identifier: Apache-2.0
#include "emulator/exec/shared_bounds.h"

#include <bit>

#include "emulator/check/memory_faults.h"

namespace lockstep::emulator {
namespace {

// Of the variable that the access is to, where it is known.
void check_variable(const Instr& in, const Warp& w, const Lanes& l, uint32_t bytes, bool store) {
  const Program& program = *w.worker->program;
  const int number = program.accesses[in.aux].variable;
  if (number < 0) return;
  const Program::SharedVariable& v = program.shared_variables[static_cast<size_t>(number)];
  uint64_t outside = 0;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1)
    outside |=
        static_cast<uint64_t>(l.address[std::countr_zero(rest)] - v.offset + bytes > v.bytes);
  if (outside == 0) return;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (l.address[lane] - v.offset + bytes > v.bytes)
      shared_variable_fault(in, w, lane, v, l.address[lane], bytes, store);
  }
}

}  // namespace

bool run_is_inside(const Instr& in, const Warp& w, const Lanes& l, uint32_t bytes) {
  const Program& program = *w.worker->program;
  const int number = program.accesses[in.aux].variable;
  uint64_t begin = 0, end = w.block->shared.bytes();
  if (number >= 0) {
    const Program::SharedVariable& v = program.shared_variables[static_cast<size_t>(number)];
    begin = v.offset;
    end = uint64_t{v.offset} + v.bytes;
  }
  const uint64_t first = l.address[l.first];
  return l.run && first >= begin && first + static_cast<uint64_t>(l.active) * bytes <= end &&
         (first & (bytes - 1)) == 0;
}

void check_bounds(const Instr& in, const Warp& w, const Lanes& l, uint32_t bytes, bool store) {
  check_variable(in, w, l, bytes, store);
  const uint64_t size = w.block->shared.bytes();
  const uint64_t one = l.address[l.first], two = l.address[l.first + l.active - 1];
  if (l.regular && one < size && two < size && l.stride + size < 2 * size && one + bytes <= size &&
      two + bytes <= size && ((one | l.stride) & (bytes - 1)) == 0)
    return;
  for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t offset = l.address[lane];
    if (offset + bytes > size) shared_bounds_fault(in, w, lane, offset, bytes, store);
    if ((offset & (bytes - 1)) != 0) shared_alignment_fault(in, w, lane, offset, bytes, store);
  }
}

}  // namespace lockstep::emulator
