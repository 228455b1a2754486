// SPDX-License-Identifier: Apache-2.0
// Just enough of SASS (CC 8.0 to 12.x, 16 bytes an instruction) to count with: what kind of
// operation an instruction is, whether it has a guard, where a branch goes; and the basic blocks
// of a .text section. Of operands only addresses are decoded. Encodings were checked against
// nvdisasm's output for sm_80, 86, 89, 90, 100 and 120.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::emulator {

enum class SassKind : uint8_t {
  kOther,
  kNop,
  kBranch,
  kBranchDivergent,
  kBranchConvergent,
  kBranchIndirect,
  kCall,
  kReturn,
  kExit,
  kSetSync,
  kSync,
  kBreak,
  kEndCollective,
  kWarpSync,
  kBarrier,
  kShuffle,
  kVote,
  kMatch,
  kGlobalLoad,
  kGlobalStore,
  kGlobalAtomic,
  kSharedLoad,
  kSharedStore,
  kSharedAtomic,
  kLocalLoad,
  kLocalStore,
  kGenericLoad,
  kGenericStore,
  kGenericAtomic,
  kAsyncCopy,
  kConstLoad,
};

struct SassInstruction {
  uint16_t opcode = 0;  // low 12 bits
  SassKind kind = SassKind::kOther;
  bool guarded = false;       // has a predicate, or a branch condition
  uint8_t guard = 7;          // predicate, and 8 if negated; 7: none
  bool never = false;         // guard is !PT
  bool reduces = false;       // an atomic operation without a result
  bool empties_l1 = false;    // CCTL.IVALL
  bool exclusive = false;     // a warp sync after which lanes that name different masks go on apart
  bool collective = false;    // a warp sync up to whose kEndCollective one acts for all
  uint8_t bytes = 0;          // a lane, of a memory operation; 0: unknown
  uint8_t base = 0;           // of a memory operation: address register,
  int32_t offset = 0;         // and what is added to it
  bool second_guard = false;  // a branch that needs another predicate, too
  uint8_t writes = 0;         // predicates that it may write, as bits
  uint8_t relation = 0;    // of a comparison: bit 0 less, 1 equal, 2 greater, 3 unordered; 0: none
  bool immediate = false;  // of a comparison: with a constant
  int64_t target = -1;     // of a branch, call, or set-sync: instruction index; -1: none
};

// code: whole instructions; sm: 90 for sm_90.
std::vector<SassInstruction> decode_sass(std::string_view code, int sm);

struct SassEdge {
  int from = -1, to = -1;  // blocks; to == -1: leaves the function (exit or return)
  bool taken = false;      // else the fall through
  bool cold = false;       // goes only where a warp has diverged at a shuffle or vote
};

struct SassBlock {
  int first = 0, last = 0;   // instructions [first, last)
  int function = 0;          // index into SassGraph::functions
  std::vector<int> in, out;  // edges
  int call = -1;             // function called by the last instruction; -1: none
  int sync_of = -1;          // a block right after a sync: the block that set it; -1: none
  int depth = 0;             // nesting of loops
};

struct SassFunction {
  int entry = 0;            // block
  int first = 0, last = 0;  // instructions
  bool internal = false;    // ptxas's own: a slow path of division, say
};

struct SassGraph {
  std::vector<SassInstruction> code;
  std::vector<SassBlock> blocks;  // by address
  std::vector<SassEdge> edges;
  std::vector<SassFunction> functions;  // [0]: the kernel
  std::vector<int> block_of;            // by instruction
};

// starts: instruction indices at which known device functions begin; call targets beside them
// are ptxas's own routines.
// indirect: targets of indirect branches, (branch, target), as instruction indices.
SassGraph build_sass_graph(std::vector<SassInstruction> code, const std::vector<int>& starts,
                           const std::vector<std::pair<int, int>>& indirect);

}  // namespace lockstep::emulator
