// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/loss.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lockstep::emulator {
namespace {

// "s32", "f64": the last word, and of a conversion the one before it, what it is made.
struct Types {
  std::string to, from;
};
Types types_of(const std::string& opcode) {
  const size_t last = opcode.rfind('.');
  if (last == std::string::npos || last == 0) return {};
  const size_t before = opcode.rfind('.', last - 1);
  if (before == std::string::npos) return {"", opcode.substr(last + 1)};
  return {opcode.substr(before + 1, last - before - 1), opcode.substr(last + 1)};
}

bool is_whole_type(const std::string& type) {
  return type.size() > 1 && (type[0] == 's' || type[0] == 'u' || type[0] == 'b') &&
         type.find_first_not_of("0123456789", 1) == std::string::npos;
}
int bits_of(const std::string& type) { return std::atoi(type.c_str() + 1); }

int64_t signed_of(uint64_t value, int bits) {
  return bits == 64 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}
uint64_t unsigned_of(uint64_t value, int bits) {
  return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
}

std::string words(uint64_t value, const std::string& type) {
  const int bits = bits_of(type);
  return type[0] == 's' ? std::to_string(signed_of(value, bits))
                        : std::to_string(unsigned_of(value, bits));
}
std::string words(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

double number_of(uint64_t bits, const std::string& type) {
  return type == "f64" ? std::bit_cast<double>(bits)
                       : double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
}

std::optional<Loss> of_fraction(const std::string& opcode, const std::string& type, uint64_t a) {
  const double value = number_of(a, type);
  const double whole = opcode.find(".rni") != std::string::npos   ? std::nearbyint(value)
                       : opcode.find(".rmi") != std::string::npos ? std::floor(value)
                       : opcode.find(".rpi") != std::string::npos ? std::ceil(value)
                                                                  : std::trunc(value);
  if (!(whole != value)) return std::nullopt;  // NaN, too
  return Loss{LossKind::kFraction, words(value), words(whole == 0 ? 0 : whole)};
}

std::optional<Loss> of_division(const std::string& type, uint64_t a, uint64_t b) {
  const int bits = bits_of(type);
  uint64_t quotient = 0;
  if (unsigned_of(b, bits) == 0) return std::nullopt;
  if (type[0] == 's') {
    const int64_t x = signed_of(a, bits), y = signed_of(b, bits);
    if (y == -1 || x % y == 0) return std::nullopt;
    quotient = static_cast<uint64_t>(x / y);
  } else {
    const uint64_t x = unsigned_of(a, bits), y = unsigned_of(b, bits);
    if (x % y == 0) return std::nullopt;
    quotient = x / y;
  }
  return Loss{LossKind::kRemainder, words(a, type) + " / " + words(b, type), words(quotient, type)};
}

std::optional<Loss> of_shift(const std::string& type, uint64_t a, uint64_t b) {
  const int bits = bits_of(type);
  const uint64_t value = unsigned_of(a, bits);
  const bool all = b >= static_cast<uint64_t>(bits);
  if (all ? value == 0 : (value & ((uint64_t{1} << b) - 1)) == 0) return std::nullopt;
  const uint64_t left = type[0] == 's'
                            ? static_cast<uint64_t>(signed_of(a, bits) >> (all ? bits - 1 : b))
                        : all ? 0
                              : value >> b;
  return Loss{LossKind::kShiftedOut, words(a, type) + " >> " + std::to_string(b),
              words(left, type)};
}

std::optional<Loss> of_cut(const Types& t, uint64_t a) {
  if (words(a, t.from) == words(a, t.to)) return std::nullopt;
  return Loss{LossKind::kCut, words(a, t.from), words(a, t.to)};
}

std::optional<Loss> of_narrowing(uint64_t a) {
  const auto value = std::bit_cast<double>(a);
  const auto narrow = static_cast<float>(value);
  if (!(double{narrow} != value)) return std::nullopt;  // NaN, too
  char text[2][40];
  std::snprintf(text[0], sizeof text[0], "%.15g", value);
  std::snprintf(text[1], sizeof text[1], "%.15g", double{narrow});
  return Loss{LossKind::kNarrowed, text[0], text[1]};
}

// Whether x + y is no number of the type; that x and y are none is no matter.
bool is_rounded(double x, double y, const std::string& type) {
  const double sum = x + y;
  if (type == "f32" && double{static_cast<float>(sum)} != sum) return true;
  const double of_y = sum - x;  // what of y is in the sum, and of x
  return x - (sum - of_y) != 0 || y - of_y != 0;
}

// a + b, a - b, a * b or a * b + c.
std::optional<Loss> of_sum(const std::string& opcode, const std::string& type, uint64_t a,
                           uint64_t b, uint64_t c) {
  constexpr double kSmall = 1.0 / 8;  // three bits and more
  const bool multiplies = !opcode.starts_with("add") && !opcode.starts_with("sub");
  const double first = number_of(a, type), second = number_of(b, type);
  const double x = multiplies ? first * second : first;
  const double y = opcode.starts_with("mul")   ? 0
                   : multiplies                ? number_of(c, type)
                   : opcode.starts_with("sub") ? -second
                                               : second;
  const double sum = x + y, larger = std::max(std::abs(x), std::abs(y));
  if (!std::isfinite(sum)) return std::nullopt;
  const double rounding = type == "f64" ? 0x1p-53 : 0x1p-24;
  if (std::abs(sum) < kSmall * larger && x != 0 && y != 0)
    return Loss{LossKind::kCancelled, words(x) + (y < 0 ? " - " : " + ") + words(std::abs(y)),
                words(sum), rounding * larger / std::abs(sum)};
  const bool of_product = multiplies && type == "f64" && std::fma(first, second, -x) != 0;
  if (of_product || is_rounded(x, y, type))
    return Loss{LossKind::kRounded, "", "", rounding * std::abs(sum)};
  return std::nullopt;
}

}  // namespace

LossKind loss_kind_of(const std::string& opcode) {
  const Types t = types_of(opcode);
  if (opcode.starts_with("cvt.") && is_whole_type(t.to)) {
    if (t.from == "f32" || t.from == "f64") return LossKind::kFraction;
    if (is_whole_type(t.from) && bits_of(t.to) < bits_of(t.from)) return LossKind::kCut;
  }
  if (opcode.starts_with("cvt.") && t.to == "f32" && t.from == "f64") return LossKind::kNarrowed;
  if ((t.from == "f32" || t.from == "f64") &&
      (opcode.starts_with("add.") || opcode.starts_with("sub.") || opcode.starts_with("mul.") ||
       opcode.starts_with("fma.")))
    return LossKind::kCancelled;
  if (!is_whole_type(t.from) || bits_of(t.from) > 64) return LossKind::kNone;
  if (opcode.starts_with("div.")) return LossKind::kRemainder;
  if (opcode.starts_with("shr.")) return LossKind::kShiftedOut;
  return LossKind::kNone;
}

std::optional<Loss> loss_in(LossKind kind, const std::string& opcode, uint64_t a, uint64_t b,
                            uint64_t c) {
  const Types t = types_of(opcode);
  switch (kind) {
    case LossKind::kNone:
      return std::nullopt;
    case LossKind::kFraction:
      return of_fraction(opcode, t.from, a);
    case LossKind::kRemainder:
      return of_division(t.from, a, b);
    case LossKind::kShiftedOut:
      return of_shift(t.from, a, b);
    case LossKind::kCut:
      return of_cut(t, a);
    case LossKind::kNarrowed:
      return of_narrowing(a);
    case LossKind::kCancelled:
    case LossKind::kRounded:
      return of_sum(opcode, t.from, a, b, c);
  }
  return std::nullopt;
}

}  // namespace lockstep::emulator
