// SPDX-License-Identifier: Apache-2.0
// Headers whose own inline assembly is allowed where a submission's is not. They are read before
// the submission's text, at whose beginning the words for assembly lose their meaning.
#pragma once

#include <string>
#include <vector>

namespace lockstep::grader {

// What a rubric that names none permits, besides the standard library.
std::vector<std::string> default_headers();

// Those of the standard library and of `permitted` ("cuda_fp16.h", "cuda/std/*") that the source
// seems to include: that is, <NAME> or "NAME" is in its bytes. Nothing is decided by this: a header
// that is overlooked is only not read before.
std::vector<std::string> headers_to_read_first(const std::string& source,
                                               const std::vector<std::string>& permitted);

}  // namespace lockstep::grader
