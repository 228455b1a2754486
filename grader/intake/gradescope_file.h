// SPDX-License-Identifier: Apache-2.0
// Gradescope's submission_metadata.yml (kGradescopeFile): whose each submission of an export is,
// and when it came.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grader/store.h"

namespace lockstep::grader {

struct GradescopeTold {
  std::vector<std::string> students;  // addresses, or where there is none "sid"
  Submitted submitted;
  std::vector<int64_t> order;  // the time, as a number
};

// By the folder's name, "submission_123". Read as a stream: outputs of autograders, which make most
// of it, are not kept, and neither depth nor aliases cost memory. Throws Error "WHERE:LINE: ..."
// for what is no such file, or holds more names than any class.
std::map<std::string, GradescopeTold> read_gradescope_file(const std::string& text,
                                                           const std::string& where);

}  // namespace lockstep::grader
