// SPDX-License-Identifier: Apache-2.0
// printf and assert of device code.
#include "emulator/exec/system_functions.h"

#include <bit>
#include <cstdio>
#include <cstring>

#include "emulator/check/fault.h"
#include "emulator/exec/block_runner.h"
#include "emulator/launch/launch.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostText = 4096;         // of one string
constexpr size_t kMostOutput = 64 * 1024;  // of a block

uint64_t argument64(Warp& w, const Instr& in, int index, int lane) {
  const uint32_t* words = at<uint32_t>(w, in.o[1 + index]);
  return words[lane] | uint64_t{words[lane + 32]} << 32;
}

// Bytes at a generic address of a lane; false where there are none.
bool read_bytes(Warp& w, int lane, uint64_t address, void* to, size_t bytes) {
  uint64_t offset = address & kWindowMask;
  switch (window_of(address)) {
    case Window::kLocal:
      if (!w.local.holds(offset, bytes)) return false;
      for (size_t i = 0; i < bytes; ++i)
        static_cast<std::byte*>(to)[i] = *w.local.at(offset + i, static_cast<uint64_t>(lane));
      return true;
    case Window::kShared:
      offset = shared_offset(offset);
      if (offset + bytes > w.block->shared.bytes()) return false;
      std::memcpy(to, w.block->shared.data() + offset, bytes);
      return true;
    default: {
      const Allocation* a = w.worker->launch->memory->owner(address);
      if (a == nullptr || address < a->begin || address + bytes > a->end) return false;
      std::memcpy(to, a->data + (address - a->begin), bytes);
      return true;
    }
  }
}

// A byte costs as long as an instruction, whether anything is printed of it or not.
std::string read_text(Warp& w, int lane, uint64_t address) {
  std::string out;
  char c = 0;
  while (out.size() < kMostText && read_bytes(w, lane, address + out.size(), &c, 1) && c != 0)
    out += c;
  charge(w, out.size() + 1);
  return out;
}

// Cuts a format at its conversions and takes each argument from the buffer that device code packs.
class Formatter {
 public:
  Formatter(Warp& w, int lane, uint64_t arguments) : w_(w), lane_(lane), at_(arguments) {}

  std::string format(const std::string& text) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
      if (text[i] != '%') {
        out += text[i++];
        continue;
      }
      if (i + 1 < text.size() && text[i + 1] == '%') {
        out += '%';
        i += 2;
        continue;
      }
      size_t end = i + 1;
      while (end < text.size() && std::strchr("-+ #0123456789.*hlLzjt", text[end]) != nullptr)
        ++end;
      if (end >= text.size()) return out + text.substr(i);
      out += conversion(text.substr(i, end - i + 1));
      i = end + 1;
    }
    return out;
  }

 private:
  template <class T>
  T take() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    read_bytes(w_, lane_, at_, &value, sizeof value);
    at_ += sizeof(T);
    return value;
  }

  // Digits in a row; several stars may make one number.
  static int longest_number(const std::string& flags) {
    int longest = 0, length = 0;
    for (const char c : flags) {
      length = c >= '0' && c <= '9' ? length + 1 : 0;
      longest = std::max(longest, length);
    }
    return longest;
  }

  // Widths are bounded so that a format cannot ask for a huge text.
  std::string conversion(std::string spec) {
    const char kind = spec.back();
    const bool wide = spec.find('l') != std::string::npos || spec.find('z') != std::string::npos ||
                      spec.find('j') != std::string::npos || spec.find('t') != std::string::npos;
    std::string flags;
    int digits = 0;
    for (char c : spec.substr(1, spec.size() - 2)) {
      if (c == '*')
        flags += std::to_string(std::min(std::max(take<int32_t>(), -200), 200));
      else if (std::strchr("hlLzjt", c) != nullptr)
        continue;
      else if (c >= '0' && c <= '9' && ++digits > 6)
        continue;
      else
        flags += c;
    }
    if (digits > 3 || longest_number(flags) > 3) flags.clear();
    char text[1024];
    switch (kind) {
      case 'd':
      case 'i':
        std::snprintf(text, sizeof text, ("%" + flags + "lld").c_str(),
                      wide ? static_cast<long long>(take<int64_t>()) : take<int32_t>());
        return text;
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        std::snprintf(text, sizeof text, ("%" + flags + "ll" + kind).c_str(),
                      wide ? static_cast<unsigned long long>(take<uint64_t>()) : take<uint32_t>());
        return text;
      case 'c':
        return std::string(1, static_cast<char>(take<int32_t>()));
      case 'p':
        std::snprintf(text, sizeof text, "0x%llx",
                      static_cast<unsigned long long>(take<uint64_t>()));
        return text;
      case 's': {
        const std::string value = read_text(w_, lane_, take<uint64_t>());
        std::snprintf(text, sizeof text, ("%" + flags + "s").c_str(), value.c_str());
        return text;
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        std::snprintf(text, sizeof text, ("%" + flags + kind).c_str(), take<double>());
        return text;
      default:
        return spec;
    }
  }

  Warp& w_;
  int lane_;
  uint64_t at_;
};

void print(const Instr& in, Warp& w, uint32_t mask) {
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    std::string& output = w.block->output;
    if (output.size() < kMostOutput) {
      Formatter formatter(w, lane, argument64(w, in, 1, lane));
      output += formatter.format(read_text(w, lane, argument64(w, in, 0, lane)));
    }
    if (in.o[0] != kNoOperand) at<uint32_t>(w, in.o[0])[lane] = 1;
  }
}

void assertion(const Instr& in, Warp& w, uint32_t mask) {
  const int lane = std::countr_zero(mask);
  const std::string text = read_text(w, lane, argument64(w, in, 0, lane));
  const std::string file = read_text(w, lane, argument64(w, in, 1, lane));
  const uint32_t line = at<uint32_t>(w, in.o[3])[lane];
  fault(w, in, lane, "assert",
        "fails the assertion '" + text + "' (" + file + ":" + std::to_string(line) + ")");
}

constexpr SystemFunction kFunctions[] = {
    {"vprintf", &print, 2},
    {"__assertfail", &assertion, 5},
    {"__assert_fail", &assertion, 4},
};

}  // namespace

const SystemFunction* find_system_function(std::string_view name) {
  for (const SystemFunction& f : kFunctions)
    if (f.name == name) return &f;
  return nullptr;
}

}  // namespace lockstep::emulator
