// SPDX-License-Identifier: Apache-2.0
#include "emulator/debug/section.h"

#include "common/base/error.h"
#include "emulator/ptx/lexer.h"

namespace lockstep::emulator {
namespace {

// One data directive: fields of so many bytes, separated by commas.
class DataReader {
 public:
  DataReader(std::string_view text, const std::string& name, Section* section)
      : lexer_(text, name), section_(section), token_(lexer_.next()) {}

  void read() {
    while (token_.kind != TokenKind::kEnd) {
      if (token_.kind == TokenKind::kWord && token_.text[0] != '.' && skip_label()) continue;
      const size_t bytes = token_.is(".b8")    ? 1
                           : token_.is(".b16") ? 2
                           : token_.is(".b32") ? 4
                           : token_.is(".b64") ? 8
                                               : 0;
      if (bytes == 0) lexer_.fail(token_.line, "debug information that is not understood");
      do {
        token_ = lexer_.next();
        field(bytes);
      } while (token_.is(','));
    }
  }

 private:
  bool skip_label() {
    const Token colon = lexer_.next();
    if (!colon.is(':')) lexer_.fail(token_.line, "debug information that is not understood");
    token_ = lexer_.next();
    return true;
  }

  // 7, -7, $L__tmp3, .debug_loc+131.
  void field(size_t bytes) {
    uint64_t value = 0;
    for (char sign = '+';;) {
      if (token_.is('-') || token_.is('+')) sign = token_.punct, token_ = lexer_.next();
      if (token_.kind == TokenKind::kInteger)
        value += sign == '-' ? 0 - token_.bits : token_.bits;
      else if (token_.kind != TokenKind::kWord)
        lexer_.fail(token_.line, "debug information that is not understood");
      else if (!token_.text.starts_with(".debug_"))  // sections themselves begin at 0
        section_->symbols.emplace(section_->bytes.size(), token_.text);
      token_ = lexer_.next();
      if (!token_.is('-') && !token_.is('+')) break;
    }
    for (size_t k = 0; k < bytes; ++k)
      section_->bytes.push_back(static_cast<uint8_t>(value >> (8 * k)));
  }

  Lexer lexer_;
  Section* section_;
  Token token_;
};

}  // namespace

Section read_section(const Module& module, std::string_view name) {
  Section section;
  const auto at = module.sections.find(name);
  if (at != module.sections.end())
    DataReader(at->second, module.name + " " + std::string(name), &section).read();
  return section;
}

const uint8_t* SectionReader::take(uint64_t bytes) {
  const size_t size = section_->bytes.size();
  if (at_ > size || bytes > size - at_) throw Error("debug information is cut short");
  const uint8_t* const from = section_->bytes.data() + at_;
  at_ += static_cast<size_t>(bytes);
  return from;
}

void SectionReader::skip(uint64_t bytes) { take(bytes); }

uint64_t SectionReader::number(size_t bytes) {
  const uint8_t* const from = take(bytes);
  uint64_t value = 0;
  for (size_t k = 0; k < bytes; ++k) value |= uint64_t{from[k]} << (8 * k);
  return value;
}

uint64_t SectionReader::uleb() {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    const uint8_t byte = *take(1);
    if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

int64_t SectionReader::sleb() {
  uint64_t value = 0;
  for (int shift = 0;;) {
    const uint8_t byte = *take(1);
    if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
}

std::string SectionReader::text() {
  constexpr size_t kMost = 4096;
  std::string out;
  for (char c = 0; (c = static_cast<char>(*take(1))) != 0;) {
    if (out.size() >= kMost) throw Error("debug information with a name that is too long");
    out += c;
  }
  return out;
}

std::string_view SectionReader::symbol() {
  const auto found = section_->symbols.find(at_);
  take(8);
  return found == section_->symbols.end() ? std::string_view() : found->second;
}

}  // namespace lockstep::emulator
