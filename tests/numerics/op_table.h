// SPDX-License-Identifier: Apache-2.0
// The table of PTX operations under test: each with its PTX text, the kinds of its operands, and
// the function of emulator/numerics/ that stands for it. From one table come the kernels that a
// card ran, those that the emulator runs, and the direct calls; all see the same operands.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lockstep::emulator::num {

// What a register holds: sets its width and which operands are tried.
enum class Kind : uint8_t {
  kNone,
  kF16,
  kBf16,
  kF16x2,
  kBf16x2,
  kF32,
  kF64,
  kB16,
  kB32,
  kB64,
  kCount,     // 32-bit shift counts, positions and lengths
  kSelector,  // 32-bit selectors of prmt
};
int width_of(Kind kind);  // bytes; 0 for kNone
const char* name_of(Kind kind);

// `compute` gets the operands' bits, zero-extended, and gives the result's (higher bits ignored).
using Compute = std::function<uint64_t(uint64_t a, uint64_t b, uint64_t c)>;

struct Op {
  std::string name;  // unique, usually the PTX opcode
  // PTX statements with %a %b %c for the operands, %d for the result; %t0 %t1 (b32), %u0 (b64),
  // %h0 %h1 (b16), %p and %q (predicates) are free.
  std::string code;
  Kind d = Kind::kB32, a = Kind::kNone, b = Kind::kNone, c = Kind::kNone;
  Compute compute;

  int arity() const { return c != Kind::kNone ? 3 : b != Kind::kNone ? 2 : 1; }
  Kind kind(int position) const { return position == 0 ? a : position == 1 ? b : c; }
};

const std::vector<Op>& all_ops();

// The parts of the table, a family a file.
void add_float32_ops(std::vector<Op>& ops);
void add_float64_ops(std::vector<Op>& ops);
void add_half_ops(std::vector<Op>& ops);
void add_compare_ops(std::vector<Op>& ops);
void add_approx_ops(std::vector<Op>& ops);
void add_integer_ops(std::vector<Op>& ops);
void add_bit_ops(std::vector<Op>& ops);
void add_convert_ops(std::vector<Op>& ops);
void add_carry_ops(std::vector<Op>& ops);

// How many operand tuples an operation is tried on.
int count_of(const Op& op);
// Operand `index` at `position` of an operation of `arity` whose operands are all of `kind`.
uint64_t operand(Kind kind, int position, int arity, int index);

// The module with one kernel an operation, op_0, op_1, ... Each takes (a, b, c, d pointers to
// arrays of the operands' width, u32 count) and computes element by element.
std::string write_ptx(const std::vector<Op>& ops);

}  // namespace lockstep::emulator::num
