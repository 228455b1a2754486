// SPDX-License-Identifier: Apache-2.0
// What a PTX module holds, for the grader's policy: its files, the bytes of its variables, and
// where it uses named operations or functions. All this of what launches of some kernels can reach;
// nothing else is run. PTX of a submission is hostile, so it is parsed in a cage, by the parser
// that the emulator executes by.
#pragma once

#include <string>
#include <vector>

namespace lockstep {

// What those kernels can reach is surveyed; none: all there is. One line of JSON: {"whole": true,
// "bytes": N, "files": [...], "uses": [{"name": "cp", "at":
// [["FILE", LINE], ...]}]}, "at" being the place and what it was inlined at, innermost first. Where
// there is more than these kernels can reach (launched.h), "whole" is false, and the file
// `launched` is written, which is what was surveyed. Where the module cannot be read: {"error":
// "..."}. A name is an operation up to a dot of its modifiers ("cp", "ld.const"), a function or,
// whether asked for or not, a special register that does not follow from launch and thread
// ("%clock64"). Throws Error where the file cannot be written.
std::string survey_ptx(const std::string& path, const std::vector<std::string>& kernels,
                       const std::vector<std::string>& names, const std::string& launched);

// Of two cubins, a module's and that of a part of it: the name of a function of the part that has
// another machine code in the whole, or of a kernel that needs other resources there; "": all is
// the same. Throws Error where one cannot be read.
std::string other_code(const std::string& whole, const std::string& part);

}  // namespace lockstep
