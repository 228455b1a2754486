// SPDX-License-Identifier: Apache-2.0
// What the tools said of a submission, held against the homework's policy: the preprocessor's list
// of files, and the survey of the PTX. Its output: preprocessed.h.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grader/preprocessed.h"
#include "grader/rubric.h"

namespace lockstep::grader {

constexpr size_t kMostBreaches = 20;  // that are shown
struct Breach {
  int line = 0;  // of the student's file; 0: unknown
  std::string what;
};

// The files of a list in make's format, as gcc -MD writes it.
std::vector<std::string> parse_dependencies(const std::string& text);

// What `lockstep-runner survey` prints.
struct Survey {
  struct Use {
    std::string name;
    std::vector<std::pair<std::string, int>> at;  // file and line, innermost first
  };
  std::string error;  // why the module cannot be read
  bool whole = true;  // else it is of a part of it, which `lockstep-runner survey` has written
  int64_t bytes = 0;
  std::vector<std::string> files;
  std::vector<Use> uses;
};
// Throws Error where it is none.
Survey parse_survey(const std::string& text);

std::vector<Breach> inspect_survey(const Survey& survey, const Policy& policy,
                                   const NameTest& is_student, const NameTest& is_known);

}  // namespace lockstep::grader
