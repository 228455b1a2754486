// SPDX-License-Identifier: Apache-2.0
// main() of every homework program. Nothing else refers to this file, so that a program with a
// main() of its own (a test) can use the library.
#include <malloc.h>
#include <unistd.h>

#include <climits>
#include <iostream>

#include "common/base/text.h"
#include "common/harness/homework.h"
#include "program/open_backend.h"

namespace {

// The program's file, whatever path or link it was called by; the module lies beside it.
std::string executable_path(const char* called_as) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || length == static_cast<ssize_t>(sizeof path)) return called_as;
  return std::string(path, static_cast<size_t>(length));
}

}  // namespace

int main(int argc, char** argv) {
  // Every launch has arrays of its own: their memory is kept, not given back and cleared anew.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const std::unique_ptr<lockstep::Assignment> assignment = lockstep::make_assignment();
  lockstep::HomeworkEnvironment environment;
  environment.program = argc > 0 ? argv[0] : assignment->name();
  environment.executable = executable_path(environment.program.c_str());
  environment.out = &std::cout;
  environment.err = &std::cerr;
  environment.terminal = lockstep::is_terminal(STDOUT_FILENO);
  environment.width = lockstep::terminal_width(STDOUT_FILENO);
  environment.open_backend = lockstep::open_backend;
  environment.open_checker = lockstep::open_checker;
  environment.list_code = lockstep::list_machine_code;
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return lockstep::run_homework(arguments, *assignment, environment);
}
