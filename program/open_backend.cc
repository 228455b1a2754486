// SPDX-License-Identifier: Apache-2.0
// Choosing a backend. See open_backend.h.
#include "program/open_backend.h"

#include <fmt/format.h>

#include "common/base/error.h"
#include "runner/remote_backend.h"

namespace lockstep {
namespace {

BackendOptions backend_options(const Options& options) {
  BackendOptions result;
  result.device = options.device;
  result.profile = options.profile;
  result.threads = options.threads;
  result.step_budget = options.step_budget;
  result.total_step_budget = options.total_step_budget;
  result.lane_order = options.lane_order;
  result.library = options.library;
  result.lines = options.lines || options.json || !options.html.empty();
  if (options.time_limit_s > 0) result.time_limit_s = options.time_limit_s;
  return result;
}

// Asking for an emulated device, or for a way to emulate it, is asking for the emulator.
bool wants_emulator(const Options& options) {
  return options.backend == "emulator" ||
         (options.backend == "auto" && (!options.profile.empty() || options.lane_order != 0));
}

}  // namespace

std::unique_ptr<Backend> open_backend(const Options& options, std::string* note) {
  const BackendOptions settings = backend_options(options);
  if (!options.runner.empty())
    return make_remote_backend(options.runner, settings, options.backend);
  BackendOptions emulated = settings;
  emulated.lines = true;  // they cost nothing there
  if (wants_emulator(options)) return make_emulator_backend(emulated);

  std::string why;
  std::unique_ptr<Backend> gpu = make_cuda_backend(settings, &why);
  if (gpu) return gpu;
  if (options.backend == "gpu" || options.device >= 0)
    throw Error(fmt::format("no GPU to use: {}; without --backend gpu and --device the emulator "
                            "runs",
                            why),
                kExitCannotRun);
  std::unique_ptr<Backend> emulator = make_emulator_backend(emulated);
  *note = fmt::format("No GPU here ({}): the emulator stands in for one.", why);
  return emulator;
}

std::unique_ptr<Backend> open_checker(const Options& options) {
  return make_emulator_backend(backend_options(options));
}

}  // namespace lockstep
