// SPDX-License-Identifier: Apache-2.0
// The doorkeeper of the build cage: enters the jail, runs one command in it, and reports on a file
// of its own how that ended. The command has no way to that file, so what the report says is ours,
// whatever the command prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/jail.h"

namespace lockstep {

struct DoorReport {
  bool entered = false;  // the jail is up and the command was started
  bool ended = false;    // the rest holds
  int exit_code = -1;    // -1: ended by `signal`
  int signal = 0;
  double cpu_s = 0;               // of the command and all that it waited for
  int64_t peak_memory_bytes = 0;  // resident, of the largest of them
};

// Runs the command to its end; the report goes to `report_fd`. Returns the command's exit code, 128
// and the signal where it was killed. Throws Error where jail or command cannot be entered.
int keep_door(const Jail& jail, const std::vector<std::string>& command, int report_fd);

// gcc's driver says of its compiler proper only that it ended badly. Started by its -wrapper, with
// -pass-exit-codes, this one tells how: kWitnessed where that said no, 128 and the signal where it
// died. The driver's own failures, as where it can start nothing, have other codes.
inline constexpr int kWitnessed = 64;
int witness(const std::vector<std::string>& command);
// Before that: the files that the command asks for are listed in the file `list`, by `library`,
// which is loaded into it (runner/preload/asked.cc tells the form).
void have_asked_listed(const std::string& library, const std::string& list);

// What a report says, with the signal that a witness tells of; text that is not one is a report
// that nothing was entered.
DoorReport parse_door_report(const std::string& text);

}  // namespace lockstep
