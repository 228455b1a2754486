// SPDX-License-Identifier: Apache-2.0
// What launches need at least: the counts of the homework's solution, kernel by kernel and shape by
// shape of the default table, recorded in hwNN/goals.json (`make goals`). Remarks below a table
// compare with them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/harness/assignment.h"
#include "common/harness/record.h"

namespace lockstep {

// Counts that a launch needs, by metric, those by line (metric_names.h) summed up among them.
struct Goal {
  std::map<std::string, double> counts;
  bool same_problem = false;  // else scaled from another size or shape: of instructions no goal
  double of(const std::string& metric) const;  // 0 where the solution has none
};

// The same of a launch.
std::map<std::string, double> totals_of(const Counts& counts);

class Goals {
 public:
  // Nothing where the file is not there. Throws Error where it is none of goals.
  static Goals of_file(const std::string& path);

  // Takes what a right record needed; to be written.
  void keep(const Record& record);
  std::string text(const std::string& homework) const;

  // Of the launch with this kernel, problem and shape; else of one that is like it. shape_is_free:
  // it is the student's choice, and any of the solution's will do.
  std::optional<Goal> find(const Record& record, bool shape_is_free) const;
  bool empty() const { return launches_.empty(); }

  struct Launch {
    std::string kernel;
    std::map<std::string, int64_t> parameters;
    int64_t elements = 0;
    Dim3 grid, block;
    std::map<std::string, double> counts;
  };
  const std::vector<Launch>& launches() const { return launches_; }

 private:
  std::vector<Launch> launches_;
};

// hwNN/goals.json, beside the program.
std::string goals_file(const std::string& executable);

}  // namespace lockstep
