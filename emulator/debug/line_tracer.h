// SPDX-License-Identifier: Apache-2.0
// Follows one thread through an execution and notes what the variables of a source line hold
// whenever it comes there. The interpreter calls step() where LaunchState::tracer is set; on one
// host thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/backend/line_trace.h"
#include "emulator/debug/debug_info.h"
#include "emulator/debug/expression.h"
#include "emulator/launch/launch.h"

namespace lockstep::emulator {

// Lines of that file with code in a kernel or what it calls, ascending, each once.
std::vector<int> lines_with_code(const Program& program, const std::string& file);

class LineTracer {
 public:
  // All but the request must outlive it. The thread must be one of the launch's.
  LineTracer(const DebugInfo& info, const Module& module, const std::vector<uint64_t>& addresses,
             const Program& program, const Dim3& grid, const Dim3& block, TraceRequest request);

  // Before `in` is executed by the lanes of the running group.
  void step(const Instr& in, Warp& w);
  // At the end, also that by a fault. Adds what was found.
  void finish(LineTrace* out);

 private:
  struct Column {
    std::string name;
    Expression expression;
  };
  // A turn that is under way.
  struct Visit {
    bool open = false;
    size_t depth = 0;  // of calls
    std::vector<LineTrace::Value> values;
    std::vector<Found> found;  // by column, where it was known first; else its variable alone
  };
  void choose_columns(const TraceRequest& request);
  bool can_show(const Expression& e, const std::vector<std::string>& in_scope) const;
  std::vector<std::string> variables_of_line(bool of_functions) const;
  void visit(const Instr& in, const Warp& w, size_t depth, bool on_line);
  void sample(const Instr& in, const Warp& w, bool on_line);
  void end_visit();
  void begin_visit(const Instr& in, const Warp& w, size_t depth);
  void note_written(const Instr& in, const Warp& w, size_t depth);
  void note_local(const Instr& in, const Warp& w);
  void note_line(int line);

  const DebugInfo& info_;
  const Module& module_;
  const std::vector<uint64_t>& addresses_;
  const Program& program_;
  const TraceRequest request_;
  uint64_t block_ = 0;
  uint32_t warp_ = 0, lane_ = 0;

  std::vector<int> lines_;         // by instruction (lines_in)
  std::vector<uint64_t> visited_;  // by instruction: the number of the last turn that executed it
  Written written_;                // by the lane
  std::vector<Column> columns_;
  const Instr* last_ = nullptr;
  bool entered_ = false;  // a block of code, since last_
  Visit visit_;
  uint64_t turns_ = 0;
  std::vector<LineTrace::Turn> kept_;
  std::vector<int> last_lines_;
};

}  // namespace lockstep::emulator
