// SPDX-License-Identifier: Apache-2.0
// Machine code made ready to run: one Op an instruction, a function and where its operands are.
// Sources are rows of 32 lanes: registers and uniform registers of the warp, or rows of the code's
// own that hold an immediate or a word of a constant bank in every lane.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/cubin/cubin.h"
#include "emulator/sass/instruction.h"
#include "emulator/sass/machine.h"

namespace lockstep::emulator::sass {

// A row: bytes from the first of the warp's, or, with bit 0 set, from the first of the code's own.
struct Source {
  static constexpr uint32_t kOfCode = 1;
  uint32_t where = 0;
};

// What is done to a source before it is used.
struct Change {
  uint32_t keep = ~0u, flip = 0;  // of the row, of 64 bits of the upper one
  uint8_t rows = 1;
  bool minus = false;  // two's complement
};

struct Predicate {
  uint8_t index = kTruePredicate8;
  uint8_t flip = 0;  // 0 or 255
};

struct Changes;
using Run = void (*)(const Op& op, Warp& w, uint32_t on);

inline constexpr uint32_t kNoAccess = ~0u;
// Where functions have their addresses that are in no cubin.
inline constexpr uint64_t kOutside = uint64_t{1} << 40;

struct alignas(64) Op {
  Run run = nullptr;  // nullptr: nothing to do
  Source source[4];
  uint32_t to = 0;  // destination row: bytes from the warp's first register
  uint32_t access = kNoAccess;
  int64_t value = 0;    // immediate, offset; WithChanges: its Changes
  int32_t target = -1;  // instruction
  Predicate guard;
  Predicate in[3];
  uint8_t out[2] = {kNoPredicate, kNoPredicate};
  uint8_t sub = 0, sub2 = 0;  // the handler's own
  uint16_t flags = 0;
  uint8_t bytes = 0;     // memory: of a lane
  bool always = false;   // it acts even where no lane has its guard on
  bool widen = false;    // lanes of a uniform destination are one
  uint8_t together = 0;  // from here on so many without guards, none of which steers
};
static_assert(sizeof(Op) == 64);  // a line of the processor's cache

// Its sources are changed into rows of the warp's own, then `op` runs.
struct Changes {
  Op op;
  int count = 0;
  struct {
    uint8_t source = 0;
    Change change;
  } of[4];
};
inline constexpr uint32_t kChangedRows = 8;

class Pool;
class Decisions;

struct SourcePlace {
  std::string file;
  int line = 0;  // 0: not known
};

// What an instruction reads and writes: rows of registers and uniform ones, then predicates.
struct Flow {
  static constexpr uint16_t kPredicates = 520, kPlaces = 560, kNone = 0xffff;
  std::vector<uint16_t> reads, writes, address;
  uint16_t guard = kNone;
};

struct Code {
  std::string kernel;
  int sm = 0;
  std::vector<Instruction> instructions;
  std::vector<Op> ops;
  uint32_t registers = 0;  // rows: general ones and 4 that nobody reads
  uint32_t rows = 0;       // with uniform ones; behind them those of changed sources
  uint32_t accesses = 0;
  std::string why_not;  // not empty: cannot be executed; says why
  bool has_gaps =
      false;  // may come to what is not executed: an opcode, a function outside of the cubin
  std::vector<Flow> flows;
  std::vector<uint8_t> dependence;  // by instruction (order.h)
  bool hangs_on_order = false;      // of some instruction whether it is executed may
  std::vector<std::pair<int, int>>
      indirect;                     // branches and where they may go, by instruction, in order
  std::vector<SourcePlace> places;  // by instruction: the student's line, for faults
  std::vector<bool> asks_width;     // by instruction: ptx/width_questions.h
  std::vector<SourcePlace> lines;   // by instruction: the innermost line, for counts
  std::map<uint8_t, std::vector<std::byte>> banks;  // constant banks; 0 is filled at launch
  std::shared_ptr<Pool> pool;
  std::shared_ptr<Decisions> decisions;  // once it has been executed
};

// The address of a symbol; nothing where it has none.
using Resolve = std::function<std::optional<uint64_t>(const std::string&)>;
// Decodes a kernel; never throws for a cubin that was read.
std::unique_ptr<Code> make_code(const Cubin& cubin, const std::string& kernel,
                                const Resolve& resolve);
// Whether an instruction has a meaning here; coming to one that has none throws NotExecuted.
bool is_known(const Code& code, size_t instruction);
// Before a launch: constant bank 0, and the rows that hold words of constant banks. stack: address
// above it; local, shared: first generic addresses of these spaces.
void set_constants(Code* code, const Dim3& grid, const Dim3& block,
                   const std::vector<std::byte>& parameters, uint64_t stack, uint64_t local,
                   uint64_t shared);

template <class T = uint32_t>
[[gnu::always_inline]] inline const T* row(const Source& s, const Warp& w) {
  return reinterpret_cast<const T*>(__builtin_assume_aligned(
      reinterpret_cast<const char*>(w.rows[s.where & Source::kOfCode] + s.where), 64));
}
[[gnu::always_inline]] inline uint32_t* to_row(const Op& op, Warp& w, int more = 0) {
  return reinterpret_cast<uint32_t*>(
      __builtin_assume_aligned(reinterpret_cast<char*>(w.registers) + op.to + 128 * more, 64));
}
[[gnu::always_inline]] inline uint32_t read(const Predicate& p, const Warp& w) {
  return w.predicates[p.index] ^ static_cast<uint32_t>(int32_t{static_cast<int8_t>(p.flip)});
}
[[gnu::always_inline]] inline void write_predicate(Warp& w, uint8_t index, uint32_t bits,
                                                   uint32_t on) {
  uint32_t& p = w.predicates[index];
  p = (p & ~on) | (bits & on);
}

}  // namespace lockstep::emulator::sass
