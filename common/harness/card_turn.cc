// SPDX-License-Identifier: Apache-2.0
// See card_turn.h.
#include "common/harness/card_turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/base/error.h"

namespace lockstep {

CardTurn::CardTurn(const std::string& file) {
  if (file.empty()) return;
  lock_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ >= 0) {
    int failed;
    do failed = flock(lock_, LOCK_EX);
    while (failed != 0 && errno == EINTR);
    if (failed == 0) return;
  }
  const std::string why = std::strerror(errno);
  if (lock_ >= 0) close(lock_);
  throw Error("cannot wait for a turn at the card, " + file + ": " + why, kExitCannotRun);
}

CardTurn::~CardTurn() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace lockstep
