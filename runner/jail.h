// SPDX-License-Identifier: Apache-2.0
// Limits that a process puts on itself before it runs something that is not trusted: resource
// limits, another user, a list of refused system calls. What bubblewrap cannot do, done inside it.
#pragma once

#include <cstdint>
#include <string>

#include "runner/confine.h"

namespace lockstep {

struct Jail {
  int64_t cpu_s = 0;          // processor time; 0: no limit (so are the others)
  int64_t address_bytes = 0;  // address space; not with CUDA, which reserves far more
  int64_t file_bytes = 0;     // largest file that may be written
  int64_t processes = 0;      // processes and threads of the user
  int64_t open_files = 0;
  int64_t uid = 0;       // user and group to become, when root; 0: stay
  bool seccomp = false;  // refuse system calls that no compiler or runner needs
  bool offline = false;  // refuse sockets but those of this machine; where no namespace does
  Reach reach;           // files; empty: all. Not in the text: options of their own
};

// "cpu=60,as=4294967296,fsize=...,nproc=64,nofile=256,uid=61000,seccomp=1". Throws Error.
Jail parse_jail(const std::string& text);
std::string to_string(const Jail& jail);

// Applies it to this process, for good. Throws Error (kExitCannotRun) where something is refused.
void enter_jail(const Jail& jail);

}  // namespace lockstep
