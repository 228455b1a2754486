// SPDX-License-Identifier: Apache-2.0
// The loop that executes decoded instructions, and control flow.
#include "emulator/exec/interpreter.h"

#include <bit>

#include "emulator/check/fault.h"
#include "emulator/debug/line_tracer.h"
#include "emulator/exec/apart.h"
#include "emulator/exec/calls.h"
#include "emulator/exec/groups.h"
#include "emulator/exec/races.h"
#include "emulator/exec/synchronize.h"
#include "emulator/watch/watch.h"

namespace lockstep::emulator {
namespace {

// Turns of a loop before other groups or warps get theirs: of a loop that waits for memory, and
// of any other loop while lanes of the warp wait.
constexpr uint32_t kSpinTurns = 16;
constexpr uint32_t kPatientTurns = 100000;
// Times a warp has spun before lanes that wait at a join go on without it.
constexpr uint32_t kSpinsBeforeRelease = 4;

enum class Next : uint8_t { kContinue, kReschedule, kSpin };

uint32_t guarded_mask(const Instr& in, Warp& w) {
  if ((in.flags & kFlagGuarded) == 0) return w.active;
  return w.active & (predicate(w, in.guard) ^ in.guard_flip);
}

// First of a block.
Next enter_block(const Instr& in, Warp& w) {
  if (&in == w.join) return join_group(w) ? Next::kContinue : Next::kReschedule;
  const auto index = in.aux;
  if (w.apart != Apart::kTogether && !enter_apart(w, index)) [[unlikely]]
    return Next::kReschedule;
  w.slice -= w.worker->program->blocks[index].size + 1;
  ++w.pc;
  return w.slice <= 0 ? Next::kReschedule : Next::kContinue;
}

// A back edge: others may be waiting for this group, or it for them.
Next back_edge(Warp& w) {
  ++w.turns;
  const uint32_t limit = w.synchronizes ? kSpinTurns : kPatientTurns;
  if (w.turns < limit) return Next::kContinue;
  const bool spins = w.synchronizes;
  w.synchronizes = false;
  w.turns = 0;
  if (w.active != w.live) {
    if (!spins || ++w.spins % kSpinsBeforeRelease == 0)
      (void)(meet_waiting(w) || part_waiting(w) || release_waiting(w));
    return spins ? Next::kSpin : Next::kReschedule;
  }
  return spins ? Next::kSpin : Next::kContinue;
}

const Instr* join_of(const Instr& in, const Warp& w) {
  return in.o[1] == kNoOperand ? nullptr : w.worker->program->code.data() + in.o[1];
}

// Lanes leave a loop in which their group's others will meet. Returns false where none do.
bool leaves_loop(const Instr& in, Warp& w, uint32_t taken) {
  const uint32_t loop = in.o[3] != kNoOperand ? in.o[3] : in.o[4];
  const uint32_t mask = in.o[3] != kNoOperand ? taken : w.active & ~taken;
  if (loop == kNoOperand || mask == 0 || w.join == nullptr) return false;
  const Program& program = *w.worker->program;
  if (!program.left_loops[loop].contains(w.join->aux)) return false;
  const Instr* goal = in.o[3] != kNoOperand ? program.code.data() + in.imm : w.pc + 1;
  const bool parts = mask != w.active;
  if (parts) w.pc = in.o[3] != kNoOperand ? w.pc + 1 : program.code.data() + in.imm;
  leave_loop(w, {mask, goal}, join_of(in, w), program.left_loops[loop]);
  return true;
}

// o[1]: the join; o[2]: kBackEdge (when taken); o[3], o[4]: loop that is left when taken, when not.
Next branch(const Instr& in, Warp& w) {
  const uint32_t taken = guarded_mask(in, w);
  const Instr* target = w.worker->program->code.data() + in.imm;
  if ((in.o[3] & in.o[4]) != kNoOperand && leaves_loop(in, w, taken))
    return (in.o[2] & kBackEdge) != 0 && w.pc == target ? back_edge(w) : Next::kContinue;
  if (taken == w.active) {
    w.pc = target;
    return (in.o[2] & kBackEdge) != 0 ? back_edge(w) : Next::kContinue;
  }
  if (taken == 0) {
    ++w.pc;
    return Next::kContinue;
  }
  const Part stays{w.active & ~taken, w.pc + 1}, goes{taken, target};
  if ((in.o[2] & kBackEdge) == 0) {
    split_group(w, {stays, goes}, join_of(in, w));
    return Next::kContinue;
  }
  split_group(w, {goes, stays}, join_of(in, w));  // the loop's lanes run first
  return back_edge(w);
}

// brx.idx: imm first of tables, o[3] their number, o[0] the index register.
Next table_branch(const Instr& in, Warp& w) {
  const Program& program = *w.worker->program;
  const uint32_t* index = at<uint32_t>(w, in.o[0]);
  const uint32_t mask = guarded_mask(in, w);
  std::vector<Part> parts;
  if (mask != w.active) parts.push_back({w.active & ~mask, w.pc + 1});
  for (uint32_t rest = mask; rest != 0;) {
    const int lane = std::countr_zero(rest);
    if (index[lane] >= in.o[3])
      fault(w, in, lane, "illegal_address", "jumps outside the table of a switch");
    const uint32_t target = program.tables[static_cast<size_t>(in.imm) + index[lane]];
    uint32_t same = 0;
    for (uint32_t m = rest; m != 0; m &= m - 1) {
      const int l = std::countr_zero(m);
      if (index[l] < in.o[3] && program.tables[static_cast<size_t>(in.imm) + index[l]] == target)
        same |= 1u << l;
    }
    rest &= ~same;
    parts.push_back({same, program.code.data() + target});
  }
  if (parts.size() == 1) {
    w.pc = parts[0].pc;
    return Next::kContinue;
  }
  split_group(w, parts, join_of(in, w));
  return Next::kContinue;
}

Next control(const Instr& in, Warp& w) {
  switch (in.control) {
    case Control::kEnter:
      return enter_block(in, w);
    case Control::kBranch:
      return branch(in, w);
    case Control::kTable:
      return table_branch(in, w);
    default:
      break;
  }
  const uint32_t mask = guarded_mask(in, w);
  if (mask == 0) {
    ++w.pc;
    return Next::kContinue;
  }
  switch (in.control) {
    case Control::kCall:
      call_function(in, w, mask);
      return Next::kContinue;
    case Control::kReturn:
      return_from_function(w);
      return Next::kContinue;
    case Control::kExit:
      ++w.pc;
      return exit_lanes(w, mask) ? Next::kContinue : Next::kReschedule;
    case Control::kTrap:
      fault(w, in, std::countr_zero(mask), "trap", "executes a trap instruction");
    case Control::kSync:
      if (!sync_operation(in, w, mask)) return Next::kReschedule;
      ++w.pc;
      return Next::kContinue;
    case Control::kBarrier:
      if (!barrier_operation(in, w, mask)) return Next::kReschedule;
      ++w.pc;
      return Next::kContinue;
    case Control::kYield:
      ++w.pc;
      w.synchronizes = true;
      return Next::kSpin;
    case Control::kGiveWay:
      ++w.pc;
      w.given -= std::exchange(w.slice, 0);
      return Next::kReschedule;
    default:
      break;
  }
  return Next::kContinue;
}

// What is noted of plain instructions while they are executed.
enum class Noted : uint8_t { kNothing, kValues, kRaces, kTrace };

template <Noted What>
[[gnu::always_inline]] inline void run_plain(const Instr& in, Warp& w, uint32_t mask) {
  if constexpr (What == Noted::kValues) watch_plain(in, w, mask);
  if constexpr (What == Noted::kRaces)
    run_followed(in, w, mask);
  else
    in.run(in, w, mask);
}

// Runs the current group until it gives way.
template <Noted What>
Next run_group(Warp& w) {
  for (;;) {
    const Instr& in = *w.pc;
    if constexpr (What == Noted::kTrace) w.worker->launch->tracer->step(in, w);
    if (in.flags == 0) [[likely]] {
      run_plain<What>(in, w, w.active);
      ++w.pc;
    } else if ((in.flags & kFlagControl) != 0) {
      const Next next = control(in, w);
      if (next != Next::kContinue) return next;
    } else {
      const uint32_t mask = w.active & (predicate(w, in.guard) ^ in.guard_flip);
      if (mask != 0) run_plain<What>(in, w, mask);
      ++w.pc;
    }
  }
}

}  // namespace

WarpResult run_warp(Warp& w) {
  w.slice = w.given = kSlice;
  const LaunchState& launch = *w.worker->launch;
  const auto run = launch.values != nullptr   ? &run_group<Noted::kValues>
                   : launch.tracer != nullptr ? &run_group<Noted::kTrace>
                   : launch.races != nullptr  ? &run_group<Noted::kRaces>
                                              : &run_group<Noted::kNothing>;
  int spun = 0;
  for (;;) {
    if (w.current < 0) {
      const int next = next_ready_group(w, w.lane_order);
      if (next < 0) {
        if (w.live == 0) return WarpResult::kDone;
        if (warp_waits_at_barrier(w)) {
          if (!arrive_waiting(w)) return WarpResult::kWaits;
          continue;
        }
        resolve_stuck_warp(w);
        continue;
      }
      resume_group(w, next);
    }
    const Next next = run(w);
    if (next == Next::kSpin) {
      // Every group has had its turns: other warps' turn. Who is waited for may be ahead.
      if (w.apart == Apart::kConverges) w.apart = Apart::kTogether;
      const int other = next_ready_group(w, w.lane_order);
      if (other >= 0 && other != w.current) {
        suspend_group(w, GroupState::kReady);
        resume_group(w, other);
      }
      if (++spun >= w.ready) return WarpResult::kSpins;
    } else if (w.slice <= 0) {
      if (w.current >= 0 && w.ready > 1) {
        const int other = next_ready_group(w, w.lane_order);
        if (other >= 0 && other != w.current && w.lane_order == 0 && w.apart != Apart::kConverges) {
          suspend_group(w, GroupState::kReady);
          resume_group(w, other);
        }
      }
      return WarpResult::kSlice;
    }
  }
}

}  // namespace lockstep::emulator
