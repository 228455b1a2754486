// SPDX-License-Identifier: Apache-2.0
// The operands: lists of awkward values in all combinations first, then random ones of mixed
// character. A fixed function of its arguments: a card's answers are kept for exactly these.
#include <cmath>
#include <iterator>

#include "emulator/numerics/half.h"
#include "tests/numerics/op_table.h"

namespace lockstep::emulator::num {
namespace {

constexpr uint32_t kF32Values[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
    0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x3f7fffff, 0x7f7fffff, 0xff7fffff, 0x3f000000,
    0xffc12345, 0xffa00000, 0x807fffff, 0x00800001, 0x00400000, 0x3f800001, 0x80800000, 0xbf7fffff,
    0x40000000, 0xc0000000, 0x40400000, 0x3fc00000, 0xbfc00000, 0x40200000, 0x3eaaaaab, 0x4b000000,
    0x4b800000, 0x4b7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000,
    0x5effffff, 0x5f000000, 0xdf000000, 0x5f7fffff, 0x5f800000, 0x7e800000, 0x7e800001, 0x7f000000,
    0x01000000, 0x00ffffff, 0x477fe000, 0x477ff000, 0x477fefff, 0x38800000, 0x387fe000, 0x33000000,
    0x33000001, 0x437f8000, 0x42ff0000, 0xc3008000, 0x40490fdb, 0x3dcccccd, 0xc2fc0000, 0x1f800000};
constexpr uint64_t kF64Values[] = {
    0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
    0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001,
    0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
    0x3fefffffffffffff, 0x7fefffffffffffff, 0xffefffffffffffff, 0x3fe0000000000000,
    0xfff8123456789abc, 0xfff4000000000000, 0x800fffffffffffff, 0x0010000000000001,
    0x3ff0000000000001, 0x8010000000000000, 0x4000000000000000, 0xc000000000000000,
    0x4008000000000000, 0x3ff8000000000000, 0xbff8000000000000, 0x3fd5555555555555,
    0x4330000000000000, 0x432fffffffffffff, 0x4340000000000000, 0x43e0000000000000,
    0xc3e0000000000000, 0x43dfffffffffffff, 0x43f0000000000000, 0x43efffffffffffff,
    0x41dfffffffc00000, 0x41e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
    0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x36a0000000000000,
    0x3690000000000000, 0x3690000000000001, 0x380fffffe0000000, 0x3810000000000000,
    0x40effc0000000000, 0x40effe0000000000, 0x3e60000000000000, 0x3e70000000000000,
    0x7fd0000000000000, 0x7fd0000000000001, 0x0020000000000000, 0x1ff0000000000000,
    0x406fe00000000000, 0xc060200000000000, 0x3fb999999999999a, 0x400921fb54442d18,
    0x7ff4000000000001, 0x3ca0000000000000, 0x4004000000000000, 0x9ff0000000000000};
constexpr uint16_t kF16Values[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                   0x0001, 0x8001, 0x03ff, 0x0400, 0x8400, 0x7bff, 0xfbff, 0x3800,
                                   0xfe01, 0x83ff, 0x0401, 0x0200, 0x3c01, 0x3bff, 0x4000, 0x4200,
                                   0x3e00, 0x6400, 0x5bff, 0x7800, 0x3555, 0x1400, 0x0fff, 0xc248};
constexpr uint16_t kBf16Values[] = {0x0000, 0x8000, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fc0, 0x7f81,
                                    0x0001, 0x8001, 0x007f, 0x0080, 0x8080, 0x7f7f, 0xff7f, 0x3f00,
                                    0xffc1, 0x807f, 0x0081, 0x0040, 0x3f81, 0x3f7f, 0x4000, 0x4040,
                                    0x3fc0, 0x4300, 0x42ff, 0x7f00, 0x3eab, 0x2000, 0x1fff, 0xc049};
constexpr uint64_t kIntegers[] = {0,
                                  1,
                                  ~0ull,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  2,
                                  ~1ull,
                                  0x7fff,
                                  0x8000,
                                  0xffff,
                                  0x7f,
                                  0x80,
                                  0xff,
                                  3,
                                  7,
                                  10,
                                  0x100,
                                  0x10000,
                                  0xffff8000,
                                  0xffffff80,
                                  0x100000000,
                                  0x80000001,
                                  0x800000,
                                  0x7fffff,
                                  0xffffff,
                                  0x1000000,
                                  0x12345678,
                                  0x123456789abcdef0,
                                  0xaaaaaaaaaaaaaaaa,
                                  0x5555555555555555,
                                  0xfffffffe,
                                  0x8001,
                                  0xff7f,
                                  0xffffffff80000000,
                                  0xffffffff7fffffff,
                                  0xffffffffffff8000,
                                  0xffffffffffffff80};
constexpr uint32_t kCounts[] = {0,  1,  31, 32, 33, 63, 64,  65,  2,   7,     8,          15,
                                16, 17, 24, 30, 62, 96, 127, 128, 255, 0x100, 0x80000000, ~0u};

// A well-mixed 64-bit hash of a counter (the finaliser of splitmix64).
uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

uint64_t awkward(Kind kind, uint64_t i) {
  switch (kind) {
    case Kind::kF32:
      return kF32Values[i % std::size(kF32Values)];
    case Kind::kF64:
      return kF64Values[i % std::size(kF64Values)];
    case Kind::kF16:
      return kF16Values[i % std::size(kF16Values)];
    case Kind::kBf16:
      return kBf16Values[i % std::size(kBf16Values)];
    case Kind::kF16x2:
      return uint64_t{kF16Values[i * 7 % 32]} << 16 | kF16Values[i % 32];
    case Kind::kBf16x2:
      return uint64_t{kBf16Values[i * 7 % 32]} << 16 | kBf16Values[i % 32];
    case Kind::kCount:
      return kCounts[i % std::size(kCounts)];
    case Kind::kSelector:
      return mix(i) & 0xffff;
    default:
      return kIntegers[i % std::size(kIntegers)];
  }
}

// Random bits r made to look like the kind: half the floats near 1, counts mostly small.
uint64_t plausible(Kind kind, uint64_t r) {
  const uint64_t choice = r >> 61;  // 0..7
  switch (kind) {
    case Kind::kF32:
      if (choice < 2) return r & 0xffffffffu;
      if (choice < 6) return (r & 0x807fffffu) | (0x7f - 8 + ((r >> 32) & 15)) << 23;
      if (choice < 7) return (r & 0x807fffffu) | ((r >> 32) & 31) << 23;
      return (r & 0x80ff0000u) | 0x3f000000u;  // few bits: exact ties
    case Kind::kF64:
      if (choice < 2) return mix(r);
      if (choice < 6) return (mix(r) & 0x800fffffffffffffull) | (0x3ff - 8 + (r & 15)) << 52;
      if (choice < 7) return (mix(r) & 0x800fffffffffffffull) | (r & 63) << 52;
      return (mix(r) & 0x807ffff000000000ull) | 0x3f80000000000000ull;
    case Kind::kCount:
      return choice < 7 ? r & 0x7f : r & 0xffffffffu;
    case Kind::kSelector:
      return choice < 6 ? r & 0xffff : r & 0xffffffffu;
    default:
      return choice < 6 ? mix(r) : mix(r) >> (r & 63);
  }
}

// fma is hardest where the product nearly cancels the addend.
uint64_t cancelling(Kind kind, uint64_t a, uint64_t b, uint64_t r) {
  if (kind == Kind::kF32) return bits_of(-(as_f32(a) * as_f32(b))) ^ (r & 3);
  if (kind == Kind::kF64) return bits_of(-(as_f64(a) * as_f64(b))) ^ (r & 3);
  if (kind == Kind::kF16) return narrow_half<F16>(-half_value<F16>(a) * half_value<F16>(b));
  if (kind == Kind::kBf16) {
    const double product = -half_value<Bf16>(a) * half_value<Bf16>(b);
    const bool vanishes = product != 0.0 && std::fabs(product) < 0x1p-144;
    return narrow_half<Bf16>(vanishes ? std::copysign(INFINITY, product) : product);
  }
  return plausible(kind, r);
}

}  // namespace

int width_of(Kind kind) {
  switch (kind) {
    case Kind::kNone:
      return 0;
    case Kind::kF16:
    case Kind::kBf16:
    case Kind::kB16:
      return 2;
    case Kind::kF64:
    case Kind::kB64:
      return 8;
    default:
      return 4;
  }
}

const char* name_of(Kind kind) {
  constexpr const char* kNames[] = {"none", "f16", "bf16", "f16x2", "bf16x2", "f32",
                                    "f64",  "b16", "b32",  "b64",   "count",  "selector"};
  return kNames[static_cast<int>(kind)];
}

int count_of(const Op& op) {
  if (op.arity() > 1) return 8192;
  return width_of(op.a) == 2 ? 65536 : 16384;  // every 16-bit operand there is
}

uint64_t operand(Kind kind, int position, int arity, int index) {
  const int width = width_of(kind);
  const uint64_t all = width == 8 ? ~0ull : (1ull << (8 * width)) - 1;
  if (arity == 1 && width == 2) return static_cast<uint64_t>(index);
  // The combinations of 64 x 64 or 16 x 16 x 16 awkward values, then as many random tuples.
  const int base = arity == 3 ? 16 : 64;
  if (index < (arity == 1 ? 64 : 4096)) {
    int digit = index;
    for (int p = 0; p < position; ++p) digit /= base;
    return awkward(kind, static_cast<uint64_t>(digit % base)) & all;
  }
  const uint64_t r =
      mix(static_cast<uint64_t>(index) * 64 + static_cast<uint64_t>(kind) * 4 + position);
  if (position == 2 && index % 4 == 0) {
    return cancelling(kind, operand(kind, 0, 3, index), operand(kind, 1, 3, index), r) & all;
  }
  if (r % 16 == 0) return awkward(kind, r >> 8) & all;
  return plausible(kind, mix(r)) & all;
}

}  // namespace lockstep::emulator::num
