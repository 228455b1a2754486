// SPDX-License-Identifier: Apache-2.0
// zlib, held to what was told. See zip_member.h.
#include "grader/zip_member.h"

#include <new>

namespace lockstep::grader {
namespace {

constexpr char kDamaged[] = "it is damaged";
constexpr char kTwoLengths[] =
    "it can be read in more than one way: what is packed does not end where it is told to";

}  // namespace

std::string ZipMember::unknown(uint64_t method) {
  return "packed in a way that is not supported (method " + std::to_string(method) +
         " of zip; pack it with method \"Deflate\", which programs choose by themselves)";
}

ZipMember::ZipMember(unsigned method, uint64_t size, uint32_t checksum, const UnpackBudget& budget)
    : size_(size),
      checksum_(checksum),
      budget_(budget),
      deflated_(method == 8),
      ended_(!deflated_) {
  sum_ = crc32(0, nullptr, 0);
  if (deflated_ && inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
}

ZipMember::~ZipMember() {
  if (deflated_) inflateEnd(&stream_);
}

std::string ZipMember::give(std::string_view bytes, std::string* into) {
  given_ += bytes.size();
  if (given_ > size_) return kTwoLengths;
  sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  if (into != nullptr) into->append(bytes);
  return {};
}

std::string ZipMember::take(std::string_view packed, std::string* into) {
  if (!deflated_) return give(packed, into);
  char buffer[64 << 10];
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream_.avail_in = static_cast<uInt>(packed.size());
  do {
    if (ended_) return stream_.avail_in > 0 ? kTwoLengths : "";
    budget_.require_time();
    stream_.next_out = reinterpret_cast<Bytef*>(buffer);
    stream_.avail_out = sizeof buffer;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    ended_ = code == Z_STREAM_END;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return kDamaged;
    const size_t got = sizeof buffer - stream_.avail_out;
    if (std::string problem = give({buffer, got}, into); !problem.empty()) return problem;
  } while (stream_.avail_in > 0 || stream_.avail_out == 0);
  return {};
}

std::string ZipMember::finish() const {
  if (!ended_ || given_ != size_) return given_ < size_ ? kDamaged : kTwoLengths;
  return sum_ == checksum_ ? "" : kDamaged;
}

}  // namespace lockstep::grader
