// SPDX-License-Identifier: Apache-2.0
// Which files a process and all that it starts may reach, without namespaces: Landlock, which any
// process may put on itself. What is not named cannot be opened; that it is there can still be
// asked, as by stat(). Nothing listens or connects over TCP.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

struct Reach {
  std::vector<std::string> read;   // folders with all below, or files: read and executed
  std::vector<std::string> write;  // besides: written, made and removed
  bool empty() const { return read.empty() && write.empty(); }
};

// The kernel's version of Landlock; 0: it has none, or it is turned off.
int landlock_version();

// In two steps, since the one who opens what is named may be another user than the one confined.
class Confinement {
 public:
  // Names that are not there are passed over. Throws Error (kExitCannotRun).
  explicit Confinement(const Reach& reach);
  ~Confinement();
  Confinement(const Confinement&) = delete;
  // This thread and what it starts from now on, for good. Throws Error (kExitCannotRun).
  void enter() const;

 private:
  int ruleset_ = -1;
};

}  // namespace lockstep
