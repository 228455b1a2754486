// SPDX-License-Identifier: Apache-2.0
// Which bytes of a buffer have been written: one bit a 4-byte word, and for words that are only
// partly written one bit a byte, in pages made when needed. Threads may use it at once: bits are
// only ever added while kernels run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lockstep::emulator {

class Definedness {
 public:
  explicit Definedness(size_t bytes);
  ~Definedness();
  Definedness(const Definedness&) = delete;
  Definedness& operator=(const Definedness&) = delete;

  // True while every byte is known to be defined: nothing need be asked.
  bool everything() const { return everything_.load(std::memory_order_relaxed); }

  bool is_defined(size_t offset, size_t bytes) const {
    if (everything()) return true;
    return range_defined(offset, bytes);
  }
  // Whether the whole words of an aligned access of at most 16 bytes are defined: the quick part.
  bool words_defined(size_t offset, uint32_t bytes) const {
    const size_t word = offset >> 2;
    const uint64_t need = bytes <= 4 ? 1 : (uint64_t{1} << (bytes >> 2)) - 1;
    return (words_[word >> 6].load(std::memory_order_relaxed) >> (word & 63) & need) == need;
  }
  // The first undefined byte of the range; `offset + bytes` where there is none.
  size_t first_undefined(size_t offset, size_t bytes) const;

  void define(size_t offset, size_t bytes) {
    if (!everything()) define_range(offset, bytes);
  }
  // Not while a kernel runs.
  void undefine(size_t offset, size_t bytes);
  std::unique_ptr<Definedness> copy() const;

 private:
  static constexpr size_t kPageBytes = 4096;
  struct Page {
    std::atomic<uint8_t> nibbles[kPageBytes / 8] = {};  // four bits a word
  };
  bool range_defined(size_t offset, size_t bytes) const;
  void define_range(size_t offset, size_t bytes);
  void define_words(size_t first, size_t count);
  void define_part(size_t word, uint32_t nibble);
  uint32_t nibble_of(size_t word) const;
  Page& page_of(size_t word);
  bool word_defined(size_t word) const {
    return (words_[word >> 6].load(std::memory_order_relaxed) >> (word & 63) & 1) != 0;
  }

  size_t bytes_;
  std::atomic<bool> everything_{false};
  std::unique_ptr<std::atomic<uint64_t>[]> words_;
  std::unique_ptr<std::atomic<Page*>[]> pages_;
  size_t page_count_;
};

}  // namespace lockstep::emulator
