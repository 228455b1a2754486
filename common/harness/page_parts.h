// SPDX-License-Identifier: Apache-2.0
// Parts of a page of one submission or run, as common/page/page.h has them: source, machine code,
// figures over warps a block.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "common/backend/machine_code.h"
#include "common/harness/record.h"

namespace lockstep {

// "facts" of either page: names with values, in this order.
nlohmann::json facts_json(const std::vector<std::pair<std::string, std::string>>& facts);

// The name without folders.
std::string file_name(const std::string& path);

// {"file", "words", "lines"}: lines as gcc counts them, with '?' for what is unfit to be shown.
nlohmann::json source_part(const std::string& file, const std::string& text,
                           const std::string& words);

// "code" of the page; `student_file` by its name without folders.
nlohmann::json code_part(const MachineCode& code, const std::string& student_file);

// "kernels" of the page, of records with counts by line: those of the student's file.
nlohmann::json kernels_part(const std::vector<Record>& records, const std::string& student_file);

struct PlotNames {
  std::string own = "this submission", reference = "the solution";
  bool sweep = false;  // launches that differ in nothing but warps a block: points are joined
};
// "plots" of the page: all figures that some record has; null where there are none.
nlohmann::json plots_part(const std::vector<Record>& own, const std::vector<Record>& reference,
                          const PlotNames& names);

// Where a sentence of ours begins with "FILE:LINE: ", that it stands beside the line: {"line",
// "words"}; null where it does not.
nlohmann::json note_of(const std::string& words, const std::string& student_file);

}  // namespace lockstep
