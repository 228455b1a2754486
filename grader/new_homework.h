// SPDX-License-Identifier: Apache-2.0
// grader new: a homework made of a template (templates/README.md), which builds, runs and passes
// selfcheck as it is. docs/adding-a-homework.md goes on from there.
#pragma once

#include <string>
#include <vector>

namespace lockstep::grader {

struct NewHomework {
  std::string name;               // "hw07"
  std::string kind = "elements";  // a folder of templates/
  std::string title = "A new homework";
  std::string kernel = "work";    // the student's
  std::string element = "float";  // of the arrays: "float", "double" or "int"
};

// Writes the homework's files into the repository at `top`, and returns their paths from there.
// Throws Error (kExitUsage) where a name or title cannot stand in them or a file is there already;
// then it has written nothing.
std::vector<std::string> write_new_homework(const std::string& top, const NewHomework& wanted);

// The kinds that there are templates of.
std::vector<std::string> homework_kinds(const std::string& top);

}  // namespace lockstep::grader
