// SPDX-License-Identifier: Apache-2.0
// A look at what a student handed in before it is executed: the source text, and the PTX that it
// was compiled to. Both are hostile input to this code: it only scans, in one pass, and never
// grows beyond what it is given. What is found is a breach of the homework's policy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/rubric.h"

namespace lockstep::grader {

struct Breach {
  int line = 0;  // of the student's file; 0: unknown
  std::string what;
};

// Directives that could lie about the line and file of a message (#line), or that reach for
// files by absolute path or out of the folder.
std::vector<Breach> inspect_source(const std::string& source);

// Assembly in what the preprocessor made of the student's file, headers of the toolkit and of the
// system aside. The preprocessor's line markers can be trusted once inspect_source() found nothing.
// `student_file` is the file's name as the compiler was given it, "hw02/hw02.cu".
std::vector<Breach> inspect_preprocessed(const std::string& text, const std::string& student_file,
                                         const std::string& toolkit);

// Forbidden operations, and variables larger than the policy allows.
std::vector<Breach> inspect_ptx(const std::string& ptx, const Policy& policy,
                                const std::string& student_file);

}  // namespace lockstep::grader
