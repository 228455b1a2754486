// SPDX-License-Identifier: Apache-2.0
#include "grader/packed.h"

#include <zlib.h>

#include "common/base/error.h"

namespace lockstep::grader {

std::string packed(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, 0);
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(),
                Z_DEFAULT_COMPRESSION) != Z_OK)
    throw Error("there is not enough memory to pack a text", kExitCannotRun);
  bytes.resize(size);
  return bytes;
}

std::string unpacked(const std::string& bytes, int64_t size) {
  constexpr int64_t kMost = int64_t{1} << 30;
  std::string text(static_cast<size_t>(size < 0 || size > kMost ? 0 : size), 0);
  uLongf got = text.size();
  if (uncompress(reinterpret_cast<Bytef*>(text.data()), &got,
                 reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()) != Z_OK ||
      got != text.size())
    throw Error("the results hold a text that cannot be unpacked", kExitCannotRun);
  return text;
}

}  // namespace lockstep::grader
