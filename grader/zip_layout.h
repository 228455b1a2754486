// SPDX-License-Identifier: Apache-2.0
// Whether a zip can be read in one way only. Programs find members by the directory at the end or
// by the heads before the contents, take a first or a last directory, one name of two; where these
// differ, a person may see other files than we do.
#pragma once

#include <string>
#include <string_view>

#include "grader/unpacked_file.h"

namespace lockstep::grader {

// Each byte must belong to one member, to the directory or to its end, heads and descriptors must
// say what the directory says (APPNOTE.TXT 4.3), members that a stream ends must end there, by
// what is packed or by the first mark behind what is stored, and it must be no tar as well. What is
// wrong; "" where nothing is. Throws PastBudget.
std::string zip_layout_problem(std::string_view bytes, const UnpackBudget& budget = UnpackBudget());

}  // namespace lockstep::grader
