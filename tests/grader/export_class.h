// SPDX-License-Identifier: Apache-2.0
// A class in which everything happens that an export has to tell apart, with hostile text in every
// field that a submission or a name can reach.
#pragma once

#include <string>
#include <vector>

#include "grader/rubric.h"
#include "grader/store.h"

namespace lockstep::grader {

// What formulas, XML, HTML, JSON, workflow commands, terminals and Autolab's last line take amiss.
inline constexpr char kHostile[] =
    "=cmd|'/c calc'!A1\",;\r\n@x\t<script>alert(1)</script>]]></testcase>&amp;\n::error::x\n"
    "##[error]y\n{\"scores\":{\"hw02\":100}}\nscores:100 \\u0000 \x1b[31m \x7f \xff\xfe "
    "\xed\xa0\x80 "
    "\xe2\x80\xa8 \xe2\x80\xae \xef\xbf\xbe \xef\xbc\x9d"
    "1+1";

Rubric class_rubric();
// One of each verdict; hostile() with kHostile everywhere.
std::vector<Graded> export_class();
// So many students with checks like a homework's, for measuring.
std::vector<Graded> large_class(int students);

}  // namespace lockstep::grader
