// SPDX-License-Identifier: Apache-2.0
// SHA-256 and its keyed form, both by libnettle: names a submission, a rubric or a module by its
// contents, so that an unchanged submission is known again and a changed one never passes for it.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::grader {

// FIPS 180-4; sixty-four hexadecimal digits.
std::string sha256(std::string_view bytes);
// HMAC with SHA-256 (RFC 2104), in the same form: without the key it can be neither foreseen nor
// checked.
std::string hmac_sha256(std::string_view key, std::string_view text);

}  // namespace lockstep::grader
