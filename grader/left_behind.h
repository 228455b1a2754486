// SPDX-License-Identifier: Apache-2.0
// What lies where submissions lie and is none: nobody wonders where it went, since the instructor
// is told of it by name.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace lockstep::grader {

struct LeftBehind {
  std::set<std::string> names;       // is_left_by_programs()
  std::set<std::string> companions;  // companion_of() another that is there
  std::set<std::string> outside;     // of an archive, beside the folder that is the class
  std::set<std::string> astray;      // of an archive, no sources, whose paths lead out of it
  // A line for each of these that there is.
  std::vector<std::string> notes() const;
};

}  // namespace lockstep::grader
