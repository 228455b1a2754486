// SPDX-License-Identifier: Apache-2.0
#include "grader/trial.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "common/base/error.h"
#include "common/harness/metrics.h"
#include "grader/nvcc_steps.h"
#include "runner/remote_backend.h"

namespace lockstep::grader {
namespace {

constexpr char kSource[] = R"(
extern "C" __global__ void trial(int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 3 * i + 1;
}
)";
constexpr uint32_t kBlocks = 4, kThreads = 64;
constexpr uint32_t kSize = kBlocks * kThreads;
constexpr uint32_t kWarps = kSize / 32;

[[noreturn]] void does_not_compile(const std::string& why) {
  throw Error("a small kernel does not compile in the sandbox\n" + why, kExitCannotRun);
}

// By nvcc's own steps, as a submission is compiled. The compiled module, FILE.ptx.
std::string compile(const Toolchain& tools, const Sandbox& sandbox, const std::string& folder) {
  Sandbox::Build cage;
  cage.source_folder = folder + "/src";
  cage.output_folder = folder + "/out";
  for (const std::string& f : {folder, cage.source_folder, cage.output_folder}) {
    std::filesystem::create_directories(f);
    chmod(f.c_str(), 0755);
  }
  const int64_t user = sandbox.user_of_slot(0);
  if (user > 0 &&
      chown(cage.output_folder.c_str(), static_cast<uid_t>(user), static_cast<gid_t>(user)) != 0)
    throw Error("cannot give " + cage.output_folder + " to the cage's user", kExitCannotRun);
  std::ofstream(cage.source_folder + "/trial.cu") << kSource;
  const std::string out = sandbox.output_view(cage) + "/trial";
  const std::string architecture = "-arch=compute_" + tools.arch.substr(tools.arch.find('_') + 1);
  NvccSteps steps;
  try {
    steps =
        find_nvcc_steps(tools, sandbox, cage, {architecture, "-lineinfo"}, "trial.cu", "trial.ptx");
  } catch (const Error& error) {
    does_not_compile(error.what());
  }
  const std::vector<std::string> assemble = {tools.ptxas(), "-arch=" + tools.arch, "-lineinfo",
                                             "-o",          out + ".cubin",        out + ".ptx"};
  for (const auto& command : {steps.preprocess, steps.compile, assemble}) {
    const CageResult result = sandbox.run_build(cage, command);
    if (result.ending != Ending::kGood) does_not_compile(result.err + result.out);
  }
  return cage.output_folder + "/trial.ptx";
}

void check_outputs(Backend& backend, BufferId out) {
  std::vector<int32_t> values(kSize);
  backend.read(out, 0, values.data(), kSize * 4);
  for (int32_t i = 0; i < static_cast<int32_t>(kSize); ++i)
    if (values[static_cast<size_t>(i)] != 3 * i + 1)
      throw Error(
          "a small kernel computes wrong results in the sandbox\nrun "
          "tools/run-kernel outside of it to see whether the device is well");
}

double counted(const Counts& counts, const char* metric) {
  if (const Count* count = counts.find(metric); count != nullptr) return count->value;
  const auto why = counts.unavailable.find(metric);
  throw Error(
      std::string("no counts of a small kernel: ") + metric + ": " +
      (why == counts.unavailable.end() ? "not measured" : why->second) +
      "\nchecks of counters would be 'not measured'; docs/gpu-backend.md tells what they need");
}

}  // namespace

std::string try_counting(const Machine& machine, const Toolchain& tools, const Sandbox& sandbox,
                         const std::string& folder) {
  const std::string module = compile(tools, sandbox, folder);
  Sandbox::Run cage;
  cage.gpu = machine.backend == "gpu";
  BackendOptions options;
  options.profile = machine.profile;
  if (cage.gpu) {
    const DeviceInfo& device = machine.devices.at(0);
    cage.visible = device.uuid;
    options.device = device.uuid.empty() ? device.index : 0;
  }
  const std::unique_ptr<Backend> backend =
      make_remote_backend(sandbox.runner_command(cage), options, machine.backend);
  backend->load_module(find_module_files(module));
  const BufferId out = backend->allocate({"out", kSize * 4});
  backend->fill(out, 0, kSize * 4, 0);
  const Launch launch{"trial", {kBlocks}, {kThreads}, 0, {Argument::of_buffer(out)}};
  backend->launch(launch);
  check_outputs(*backend, out);
  const Counts counts =
      backend->count(launch, {metric::kWarpInstructions, metric::kGlobalStoreRequests}, {});
  const double instructions = counted(counts, metric::kWarpInstructions);
  const double stores = counted(counts, metric::kGlobalStoreRequests);
  const std::string text = std::to_string(static_cast<int64_t>(instructions)) +
                           " warp instructions, " + std::to_string(static_cast<int64_t>(stores)) +
                           " store requests";
  // One store a warp, and not even an empty kernel does without an instruction.
  if (stores != kWarps || instructions < kWarps)
    throw Error("a small kernel of " + std::to_string(kWarps) + " warps is counted wrongly: " +
                text + "\nthe counters of this machine cannot be graded by");
  return text;
}

}  // namespace lockstep::grader
