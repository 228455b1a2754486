// SPDX-License-Identifier: Apache-2.0
// The machine code of a file, for those who know nothing of decoders.
#include "common/backend/machine_code.h"
#include "emulator/code/locations.h"
#include "emulator/sass/listing.h"

namespace lockstep {

MachineCode list_machine_code(const std::string& cubin) {
  return emulator::sass::machine_code(emulator::Cubin::read(cubin), emulator::seen_from_here);
}

}  // namespace lockstep
