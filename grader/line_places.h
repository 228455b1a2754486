// SPDX-License-Identifier: Apache-2.0
// Where in source text a directive about lines (#line 7, # 7 "x.h") could stand: all such places
// and more, since comments and literals are not told apart from code.
#pragma once

#include <string>
#include <vector>

namespace lockstep::grader {

// Offsets of their '#', in the text's order.
std::vector<size_t> find_line_places(const std::string& source);

// The source with a word before each of these. If it names an empty macro, a directive becomes
// text, and all else means what it meant: in code it vanishes, in comments nobody reads it, and in
// literals it is one word more.
std::string put_before(const std::string& source, const std::vector<size_t>& places,
                       const std::string& word);

}  // namespace lockstep::grader
