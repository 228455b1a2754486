// SPDX-License-Identifier: Apache-2.0
// The submissions of tests/hostile, tests/honest and tests/naive as a class, and what their first
// lines expect: "// Expect: KIND[:REASON][|KIND[:REASON]...] MIN..MAX points", and the same after
// "Expect gpu:" where a card cannot see what the emulator's checkers see.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/store.h"

namespace lockstep::grader {

struct Expectation {
  std::string name;   // of the submission: "hostile-empty"
  std::string kinds;  // "fail|student_error:crash"
  double least = 0, most = 0;
  bool of_backend = false;  // the backend that it was asked for has a line of its own
};

// Some of the submissions: those whose name's hash leaves `index` when divided by `of`.
struct CorpusPart {
  uint64_t index = 0, of = 1;
  bool has(const std::string& name) const;
};
// As the environment's CORPUS_PART says, "1/3" to "3/3"; all where it says nothing. Throws Error.
CorpusPart corpus_part();

// Writes the class of a homework into `folder`, archives and other non-files included.
std::vector<Expectation> make_corpus(const std::string& homework, const std::string& folder,
                                     const std::string& backend, const CorpusPart& part = {});

// "" where the verdict is as expected; else what is not.
std::string compare(const Expectation& expected, const Graded& got);

}  // namespace lockstep::grader
