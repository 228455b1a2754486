// SPDX-License-Identifier: Apache-2.0
// Running the kernel: see session.h.
#include "tools/run_kernel/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/backend/metric_names.h"
#include "common/base/error.h"

namespace lockstep::run_kernel {
namespace {

constexpr uint32_t kPoison = 0x7fb1a5e5;  // a NaN, as a float

const KernelInfo& find_kernel(const Backend& backend, const std::string& name) {
  std::string known;
  for (const KernelInfo& kernel : backend.kernels()) {
    if (kernel.name == name || kernel.mangled == name) return kernel;
    known += (known.empty() ? "" : ", ") + kernel.name;
  }
  throw Error(fmt::format("the module has no kernel {}; {}", name,
                          known.empty() ? "it has none at all" : "it has " + known));
}

// The buffers of the arguments, put back to their contents before every execution.
class Buffers {
 public:
  Buffers(Backend* backend, const std::vector<KernelArgument>& arguments)
      : backend_(*backend), arguments_(arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      BufferSpec spec;
      spec.name = fmt::format("argument {}", i + 1);
      spec.bytes = arguments[i].buffer_bytes();
      spec.read_only = arguments[i].kind == KernelArgument::Kind::kIn;
      ids_.push_back(arguments[i].is_buffer() ? backend_.allocate(spec) : BufferId{});
    }
  }

  std::vector<Argument> launch_arguments() const {
    std::vector<Argument> all;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      Argument argument;
      if (arguments_[i].is_buffer())
        argument = Argument::of_buffer(ids_[i]);
      else
        argument.scalar = arguments_[i].bytes;
      all.push_back(argument);
    }
    return all;
  }

  void restore() {
    for (size_t i = 0; i < arguments_.size(); ++i) {
      const KernelArgument& argument = arguments_[i];
      const size_t bytes = argument.buffer_bytes();
      if (!argument.is_buffer() || bytes == 0) continue;
      if (argument.kind != KernelArgument::Kind::kOut) {
        backend_.write(ids_[i], 0, argument.bytes.data(), bytes);
      } else if (argument.poison) {
        backend_.poison(ids_[i], 0, bytes, kPoison);
      } else {
        backend_.fill(ids_[i], 0, bytes, 0);
      }
    }
  }

  std::vector<Output> read_outputs() {
    std::vector<Output> outputs;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!arguments_[i].is_output()) continue;
      Output output{static_cast<int>(i) + 1, arguments_[i].type, read(i)};
      outputs.push_back(std::move(output));
    }
    return outputs;
  }

  // What a kernel must leave alone: inputs, and the zones on both sides of every buffer.
  std::vector<std::string> violations() {
    std::vector<std::string> found;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!arguments_[i].is_buffer()) continue;
      if (arguments_[i].kind == KernelArgument::Kind::kIn && read(i) != arguments_[i].bytes) {
        found.push_back(fmt::format("argument {}: the kernel changed its input", i + 1));
      }
      const std::vector<uint8_t> guards = backend_.read_guards(ids_[i]);
      if (std::any_of(guards.begin(), guards.end(),
                      [](uint8_t byte) { return byte != Backend::kGuardByte; })) {
        found.push_back(
            fmt::format("argument {}: the kernel wrote before or after the buffer", i + 1));
      }
    }
    return found;
  }

 private:
  std::vector<uint8_t> read(size_t i) {
    std::vector<uint8_t> bytes(arguments_[i].buffer_bytes());
    backend_.read(ids_[i], 0, bytes.data(), bytes.size());
    return bytes;
  }

  Backend& backend_;
  const std::vector<KernelArgument>& arguments_;
  std::vector<BufferId> ids_;
};

}  // namespace

std::unique_ptr<Backend> open_backend(const Options& options, std::string* note) {
  if (options.backend == "emulator") return make_emulator_backend(options.open);
  std::string why;
  std::unique_ptr<Backend> gpu = make_cuda_backend(options.open, &why);
  if (gpu != nullptr) return gpu;
  if (options.backend == "gpu") {
    throw Error("--backend gpu: " + why + "; --backend emulator needs no GPU", kExitCannotRun);
  }
  *note = "No GPU here (" + why + "): the kernel is emulated.";
  return make_emulator_backend(options.open);
}

Result run(Backend* backend, const Options& options) {
  Result result;
  backend->load_module(options.module);
  result.kernel = find_kernel(*backend, options.kernel);
  result.backend = backend->kind();
  result.device = backend->device().name;

  Buffers buffers(backend, options.arguments);
  Launch launch{options.kernel, options.grid, options.block, options.shared_bytes,
                buffers.launch_arguments()};
  bool executed = false;
  PassHooks hooks;
  hooks.before = [&] { buffers.restore(); };
  // The first execution is the one that counts for outputs: variables of the module keep their
  // values from one execution to the next.
  hooks.after = [&] {
    if (!executed) {
      result.outputs = buffers.read_outputs();
      result.violations = buffers.violations();
      result.printed = backend->take_output();
    }
    executed = true;
  };
  result.time_us = backend->time_us(launch, hooks);
  if (!executed) {  // the emulator, which checks accesses in a launch alone
    hooks.before();
    launch.finds_races = true;
    backend->launch(launch);
    hooks.after();
  }
  result.counts = backend->count(launch, standard_metrics(), hooks);
  return result;
}

}  // namespace lockstep::run_kernel
