// SPDX-License-Identifier: Apache-2.0
// Whose turn it is at a card: one program at a time has its launches counted or timed there, while
// the next one opens its runner and checks results, and the last one closes its own. (Launches of
// other processes do not change what is counted, their counters would: docs/gpu-backend.md.) Who
// has a turn holds the lock of a file, at most until its process ends.
#pragma once

#include <string>

namespace lockstep {

class CardTurn {
 public:
  // Waits for the lock of `file`, which is made where it is not there; "": none is needed. Throws
  // Error (kExitCannotRun).
  explicit CardTurn(const std::string& file);
  ~CardTurn();
  CardTurn(const CardTurn&) = delete;
  CardTurn& operator=(const CardTurn&) = delete;

 private:
  int lock_ = -1;
};

}  // namespace lockstep
