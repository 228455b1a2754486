// SPDX-License-Identifier: Apache-2.0
// Arrays on the host: bytes with an element type, as kernels find them in device memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lockstep {

enum class ElementType : uint8_t { kF64, kF32, kF16, kI64, kU64, kI32, kU32, kI16, kU16, kI8, kU8 };

size_t element_bytes(ElementType type);
bool is_floating(ElementType type);
// What a value of this type may be off by when it was rounded once, relative to the value; 0 for
// whole numbers.
double rounding_of(ElementType type);

template <typename T>
inline constexpr ElementType kElementTypeOf = ElementType::kU8;
template <>
inline constexpr ElementType kElementTypeOf<double> = ElementType::kF64;
template <>
inline constexpr ElementType kElementTypeOf<float> = ElementType::kF32;
template <>
inline constexpr ElementType kElementTypeOf<int64_t> = ElementType::kI64;
template <>
inline constexpr ElementType kElementTypeOf<uint64_t> = ElementType::kU64;
template <>
inline constexpr ElementType kElementTypeOf<int32_t> = ElementType::kI32;
template <>
inline constexpr ElementType kElementTypeOf<uint32_t> = ElementType::kU32;
template <>
inline constexpr ElementType kElementTypeOf<int16_t> = ElementType::kI16;
template <>
inline constexpr ElementType kElementTypeOf<uint16_t> = ElementType::kU16;
template <>
inline constexpr ElementType kElementTypeOf<int8_t> = ElementType::kI8;

class HostArray {
 public:
  HostArray() = default;
  HostArray(ElementType type, size_t elements);  // zeros
  template <typename T>
  static HostArray of(const std::vector<T>& values) {
    HostArray array(kElementTypeOf<T>, values.size());
    std::copy(values.begin(), values.end(), array.as<T>().begin());
    return array;
  }

  ElementType type() const { return type_; }
  size_t size() const { return bytes_.size() / element_bytes(type_); }
  size_t bytes() const { return bytes_.size(); }
  void* data() { return bytes_.data(); }
  const void* data() const { return bytes_.data(); }

  // T must have the size of an element: uint16_t for kF16.
  template <typename T>
  std::span<T> as() {
    need(sizeof(T));
    return {reinterpret_cast<T*>(bytes_.data()), size()};
  }
  template <typename T>
  std::span<const T> as() const {
    need(sizeof(T));
    return {reinterpret_cast<const T*>(bytes_.data()), size()};
  }
  // An element as a double: exact for all but 64-bit whole numbers beyond 2^53.
  double value(size_t i) const;
  // Whether an element is what fill() of a 32-bit pattern leaves there.
  bool holds_pattern(size_t i, uint32_t pattern) const;
  // Whether all from begin to end - 1 are; there is one at least.
  bool all_hold_pattern(size_t begin, size_t end, uint32_t pattern) const;

 private:
  // Does not clear what the constructor clears, by several threads.
  struct Uncleared : std::allocator<uint8_t> {
    template <typename>
    struct rebind {
      using other = Uncleared;
    };
    void construct(uint8_t*) {}
    void construct(uint8_t* at, uint8_t value) { *at = value; }
  };

  void need(size_t element) const;  // throws std::logic_error where an element has another size

  ElementType type_ = ElementType::kF32;
  std::vector<uint8_t, Uncleared> bytes_;
};

}  // namespace lockstep
