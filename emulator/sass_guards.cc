// SPDX-License-Identifier: Apache-2.0
// In the order of trust: the branch under the same guard, the PTX instruction behind the guarded
// one, the comparison that wrote the guard, neighbours under the same guard, and what is usual.
#include "emulator/sass_guards.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::emulator {
namespace {

// Of the lanes of a guarded instruction that no PTX guard explains this share is on: corrections
// within a division, scaling of denormal operands (0 to 0.08 in what was measured) ...
constexpr double kCorrections = 0.05;
// ... and one side of a selection.
constexpr double kSelections = 0.5;
// Instructions under one guard are looked for so far.
constexpr int kNear = 64;

// Done once for a warp (UIADD3, ULEA, ...): its guard is on for all lanes or for none.
bool is_uniform(const SassInstruction& in) {
  const int operation = in.opcode & 0x1FF;
  return operation >= 0x080 && operation < 0x0C0 && in.kind != SassKind::kVote;
}

bool same_guard(const SassInstruction& a, const SassInstruction& b) {
  return a.guard == b.guard && is_uniform(a) == is_uniform(b);
}

bool has_corrections(const std::string& opcode) {
  for (const char* root :
       {"div", "rem", "rcp", "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "tanh", "cvt"}) {
    if (opcode.rfind(root, 0) == 0) return true;
  }
  return false;
}

bool writes_guard(const SassInstruction& in, const SassInstruction& guarded) {
  return (in.writes >> (guarded.guard & 7) & 1) != 0;
}

// "setp.geu.f32": 14, as SassInstruction::relation. 0: not one of these.
int relation_of(std::string_view opcode) {
  const size_t dot = opcode.find('.'), end = opcode.find('.', dot + 1);
  if (dot == opcode.npos || end == opcode.npos) return 0;
  std::string_view name = opcode.substr(dot + 1, end - dot - 1);
  const bool unordered = name.size() == 3 && name.back() == 'u';
  if (unordered) name.remove_suffix(1);
  constexpr std::string_view kNames[] = {"", "lt", "eq", "le", "gt", "ne", "ge"};
  constexpr std::string_view kUnsigned[] = {"", "lo", "", "ls", "hi", "", "hs"};
  for (int k = 1; k < 7; ++k)
    if (name == kNames[k] || name == kUnsigned[k]) return k + (unordered ? 8 : 0);
  return 0;
}

// With the operands exchanged.
int exchanged(int relation) { return (relation & 10) | (relation & 1) << 2 | (relation & 4) >> 2; }

// 1: a SASS comparison holds where the PTX one does; -1: where it does not; 0: not known.
int sense(const SassInstruction& in, std::string_view opcode) {
  const int wanted = relation_of(opcode);
  if (wanted == 0 || in.relation == 0) return 0;
  const bool floats = opcode.find(".f") != opcode.npos;
  const int all = floats ? 15 : 7, is = in.relation & all;
  if (is == wanted) return 1;
  if (is == (all & ~wanted)) return -1;
  // Of integers, x < 5 may have become x <= 4, or 5 > x; with a constant they are not exchanged.
  if (!floats && in.immediate) return 0;
  if (is == exchanged(wanted)) return 1;
  return is == (all & ~exchanged(wanted)) ? -1 : 0;
}

}  // namespace

SassGuards::SassGuards(const SassMap& map, const SassFlow& flow, const KernelProfile& profile)
    : map_(map), flow_(flow), p_(profile), paths_(profile.blocks) {}

// Thread instructions of one SASS instruction whose guard is on.
double SassGuards::lanes_on(int i, int b) {
  const SassGraph& g = map_.graph;
  const SassInstruction& in = g.code[i];
  const double lanes = flow_.blocks[b].lanes;
  if (in.never) return 0;
  // A test for divergence has a guard that is true unless lanes name different masks.
  if (!in.guarded || in.kind == SassKind::kBranchDivergent) return lanes;
  if (i + 1 == g.blocks[b].last) {
    for (int e : g.blocks[b].out) {
      if (g.edges[e].taken) return std::min(lanes, flow_.edges[e].lanes);
    }
  }
  double on = as_branch(i, b);
  if (on < 0) on = told_lanes(i, b);
  if (on < 0) on = compared(i, b);
  if (on < 0) on = picked(i, b);
  if (on < 0) on = corrected(i, b);
  if (on < 0) on = between(i, b);
  if (on >= 0) return on;
  const int p = map_.ptx[i];
  const bool corrects = p >= 0 && has_corrections(p_.instructions[p].opcode);
  return lanes * (corrects ? kCorrections : kSelections);
}

// Under the guard of the branch that ends the block, and nothing writes the guard on the way.
double SassGuards::as_branch(int i, int b) const {
  const SassGraph& g = map_.graph;
  const SassBlock& block = g.blocks[b];
  const SassInstruction &in = g.code[i], &branch = g.code[block.last - 1];
  if (branch.kind != SassKind::kBranch && branch.kind != SassKind::kExit) return -1;
  if (!branch.guarded || branch.second_guard || is_uniform(in)) return -1;
  if ((branch.guard & 7) != (in.guard & 7) || (in.guard & 7) == 7) return -1;
  for (int k = i; k < block.last - 1; ++k)
    if (writes_guard(g.code[k], in)) return -1;
  const double lanes = flow_.blocks[b].lanes;
  for (int e : block.out) {
    if (!g.edges[e].taken) continue;
    const double taken = std::min(lanes, flow_.edges[e].lanes);
    return branch.guard == in.guard ? taken : lanes - taken;
  }
  return -1;
}

// The instruction of the block that wrote the guard; -1: none.
int SassGuards::writer_of_guard(int i, int b) const {
  const SassGraph& g = map_.graph;
  int k = i - 1;
  while (k >= g.blocks[b].first && !writes_guard(g.code[k], g.code[i])) --k;
  return k >= g.blocks[b].first ? k : -1;
}

// What a u32 division does under its first guard corrects the quotient, under its second once more.
double SassGuards::corrected(int i, int b) const {
  const int p = map_.ptx[i], writer = writer_of_guard(i, b);
  if (p < 0 || writer < 0 || map_.ptx[writer] != p) return -1;
  const InstructionProfile& ptx = p_.instructions[p];
  if (slow_op(ptx.opcode) != SlowOp::kUnsigned32 || ptx.lanes == 0) return -1;
  int times = 1;  // corrections that the guard asks for
  for (int k : map_.sass[p]) {
    if (k >= i || map_.graph.block_of[k] != b || !map_.graph.code[k].guarded) continue;
    const int before = writer_of_guard(k, b);
    if (before >= 0 && before < writer && map_.ptx[before] == p) times = 2;
  }
  double lanes = 0;
  for (const auto& [ways, calls] : ptx.slow_calls)
    for (int way = times; way <= 2; ++way) lanes += double(calls.lanes[way]);
  return flow_.blocks[b].lanes * lanes / double(ptx.lanes);
}

// The comparison that wrote the guard holds for as many lanes as the PTX one of its line.
double SassGuards::compared(int i, int b) const {
  const SassGraph& g = map_.graph;
  const SassInstruction& in = g.code[i];
  if (is_uniform(in) || (in.guard & 7) == 7) return -1;
  const int k = writer_of_guard(i, b);
  if (k < 0 || g.code[k].guarded || map_.ptx[k] < 0) return -1;
  const InstructionProfile& ptx = p_.instructions[map_.ptx[k]];
  if (ptx.opcode.rfind("setp", 0) != 0 || ptx.slow_path == 0 || ptx.lanes == 0) return -1;
  const int as = sense(g.code[k], ptx.opcode);
  if (as == 0) return -1;
  const double holds = double(ptx.slow_path_lanes) / double(ptx.lanes);
  const bool wants = (in.guard & 8) == 0;
  return flow_.blocks[b].lanes * (wants == (as > 0) ? holds : 1 - holds);
}

// Of a local array in registers each lane picks one element.
double SassGuards::picked(int i, int b) const {
  const int p = map_.ptx[i];
  if (p < 0) return -1;
  const OpClass op = p_.instructions[p].op;
  if (op != OpClass::kLocalLoad && op != OpClass::kLocalStore) return -1;
  int elements = 0;
  for (int k : map_.sass[p]) {
    if (same_operation(map_.graph.code[k].kind, op)) return -1;
    elements += map_.graph.block_of[k] == b && map_.graph.code[k].guarded;
  }
  return flow_.blocks[b].lanes / std::max(1, elements);
}

// What the PTX instruction behind a guarded one tells; -1: nothing.
double SassGuards::told_lanes(int i, int b) {
  const double lanes = flow_.blocks[b].lanes;
  const int p = map_.ptx[i], stand = map_.stands_for[b];
  if (p < 0) return -1;
  const InstructionProfile& ptx = p_.instructions[p];
  const double whole = stand >= 0 ? double(p_.instructions[stand].lanes) : lanes;
  const double warps = stand >= 0 ? double(p_.instructions[stand].warps) : flow_.blocks[b].warps;
  const double scale = whole > 0 ? lanes / whole : 0;  // of copies
  const bool own = same_operation(map_.graph.code[i].kind, ptx.op) ||
                   (stand >= 0 && paths_.aside(ptx.block, p_.instructions[stand].block));
  if (ptx.lanes_guard_on < ptx.lanes || own || double(ptx.lanes) < whole)
    return std::min(lanes, is_uniform(map_.graph.code[i])
                               ? lanes * double(ptx.warps_guard_on) / std::max(1.0, warps)
                               : double(ptx.lanes_guard_on) * scale);
  return -1;
}

// What the block's nearest instructions under the same guard before and after it are told, where
// that is the same: in between the guard has not changed. -1: else.
double SassGuards::between(int i, int b) {
  const std::vector<SassInstruction>& code = map_.graph.code;
  const SassBlock& block = map_.graph.blocks[b];
  double before = -1, after = -1;
  for (int k = i - 1; k >= std::max(block.first, i - kNear) && before < 0; --k)
    if (same_guard(code[k], code[i])) before = told_lanes(k, b);
  const int end = std::min(block.last - 1, i + kNear);
  for (int k = i + 1; k < end && after < 0 && before >= 0; ++k)
    if (same_guard(code[k], code[i])) after = told_lanes(k, b);
  return before == after ? before : -1;
}

}  // namespace lockstep::emulator
