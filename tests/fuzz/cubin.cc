// SPDX-License-Identifier: Apache-2.0
// Fuzzes everything that reads a cubin: ELF, line tables, machine code made ready to run. Any bytes
// are either read or refused with Error.
#include "emulator/cubin/cubin.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/error.h"
#include "emulator/cubin/line_table.h"
#include "emulator/sass/code.h"

using namespace lockstep;
using namespace lockstep::emulator;

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
      sass::make_code(cubin, kernel.name, [](const std::string&) { return std::nullopt; });
    }
  } catch (const Error&) {
  }
  return 0;
}
