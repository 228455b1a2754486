// SPDX-License-Identifier: Apache-2.0
// Statements by kind. A statement is drawn whether it is dropped or not, so that those behind it
// stay what they are.
#include "tests/emulator/random_ptx.h"

#include <initializer_list>
#include <iterator>
#include <random>
#include <utility>

namespace lockstep::emulator {
namespace {

// Registers of each type; p4 to p7 and the names with '%' belong to the statements themselves.
constexpr int kWords = 10, kLongs = 6, kFloats = 8, kDoubles = 4, kHalves = 4, kPredicates = 4;

class Writer {
 public:
  Writer(const RandomKernel& kernel, const std::string& name)
      : random_(kernel.seed * 0x9e3779b97f4a7c15u + 1), kernel_(kernel), name_(name) {}

  std::string kernel() {
    std::string functions;
    for (int i = 0; i < 2; ++i) functions += function(i);
    const int count = 6 + below(18);
    text_.clear();
    for (int i = 0; i < count; ++i) statement(0, true);
    const std::string body = std::exchange(text_, {});
    return functions + head() + body + tail();
  }
  int statements() const { return number_; }

 private:
  using Words = std::initializer_list<const char*>;
  int below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  const char* one_of(Words words) { return words.begin()[below(static_cast<int>(words.size()))]; }
  static std::string number(const char* letter, int i) { return letter + std::to_string(i); }
  std::string r() { return number("r", below(kWords)); }
  std::string d() { return number("d", below(kLongs)); }
  std::string f() { return number("f", below(kFloats)); }
  std::string g() { return number("g", below(kDoubles)); }
  std::string h() { return number("h", below(kHalves)); }
  std::string b() { return number("b", below(kHalves)); }
  std::string x() { return number("x", below(kHalves)); }
  std::string p() { return number("p", below(kPredicates)); }
  // A word, or a literal.
  std::string w() {
    if (below(5) != 0) return r();
    const int kind = below(4);
    if (kind == 0) return std::to_string(below(64));
    if (kind == 1) return "-" + std::to_string(1 + below(300));
    return std::to_string(static_cast<uint32_t>(random_()));
  }

  // A place or a length of bits.
  std::string c() { return below(3) == 0 ? std::to_string(below(32)) : r(); }

  void put(const std::string& line) {
    if (!dropping_) text_ += line + ";\n";
  }
  void label(const std::string& name) {
    if (!dropping_) text_ += name + ":\n";
  }
  // Of the lowest integer there is no absolute value: ptxas takes the result for positive.
  void sign_changed(const std::string& name, const std::string& to, std::string from) {
    if (name.starts_with("abs.s32")) put("max.s32 %a, " + from + ", -2147483647"), from = "%a";
    if (name.starts_with("abs.s64"))
      put("max.s64 %d, " + from + ", -9223372036854775807"), from = "%d";
    guarded(name + to + ", " + from);
  }
  void guarded(const std::string& line) {
    if (below(6) == 0)
      put("@" + std::string(below(2) ? "!" : "") + p() + " " + line);
    else
      put(line);
  }

  // uniform: all lanes of the block are here.
  void statement(int depth, bool uniform) {
    const bool was = dropping_;
    if (kernel_.dropped.count(number_++) != 0) dropping_ = true;
    const int kind = below(100);
    if (kind < 8 && depth < 3) {
      branch(depth, uniform);
    } else if (kind < 13 && depth < 3) {
      loop(depth, uniform);
    } else if (kind < 17 && !in_function_) {
      call();
    } else if (kind < 27 && uniform) {
      of_block();
    } else if (kind < 34 && !in_function_) {
      memory();
    } else {
      straight();
    }
    dropping_ = was;
  }
  void straight() {
    switch (below(13)) {
      case 0:
      case 1:
      case 2:
        return integer();
      case 3:
        return bits();
      case 4:
        return longs();
      case 5:
        return carries();
      case 6:
        return single();
      case 7:
        return doubles();
      case 8:
        return halves();
      case 9:
        return conversion();
      case 10:
        return comparison();
      case 11:
        return selection();
      default:
        return special();
    }
  }

