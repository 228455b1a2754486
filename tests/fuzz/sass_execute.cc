// SPDX-License-Identifier: Apache-2.0
// Fuzzes the executor of machine code. The first byte chooses the architecture, the next ones the
// sizes of shared memory and parameters; the rest is code. Whatever it is, a launch of two blocks
// ends within its step budget, and touches nothing but its buffer.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "common/base/error.h"
#include "emulator/sass/code.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/memory.h"
#include "emulator/sass/run.h"

namespace {

using namespace lockstep;
using namespace lockstep::emulator;

constexpr size_t kBytes = 4096;
constexpr int kArchitectures[] = {80, 86, 89, 90, 100, 120};

std::unique_ptr<sass::Code> code_of(const uint8_t* data, size_t size, int sm) {
  auto code = std::make_unique<sass::Code>();
  code->kernel = "k";
  code->sm = sm;
  for (size_t at = 0; at + 16 <= size; at += 16) {
    sass::Encoding e;
    std::memcpy(&e.low, data + at, 8);
    std::memcpy(&e.high, data + at + 8, 8);
    code->instructions.push_back(sass::decode(e, at, sm));
  }
  for (uint8_t bank = 2; bank <= 4; ++bank) code->banks[bank].assign(64, std::byte{bank});
  code->banks[0] = {};
  sass::build_ops(code.get());
  return code;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3 + 16) return 0;
  static AddressSpace memory;
  static Allocation* const buffer = memory.allocate("buffer", kBytes, false);
  const std::unique_ptr<sass::Code> code = code_of(data + 3, size - 3, kArchitectures[data[0] % 6]);
  std::memset(buffer->data, 7, kBytes);
  std::vector<std::byte> parameters(size_t{8} * (1 + data[1] % 4), std::byte{3});
  for (size_t at = 0; at + 8 <= parameters.size(); at += 16)
    std::memcpy(parameters.data() + at, &buffer->begin, 8);
  sass::Launched launch;
  launch.code = code.get();
  launch.memory = &memory;
  launch.grid.x = 2;
  launch.block.x = 40;
  launch.shared_bytes = 128u * (data[2] % 8);
  launch.step_budget = 3000;
  sass::set_constants(code.get(), launch.grid, launch.block, parameters, sass::kLocalTop,
                      sass::local_window() << 32, (sass::shared_window() << 32) + kSharedFirst);
  sass::RunOptions options;
  options.l1.capacity_bytes = 64 * 1024;
  try {
    sass::run(launch, options);
  } catch (const Error&) {
  } catch (const sass::NotExecuted&) {
  }
  return 0;
}
