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
  // Whether the whole words are defined that the lanes of a mask access, at addresses[lane] -
  // begin, aligned, 4 to 16 bytes each: the quick part.
  bool lanes_defined(const uint64_t* addresses, uint32_t mask, uint64_t begin,
                     uint32_t bytes) const;
  // Makes them defined; of 1 to 64 bytes each, aligned.
  void define_lanes(const uint64_t* addresses, uint32_t mask, uint64_t begin, uint32_t bytes);
  // The first undefined byte of the range; `offset + bytes` where there is none.
  size_t first_undefined(size_t offset, size_t bytes) const;

  // Of 64 words from the one at the offset on, a bit each: whether the whole word is defined.
  uint64_t defined_words(size_t offset) const;

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
