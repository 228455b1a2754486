// SPDX-License-Identifier: Apache-2.0
// Element types. See host_array.h.
#include "common/harness/host_array.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "common/base/parallel.h"

namespace lockstep {
namespace {

template <typename T>
double load(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

// IEEE binary16: 5 bits of exponent, 10 of fraction.
double load_half(const uint8_t* at) {
  uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double magnitude = std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0) magnitude = std::ldexp(fraction, -24);
  if (exponent == 31)
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  return bits >> 15 ? -magnitude : magnitude;
}

}  // namespace

size_t element_bytes(ElementType type) {
  switch (type) {
    case ElementType::kF64:
    case ElementType::kI64:
    case ElementType::kU64:
      return 8;
    case ElementType::kF32:
    case ElementType::kI32:
    case ElementType::kU32:
      return 4;
    case ElementType::kF16:
    case ElementType::kI16:
    case ElementType::kU16:
      return 2;
    default:
      return 1;
  }
}

HostArray::HostArray(ElementType type, size_t elements)
    : type_(type), bytes_(elements * element_bytes(type)) {
  parallel_chunks(static_cast<int64_t>(bytes_.size()), 4096, [this](int64_t begin, int64_t end) {
    std::memset(bytes_.data() + begin, 0, static_cast<size_t>(end - begin));
  });
}

bool is_floating(ElementType type) {
  return type == ElementType::kF64 || type == ElementType::kF32 || type == ElementType::kF16;
}

double rounding_of(ElementType type) {
  if (type == ElementType::kF64) return 0x1p-53;
  if (type == ElementType::kF32) return 0x1p-24;
  return type == ElementType::kF16 ? 0x1p-11 : 0;
}

double HostArray::value(size_t i) const {
  const uint8_t* at = bytes_.data() + i * element_bytes(type_);
  switch (type_) {
    case ElementType::kF64:
      return load<double>(at);
    case ElementType::kF32:
      return load<float>(at);
    case ElementType::kF16:
      return load_half(at);
    case ElementType::kI64:
      return load<int64_t>(at);
    case ElementType::kU64:
      return load<uint64_t>(at);
    case ElementType::kI32:
      return load<int32_t>(at);
    case ElementType::kU32:
      return load<uint32_t>(at);
    case ElementType::kI16:
      return load<int16_t>(at);
    case ElementType::kU16:
      return load<uint16_t>(at);
    case ElementType::kI8:
      return load<int8_t>(at);
    default:
      return *at;
  }
}

bool HostArray::holds_pattern(size_t i, uint32_t pattern) const {
  const size_t size = element_bytes(type_);
  for (size_t byte = i * size; byte < (i + 1) * size; byte++)
    if (bytes_[byte] != static_cast<uint8_t>(pattern >> 8 * (byte % 4))) return false;
  return true;
}

// Bytes repeat after four of them, and the first ones are the pattern's.
bool HostArray::all_hold_pattern(size_t begin, size_t end, uint32_t pattern) const {
  constexpr size_t kRepeat = 4;
  const size_t size = element_bytes(type_), bytes = (end - begin) * size;
  for (size_t i = begin; i < end && (i - begin) * size < kRepeat; i++)
    if (!holds_pattern(i, pattern)) return false;
  const uint8_t* const first = bytes_.data() + begin * size;
  return bytes <= kRepeat || std::memcmp(first, first + kRepeat, bytes - kRepeat) == 0;
}

void HostArray::need(size_t element) const {
  if (element != element_bytes(type_))
    throw std::logic_error("an array is looked at as one of another element size");
}

}  // namespace lockstep
