// SPDX-License-Identifier: Apache-2.0
// write-goals: of the records that a solution's program prints with --json, the goals that remarks
// compare with (common/harness/goals.h). `make goals` writes hwNN/goals.json with it.
#include <iostream>
#include <string>

#include "common/base/error.h"
#include "common/harness/goals.h"

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    std::cerr << "usage: solutions/hw02/hw02-sol --backend emulator --json | write-goals hw02\n";
    return argc == 2 ? lockstep::kExitGood : lockstep::kExitUsage;
  }
  try {
    lockstep::Goals goals;
    for (std::string line; std::getline(std::cin, line);) {
      const lockstep::Record record = lockstep::record_from_json_line(line);
      if (record.check.status != "correct")
        throw lockstep::Error("a launch of " + record.kernel + " is not right: no goals",
                              lockstep::kExitWrong);
      goals.keep(record);
    }
    if (goals.empty()) throw lockstep::Error("no records with counts", lockstep::kExitWrong);
    std::cout << goals.text(argv[1]) << std::flush;
    return lockstep::kExitGood;
  } catch (const lockstep::Error& error) {
    std::cerr << "write-goals: " << error.what() << "\n";
    return error.code();
  }
}
