// SPDX-License-Identifier: Apache-2.0
// Bitmaps of defined bytes.
#include "emulator/memory/definedness.h"

#include <algorithm>
#include <bit>

namespace lockstep::emulator {
namespace {

// Bits [from, to) of a 64-bit word.
uint64_t bit_range(size_t from, size_t to) {
  const uint64_t below = to >= 64 ? ~uint64_t{0} : (uint64_t{1} << to) - 1;
  return below & ~((uint64_t{1} << from) - 1);
}

// Calls f(g, bits) with the words of the lanes by groups of 64, neighbours in one group together,
// until one says false.
template <class F>
bool each_group(const uint64_t* addresses, uint32_t mask, uint64_t begin, uint32_t bytes, F f) {
  const uint64_t words = bytes <= 4 ? 1 : (uint64_t{1} << (bytes >> 2)) - 1;
  size_t group = (addresses[std::countr_zero(mask)] - begin) >> 8;
  uint64_t bits = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const size_t word = (addresses[std::countr_zero(rest)] - begin) >> 2;
    if (word >> 6 != group) {
      if (!f(group, bits)) return false;
      group = word >> 6;
      bits = 0;
    }
    bits |= words << (word & 63);
  }
  return f(group, bits);
}

}  // namespace

Definedness::Definedness(size_t bytes)
    : bytes_(bytes),
      words_(new std::atomic<uint64_t>[(bytes + 255) / 256]()),
      page_count_((bytes + kPageBytes - 1) / kPageBytes) {
  pages_.reset(new std::atomic<Page*>[page_count_]());
  everything_ = bytes == 0;
}

Definedness::~Definedness() {
  for (size_t i = 0; i < page_count_; ++i) delete pages_[i].load();
}

std::unique_ptr<Definedness> Definedness::copy() const {
  auto out = std::make_unique<Definedness>(bytes_);
  out->everything_ = everything();
  for (size_t i = 0; i < (bytes_ + 255) / 256; ++i) out->words_[i] = words_[i].load();
  for (size_t i = 0; i < page_count_; ++i) {
    const Page* from = pages_[i].load();
    if (from == nullptr) continue;
    auto* to = new Page;
    out->pages_[i] = to;
    for (size_t k = 0; k < kPageBytes / 8; ++k) to->nibbles[k] = from->nibbles[k].load();
  }
  return out;
}

bool Definedness::range_defined(size_t offset, size_t bytes) const {
  const size_t first = offset >> 2, last = (offset + bytes - 1) >> 2;
  if ((first >> 6) == (last >> 6)) {
    const uint64_t need = bit_range(first & 63, (last & 63) + 1);
    if ((words_[first >> 6].load(std::memory_order_relaxed) & need) == need) return true;
  }
  return first_undefined(offset, bytes) == offset + bytes;
}

uint64_t Definedness::defined_words(size_t offset) const {
  if (everything()) return ~uint64_t{0};
  const size_t word = offset >> 2, group = word >> 6, behind = word & 63;
  const uint64_t bits = words_[group].load(std::memory_order_relaxed) >> behind;
  if (behind == 0 || (group + 1) * 256 >= bytes_) return bits;
  return bits | words_[group + 1].load(std::memory_order_relaxed) << (64 - behind);
}

bool Definedness::lanes_defined(const uint64_t* addresses, uint32_t mask, uint64_t begin,
                                uint32_t bytes) const {
  return each_group(addresses, mask, begin, bytes, [&](size_t group, uint64_t bits) {
    return (words_[group].load(std::memory_order_relaxed) & bits) == bits;
  });
}

void Definedness::define_lanes(const uint64_t* addresses, uint32_t mask, uint64_t begin,
                               uint32_t bytes) {
  if (everything()) return;
  if (bytes < 4) {
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1)
      define_range(addresses[std::countr_zero(rest)] - begin, bytes);
    return;
  }
  each_group(addresses, mask, begin, bytes, [&](size_t group, uint64_t bits) {
    if ((words_[group].load(std::memory_order_relaxed) & bits) != bits)
      words_[group].fetch_or(bits, std::memory_order_relaxed);
    return true;
  });
}

size_t Definedness::first_undefined(size_t offset, size_t bytes) const {
  const size_t end = offset + bytes;
  for (size_t word = offset >> 2; word * 4 < end; ++word) {
    if ((word & 63) == 0 && words_[word >> 6].load(std::memory_order_relaxed) == ~uint64_t{0}) {
      word += 63;
      continue;
    }
    if (word_defined(word)) continue;
    const uint32_t nibble = nibble_of(word);
    for (size_t at = std::max(offset, word * 4); at < std::min(end, word * 4 + 4); ++at)
      if ((nibble >> (at & 3) & 1) == 0) return at;
  }
  return end;
}

