// SPDX-License-Identifier: Apache-2.0
// The gradings of a homework that count, for what is made of a results folder.
#pragma once

#include <string>
#include <vector>

#include "grader/store.h"

namespace lockstep::grader {

struct LastClass {
  // The latest of each who was in the class of the last run, by name as shown; of one who has none,
  // an infrastructure error that says so: that run did not come to its end.
  std::vector<Graded> gradings;
  size_t absent = 0;  // others with a grading
};
// `backend`: "auto", where the homework was graded on one alone. Throws Error where nobody has a
// grading.
LastClass last_class(Store& store, const Rubric& rubric, const std::string& backend);

// The backends with gradings of a homework, or the one of them that is asked for. Throws Error
// where there is none.
std::vector<std::string> graded_backends(Store& store, const std::string& homework,
                                         const std::string& asked);

// Throws Error where no grader has left results in the folder.
void require_results(const std::string& folder);

}  // namespace lockstep::grader
