// SPDX-License-Identifier: Apache-2.0
// Whether two modules of one text, compiled at two times, are one code. Texts and numbers in it may
// differ (a stamp, a seed); what is done may not.
#pragma once

#include <string_view>

namespace lockstep::grader {

// Of PTX: line by line the same but for figures, debug information and comments.
bool is_same_code(std::string_view ptx, std::string_view other);

}  // namespace lockstep::grader
