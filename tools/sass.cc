// SPDX-License-Identifier: Apache-2.0
// sass: the machine code of a cubin, with source lines where it was built with -lineinfo.
#include <iostream>

#include "common/base/error.h"
#include "emulator/code/locations.h"
#include "emulator/sass/listing.h"

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: sass FILE.cubin\nprints its functions: address and instruction, and where "
                 "it was built\nwith -lineinfo the source line before what came of it\n";
    return argc == 2 ? lockstep::kExitGood : lockstep::kExitUsage;
  }
  try {
    using lockstep::emulator::seen_from_here;
    std::cout << lockstep::emulator::sass::listing(lockstep::emulator::Cubin::read(argv[1]),
                                                   seen_from_here)
              << std::flush;
    return lockstep::kExitGood;
  } catch (const lockstep::Error& error) {
    std::cerr << "sass: " << error.what() << "\n";
    return error.code();
  }
}
