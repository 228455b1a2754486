// SPDX-License-Identifier: Apache-2.0
// Names of submissions, made of bytes that others chose: never two shown alike, and none in letters
// that could be taken for another's. What looks alike is told by the Unicode Standard's own tables
// (UTS 39, through ICU), not by a list of ours.
#pragma once

#include <string>
#include <vector>

#include "grader/file_names.h"
#include "grader/stage.h"

namespace lockstep::grader {

// Sets the name of each as it is shown (docs/grading.md, "Names"): "alice" where that can mean
// nothing else among these, else "alice.cu".
void set_shown_names(std::vector<SubmissionEntry>* list);

// The whole name, where nobody else's is known.
std::string shown_alone(const std::string& identity);

}  // namespace lockstep::grader
