// SPDX-License-Identifier: Apache-2.0
// Names of submissions, made of bytes that others chose: never two shown alike, and none in letters
// that could be taken for another's. What looks alike is told by the Unicode Standard's own tables
// (UTS 39, through ICU), not by a list of ours.
#pragma once

#include <string>
#include <vector>

#include "grader/stage.h"

namespace lockstep::grader {

// Text in which case, Unicode's compatible forms and what nobody sees make no difference: two paths
// of one fold are one file to some machine. Bytes that are no UTF-8 stay as they are.
std::string folded(const std::string& text);

// "Alice.CU" has the ending ".cu".
bool has_ending(const std::string& name, const std::string& ending);

// "alice" of "alice.cu", "alice.tar.gz" and "alice".
std::string stem(const std::string& name);

// Sets the name of each as it is shown (docs/grading.md, "Names"): "alice" where that can mean
// nothing else among these, else "alice.cu".
void set_shown_names(std::vector<SubmissionEntry>* list);

// The whole name, where nobody else's is known.
std::string shown_alone(const std::string& identity);

}  // namespace lockstep::grader
