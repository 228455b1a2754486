// SPDX-License-Identifier: Apache-2.0
// Text made small by zlib, as the store keeps what is large; SQLite's sqlar_uncompress() reads it.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::grader {

std::string packed(const std::string& text);
// `size`: of the text. Throws Error where the bytes are not what packed() made of so much.
std::string unpacked(const std::string& bytes, int64_t size);

}  // namespace lockstep::grader
