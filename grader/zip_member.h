// SPDX-License-Identifier: Apache-2.0
// The contents of a zip's member out of its packed bytes, which must be all used, and give exactly
// what the directory tells: programs differ in which of the two they believe.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "grader/unpacked_file.h"

namespace lockstep::grader {

class ZipMember {
 public:
  // Stored (method 0) or deflated (8).
  static bool is_known(uint64_t method) { return method == 0 || method == 8; }
  // What is wrong with a member of any other method, and what to do about it.
  static std::string unknown(uint64_t method);
  ZipMember(unsigned method, uint64_t size, uint32_t checksum, const UnpackBudget& budget);
  ~ZipMember();
  ZipMember(const ZipMember&) = delete;
  // The next packed bytes; what they give is appended, where that is asked for. What is wrong; ""
  // where nothing is. Throws PastBudget.
  std::string take(std::string_view packed, std::string* into);
  // That all is there.
  std::string finish() const;

 private:
  std::string give(std::string_view bytes, std::string* into);

  const uint64_t size_;
  const uint32_t checksum_;
  const UnpackBudget& budget_;
  const bool deflated_;
  bool ended_ = false;
  uint64_t given_ = 0;
  uLong sum_ = 0;
  z_stream stream_{};
};

}  // namespace lockstep::grader
