// SPDX-License-Identifier: Apache-2.0
// One filter of libarchive, and no format. See unpacked_file.h.
#include "grader/unpacked_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "common/base/quoted.h"

namespace lockstep::grader {
namespace {

constexpr size_t kPiece = 64 << 10;

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

int filter_of(Packing packing) {
  switch (packing) {
    case Packing::kGzip:
      return ARCHIVE_FILTER_GZIP;
    case Packing::kBzip2:
      return ARCHIVE_FILTER_BZIP2;
    case Packing::kXz:
      return ARCHIVE_FILTER_XZ;
    case Packing::kZstd:
      return ARCHIVE_FILTER_ZSTD;
    case Packing::kNone:
      break;
  }
  return ARCHIVE_FILTER_NONE;
}

}  // namespace

UnpackBudget::UnpackBudget(size_t bytes, double seconds)
    : bytes_(bytes), seconds_(seconds), start_(processor_seconds()) {}

void UnpackBudget::require_bytes(uint64_t bytes) const {
  if (bytes > bytes_)
    throw PastBudget("expands to more than " + std::to_string(bytes_ >> 20) + " MiB");
}

void UnpackBudget::require_time() const {
  if (processor_seconds() - start_ > seconds_)
    throw PastBudget("takes more than " + std::to_string(static_cast<int>(seconds_)) +
                     " s to unpack");
}

UnpackedFile::UnpackedFile(int fd, Packing packing, const UnpackBudget& budget)
    : fd_(fd),
      budget_(budget),
      packed_(kPiece, '\0'),
      unpacked_(kPiece, '\0'),
      reader_(archive_read_new(), archive_read_free) {
  archive_read_support_format_raw(reader_.get());
  // This filter, once: libarchive would else take any that fits, and one in the other.
  if (packing != Packing::kNone) archive_read_append_filter(reader_.get(), filter_of(packing));
}

std::string_view UnpackedFile::next() {
  if (!open_) {
    open_ = true;
    archive_entry* entry = nullptr;
    if (archive_read_open(reader_.get(), this, nullptr, more, nullptr) != ARCHIVE_OK ||
        archive_read_next_header(reader_.get(), &entry) != ARCHIVE_OK) {
      if (failure_) std::rethrow_exception(failure_);
      throw Error("is not an archive of the kind that its name tells; pack it again");
    }
  }
  budget_.require_time();
  const la_ssize_t got = archive_read_data(reader_.get(), unpacked_.data(), unpacked_.size());
  if (failure_) std::rethrow_exception(failure_);
  if (got < 0) throw Error("is a damaged archive: " + why());
  given_ += static_cast<uint64_t>(got);
  budget_.require_bytes(given_);
  if (got == 0) {
    // libarchive leaves unread what does not begin like another stream of the kind.
    char behind = 0;
    const int64_t used = archive_filter_bytes(reader_.get(), -1);
    if (pread(fd_, &behind, 1, used) > 0)
      throw Error("holds bytes behind the end of what was packed; pack it again");
  }
  return std::string_view(unpacked_).substr(0, static_cast<size_t>(got));
}

la_ssize_t UnpackedFile::more(archive* reader, void* self, const void** bytes) {
  auto* file = static_cast<UnpackedFile*>(self);
  try {
    file->budget_.require_time();
  } catch (...) {
    file->failure_ = std::current_exception();
    archive_set_error(reader, ECANCELED, "stopped");
    return ARCHIVE_FATAL;
  }
  const ssize_t got =
      pread(file->fd_, file->packed_.data(), file->packed_.size(), static_cast<off_t>(file->read_));
  if (got < 0) archive_set_error(reader, errno, "it cannot be read");
  if (got > 0) file->read_ += static_cast<uint64_t>(got);
  *bytes = file->packed_.data();
  return got < 0 ? ARCHIVE_FATAL : got;
}

std::string UnpackedFile::why() const {
  const char* text = archive_error_string(reader_.get());
  return shown_word(text == nullptr ? "unknown" : text, 120);
}

}  // namespace lockstep::grader
