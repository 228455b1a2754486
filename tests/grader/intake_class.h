// SPDX-License-Identifier: Apache-2.0
// Classes for tests of intake: files and folders named as platforms name them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/base/error.h"
#include "grader/intake/intake.h"
#include "tests/grader/archives.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {

using Owners = std::map<std::string, std::string>;  // by identity: the file's name

class Taken : public testing::Test {
 protected:
  // Of a folder or archive below the temporary one.
  Intake take(const std::string& platform, const std::string& name,
              const std::string& table_text = "") {
    IntakeOptions options{platform, t.path(name), "hw02.cu", "hw02"};
    std::optional<StudentTable> table;
    if (!table_text.empty()) table = StudentTable::read(table_text, "students.csv");
    options.table = table ? &*table : nullptr;
    std::filesystem::create_directories(t.path("work"));
    return take_in(options, list_submissions(t.path(name), "hw02.cu", t.path("work")));
  }
  static Owners owners(const Intake& intake) {
    Owners all;
    for (const SubmissionEntry& entry : intake.entries)
      all[entry.identity] = std::filesystem::path(entry.path).filename();
    return all;
  }
  static bool is_noted(const Intake& intake, const std::string& text) {
    for (const std::string& note : intake.notes)
      if (note.find(text) != std::string::npos) return true;
    return false;
  }
  TemporaryFolder t;
};

}  // namespace lockstep::grader
