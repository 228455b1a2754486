// SPDX-License-Identifier: Apache-2.0
// A small change of a kernel's code, such as a student would make in one line: another number,
// variable, comparison or operation, or one more or less of these. Executing a wrong kernel with
// each of them tells where the mistake is: in the line in which a change makes all results right.
#pragma once

#include <string>

namespace lockstep {

struct CodeMutation {
  std::string kernel;  // "norm_group<8,4>", that is changed
  std::string file;    // as the compiler has it
  int line = 0;
  // What the line has, and what stands in its place, in the names of the source's variables:
  // "hi + j * 4", "hi + j * 8". Text of the submission's.
  std::string is, instead;
  // In place of these, where that does not say it: "with `__syncthreads()` before line 94".
  std::string phrase;
  // How likely somebody wrote the one for the other: the smaller, the likelier.
  int rank = 0;
  bool orders = false;    // it has threads wait for each other
  bool in_kernel = true;  // not in a function, to which a part of the threads may come
};

}  // namespace lockstep