uint32_t Definedness::nibble_of(size_t word) const {
  const Page* page = pages_[word * 4 / kPageBytes].load(std::memory_order_acquire);
  if (page == nullptr) return 0;
  const size_t in_page = word % (kPageBytes / 4);
  return page->nibbles[in_page / 2].load(std::memory_order_relaxed) >> (in_page % 2 * 4) & 0xf;
}

Definedness::Page& Definedness::page_of(size_t word) {
  std::atomic<Page*>& slot = pages_[word * 4 / kPageBytes];
  Page* page = slot.load(std::memory_order_acquire);
  if (page != nullptr) return *page;
  auto fresh = std::make_unique<Page>();
  if (slot.compare_exchange_strong(page, fresh.get(), std::memory_order_acq_rel))
    page = fresh.release();
  return *page;
}

void Definedness::define_range(size_t offset, size_t bytes) {
  if (bytes == 0) return;
  const size_t end = offset + bytes;
  size_t first = offset >> 2;
  const size_t last = end >> 2;  // the first word that is not wholly covered
  if ((offset & 3) != 0 || first == last) {
    const size_t stop = std::min(end, first * 4 + 4);
    define_part(first, static_cast<uint32_t>(bit_range(offset & 3, stop - first * 4)));
    ++first;
  }
  if (first < last) define_words(first, last - first);
  if ((end & 3) != 0 && last >= first) define_part(last, (1u << (end & 3)) - 1);
  if (offset == 0 && bytes == bytes_) everything_.store(true, std::memory_order_relaxed);
}

void Definedness::define_words(size_t first, size_t count) {
  const size_t end = first + count;
  while (first < end) {
    const size_t stop = std::min(end, (first | 63) + 1);
    const uint64_t bits = bit_range(first & 63, stop - (first & ~size_t{63}));
    std::atomic<uint64_t>& word = words_[first >> 6];
    if (bits == ~uint64_t{0})
      word.store(bits, std::memory_order_relaxed);
    else if ((word.load(std::memory_order_relaxed) & bits) != bits)
      word.fetch_or(bits, std::memory_order_relaxed);
    first = stop;
  }
}

void Definedness::define_part(size_t word, uint32_t nibble) {
  if (nibble == 0 || word_defined(word)) return;
  const size_t in_page = word % (kPageBytes / 4);
  const int shift = static_cast<int>(in_page % 2 * 4);
  std::atomic<uint8_t>& cell = page_of(word).nibbles[in_page / 2];
  const auto bits = static_cast<uint8_t>(nibble << shift);
  const uint32_t now = cell.fetch_or(bits, std::memory_order_relaxed) | bits;
  uint32_t full = 0xf;  // the last word of a buffer may be shorter
  if (word * 4 + 4 > bytes_) full = (1u << (bytes_ - word * 4)) - 1;
  if ((now >> shift & full) == full)
    words_[word >> 6].fetch_or(uint64_t{1} << (word & 63), std::memory_order_relaxed);
}

void Definedness::undefine(size_t offset, size_t bytes) {
  if (bytes == 0) return;
  if (everything()) {
    for (size_t i = 0; i < (bytes_ + 255) / 256; ++i) words_[i] = ~uint64_t{0};
    everything_ = false;
  }
  const size_t end = offset + bytes;
  for (size_t word = offset >> 2; word * 4 < end; ++word) {
    const bool whole = word * 4 >= offset && word * 4 + 4 <= end;
    if (whole && (word & 63) == 0 && word * 4 + 256 <= end &&
        pages_[word * 4 / kPageBytes] == nullptr) {
      words_[word >> 6] = 0;
      word += 63;
      continue;
    }
    const bool was = word_defined(word);
    words_[word >> 6] &= ~(uint64_t{1} << (word & 63));
    const size_t in_page = word % (kPageBytes / 4);
    const int shift = static_cast<int>(in_page % 2 * 4);
    if (whole && pages_[word * 4 / kPageBytes] == nullptr) continue;
    uint32_t nibble = was ? 0xf : nibble_of(word);
    for (size_t at = std::max(offset, word * 4); at < std::min(end, word * 4 + 4); ++at)
      nibble &= ~(1u << (at & 3));
    std::atomic<uint8_t>& cell = page_of(word).nibbles[in_page / 2];
    cell = static_cast<uint8_t>((cell & ~(0xf << shift)) | nibble << shift);
  }
}

}  // namespace lockstep::emulator
