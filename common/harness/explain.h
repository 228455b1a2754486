// SPDX-License-Identifier: Apache-2.0
// Why an element is wrong: what a watched execution tells of it (Backend::watch), beside what the
// homework's own reference makes it of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/harness/assignment.h"

namespace lockstep {

// A result that is wrong, with what it came from.
struct WrongResult {
  struct Array {
    const ArraySpec* spec = nullptr;
    BufferId buffer = 0;
    int input = -1;   // into inputs, where it has one
    int output = -1;  // into expected, where it is checked
    const HostArray* got = nullptr;
    std::optional<uint32_t> poison;
  };
  Backend& backend;  // has watched the execution
  const Assignment& assignment;
  const Case& c;
  uint64_t seed;
  const std::vector<HostArray>& inputs;
  const std::vector<Assignment::Expected>& expected;
  std::vector<Array> arrays;
};

struct Explanation {
  std::string words;  // lines for the student; "" where nothing is known
  std::string file;   // the place to look at first; "": not known
  int line = 0;
  std::vector<int> lines;  // of that file, that the value came through
  bool settled = false;    // what is told is the cause: nothing else has to be looked for
  bool whole = true;       // false: the execution was too long to be remembered as a whole
};
Explanation explain(const WrongResult& wrong);

// Whether these arrays, in the order of wrong.arrays, are right, wrong and not written in the same
// elements.
bool is_wrong_alike(const WrongResult& wrong, const std::vector<HostArray>& others);

// "thread (3,0,0) of block (0,0,0)".
std::string thread_words(const FaultPlace& place);
bool is_students_line(const Assignment& assignment, const ValueStory::Line& line);
// "lines 85, 91 and 107"; "" where none is the student's.
std::string lines_of_student(const Assignment& assignment,
                             const std::vector<ValueStory::Line>& lines);

// "Its address is made in lines 85 and 91."; "" where none of these is the student's. With what the
// thread compared last before that.
std::string words_of_index(const Assignment& assignment, const std::vector<ValueStory::Line>& lines,
                           const std::optional<ValueStory::Comparison>& comparison);
// Of a thread that had ended when others went on: what it compared last; "" likewise.
std::string words_of_end(const Assignment& assignment, const ValueStory::Comparison& comparison);
// Of what was read before anything had written it: who writes it later, or that nobody does; ""
// where that is not known.
std::string words_of_late_store(const Assignment& assignment, const LateStore& late);
// "Line 99 compares 0 < 36 again and again: what changes there?"; "" where that is not known.
std::string words_of_loop(const Assignment& assignment,
                          const std::optional<ValueStory::Comparison>& comparison);

}  // namespace lockstep
