// SPDX-License-Identifier: Apache-2.0
// A copy of a results folder, which another grader may be working with: as the results were at one
// moment between two gradings.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::grader {

struct Backup {
  int64_t gradings = 0, bytes = 0;
};

// Makes the folder `to`, with results.db and, where there is one, pseudonym.key: whole and on disk
// once this has returned, and under no such name before. Grading waits for none of it. Throws Error
// where `to` is there, or the results are not as a grader makes them.
Backup back_up(const std::string& results, const std::string& to);

}  // namespace lockstep::grader
