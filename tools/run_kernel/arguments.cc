// SPDX-License-Identifier: Apache-2.0
// Reading a kernel's arguments from text: see arguments.h.
#include "tools/run_kernel/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "common/backend/module_files.h"
#include "common/base/error.h"

namespace lockstep::run_kernel {
namespace {

const ElementType kTypes[] = {{"u8", 1},  {"i8", 1},   {"u16", 2}, {"i16", 2},
                              {"f16", 2}, {"bf16", 2}, {"u32", 4}, {"i32", 4},
                              {"f32", 4}, {"u64", 8},  {"i64", 8}, {"f64", 8}};

template <typename T>
T load(const uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
std::vector<uint8_t> bytes_of(T value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

float half_to_float(uint16_t half, int exponent_bits) {
  const int mantissa_bits = 15 - exponent_bits;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = half >> mantissa_bits & ((1 << exponent_bits) - 1);
  const int mantissa = half & ((1 << mantissa_bits) - 1);
  const float sign = (half & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == (1 << exponent_bits) - 1) {
    return mantissa == 0 ? sign * std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  }
  const int whole = exponent == 0 ? mantissa : mantissa + (1 << mantissa_bits);
  const int scale = (exponent == 0 ? 1 : exponent) - bias - mantissa_bits;
  return sign * std::ldexp(static_cast<float>(whole), scale);
}

template <typename T>
std::optional<T> integer(const std::string& text) {
  const bool negative = !text.empty() && text[0] == '-';
  std::string digits = negative ? text.substr(1) : text;
  int base = 10;
  if (digits.rfind("0x", 0) == 0 || digits.rfind("0X", 0) == 0) {
    base = 16;
    digits.erase(0, 2);
  }
  uint64_t magnitude = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, magnitude, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  const uint64_t most = static_cast<uint64_t>(std::numeric_limits<T>::max());
  if (!negative)
    return magnitude <= most ? std::optional<T>(static_cast<T>(magnitude)) : std::nullopt;
  if (!std::is_signed_v<T> || magnitude > most + 1) return std::nullopt;
  return static_cast<T>(~magnitude + 1);
}

std::optional<double> floating(const std::string& text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0]))) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0') return std::nullopt;
  return value;
}

template <typename T>
std::optional<std::vector<uint8_t>> number(const std::string& text) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::optional<double> value = floating(text)) return bytes_of(static_cast<T>(*value));
  } else {
    if (std::optional<T> value = integer<T>(text)) return bytes_of(*value);
  }
  return std::nullopt;
}

// nullopt: not a number of that type, or not a type for numbers.
std::optional<std::vector<uint8_t>> scalar(const std::string& type, const std::string& text) {
  if (type == "u8") return number<uint8_t>(text);
  if (type == "i8") return number<int8_t>(text);
  if (type == "u16") return number<uint16_t>(text);
  if (type == "i16") return number<int16_t>(text);
  if (type == "u32") return number<uint32_t>(text);
  if (type == "i32") return number<int32_t>(text);
  if (type == "u64") return number<uint64_t>(text);
  if (type == "i64") return number<int64_t>(text);
  if (type == "f32") return number<float>(text);
  if (type == "f64") return number<double>(text);
  return std::nullopt;
}

std::vector<uint8_t> file_bytes(const std::string& at_file) {
  if (at_file.size() < 2 || at_file[0] != '@') throw Error("expected @FILE, not '" + at_file + "'");
  const std::string bytes = read_file(at_file.substr(1));
  return {bytes.begin(), bytes.end()};
}

// TYPE:@FILE, after "in:" or "inout:". The file's name may hold colons.
void parse_input(const std::string& text, KernelArgument* argument) {
  const size_t colon = text.find(':');
  if (colon == std::string::npos) throw Error("expected in:TYPE:@FILE, as in in:f32:@x.bin");
  argument->type = element_type(text.substr(0, colon));
  argument->bytes = file_bytes(text.substr(colon + 1));
  if (argument->bytes.size() % argument->type.bytes != 0) {
    throw Error(fmt::format("{}: {} bytes are not a whole number of {}", text.substr(colon + 2),
                            argument->bytes.size(), argument->type.name));
  }
}

// BYTES[:TYPE][:poison], after "out:".
void parse_output(const std::string& text, KernelArgument* argument) {
  argument->type = element_type("f32");
  size_t begin = 0;
  for (int part = 0; begin <= text.size(); ++part) {
    const size_t end = std::min(text.find(':', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (part == 0) {
      std::optional<uint64_t> bytes = integer<uint64_t>(word);
      if (!bytes) throw Error("expected out:BYTES, as in out:4096, not '" + word + "'");
      argument->out_bytes = *bytes;
    } else if (word == "poison") {
      argument->poison = true;
    } else {
      argument->type = element_type(word);
    }
  }
}

KernelArgument parse(const std::string& text) {
  KernelArgument argument;
  const size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "in" || kind == "inout") {
    argument.kind = kind == "in" ? KernelArgument::Kind::kIn : KernelArgument::Kind::kInOut;
    parse_input(rest, &argument);
  } else if (kind == "out") {
    argument.kind = KernelArgument::Kind::kOut;
    parse_output(rest, &argument);
  } else if (kind == "bytes") {
    argument.bytes = file_bytes(rest);
  } else {
    argument.type = element_type(kind);
    std::optional<std::vector<uint8_t>> value = scalar(kind, rest);
    if (!value) throw Error(fmt::format("'{}' is not a number that {} can hold", rest, kind));
    argument.bytes = std::move(*value);
  }
  return argument;
}

}  // namespace

ElementType element_type(const std::string& name) {
  std::string known;
  for (const ElementType& type : kTypes) {
    if (type.name == name) return type;
    known += " " + type.name;
  }
  throw Error(fmt::format("'{}' is no type; types are{}", name, known));
}

std::string element_text(const ElementType& type, const uint8_t* from) {
  if (type.name == "u8") return fmt::format("{}", load<uint8_t>(from));
  if (type.name == "i8") return fmt::format("{}", load<int8_t>(from));
  if (type.name == "u16") return fmt::format("{}", load<uint16_t>(from));
  if (type.name == "i16") return fmt::format("{}", load<int16_t>(from));
  if (type.name == "f16") return fmt::format("{}", half_to_float(load<uint16_t>(from), 5));
  if (type.name == "bf16") return fmt::format("{}", half_to_float(load<uint16_t>(from), 8));
  if (type.name == "u32") return fmt::format("{}", load<uint32_t>(from));
  if (type.name == "i32") return fmt::format("{}", load<int32_t>(from));
  if (type.name == "f32") return fmt::format("{}", load<float>(from));
  if (type.name == "u64") return fmt::format("{}", load<uint64_t>(from));
  if (type.name == "i64") return fmt::format("{}", load<int64_t>(from));
  return fmt::format("{}", load<double>(from));
}

KernelArgument parse_argument(const std::string& text, int position) {
  try {
    return parse(text);
  } catch (const Error& error) {
    throw Error(fmt::format("argument {} ({}): {}", position, text, error.what()), error.code());
  }
}

}  // namespace lockstep::run_kernel
