// SPDX-License-Identifier: Apache-2.0
// Executions in which a thread is followed line by line.
#include "emulator/debug/line_tracer.h"
#include "emulator/emulator_backend.h"

namespace lockstep::emulator {
namespace {

bool has(const Dim3& size, const uint32_t at[3]) {
  return at[0] < size.x && at[1] < size.y && at[2] < size.z;
}

}  // namespace

std::vector<int> EmulatorBackend::lines_with_code(const std::string& kernel,
                                                  const std::string& file) {
  return emulator::lines_with_code(module().programs[find_kernel(kernel)], file);
}

void EmulatorBackend::trace_launch(const Launch& launch, const TraceRequest& request,
                                   const DebugInfo& info, LineTrace* trace) {
  const Program& program = module().programs[find_kernel(launch.kernel)];
  LineTracer tracer(info, module().ptx, module().addresses, program, launch.grid, launch.block,
                    request);
  const auto finish = [&] {
    tracer_ = nullptr;
    LineTrace found;
    found.kernel = kernel_name(program.kernel);
    tracer.finish(&found);
    if (trace->kernel.empty() || found.all > 0) *trace = std::move(found);
  };
  tracer_ = &tracer;
  try {
    execute(launch, false);
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

bool EmulatorBackend::trace(const Sequence& sequence, const TraceRequest& request,
                            LineTrace* trace) {
  const DebugInfo info(module().ptx);
  *trace = {};
  for (const Launch& launch : sequence) {
    const bool traced =
        trace->all == 0 && has(launch.grid, request.block) && has(launch.block, request.thread);
    if (traced)
      trace_launch(launch, request, info, trace);
    else
      execute(launch, false);
  }
  return true;
}

}  // namespace lockstep::emulator
