// SPDX-License-Identifier: Apache-2.0
// popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext, prmt, lop3, shf.
#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

constexpr Kind kI = Kind::kB32, kL = Kind::kB64, kC = Kind::kCount;

template <class U>
void add_counts(std::vector<Op>& ops) {
  using S = std::make_signed_t<U>;
  const Kind kind = sizeof(U) == 4 ? kI : kL;
  const std::string bits = sizeof(U) == 4 ? "32" : "64";
  const auto add = [&](const std::string& name, uint32_t (*f)(U)) {
    add_op(ops, name, kI, {kind}, [f](uint64_t a, uint64_t, uint64_t) { return f(a); });
  };
  add("popc.b" + bits, popc<U>);
  add("clz.b" + bits, clz<U>);
  add("bfind.u" + bits, bfind<U>);
  add("bfind.shiftamt.u" + bits, bfind<U, true>);
  add("bfind.s" + bits, [](U a) { return bfind<S>(a); });
  add("bfind.shiftamt.s" + bits, [](U a) { return bfind<S, true>(a); });
  add_op(ops, "brev.b" + bits, kind, {kind},
         [](uint64_t a, uint64_t, uint64_t) { return brev(static_cast<U>(a)); });
  add_op(ops, "bfe.u" + bits, kind, {kind, kC, kC},
         [](uint64_t a, uint64_t b, uint64_t c) { return static_cast<uint64_t>(bfe<U>(a, b, c)); });
  add_op(ops, "bfe.s" + bits, kind, {kind, kC, kC},
         [](uint64_t a, uint64_t b, uint64_t c) { return static_cast<uint64_t>(bfe<S>(a, b, c)); });
  // Four operands: the length comes from the position's second byte.
  add_op(ops, "bfi.b" + bits, kind, {kind, kind, kC},
         [](uint64_t a, uint64_t b, uint64_t c) {
           return static_cast<uint64_t>(bfi<U>(a, b, c, (c >> 8) ^ (c >> 3)));
         })
      .code = "shr.u32 %t0, %c, 8; shr.u32 %t1, %c, 3; xor.b32 %t0, %t0, %t1; bfi.b" + bits +
              " %d, %a, %b, %c, %t0;";
}

void add_masks(std::vector<Op>& ops) {
  add_op(ops, "bmsk.clamp.b32", kI, {kC, kC},
         [](uint64_t a, uint64_t b, uint64_t) { return bmsk<false>(a, b); });
  add_op(ops, "bmsk.wrap.b32", kI, {kC, kC},
         [](uint64_t a, uint64_t b, uint64_t) { return bmsk<true>(a, b); });
  add_op(ops, "szext.clamp.u32", kI, {kI, kC},
         [](uint64_t a, uint64_t b, uint64_t) { return szext<false, false>(a, b); });
  add_op(ops, "szext.wrap.u32", kI, {kI, kC},
         [](uint64_t a, uint64_t b, uint64_t) { return szext<false, true>(a, b); });
  add_op(ops, "szext.clamp.s32", kI, {kI, kC},
         [](uint64_t a, uint64_t b, uint64_t) { return szext<true, false>(a, b); });
  add_op(ops, "szext.wrap.s32", kI, {kI, kC},
         [](uint64_t a, uint64_t b, uint64_t) { return szext<true, true>(a, b); });
  add_op(ops, "shf.l.clamp.b32", kI, {kI, kI, kC},
         [](uint64_t a, uint64_t b, uint64_t c) { return shf_l<false>(a, b, c); });
  add_op(ops, "shf.l.wrap.b32", kI, {kI, kI, kC},
         [](uint64_t a, uint64_t b, uint64_t c) { return shf_l<true>(a, b, c); });
  add_op(ops, "shf.r.clamp.b32", kI, {kI, kI, kC},
         [](uint64_t a, uint64_t b, uint64_t c) { return shf_r<false>(a, b, c); });
  add_op(ops, "shf.r.wrap.b32", kI, {kI, kI, kC},
         [](uint64_t a, uint64_t b, uint64_t c) { return shf_r<true>(a, b, c); });
}

}  // namespace

void add_bit_ops(std::vector<Op>& ops) {
  add_counts<uint32_t>(ops);
  add_counts<uint64_t>(ops);
  add_masks(ops);
  // The base within the word (the card's answer to others is not documented), any small offset.
  add_op(ops, "fns.b32", kI, {kI, kC, kC},
         [](uint64_t a, uint64_t b, uint64_t c) {
           return fns(a, b & 31, static_cast<int32_t>(c & 63) - 32);
         })
      .code =
      "and.b32 %t0, %b, 31; and.b32 %t1, %c, 63; sub.s32 %t1, %t1, 32; "
      "fns.b32 %d, %a, %t0, %t1;";
  add_op(ops, "prmt.b32", kI, {kI, kI, Kind::kSelector},
         [](uint64_t a, uint64_t b, uint64_t c) { return prmt(a, b, c); });
  const char* const kModes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  for (int mode = 0; mode < 6; ++mode) {
    add_op(ops, std::string("prmt.b32.") + kModes[mode], kI, {kI, kI, Kind::kSelector},
           [mode](uint64_t a, uint64_t b, uint64_t c) {
             return prmt(a, b, prmt_selector(static_cast<PrmtMode>(mode), c));
           });
  }
  for (const int table : {0x00, 0x01, 0x1e, 0x2d, 0x3a, 0x80, 0x96, 0xca, 0xe8, 0xfe, 0xff}) {
    add_op(ops, "lop3.b32." + std::to_string(table), kI, {kI, kI, kI},
           [table](uint64_t a, uint64_t b, uint64_t c) { return lop3(a, b, c, table); })
        .code = "lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";";
  }
}

}  // namespace lockstep::emulator::num
