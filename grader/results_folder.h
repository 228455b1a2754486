// SPDX-License-Identifier: Apache-2.0
// Where results lie: never among what students handed in, whose files' and folders' names would
// else be those of the store; and opened without following a link that stands in it.
#pragma once

#include <string>

namespace lockstep::grader {

// Throws Error where the results folder is or lies in the submissions (a folder or an archive), or
// they in it, or where a name on the way to it is looked up among them: that one may be a link.
void require_apart(const std::string& results, const std::string& submissions);

// Makes the folder, if need be, and its file `lock`, and takes that: its descriptor, to be closed.
// Throws Error where it cannot be, or is another grader's.
int lock_results(const std::string& folder);

}  // namespace lockstep::grader
