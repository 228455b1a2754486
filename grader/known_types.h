// SPDX-License-Identifier: Apache-2.0
// Endings of names that a desktop knows, and so may leave away where it shows a file.
#pragma once

#include <string>

namespace lockstep::grader {

// With its dot, in lower case. Known is what the system's table of types (shared-mime-info) has, and
// what Windows never shows; all, where there is no such table.
bool is_known_type(const std::string& ending);

}  // namespace lockstep::grader
