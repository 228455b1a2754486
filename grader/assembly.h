// SPDX-License-Identifier: Apache-2.0
// Inline assembly where a rubric forbids it: the words for it are taken from the compiler, which
// then refuses each use, however it came about. Headers that are permitted keep their own: the
// statements that they hold where they are read by themselves, with no macro of the submission.
#pragma once

#include <string>
#include <vector>

#include "grader/preprocessed.h"

namespace lockstep::grader {

// The headers that a rubric which names none permits.
std::vector<std::string> default_headers();

// Whether a file is the compiler's own (not in one of the toolkit's folders), or one of those that
// the rubric permits, which it names as they are included ("cuda_fp16.h", "cuda/std/*").
bool may_hold_assembly(const std::string& file, const std::vector<std::string>& toolkit_folders,
                       const std::vector<std::string>& permitted);

// A source in the place of the submission that includes the same headers and holds nothing else;
// empty where it includes none, or no word for assembly is there.
std::string headers_alone(const Preprocessed& submission);

// The submission's output, with the words for assembly made macros of the compiler's preprocessor
// just before it, of what is no token. Where the compiler heeds no such macros it does not compile
// any more.
// `alone`: the output for headers_alone(), may be null. Its statements of headers that `may_hold`
// assembly are left as they are, where the very same text stands in the same place.
std::string refuse_assembly(const Preprocessed& submission, const Preprocessed* alone,
                            const NameTest& may_hold);

}  // namespace lockstep::grader
