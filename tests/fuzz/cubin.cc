// SPDX-License-Identifier: Apache-2.0
// Fuzzes everything that reads a cubin: ELF, line tables, SASS blocks, the tie to a PTX profile
// and the prediction. Any bytes are either read or refused with Error.
#include "emulator/cubin.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/error.h"
#include "emulator/line_table.h"
#include "emulator/predict.h"

namespace {

using namespace lockstep;
using namespace lockstep::emulator;

// Sixty-four PTX lines of every class in eight blocks, as if a kernel had run once.
KernelProfile some_profile(const std::string& kernel) {
  KernelProfile profile;
  profile.kernel = kernel;
  profile.warps_launched = 4;
  profile.files = {"", "fuzz.cu"};
  for (int i = 0; i < 64; ++i) {
    InstructionProfile one;
    one.function = kernel;
    one.ptx_line = i + 1;
    one.source_line = i / 2 + 1;
    one.source_file = 1;
    one.op = static_cast<OpClass>(i % 21);
    one.opcode = "add.f32";
    one.block = i / 8;
    one.warps = one.warps_guard_on = 4;
    one.lanes = one.lanes_guard_on = 128;
    profile.instructions.push_back(one);
  }
  for (int i = 0; i < 8; ++i) {
    BlockProfile block;
    block.first = 8 * i;
    block.last = 8 * i + 8;
    if (i < 7) block.successors = {i + 1, i / 2};
    block.edge_warps.assign(block.successors.size(), 2);
    profile.blocks.push_back(block);
  }
  return profile;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const Cubin cubin("fuzz.cubin", std::string(reinterpret_cast<const char*>(data), size));
    for (const char* section : {".nv_debug_line_sass", ".debug_line"}) {
      try {
        const LineTable table(cubin, section);
        for (const CubinKernel& kernel : cubin.kernels()) {
          table.rows(kernel.name, kernel.code.size() / 16);
        }
      } catch (const Error&) {
      }
    }
    for (const CubinKernel& kernel : cubin.kernels()) {
      predict_counts(some_profile(kernel.name), &cubin, device_profile("h200"));
    }
  } catch (const Error&) {
  }
  return 0;
}
