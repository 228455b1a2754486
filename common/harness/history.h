// SPDX-License-Identifier: Apache-2.0
// Figures of earlier runs, as records: those of the last run, kept beside the module, or those that
// --json printed into a file. A table is held against them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/harness/record.h"

namespace lockstep {

class History {
 public:
  // A file of records, one JSON line each, as --json prints them. Throws Error where it is none.
  static History of_file(const std::string& path);
  // The same for what write() left; nothing where that is not there or of another version.
  static History of_last_run(const std::string& path);

  // Takes a record whose result is right in the place of an earlier one of the same launch.
  void keep(const Record& record);
  // The record of the same kernel, problem and shape on the same device; nullptr: there is none.
  const Record* same_launch(const Record& record) const;
  // As a whole or not at all; where nothing can be written, nothing is.
  void write(const std::string& path) const;

 private:
  std::map<std::string, Record> records_;
};

// Where a program's last run is kept.
std::string last_run_file(const std::string& executable);

struct Changes {
  double most = 0;    // the largest, as the logarithm of a ratio
  std::string words;  // "I/el 22.5 -> 17.5, BXW 3.0 -> 0.0"; "": nothing worth telling
};

// Of the figures of these columns what has changed, counts by 2 % and what is measured by 5 % at
// least, and so that it shows; at most three, instructions and time first.
Changes changes_between(const Record& before, const Record& now,
                        const std::vector<std::string>& columns);

}  // namespace lockstep
