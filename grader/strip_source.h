// SPDX-License-Identifier: Apache-2.0
// Source text without what is only text: comments and the contents of literals are blanked, lines
// that end in a backslash are joined. Newlines stay in number, so that line numbers hold.
#pragma once

#include <string>

namespace lockstep::grader {

// Any bytes are taken. The quotes of a directive are kept: an #include's name is looked at.
std::string strip_source(const std::string& source);

}  // namespace lockstep::grader
