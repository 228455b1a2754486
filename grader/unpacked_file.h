// SPDX-License-Identifier: Apache-2.0
// The bytes of a file after the one packing that its name tells, in pieces, through libarchive.
// Whoever reads them, and whatever is passed over, no more come out than the budget allows, and no
// more processor time goes by.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "common/base/error.h"
#include "grader/file_names.h"

struct archive;

namespace lockstep::grader {

// What it may cost to unpack one submission, or the archive of a class.
class UnpackBudget {
 public:
  // The bytes are of each time that it is read; the seconds of this thread's processor time are of
  // all together.
  explicit UnpackBudget(size_t bytes = 128 << 20, double seconds = 20);
  // Throw PastBudget.
  void require_bytes(uint64_t bytes) const;
  void require_time() const;

 private:
  size_t bytes_;
  double seconds_, start_;
};

class PastBudget : public Error {
 public:
  using Error::Error;
};

class UnpackedFile {
 public:
  // Of an open file, whose position does not matter and is not changed.
  UnpackedFile(int fd, Packing packing, const UnpackBudget& budget);
  UnpackedFile(const UnpackedFile&) = delete;
  // The next bytes, until the next call; none at the end. Throws Error where it is damaged, is not
  // packed so, or holds something behind what was packed; PastBudget.
  std::string_view next();

 private:
  static long more(archive* reader, void* self, const void** bytes);
  std::string why() const;

  int fd_;
  const UnpackBudget& budget_;
  uint64_t read_ = 0, given_ = 0;
  bool open_ = false;
  std::exception_ptr failure_;  // of more(), which C calls
  std::string packed_, unpacked_;
  std::unique_ptr<archive, int (*)(archive*)> reader_;
};

}  // namespace lockstep::grader
