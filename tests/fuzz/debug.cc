// SPDX-License-Identifier: Apache-2.0
// Fuzzes debug information: any sections are read or refused, quickly and in bounded memory. The
// input is what follows two functions in a PTX module: ".section .debug_info { .b8 2 }".
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/base/error.h"
#include "emulator/debug/debug_info.h"
#include "emulator/debug/expression.h"
#include "emulator/debug/values.h"
#include "emulator/ptx/parser.h"

namespace {

constexpr char kFunctions[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".func f()\n{\n.reg .b32 %r<9>;\n$b0:\nmov.u32 %r1, 1;\n$t0:\nmov.u32 %r2, 1;\n$e0:\nret;\n}\n"
    ".entry k()\n{\n.reg .b64 %rd<9>;\n$b1:\nmov.u64 %rd1, 1;\n$e1:\nret;\n}\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lockstep;
  using namespace lockstep::emulator;
  const std::string text(reinterpret_cast<const char*>(data), size);
  Expression expression;
  if (parse_expression(text, &expression)) names_in(expression);
  try {
    const Module module = parse_ptx(kFunctions + text, "fuzz.ptx");
    const DebugInfo info(module);
    for (uint32_t f = 0; f < module.functions.size(); ++f)
      for (uint32_t i = 0; i <= module.functions[f].code.size(); ++i)
        for (const uint32_t variable : info.variables_at(f, i)) {
          info.home_of(variable, f, i);
          const uint32_t type = info.dwarf().type_of(variable);
          bytes_of_type(info.dwarf(), type);
          if (type != kNoEntry) element_of(info.dwarf(), type, 0);
        }
  } catch (const Error&) {
  }
  return 0;
}