  void integer() {
    const char* s = one_of({"u32", "s32"});
    switch (below(12)) {
      case 0:
        return guarded(std::string(one_of({"add.", "sub.", "mul.lo.", "min.", "max."})) + s + " " +
                       r() + ", " + r() + ", " + w());
      case 1:
        return guarded(std::string("mul.hi.") + s + " " + r() + ", " + r() + ", " + w());
      case 2:
        // No mad.hi: of a sum of them in a loop ptxas 13.0 keeps one or two of four.
        return guarded("mad.lo." + std::string(s) + " " + r() + ", " + r() + ", " + w() + ", " +
                       r());
      case 3:
        return guarded(std::string(one_of({"mul24.lo.", "mul24.hi."})) + s + " " + r() + ", " +
                       r() + ", " + r());
      case 4:
        return guarded(std::string("mad24.lo.") + s + " " + r() + ", " + r() + ", " + r() + ", " +
                       r());
      case 5:
        return guarded(std::string("sad.") + s + " " + r() + ", " + r() + ", " + r() + ", " + r());
      case 6:
        put("or.b32 %a, " + r() + ", 1");
        put("and.b32 %a, %a, 0x7fffffff");
        return put(std::string(one_of({"div.", "rem."})) + s + " " + r() + ", " + r() + ", %a");
      case 7:
        return guarded(std::string(one_of({"div.", "rem."})) + s + " " + r() + ", " + r() + ", " +
                       std::to_string(1 + below(1000)));
      case 8:
        return sign_changed(one_of({"abs.s32 ", "neg.s32 "}), r(), r());
      case 9:
        return guarded(std::string("dp4a.") + s + "." + one_of({"u32", "s32"}) + " " + r() + ", " +
                       r() + ", " + r() + ", " + r());
      case 10:
        return guarded(std::string("dp2a.") + one_of({"lo.", "hi."}) + s + "." +
                       one_of({"u32", "s32"}) + " " + r() + ", " + r() + ", " + r() + ", " + r());
      default:
        return shorts();
    }
  }
  // Of 16 bits.
  void shorts() {
    const char* s = one_of({"u16", "s16"});
    put("cvt.u16.u32 %h, " + r());
    put("cvt.u16.u32 %i, " + r());
    switch (below(4)) {
      case 0:
        put(std::string(one_of({"add.", "sub.", "mul.lo.", "mul.hi.", "min.", "max."})) + s +
            " %h, %h, %i");
        break;
      case 1:
        put(std::string("mad.lo.") + s + " %h, %h, %i, %h");
        break;
      case 2:
        return put(std::string("mul.wide.") + s + " " + r() + ", %h, %i");
      default:
        put(std::string(one_of({"shl.b16", "shr.u16", "shr.s16"})) + " %h, %h, " +
            std::to_string(below(18)));
    }
    put(std::string("cvt.") + (s[0] == 'u' ? "u32." : "s32.") + s + " " + r() + ", %h");
  }
  void bits() {
    switch (below(13)) {
      case 0:
        return guarded(std::string(one_of({"and", "or", "xor"})) + ".b32 " + r() + ", " + r() +
                       ", " + w());
      case 1:
        return guarded(
            std::string(one_of({"not.b32 ", "cnot.b32 ", "popc.b32 ", "clz.b32 ", "brev.b32 "})) +
            r() + ", " + r());
      case 2:
        return guarded("lop3.b32 " + r() + ", " + r() + ", " + r() + ", " + r() + ", " +
                       std::to_string(below(256)));
      case 3:
        return guarded(std::string("shf.") + one_of({"l", "r"}) + "." + one_of({"clamp", "wrap"}) +
                       ".b32 " + r() + ", " + r() + ", " + r() + ", " + c());
      case 4:
        return guarded(std::string(one_of({"shl.b32", "shr.u32", "shr.s32"})) + " " + r() + ", " +
                       r() + ", " + w());
      case 5:
        return guarded(std::string("bfe.") + one_of({"u32", "s32"}) + " " + r() + ", " + r() +
                       ", " + c() + ", " + c());
      case 6:
        return guarded("bfi.b32 " + r() + ", " + r() + ", " + r() + ", " + c() + ", " + c());
      case 7:
        return guarded(std::string("bfind.") + one_of({"", "shiftamt."}) + one_of({"u32", "s32"}) +
                       " " + r() + ", " + r());
      case 8:
        return guarded(std::string("prmt.b32") +
                       one_of({"", "", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"}) + " " +
                       r() + ", " + r() + ", " + r() + ", " + w());
      case 9:
        return guarded(std::string("szext.") + one_of({"clamp", "wrap"}) + "." +
                       one_of({"u32", "s32"}) + " " + r() + ", " + r() + ", " + c());
      case 10:
        return guarded(std::string("bmsk.") + one_of({"clamp", "wrap"}) + ".b32 " + r() + ", " +
                       c() + ", " + c());
      case 11:
        put("and.b32 %a, " + r() + ", 31");
        return put("fns.b32 " + r() + ", " + r() + ", %a, " + std::to_string(below(7) - 3));
      default:
        return guarded("prmt.b32 " + r() + ", " + r() + ", " + r() + ", " +
                       std::to_string(below(65536) & 0x7777));  // ptxas 13.0 takes signs of RZ
    }
  }
  void longs() {
    const char* s = one_of({"u64", "s64"});
    switch (below(14)) {
      case 0:
      case 1:
        return guarded(std::string(one_of({"add.", "sub.", "mul.lo.", "min.", "max."})) + s + " " +
                       d() + ", " + d() + ", " + d());
      case 2:
        return guarded(std::string("mul.wide.") + one_of({"u32", "s32"}) + " " + d() + ", " + r() +
                       ", " + w());
      case 3:
        return guarded(std::string("mad.wide.") + one_of({"u32", "s32"}) + " " + d() + ", " + r() +
                       ", " + r() + ", " + d());
      case 4:
        return guarded(std::string("mul.hi.") + s + " " + d() + ", " + d() + ", " + d());
      case 5:
        return guarded(std::string(one_of({"mad.lo.", "mad.hi."})) + s + " " + d() + ", " + d() +
                       ", " + d() + ", " + d());
      case 6:
        put("or.b64 %d, " + d() + ", 1");
        put("shr.u64 %d, %d, " + std::to_string(1 + below(62)));
        put("max.u64 %d, %d, 1");
        return put(std::string(one_of({"div.", "rem."})) + s + " " + d() + ", " + d() + ", %d");
      case 7:
        return guarded(std::string(one_of({"and", "or", "xor"})) + ".b64 " + d() + ", " + d() +
                       ", " + d());
      case 8:
        return guarded(std::string(one_of({"shl.b64", "shr.u64", "shr.s64"})) + " " + d() + ", " +
                       d() + ", " + w());
      case 9:
        return guarded(std::string(one_of({"popc.b64", "clz.b64", "bfind.u64", "bfind.s64",
                                           "bfind.shiftamt.u64"})) +
                       " " + r() + ", " + d());
      case 10:
        return sign_changed(one_of({"brev.b64 ", "abs.s64 ", "neg.s64 ", "not.b64 ", "cnot.b64 "}),
                            d(), d());
      case 11:
        return guarded(std::string("bfe.") + s + " " + d() + ", " + d() + ", " + c() + ", " + c());
      case 12:
        return guarded("bfi.b64 " + d() + ", " + d() + ", " + d() + ", " + c() + ", " + c());
      default:
        if (below(2)) return guarded("mov.b64 " + d() + ", {" + r() + ", " + r() + "}");
        put("mov.b64 {%a, %b}, " + d());
        put("mov.b32 " + r() + ", %a");
        return put("xor.b32 " + r() + ", %b, %a");
    }
  }
  void carries() {
    const bool sub = below(2) != 0, wide = below(3) == 0;
    const char* t = wide ? "u64" : "u32";
    const auto v = [&] { return wide ? d() : r(); };
    if (below(3) == 0) {
      put(std::string("mad.lo.cc.") + t + " " + v() + ", " + v() + ", " + v() + ", " + v());
      return put(std::string("madc.") + one_of({"lo.", "hi."}) + t + " " + v() + ", " + v() + ", " +
                 v() + ", " + v());
    }
    const std::string first = sub ? "sub.cc." : "add.cc.", next = sub ? "subc." : "addc.";
    put(first + t + " " + v() + ", " + v() + ", " + v());
    const int more = below(3);
    for (int i = 0; i < more; ++i) put(next + "cc." + t + " " + v() + ", " + v() + ", " + v());
    put(next + t + " " + v() + ", " + v() + ", " + v());
  }
  const char* rounding() { return one_of({".rn", ".rz", ".rm", ".rp"}); }
  void single() {
    const std::string ftz = one_of({"", "", ".ftz"}), sat = one_of({"", "", "", ".sat"});
    switch (below(12)) {
      case 0:
      case 1:
        return guarded(std::string(one_of({"add", "sub", "mul"})) + rounding() + ftz + sat +
                       ".f32 " + f() + ", " + f() + ", " + f());
      case 2:
      case 3:
        return guarded("fma" + std::string(rounding()) + ftz + sat + ".f32 " + f() + ", " + f() +
                       ", " + f() + ", " + f());
      case 4:
        return guarded("fma.rn" + ftz + ".f32 " + f() + ", " + f() + ", 0f3F000000, " + f());
      case 5:
        return guarded("div" + std::string(rounding()) + ftz + ".f32 " + f() + ", " + f() + ", " +
                       f());
      case 6:
        return guarded(std::string(one_of({"sqrt", "rcp"})) + rounding() + ftz + ".f32 " + f() +
                       ", " + f());
      case 7:
        return guarded(std::string(one_of({"min", "max"})) + ftz + one_of({"", ".NaN"}) + ".f32 " +
                       f() + ", " + f() + ", " + f());
      case 8:
        return guarded(std::string(one_of({"abs", "neg"})) + ftz + ".f32 " + f() + ", " + f());
      case 9:
        return guarded(
            "add.rn" + ftz + ".f32 " + f() + ", " + f() + ", " +
            one_of({"0f3F800000", "0fBF000000", "0f00000001", "0f80000000", "0f7F7FFFFF"}));
      case 10:
        return guarded(std::string(one_of({"min", "max"})) + ".xorsign.abs.f32 " + f() + ", " +
                       f() + ", " + f());
      default:
        put("abs.f32 %f, " + f());
        return put("fma.rn.f32 " + f() + ", %f, " + f() + ", " + f());
    }
  }
  void doubles() {
    switch (below(8)) {
      case 0:
      case 1:
        return guarded(std::string(one_of({"add", "sub", "mul"})) + rounding() + ".f64 " + g() +
                       ", " + g() + ", " + g());
      case 2:
        return guarded("fma" + std::string(rounding()) + ".f64 " + g() + ", " + g() + ", " + g() +
                       ", " + g());
      case 3:
        return guarded("div" + std::string(rounding()) + ".f64 " + g() + ", " + g() + ", " + g());
      case 4:
        return guarded(std::string(one_of({"sqrt", "rcp"})) + rounding() + ".f64 " + g() + ", " +
                       g());
      case 5:
        return guarded(std::string(one_of({"min", "max"})) + ".f64 " + g() + ", " + g() + ", " +
                       g());
      case 6:
        return guarded(std::string(one_of({"abs", "neg"})) + ".f64 " + g() + ", " + g());
      default:
        return guarded("add.rn.f64 " + g() + ", " + g() + ", 0d3FF0000000000000");
    }
  }
  // f16 in h, bf16 in b, pairs of f16 in x.
  void halves() {
    const std::string ftz = one_of({"", "", ".ftz"}), sat = one_of({"", "", ".sat"});
    const int kind = below(3);
    const auto v = [&] { return kind == 0 ? h() : kind == 1 ? b() : x(); };
    const std::string type = kind == 0 ? ".f16 " : kind == 1 ? ".bf16 " : ".f16x2 ";
    const bool bf = kind == 1;
    switch (below(6)) {
      case 0:
        if (bf)
          return guarded("fma.rn" + std::string(one_of({"", ".relu"})) + type + v() + ", " + v() +
                         ", " + v() + ", " + v());
        return guarded(std::string(one_of({"add", "sub", "mul"})) + ".rn" + ftz + sat + type + v() +
                       ", " + v() + ", " + v());
      case 1:
        if (bf)
          return guarded(std::string(one_of({"add", "sub", "mul"})) + ".rn" + type + v() + ", " +
                         v() + ", " + v());
        return guarded("fma.rn" + ftz + sat + type + v() + ", " + v() + ", " + v() + ", " + v());
      case 2:
        return guarded(std::string(one_of({"min", "max"})) + (bf ? "" : ftz) +
                       one_of({"", ".NaN"}) + type + v() + ", " + v() + ", " + v());
      case 3:
        return guarded(std::string(one_of({"neg", "abs"})) + type + v() + ", " + v());
      case 4:
        if (kind == 2)
          return guarded("fma.rn.relu.f16x2 " + x() + ", " + x() + ", " + x() + ", " + x());
        return guarded(std::string("setp.") + relation() + type + p() + ", " + v() + ", " + v());
      default:
        if (kind == 2) {
          if (below(2)) return guarded("mov.b32 " + x() + ", {" + h() + ", " + h() + "}");
          put("mov.b32 {%h, %i}, " + x());
          put("mov.b16 " + h() + ", %h");
          return put("mov.b16 " + h() + ", %i");
        }
        return guarded("selp.b16 " + v() + ", " + v() + ", " + v() + ", " + p());
    }
  }
  const char* relation() {
    return one_of({"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu",
                   "num", "nan"});
  }
  void conversion() {
    switch (below(14)) {
      case 0:
        return guarded(std::string("cvt") + rounding() + ".f32." + one_of({"u32 ", "s32 "}) + f() +
                       ", " + r());
      case 1:
        return guarded(std::string("cvt") + rounding() + one_of({".f32.u64 ", ".f32.s64 "}) + f() +
                       ", " + d());
      case 2:
        return guarded(std::string("cvt") + one_of({".rni", ".rzi", ".rmi", ".rpi"}) +
                       one_of({"", ".ftz"}) + one_of({".u32", ".s32"}) + ".f32 " + r() + ", " +
                       f());
      case 3:
        return guarded(std::string("cvt") + one_of({".rni", ".rzi", ".rmi", ".rpi"}) +
                       one_of({".u64", ".s64"}) + one_of({".f32 ", ".f32 "}) + d() + ", " + f());
      case 4:
        return guarded(std::string("cvt") + one_of({".rni", ".rzi", ".rmi", ".rpi"}) +
                       one_of({".u64", ".s64"}) + ".f64 " + d() + ", " + g());
      case 5:
        return guarded(std::string("cvt") + one_of({".rni", ".rzi", ".rmi", ".rpi"}) +
                       one_of({".u32", ".s32"}) + ".f64 " + r() + ", " + g());
      case 6:
        return guarded(std::string("cvt") + rounding() + one_of({"", ".ftz", ".sat"}) +
                       ".f32.f64 " + f() + ", " + g());
      case 7:
        return guarded(std::string("cvt") + one_of({"", ".ftz"}) + ".f64.f32 " + g() + ", " + f());
      case 8:
        return guarded(std::string("cvt") + rounding() + ".f64." + one_of({"u64 ", "s64 "}) + g() +
                       ", " + d());
      case 9:
        return guarded(std::string("cvt.rn.f64.") + one_of({"u32 ", "s32 "}) + g() + ", " + r());
      case 10:
        return guarded(std::string("cvt") + one_of({".rni", ".rzi", ".rmi", ".rpi"}) +
                       one_of({"", ".ftz", ".sat"}) + ".f32.f32 " + f() + ", " + f());
      case 11: {
        const char* small = one_of({"u8", "s8", "u16", "s16"});
        if (below(2))
          return guarded(std::string("cvt.sat.") + small + "." + one_of({"u32 ", "s32 "}) + r() +
                         ", " + r());
        put(std::string("cvt.rzi.") + small + ".f32 %a, " + f());
        return put("mov.b32 " + r() + ", %a");
      }
      case 12:
        return half_conversion();
      default:
        return guarded(std::string("cvt") + one_of({".rni", ".rzi", ".rmi", ".rpi"}) + ".f64.f64 " +
                       g() + ", " + g());
    }
  }
  void half_conversion() {
    switch (below(10)) {
      case 0:
        return guarded("cvt" + std::string(one_of({".rn", ".rz"})) + one_of({"", ".ftz"}) +
                       ".f16.f32 " + h() + ", " + f());
      case 1:
        return guarded("cvt.f32.f16 " + f() + ", " + h());
      case 2:
        return guarded("cvt.rn.bf16.f32 " + b() + ", " + f());
      case 3:
        return guarded("cvt.f32.bf16 " + f() + ", " + b());
      case 4:
        return guarded(std::string("cvt.rn") + one_of({"", ".relu"}) + ".f16x2.f32 " + x() + ", " +
                       f() + ", " + f());
      case 5:
        return guarded(std::string("cvt.rn.f16.") + one_of({"u32 ", "s32 "}) + h() + ", " + r());
      case 6:
        return guarded(std::string("cvt.rzi.") + one_of({"u32", "s32"}) + ".f16 " + r() + ", " +
                       h());
      case 7:
        return guarded("cvt.rn.f16.f64 " + h() + ", " + g());
      case 8:
        return guarded("cvt.f64.f16 " + g() + ", " + h());
      default:
        return guarded("cvt.rni.f16.f16 " + h() + ", " + h());
    }
  }
  void comparison() {
    const std::string with = one_of({"", "", ".and", ".or", ".xor"});
    // Of one that reads what it writes ptxas 13.0 forgets repetitions in a loop, and of one with
    // .and, .or or .xor, of which a branch is made, the .ftz.
    const int written = below(kPredicates),
              other = (written + 1 + below(kPredicates - 1)) % kPredicates;
    const std::string to = number("p", written) + (below(4) == 0 ? "|p7" : "");
    const std::string last =
        with.empty() ? "" : ", " + std::string(below(2) ? "!" : "") + number("p", other);
    const char* single = with.empty() && below(2) ? ".ftz.f32 " : ".f32 ";
    const auto write = [&](const std::string& line) { with.empty() ? guarded(line) : put(line); };
    switch (below(7)) {
      case 0:
      case 1:
        return write(std::string("setp.") + one_of({"eq", "ne", "lt", "le", "gt", "ge"}) + with +
                     one_of({".s32 ", ".u32 "}) + to + ", " + r() + ", " + w() + last);
      case 2:
        return write(std::string("setp.") + one_of({"eq", "ne", "lt", "le", "gt", "ge"}) + with +
                     one_of({".s64 ", ".u64 "}) + to + ", " + d() + ", " + d() + last);
      case 3:
        return write(std::string("setp.") + relation() + with + single + to + ", " + f() + ", " +
                     f() + last);
      case 4:
        return write(std::string("setp.") + relation() + with + ".f64 " + to + ", " + g() + ", " +
                     g() + last);
      case 5:
        return put(std::string(one_of({"and", "or", "xor"})) + ".pred " + p() + ", " + p() + ", " +
                   p());
      default:  // ptxas forgets a guard before it
        return put(std::string("testp.") +
                   one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"}) +
                   (below(3) ? ".f32 " + p() + ", " + f() : ".f64 " + p() + ", " + g()));
    }
  }
  void selection() {
    switch (below(8)) {
      case 0:
        return guarded("selp.b32 " + r() + ", " + r() + ", " + w() + ", " + p());
      case 1:
        return guarded("selp.b64 " + d() + ", " + d() + ", " + d() + ", " + p());
      case 2:
        return guarded("selp.f32 " + f() + ", " + f() + ", " + f() + ", " + p());
      case 3:
        return guarded("selp.f64 " + g() + ", " + g() + ", " + g() + ", " + p());
      case 4:
        return guarded("slct.b32.s32 " + r() + ", " + r() + ", " + r() + ", " + r());
      case 5:
        return guarded("slct.f32.s32 " + f() + ", " + f() + ", " + f() + ", " + r());
      case 6:
        return guarded(std::string("set.") + one_of({"lt", "ge", "ne"}) +
                       one_of({".u32.s32 ", ".s32.u32 "}) + r() + ", " + r() + ", " + r());
      default:
        return guarded(std::string("set.") + relation() + ".u32.f32 " + r() + ", " + f() + ", " +
                       f());
    }
  }
  // Between types by their bits: no NaN, of which the bits may be any, leaves its type.
  void special() {
    switch (below(5)) {
      case 0:
        return put("mov.b32 " + f() + ", " + r());
      case 1:
        return put("mov.b64 " + g() + ", " + d());
      case 2:
        put("mov.b32 %a, " + f() + ";\nmov.b32 %f, %a;\nsetp.nan.f32 p6, %f, %f");
        return put("selp.b32 " + r() + ", 5, %a, p6");
      case 3:
        put("mov.b64 %d, " + g() + ";\nmov.b64 %g, %d;\nsetp.nan.f64 p6, %g, %g");
        return put("selp.b64 " + d() + ", 5, %d, p6");
      default:
        return put(std::string("mov.u32 ") + r() + ", %" +
                   one_of({"tid.x", "ntid.x", "ctaid.x", "nctaid.x", "laneid", "lanemask_lt",
                           "lanemask_ge", "lanemask_eq", "lanemask_gt", "lanemask_le"}));
    }
  }

  void branch(int depth, bool uniform) {
    const std::string name = name_ + "_L" + std::to_string(labels_++);
    const bool both = below(2) != 0, same = uniform && below(3) == 0 && !in_function_;
    if (same) {  // one way for a whole block
      put("setp.lt.u32 p4, %n, " + std::to_string(below(8)));
    } else {
      put("mov.pred p4, " + p());
    }
    const std::string sign = below(2) ? "@p4 " : "@!p4 ";
    put(sign + "bra " + name + (both ? "e" : "z"));
    const int count = 1 + below(5);
    for (int i = 0; i < count; ++i) statement(depth + 1, same);
    if (both) {
      put("bra " + name + "z");
      label(name + "e");
      for (int i = 0; i < count; ++i) statement(depth + 1, same);
    }
    label(name + "z");
  }
  void loop(int depth, bool uniform) {
    const std::string name = name_ + "_L" + std::to_string(labels_++),
                      count = "%l" + std::to_string(depth);
    const bool same = uniform && below(2) != 0;
    if (same)
      put("mov.u32 " + count + ", " + std::to_string(1 + below(6)));
    else
      put("and.b32 " + count + ", " + r() + ", " + (below(2) ? "3" : "7"));
    label(name);
    const int statements = 1 + below(5);
    for (int i = 0; i < statements; ++i) statement(depth + 1, same);
    if (below(3) == 0 && !same) {
      put("setp.eq.u32 p5, " + r() + ", " + r());
      put("@p5 bra " + name + "z");
    }
    put("sub.u32 " + count + ", " + count + ", 1;\nsetp.gt.s32 p5, " + count + ", 0");
    put("@p5 bra " + name);
    label(name + "z");
  }
  void call() {
    const std::string function = name_ + "_f" + std::to_string(below(2));
    const std::string result = r(), wide = f();
    if (dropping_) {
      r(), f();
      return;
    }
    const std::string a = r(), c = f();
    text_ +=
        "{\n.param .b32 a0;\n.param .b32 a1;\n.param .b32 q0;\n.param .b32 q1;\nst.param.b32 "
        "[a0], " +
        a + ";\nst.param.f32 [a1], " + c + ";\ncall (q0), " + function +
        ", (a0, a1);\nld.param.b32 " + result + ", [q0];\n}\n";
    (void)wide;
  }
  // All threads are here: barriers, and operations of whole warps.
  void of_block() {
    switch (below(8)) {
      case 0:
      case 1: {
        const std::string v = r(), to = r();
        put("st.shared.u32 [%s], " + v + ";\nbar.sync 0");
        put("xor.b32 %a, %t, " + std::to_string(1 + below(63)) +
            ";\nshl.b32 %a, %a, 2;\nadd.u32 %a, %a, %base");
        return put("ld.shared.u32 " + to + ", [%a];\nbar.sync 0");
      }
      case 2: {
        const char* mode = one_of({"up", "down", "bfly", "idx"});
        const std::string c = std::string(mode) == "up"
                                  ? one_of({"0", "0x1800", "0x1000"})
                                  : one_of({"31", "0x181f", "0x1c1f", "0x0f"});
        const std::string to = below(2) ? r() : r() + "|" + p();
        return put(std::string("shfl.sync.") + mode + ".b32 " + to + ", " + r() + ", " + w() +
                   ", " + c + ", -1");
      }
      case 3:
        if (below(2)) return put("vote.sync.ballot.b32 " + r() + ", " + p() + ", -1");
        return put(std::string("vote.sync.") + one_of({"all", "any", "uni"}) + ".pred " + p() +
                   ", " + p() + ", -1");
      case 4:
        put("and.b32 %a, " + r() + ", 3");
        if (below(2)) return put("match.any.sync.b32 " + r() + ", %a, -1");
        return put("match.all.sync.b32 " + r() + "|" + p() + ", %a, -1");
      case 5:
        return put(std::string("redux.sync.") +
                   one_of({"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                           "and.b32", "or.b32", "xor.b32"}) +
                   " " + r() + ", " + r() + ", -1");
      case 6:
        if (below(2))
          return put(std::string("bar.red.") + one_of({"and", "or"}) + ".pred " + p() + ", 0, " +
                     p());
        return put("bar.red.popc.u32 " + r() + ", 0, " + p());
      default: {
        // Sums and extremes over the block, whatever the order.
        const char* what =
            one_of({"add.u32", "min.u32", "min.s32", "max.s32", "and.b32", "or.b32", "xor.b32"});
        put("bar.sync 0;\nst.shared.u32 [%s], %n;\nbar.sync 0;\nshl.b32 %a, %t, 2;\nand.b32 %a, "
            "%a, " +
            std::string(one_of({"0", "12", "28"})) + ";\nadd.u32 %a, %a, %base");
        put(std::string(one_of({"red.shared.", "red.shared."})) + what + " [%a], " + r());
        const std::string to = r();
        return put("bar.sync 0;\nld.shared.u32 " + to + ", [%a];\nbar.sync 0");
      }
    }
  }
  // A thread's own: local memory, and its own places in shared and global memory.
  void memory() {
    put("and.b32 %a, " + r() + ", 15");
    switch (below(8)) {
      case 0:
        put("shl.b32 %a, %a, 2;\nadd.u32 %a, %a, %local");
        put("st.local.u32 [%a], " + r());
        put("and.b32 %a, " + r() + ", 15;\nshl.b32 %a, %a, 2;\nadd.u32 %a, %a, %local");
        return put("ld.local.u32 " + r() + ", [%a]");
      case 1:
        put("add.u32 %a, %a, %local");
        put(std::string("st.local.u8 [%a], ") + r());
        return put(std::string("ld.local.") + one_of({"u8 ", "s8 "}) + r() + ", [%local+" +
                   std::to_string(below(64)) + "]");
      case 2:
        put("st.local.v4.u32 [%local+" + std::to_string(16 * below(4)) + "], {" + r() + ", " + r() +
            ", " + r() + ", " + r() + "}");
        return put("ld.local.v2.u32 {" + two() + "}, [%local+" + std::to_string(8 * below(8)) +
                   "]");
      case 3:
        put("shl.b32 %a, %a, 2;\nmad.wide.u32 %d, %a, 1, %in");
        return put(std::string("ld.global") + one_of({"", ".nc"}) + ".u32 " + r() + ", [%d]");
      case 4:
        put("mad.wide.u32 %d, %a, 1, %in");
        return put(std::string("ld.global.") + one_of({"u8 ", "s8 "}) + r() + ", [%d]");
      case 5:
        put("shl.b32 %a, %a, 2;\nadd.u32 %a, %a, %local;\ncvt.u64.u32 %d, %a;\ncvta.local.u64 %d, "
            "%d;\ncvta.to.global.u64 %e, %in");
        put("selp.b64 %d, %d, %in, " + p());
        return put("ld.u32 " + r() + ", [%d]");
      case 6:
        put("st.shared.u32 [%s], " + r());
        put(std::string("atom.shared.") +
            one_of({"add.u32", "min.s32", "max.u32", "exch.b32", "inc.u32", "dec.u32", "xor.b32",
                    "and.b32"}) +
            " " + r() + ", [%s], " + r());
        if (below(2)) put("atom.shared.cas.b32 " + r() + ", [%s], " + r() + ", " + r());
        return put("ld.shared.u32 " + r() + ", [%s]");
      default:
        put("st.global.u32 [%o], " + r());
        put(std::string("atom.global.") +
            one_of({"add.u32", "min.s32", "max.u32", "exch.b32", "inc.u32", "dec.u32", "or.b32",
                    "and.b32"}) +
            " " + r() + ", [%o], " + r());
        if (below(2))
          put(std::string(one_of({"atom.global.cas.b32 "})) + r() + ", [%o], " + r() + ", " + r());
        return put("ld.global.u32 " + r() + ", [%o]");
    }
  }
  std::string two() {
    const int i = below(kWords);
    return number("r", i) + ", " + number("r", (i + 1) % kWords);
  }

  static std::string registers() {
    return ".reg .b32 r<10>, x<4>;\n.reg .b64 d<6>;\n.reg .f32 f<8>;\n.reg .f64 g<4>;\n.reg .b16 "
           "h<4>, b<4>;\n"
           ".reg .pred p<8>;\n.reg .b32 %a, %b, %n, %t, %s, %base, %local, %l<4>, %x;\n"
           ".reg .b64 %d, %e, %in, %o;\n.reg .f32 %f;\n.reg .f64 %g;\n.reg .b16 %h, %i;\n";
  }
  // A function that is not inlined: of a word and a float, with registers of its own.
  std::string function(int i) {
    in_function_ = true;
    text_.clear();
    const int count = 2 + below(6);
    for (int k = 0; k < count; ++k) statement(1, false);
    in_function_ = false;
    std::string out = ".func (.param .b32 q) " + name_ + "_f" + std::to_string(i) +
                      "(.param .b32 v, .param .b32 u)\n{\n" + registers() +
                      "ld.param.b32 r0, [v];\nld.param.f32 f0, [u];\n";
    for (int k = 1; k < kWords; ++k)
      out += "mad.lo.u32 r" + std::to_string(k) + ", r" + std::to_string(k - 1) +
             ", 1664525, 1013904223;\n";
    return out + spread() + text_ + gather() + "st.param.b32 [q], %x;\nret;\n}\n";
  }
  // From words to the other types.
  static std::string spread() {
    std::string out;
    for (int i = 0; i < kLongs; ++i)
      out += "mov.b64 d" + std::to_string(i) + ", {r" + std::to_string(i) + ", r" +
             std::to_string(i + 2) + "};\n";
    for (int i = 1; i < kFloats; ++i)
      out += "mov.b32 f" + std::to_string(i) + ", r" + std::to_string(i) + ";\n";
    for (int i = 0; i < kDoubles; ++i)
      out += "mov.b64 g" + std::to_string(i) + ", d" + std::to_string(i) + ";\n";
    for (int i = 0; i < kHalves; ++i) {
      const std::string n = std::to_string(i);
      out += "mov.b32 x" + n + ", r" + n + ";\nmov.b32 {h" + n + ", b" + n + "}, r" +
             std::to_string(i + 4) + ";\n";
    }
    for (int i = 0; i < 8; ++i)
      out += "setp.lt.s32 p" + std::to_string(i) + ", r" + std::to_string(i) + ", r" +
             std::to_string(i + 1) + ";\n";
    return out;
  }
  // All registers in %x.
  static std::string gather() {
    std::string out = "mov.b32 %x, 0;\n";
    each_result([&](const std::string& load) {
      out += load + "mul.lo.u32 %x, %x, 31;\nxor.b32 %x, %x, %a;\n";
    });
    return out;
  }
  // f: code that puts a register, of NaN one bit pattern, into %a.
  template <class F>
  static void each_result(F f) {
    const auto n = [](const char* letter, int i) { return number(letter, i); };
    for (int i = 0; i < kWords; ++i) f("mov.b32 %a, " + n("r", i) + ";\n");
    for (int i = 0; i < kLongs; ++i) {
      f("mov.b64 {%a, %b}, " + n("d", i) + ";\n");
      f("mov.b64 {%b, %a}, " + n("d", i) + ";\n");
    }
    const std::string float_word =
        "setp.nan.f32 p6, %f, %f;\nmov.b32 %a, %f;\nselp.b32 %a, 0x7fffffff, %a, p6;\n";
    for (int i = 0; i < kFloats; ++i) f("mov.f32 %f, " + n("f", i) + ";\n" + float_word);
    for (int i = 0; i < kHalves; ++i) {
      f("cvt.f32.f16 %f, " + n("h", i) + ";\n" + float_word);
      f("cvt.f32.bf16 %f, " + n("b", i) + ";\n" + float_word);
      f("mov.b32 {%h, %i}, " + n("x", i) + ";\ncvt.f32.f16 %f, %h;\n" + float_word);
    }
    for (int i = 0; i < kDoubles; ++i)
      f("setp.nan.f64 p6, " + n("g", i) + ", " + n("g", i) + ";\nmov.b64 {%a, %b}, " + n("g", i) +
        ";\nmul.lo.u32 %b, %b, 7919;\nxor.b32 %a, %a, %b;\nselp.b32 %a, 0x7fffffff, %a, p6;\n");
    std::string predicates = "mov.b32 %a, 0;\n";
    for (int i = 0; i < kPredicates; ++i)
      predicates += "@" + n("p", i) + " add.u32 %a, %a, " + std::to_string(1 << i) + ";\n";
    f(predicates);
  }
  std::string head() const {
    std::string out =
        ".visible .entry " + name_ + "(.param .u64 q0, .param .u64 q1, .param .u32 q2)\n{\n" +
        registers() +
        ".shared .align 16 .b8 shared_words[1024];\n.local .align 16 .b8 own[64];\n"
        "ld.param.u64 %o, [q0];\nld.param.u64 %in, [q1];\nld.param.u32 %n, [q2];\n"
        "cvta.to.global.u64 %o, %o;\ncvta.to.global.u64 %in, %in;\nmov.u32 %t, %tid.x;\n"
        "mov.u32 %base, shared_words;\nshl.b32 %a, %t, 2;\nadd.u32 %s, %base, %a;\nmov.u32 %local, "
        "own;\n"
        "mov.u32 %a, %ctaid.x;\nmov.u32 %b, %ntid.x;\nmad.lo.u32 %a, %a, %b, %t;\n"
        "mad.wide.u32 %o, %a, " +
        std::to_string(4 * kRandomWordsOut) +
        ", %o;\n"
        "mad.wide.u32 %in, %a, " +
        std::to_string(4 * kRandomWordsIn) + ", %in;\n";
    for (int i = 0; i < kWords; ++i)
      out += "ld.global.u32 r" + std::to_string(i) + ", [%in+" + std::to_string(4 * i) + "];\n";
    for (int i = 0; i < 4; ++i)
      out += "st.local.v4.u32 [%local+" + std::to_string(16 * i) + "], {r0, r1, r2, r3};\n";
    return out + "st.shared.u32 [%s], r5;\nmov.b32 f0, r9;\n" + spread() + "bar.sync 0;\n";
  }
  std::string tail() const {
    std::string out = "bar.sync 0;\n";
    int at = 0;
    each_result([&](const std::string& load) {
      out += load + "st.global.u32 [%o+" + std::to_string(4 * at++) + "], %a;\n";
    });
    return out + "ret;\n}\n";
  }

  std::mt19937_64 random_;
  const RandomKernel& kernel_;
  const std::string name_;
  std::string text_;
  int number_ = 0, labels_ = 0;
  bool dropping_ = false, in_function_ = false;
};

}  // namespace

std::string random_module(const std::vector<RandomKernel>& kernels, const std::string& target) {
  std::string text = ".version 8.0\n.target " + target + "\n.address_size 64\n";
  for (size_t i = 0; i < kernels.size(); ++i)
    text += Writer(kernels[i], "k" + std::to_string(i)).kernel();
  return text;
}

int random_statements(uint64_t seed) {
  const RandomKernel kernel{seed};
  Writer writer(kernel, "k0");
  writer.kernel();
  return writer.statements();
}

std::vector<uint32_t> random_input(uint64_t seed, size_t words) {
  std::mt19937_64 random(seed);
  constexpr uint32_t kSpecial[] = {
      0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x7f800000, 0xff800000,
      0x7fc00000, 0x7f800001, 0x00400000, 0x80000001, 0x3f800000, 0xbf800000, 0x7f7fffff,
      0x00800000, 0x007fffff, 0x3ff00000, 0x7ff00000, 0x000fffff, 0x3c003c00, 0x7c00fc00,
      0x7e000001, 0x4f000000, 0xcf000000, 0x4f800000, 0x43e00000, 0xc3e00000, 31,
      32,         33,         64,         255};
  std::vector<uint32_t> out(words);
  for (uint32_t& word : out) {
    const auto drawn = random();
    const auto any = static_cast<uint32_t>(drawn >> 32);
    switch (drawn % 8) {
      case 0:
      case 1:
        word = kSpecial[any % std::size(kSpecial)];
        break;
      case 2:
        word = any % 100;
        break;
      case 3:
      case 4:
        word = 0x3f800000 + (any & 0x80ffffff) -
               0x00800000 * (any >> 28 & 3);  // a float of ordinary size
        break;
      case 5:
        word = 0x3ff00000 ^ (any & 0x800fffff);
        break;
      default:
        word = any;
    }
  }
  return out;
}

}  // namespace lockstep::emulator
