// SPDX-License-Identifier: Apache-2.0
// Fuzzes the whole emulator: what parses as PTX is decoded, and every kernel of it is run for a
// few thousand instructions with pointers to one buffer as arguments. Whatever happens, the
// process lives: faults are reported as Error, and nothing outside the buffer is touched.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "common/backend/backend.h"
#include "common/base/error.h"

namespace {

using namespace lockstep;

constexpr size_t kBytes = 4096;

// The backend reads files: one in memory, rewritten for every input.
const std::string& module_path() {
  static const std::string kPath = "/dev/shm/lockstep-fuzz-" + std::to_string(getpid()) + ".ptx";
  static const bool kRemovedAtExit = std::atexit([] { unlink(module_path().c_str()); }) == 0;
  (void)kRemovedAtExit;
  return kPath;
}

Backend& backend() {
  static const auto kBackend = [] {
    BackendOptions options;
    options.threads = 1;
    options.step_budget = 5000;
    return make_emulator_backend(options);
  }();
  return *kBackend;
}

void run(const KernelInfo& kernel, BufferId buffer) {
  Launch launch{kernel.mangled, {2}, {40}, 64, {}};
  for (const uint32_t bytes : kernel.parameter_bytes) {
    if (bytes == 8) {
      launch.arguments.push_back(Argument::of_buffer(buffer, 64 * launch.arguments.size()));
    } else {
      Argument argument;
      argument.scalar.assign(bytes, uint8_t{3});
      launch.arguments.push_back(argument);
    }
  }
  backend().fill(buffer, 0, kBytes, 0x40490fdb);
  backend().launch(launch);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::ofstream(module_path(), std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    backend().load_module({module_path(), ""});
  } catch (const Error&) {
    return 0;
  }
  const BufferId buffer = backend().allocate({"buffer", kBytes});
  for (const KernelInfo& kernel : backend().kernels()) {
    try {
      run(kernel, buffer);
    } catch (const Error&) {
    }
  }
  backend().take_output();
  backend().release(buffer);
  return 0;
}
