// SPDX-License-Identifier: Apache-2.0
// Bytes of the runner's protocol. Both ends run on one machine, so numbers keep its byte order.
#include "runner/wire.h"

#include <climits>
#include <cstring>

#include "common/base/error.h"

namespace lockstep::wire {

void Writer::raw(const void* data, size_t bytes) {
  const auto* from = static_cast<const uint8_t*>(data);
  bytes_.insert(bytes_.end(), from, from + bytes);
}

void Writer::text(const std::string& s) { blob(s.data(), s.size()); }

void Writer::blob(const void* data, size_t bytes) {
  u64(bytes);
  raw(data, bytes);
}

const uint8_t* Reader::take(size_t bytes) {
  if (bytes > bytes_.size() - at_) throw Error("the message is shorter than it says");
  const uint8_t* p = bytes_.data() + at_;
  at_ += bytes;
  return p;
}

uint8_t Reader::u8() { return *take(1); }

uint32_t Reader::u32() {
  uint32_t v;
  std::memcpy(&v, take(sizeof v), sizeof v);
  return v;
}

uint64_t Reader::u64() {
  uint64_t v;
  std::memcpy(&v, take(sizeof v), sizeof v);
  return v;
}

int Reader::i32() {
  int64_t v = i64();
  if (v < INT_MIN || v > INT_MAX) throw Error("a number of the message is out of range");
  return static_cast<int>(v);
}

double Reader::f64() {
  double v;
  std::memcpy(&v, take(sizeof v), sizeof v);
  return v;
}

std::string Reader::text(size_t most) {
  uint64_t bytes = u64();
  if (bytes > most) throw Error("a text of the message is longer than it may be");
  const uint8_t* p = take(bytes);
  return std::string(reinterpret_cast<const char*>(p), bytes);
}

std::vector<uint8_t> Reader::blob(size_t most) {
  uint64_t bytes = u64();
  if (bytes > most) throw Error("a block of the message is longer than it may be");
  const uint8_t* p = take(bytes);
  return std::vector<uint8_t>(p, p + bytes);
}

size_t Reader::count(size_t most) {
  uint64_t n = u64();
  if (n > most || n > bytes_.size() - at_) throw Error("a list of the message is too long");
  return n;
}

void Reader::end() const {
  if (at_ != bytes_.size()) throw Error("the message is longer than it should be");
}

}  // namespace lockstep::wire
