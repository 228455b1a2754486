// SPDX-License-Identifier: Apache-2.0
// A section of debug information, as it stands in PTX text (".b8 2,0", ".b64 $L__tmp3",
// ".b32 .debug_loc+131"), as bytes; and a reader of them that stays within them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/module.h"

namespace lockstep::emulator {

struct Section {
  std::vector<uint8_t> bytes;
  // Fields that name a label or variable, by their place; the bytes there hold what is added to it.
  std::unordered_map<size_t, std::string_view> symbols;
};

// Empty where the module has none of that name. Throws Error on text that is no data.
Section read_section(const Module& module, std::string_view name);

// Whatever does not fit into the section throws Error.
class SectionReader {
 public:
  explicit SectionReader(const Section& section, size_t at = 0) : section_(&section), at_(at) {}
  size_t at() const { return at_; }
  bool at_end() const { return at_ >= section_->bytes.size(); }
  void seek(size_t at) { at_ = at; }
  uint64_t number(size_t bytes);  // 1, 2, 4 or 8
  uint64_t uleb();
  int64_t sleb();
  std::string text();  // up to a zero byte
  void skip(uint64_t bytes);
  // What an address names, "" where it is a number; 8 bytes.
  std::string_view symbol();

 private:
  const uint8_t* take(uint64_t bytes);
  const Section* section_;
  size_t at_;
};

}  // namespace lockstep::emulator
