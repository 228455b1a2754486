// SPDX-License-Identifier: Apache-2.0
// What the pages of `grader report` show, as common/page/page.h wants it, made of the store alone:
// nothing is compiled or executed again.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/similar.h"
#include "grader/store.h"

namespace lockstep::grader {

struct PageNames {
  std::string title;         // of the homework
  std::string student_file;  // "hw02.cu"
};

// A file's name for a page, safe and another for each identity: letters and digits of the name as
// shown and of the identity's SHA-256.
std::string page_file(const std::string& shown, const std::string& identity);

// One submission. `back`: the class's page; empty: there is none.
nlohmann::json student_data(Store& store, const Graded& graded, const PageNames& names,
                            const std::string& back);
// The same of a grading that is in no store: its parts.
struct StudentParts {
  const Graded& graded;
  std::string source;
  nlohmann::json kernels;  // of the page: kernels_part()
  std::string code;        // BuildResult::code; empty: none
  std::vector<Record> records, solution;
};
nlohmann::json student_data(const StudentParts& parts, const PageNames& names,
                            const std::string& back);

// A class, whose members have these pages and codes (empty: not compared), in the same order.
nlohmann::json class_data(const std::vector<Graded>& students,
                          const std::vector<std::string>& files,
                          const std::vector<Fingerprint>& codes, size_t absent,
                          const PageNames& names);

}  // namespace lockstep::grader
