// SPDX-License-Identifier: Apache-2.0
// What the variables of a source line held, each time that a thread executed it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct TraceRequest {
  std::string file;  // the student's, without its folders
  int line = 0;
  uint32_t thread[3] = {0, 0, 0};
  uint32_t block[3] = {0, 0, 0};
  // What the line names, as it stands there: "h", "thd_sum[j]". Of those that are no variables
  // nothing is shown; where none is, all variables are.
  std::vector<std::string> expressions;
  size_t most = 20;  // turns that are kept, besides the last
};

struct LineTrace {
  // "?": no place is known here; "-": nothing has been stored there.
  struct Value {
    std::string before, after;  // equal where the line did not change it
  };
  struct Turn {
    uint64_t number = 0;  // from 1
    std::vector<Value> values;
  };
  std::string kernel;  // that the thread executed, demangled
  std::vector<std::string> columns;
  std::vector<Turn> turns;
  uint64_t all = 0;  // turns; the last of `turns` is the last of all
  // Where it was not reached: lines of the file that the thread executed last, in that order.
  std::vector<int> last_lines;
};

}  // namespace lockstep
