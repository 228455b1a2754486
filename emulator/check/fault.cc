// SPDX-License-Identifier: Apache-2.0
// Wording of faults.
#include "emulator/check/fault.h"

#include "common/base/error.h"
#include "emulator/code/locations.h"

namespace lockstep::emulator {
namespace {

std::string triple(const uint32_t v[3]) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

void thread_index(const Warp& w, uint32_t warp, uint32_t lane, uint32_t out[3]) {
  const Dim3& d = w.worker->launch->block;
  const uint32_t linear = warp * 32 + lane;
  out[0] = linear % d.x;
  out[1] = linear / d.x % d.y;
  out[2] = linear / d.x / d.y;
}

}  // namespace

std::string SourceLine::text() const {
  return file.empty() || line == 0 ? "" : file + ":" + std::to_string(line);
}

SourceLine source_line(const Program& program, uint32_t instruction) {
  SourceLine out;
  if (instruction >= program.instructions.size()) return out;
  const SourcePlace place = program.instructions[instruction].student;
  if (place.file > 0 && static_cast<size_t>(place.file) < program.files.size()) {
    out.file = seen_from_here(program.files[static_cast<size_t>(place.file)]);
    out.line = place.line;
  }
  return out;
}

std::string thread_name(const Warp& w, uint32_t warp, uint32_t lane) {
  uint32_t index[3];
  thread_index(w, warp, lane, index);
  return triple(index);
}

std::string thread_name(const Warp& w, uint32_t lane) { return thread_name(w, w.index, lane); }

void launch_fault(const Warp& w, const Instr& in, int lane, const char* kind,
                  const std::string& sentence) {
  const Program& program = *w.worker->program;
  const SourceLine source = source_line(program, in.number);
  FaultPlace place;
  place.file = source.file;
  place.line = source.line;
  place.kernel = kernel_name(program.kernel);
  for (int i = 0; i < 3; ++i) place.block[i] = w.block->index[i];
  place.has_thread = lane >= 0;
  if (lane >= 0) thread_index(w, w.index, static_cast<uint32_t>(lane), place.thread);
  std::string message = source.text();
  if (!message.empty()) {
    message += ": ";
  } else if (in.number < program.instructions.size()) {
    const InstructionInfo& p = program.instructions[in.number];
    message = "PTX line " + std::to_string(p.ptx_line) +
              " (compile with -lineinfo for the source line): ";
  }
  throw KernelFault(kind, std::move(place), message + sentence);
}

void fault(const Warp& w, const Instr& in, int lane, const char* kind,
           const std::string& sentence) {
  const std::string block = "block " + triple(w.block->index);
  const std::vector<int>& callers = w.worker->program->instructions[in.number].callers;
  const std::string called =
      callers.empty() ? "" : ", called in line " + std::to_string(callers[0]) + ",";
  const std::string who = lane >= 0 ? "thread " + thread_name(w, static_cast<uint32_t>(lane)) +
                                          " of " + block + called + " "
                                    : "in " + block + ", ";
  launch_fault(w, in, lane, kind, who + sentence);
}

}  // namespace lockstep::emulator
