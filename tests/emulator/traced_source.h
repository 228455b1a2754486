// SPDX-License-Identifier: Apache-2.0
// The module that is traced in tests, and its lines by the words that end them.
#pragma once

#include <fstream>
#include <string>

namespace lockstep::emulator {

inline constexpr char kTracedModule[] = "build/modules/tests/emulator/kernels/lines_debug.ptx";
inline constexpr char kTracedFile[] = "lines_debug.cu";

// The line that ends with "// WORDS"; 0: there is none.
inline int traced_line(const std::string& words) {
  std::ifstream source(std::string("tests/emulator/kernels/") + kTracedFile);
  std::string text;
  for (int line = 1; std::getline(source, text); ++line)
    if (text.ends_with("// " + words)) return line;
  return 0;
}

}  // namespace lockstep::emulator
