// SPDX-License-Identifier: Apache-2.0
// Whether a zip can be read in one way only. Programs find members by the directory at the end or
// by the heads before the contents, take a first or a last directory, one name of two; where these
// differ, a person may see other files than we do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "grader/unpacked_file.h"

namespace lockstep::grader {

// The name in UTF-8 that a member's extra field holds (Info-ZIP's Unicode path, APPNOTE.TXT 4.6.9),
// which many programs show in the place of the first; "" where there is none. Nothing where there
// are two, or it is not the same in ASCII: letters beyond may be any in the first one's encoding.
std::optional<std::string> second_name(std::string_view name, std::string_view extra);

// Each byte must belong to one member, to the directory or to its end, heads and descriptors must
// say what the directory says (APPNOTE.TXT 4.3), members that a stream ends must end there, by
// what is packed or by the first mark behind what is stored, and it must be no tar as well. What is
// wrong; "" where nothing is. Throws PastBudget.
std::string zip_layout_problem(std::string_view bytes, const UnpackBudget& budget = UnpackBudget());

}  // namespace lockstep::grader
