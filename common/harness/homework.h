// SPDX-License-Identifier: Apache-2.0
// What every homework program does, from the command line to the exit code. The program's main()
// is homework_main.cc; tests call run_homework() with streams and a backend of their own.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/machine_code.h"
#include "common/harness/assignment.h"
#include "common/harness/command_line.h"

namespace lockstep {

struct HomeworkEnvironment {
  std::string program;     // as it was called: "./hw02"
  std::string executable;  // its file, beside which the module lies
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  bool terminal = false;  // *out is one
  int width = 80;
  // open_backend(), or a test's.
  std::function<std::unique_ptr<Backend>(const Options&, std::string* note)> open_backend;
  // Opens the emulator, for checks before a card measures; null: there are none.
  std::function<std::unique_ptr<Backend>(const Options&)> open_checker;
  // list_machine_code(), for --html; null: pages are without it.
  std::function<MachineCode(const std::string& cubin)> list_code;
};

// Returns an exit code of error.h. Throws nothing.
int run_homework(const std::vector<std::string>& arguments, const Assignment& assignment,
                 const HomeworkEnvironment& environment);

}  // namespace lockstep
