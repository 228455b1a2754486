// SPDX-License-Identifier: Apache-2.0
// Whether a zip can be read in one way only. Programs find members by the directory at the end or
// by the heads before the contents, take a first or a last directory, one name of two; where these
// differ, a person may see other files than we do.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::grader {

// Each byte must belong to one member, to the directory or to its end, and heads must say what the
// directory says (APPNOTE.TXT 4.3). What is wrong; "" where nothing is.
std::string zip_layout_problem(std::string_view bytes);

}  // namespace lockstep::grader
