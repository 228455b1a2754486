// SPDX-License-Identifier: Apache-2.0
// Reads CCTL.IVALL from the SASS; the rule for PTX alone agrees with it on CC 8.0 to 12.0, but for
// accesses to shared memory that acquire.
#include "emulator/code/fences.h"

#include <utility>

namespace lockstep::emulator {

SassFences::SassFences(const Cubin& cubin, const std::string& kernel,
                       const PtxFunctions& functions) {
  SassCode code;
  known_ = gather_sass(cubin, kernel, functions, &code).empty();
  for (size_t i = 0; known_ && i < code.code.size(); ++i) {
    const SassInstruction& in = code.code[i];
    if (in.empties_l1) lines_.insert(int(code.lines[i]));
    local_ |= in.kind == SassKind::kLocalLoad || in.kind == SassKind::kLocalStore ||
              in.kind == SassKind::kGenericLoad || in.kind == SassKind::kGenericStore;
  }
}

bool SassFences::empties_l1(const Opcode& op, int ptx_line) const {
  if (known_) return lines_.contains(ptx_line);
  if (op.root == "membar") return op.has("gl") || op.has("sys");
  if (op.has("alias")) return true;  // fence.proxy.alias
  const bool wide = op.has("gpu") || op.has("sys") || op.has("cluster");
  const bool fence = op.root == "fence" && !op.has("release") && !op.has("proxy");
  return wide && (fence || op.has("acquire") || op.has("acq_rel"));
}

}  // namespace lockstep::emulator
