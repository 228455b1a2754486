// SPDX-License-Identifier: Apache-2.0
// The decoded program of one kernel: dense instructions with handlers, and everything about them
// that execution needs. Made by decoder.h from a Module, read-only afterwards, shared by threads.
//
// A warp's registers live in a frame: bytes at 64-byte alignment in which every register is an
// array of 32 lanes (16, 32 or 64 bits each), and a predicate one 32-bit mask. Constants and
// special registers are arrays in the frame as well, so that a handler finds every operand at
// `frame + offset`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

struct Warp;
struct Instr;

// Executes one instruction for the lanes in mask (never 0).
using Handler = void (*)(const Instr& in, Warp& w, uint32_t mask);

// What the interpreter itself does; kPlain: calls the handler.
enum class Control : uint8_t {
  kPlain,
  kEnter,   // first of every block: reconvergence, step budget
  kBranch,  // imm: target
  kTable,   // brx.idx: o[0] index, imm: first of tables, count of them in o[3]
  kCall,    // aux: into calls
  kReturn,  // end of a device function
  kExit,
  kTrap,
  kSync,     // shfl, vote, match, redux, bar.warp: meets other groups of the warp by mask
  kBarrier,  // bar, barrier of the block
  kYield,    // nanosleep
  kGiveWay,  // behind what others may have changed meanwhile: the next turn is another warp's
};

// How the operands of a plain instruction are meant, for those who follow values (watch/).
enum class Role : uint8_t {
  kCompute,  // o[0] is made of the others
  kTest,     // the same: the predicate o[0]
  kSelect,   // o[0] is o[1] or o[2], by the predicate o[3]
  kUnpack,   // o[0], o[2], o[3], o[4] are pieces of o[1]
  kCompare,  // predicates o[0] and o[3] of o[1], o[2]
  kLoad,     // o[0..count) from the address o[4]
  kStore,    // o[0..count) to the address o[4]
  kAtomic,   // o[1], o[2] to the address o[4], o[0] what was there
  kFence,    // orders memory for other blocks
  kNone,     // makes no value
};

inline constexpr uint8_t kFlagControl = 1;
inline constexpr uint8_t kFlagGuarded = 2;
inline constexpr uint32_t kNoOperand = ~0u;
// o[2] of a branch.
inline constexpr uint32_t kBackEdge = 1;   // when taken
inline constexpr uint8_t kLastReturn = 1;  // sub of a kEnter: the block only ends the kernel

struct Instr {
  Handler run = nullptr;
  uint32_t o[6] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
  int64_t imm = 0;          // address offset, branch target (index into code), ...
  uint32_t guard = 0;       // predicate's offset in the frame
  uint32_t guard_flip = 0;  // xored into it: all ones for @!p
  uint32_t number = 0;      // into Program::instructions
  uint32_t aux = 0;         // memory: its slot; block: its number; call: into calls
  uint8_t flags = 0;
  Control control = Control::kPlain;
  uint8_t count = 0;  // vector elements
  uint8_t sub = 0;    // what else a handler wants to know
  uint16_t wide = 0;  // second such
  Role role = Role::kCompute;
};
static_assert(sizeof(Instr) == 64);

// Where a source line came from.
struct SourcePlace {
  int file = 0, line = 0;
};

// One PTX instruction of the kernel or of a function that it calls.
struct InstructionInfo {
  std::string opcode;   // "ld.global.v4.f32"
  int ptx_line = 0;     // 1-based line of the PTX text
  SourcePlace source;   // from .loc, innermost
  SourcePlace student;  // the line outside of the toolkit that brought it here
  std::vector<int>
      callers;  // of that file, the lines that called what was inlined; innermost first
};

struct BlockInfo {
  uint32_t enter = 0;  // index of its kEnter
  uint32_t size = 0;   // PTX instructions
};

// A loop that lanes may leave while others of their group meet within it (joins.h).
struct LeftLoop {
  uint32_t first_block = 0;
  std::vector<bool> blocks;
  bool contains(uint32_t block) const {
    return block >= first_block && block - first_block < blocks.size() &&
           blocks[block - first_block];
  }
};

struct CallInfo {
  uint32_t function = 0;  // into Program::functions; kIndirect: o[0] holds the address
  static constexpr uint32_t kIndirect = ~0u;
  struct Piece {
    uint32_t offset = 0, words = 0;  // of the frame; words of 32 bits
  };
  std::vector<Piece> in_pieces, out_pieces;  // the caller's arguments and results
};

struct FunctionInfo {
  std::string name;
  uint32_t entry = 0;        // index of its first kEnter
  uint32_t end = 0;          // index of the kEnter of its last block: return or exit
  uint32_t local_bytes = 0;  // .local variables, a lane
  std::vector<CallInfo::Piece> parameters, results;
  std::vector<uint32_t> zeroed;       // offsets of registers that may be read before written
  std::vector<uint8_t> zeroed_width;  // bytes a lane; 0: predicate
  // Where things lie, for those who show them (debug/); empty where the module has no debug
  // information.
  uint32_t function = 0;            // into Module::functions
  uint32_t first_instruction = 0;   // into Program::instructions
  std::vector<uint32_t> registers;  // by register: offset in the frame, or kNoOperand
  std::vector<uint32_t> variables;  // by variable: offset in its space, or kNoOperand
};

// Special registers that are arrays of the frame.
enum class Special : uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneid,
  kWarpid,
  kNwarpid,
  kSmid,
  kNsmid,
  kGridid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kDynamicSharedSize,
  kTotalSharedSize,
  kZero,
  kCount,
};

struct Program {
  std::string kernel;  // mangled
  std::vector<Instr> code;
  std::vector<FunctionInfo> functions;  // [0]: the kernel
  std::vector<uint32_t> function_of;    // by function of the module: into functions, or ~0
  std::vector<CallInfo> calls;
  std::vector<uint32_t> tables;  // of brx.idx: index into code
  std::vector<BlockInfo> blocks;
  std::vector<LeftLoop> left_loops;

  uint32_t frame_bytes = 0;
  struct Constant {
    uint32_t offset = 0;
    uint8_t bytes = 4;  // 2, 4, 8; 0: predicate
    uint64_t bits = 0;
  };
  std::vector<Constant> constants;
  std::vector<std::pair<Special, uint32_t>> specials;

  struct Parameter {
    uint32_t offset = 0, bytes = 0, alignment = 1;
  };
  std::vector<Parameter> parameters;
  uint32_t parameter_bytes = 0;
  uint32_t static_shared_bytes = 0;
  bool uses_dynamic_shared = false;
  struct SharedVariable {
    std::string name;
    uint32_t offset = 0, bytes = 0;
  };
  std::vector<SharedVariable> shared_variables;
  // By variable of the module: offset in shared memory, or kNoOperand; empty without debug
  // information.
  std::vector<uint32_t> module_shared;
  int shadow_shift = 2;  // race checks of shared memory work on units of 1 << shift bytes
  int global_shift = 2;  // those of global memory on these

  std::vector<InstructionInfo> instructions;
  std::vector<std::string> files;
  struct Access {  // by memory slot (Instr::aux)
    Space space = Space::kNone;
    uint32_t bytes = 0;  // of an element
    // Of shared memory, where the address is made of one variable's: into shared_variables.
    int variable = -1;
  };
  std::vector<Access> accesses;  // each remembers the array that it reached last
  bool takes_turns = false;      // what others left in global memory may decide who does what
};

}  // namespace lockstep::emulator
