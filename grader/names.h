// SPDX-License-Identifier: Apache-2.0
// Names of submissions, made of bytes that others chose: never two shown alike, and none in letters
// that could be taken for another's. What looks alike is told by the Unicode Standard's own tables
// (UTS 39, through ICU), not by a list of ours.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/file_names.h"
#include "grader/stage.h"

namespace lockstep::grader {

// What looks the same has the same skeleton.
std::string skeleton(std::string_view utf8);
// The characters of one line from left to right, as they are shown (UAX 9): a name may turn its own
// around. Without those that only turn.
std::string as_read(std::string_view utf8);
// Without what is beyond ASCII and neither a letter, a mark nor a figure: there are signs without
// ink, and fonts that lack the others.
std::string without_signs(std::string_view utf8);

// Sets the name of each as it is shown (docs/grading.md, "Names"): "alice" where that can mean
// nothing else among these, else "alice.cu".
void set_shown_names(std::vector<SubmissionEntry>* list);

// How each is shown from now on, by identity: those of the class that is there, and after them who
// had handed in before and is not in it, with what stands in no name of one who is ("/absent").
std::map<std::string, std::string> names_of_all(const std::vector<SubmissionEntry>& present,
                                                const std::vector<std::string>& known);

// The whole name, where nobody else's is known.
std::string shown_alone(const std::string& identity);

}  // namespace lockstep::grader
