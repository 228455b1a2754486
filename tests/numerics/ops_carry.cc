// SPDX-License-Identifier: Apache-2.0
// Extended precision: every instruction that writes the carry flag before every one that reads it,
// with and without one that does both between, at 32 and 64 bits. The flag is one bit, the carry
// out of an adder: a subtraction adds the complement, so a borrow leaves it 0 (as in the SASS that
// ptxas makes). Computed here in twice the width, apart from emulator/numerics/.
#include <string_view>

#include "tests/numerics/op_builders.h"

namespace lockstep::emulator::num {
namespace {

template <class T>
struct Double;
template <>
struct Double<uint32_t> {
  using type = uint64_t;
};
template <>
struct Double<int32_t> {
  using type = int64_t;
};
template <>
struct Double<uint64_t> {
  using type = unsigned __int128;
};
template <>
struct Double<int64_t> {
  using type = __int128;
};

// One link of a chain: "sub.cc" and so on, as PTX and as sums of twice the width.
enum class Link { kNone, kAdd, kSub, kMadLow, kMadHigh };
struct Opcodes {
  const char *first, *middle, *last;
};
constexpr Opcodes kOpcodes[] = {{"", "", ""},
                                {"add.cc", "addc.cc", "addc"},
                                {"sub.cc", "subc.cc", "subc"},
                                {"mad.lo.cc", "madc.lo.cc", "madc.lo"},
                                {"mad.hi.cc", "madc.hi.cc", "madc.hi"}};

bool multiplies(Link link) { return link == Link::kMadLow || link == Link::kMadHigh; }

template <class T>
class Chain {
  using U = std::make_unsigned_t<T>;
  using Wide = typename Double<T>::type;
  using Sum = typename Double<U>::type;
  static constexpr int kBits = 8 * sizeof(T);

 public:
  // The result of a link; x, y: what add and sub take; a, b: the factors of mad, c its addend.
  U link(Link link, bool continues, U x, U y, U a, U b, U c) {
    const Wide product = Wide(T(a)) * Wide(T(b));
    const bool sub = link == Link::kSub;
    if (link == Link::kMadLow) x = U(product), y = c;
    if (link == Link::kMadHigh) x = U(product >> kBits), y = c;
    const Sum sum = Sum(x) + Sum(sub ? U(~y) : y) + Sum(continues ? carry_ : sub);
    carry_ = (sum >> kBits) != 0;
    return U(sum);
  }
  static uint64_t compute(Link first, Link middle, Link last, U a, U b, U c) {
    Chain chain;
    U t = chain.link(first, false, a, b, a, b, c);
    if (middle != Link::kNone) t = chain.link(middle, true, t, c, a, t, c);
    return chain.link(last, true, t, b, b, c, t);
  }

 private:
  bool carry_ = false;
};

template <class T>
void add_chain(std::vector<Op>& ops, Link first, Link middle, Link last) {
  const bool wide = sizeof(T) == 8;
  const std::string type =
      std::string(std::is_signed_v<T> ? ".s" : ".u") + std::to_string(8 * sizeof(T));
  const std::string t = wide ? "%u0" : "%t0";
  const auto text = [&](const char* opcode, const std::string& operands) {
    return opcode + type + " " + operands + ";";
  };
  const auto opcodes = [](Link link) { return kOpcodes[static_cast<int>(link)]; };
  std::string name = opcodes(first).first;
  std::string code = text(name.c_str(), t + (multiplies(first) ? ", %a, %b, %c" : ", %a, %b"));
  if (middle != Link::kNone) {
    name += std::string("+") + opcodes(middle).middle;
    code += " " + text(opcodes(middle).middle,
                       multiplies(middle) ? t + ", %a, " + t + ", %c" : t + ", " + t + ", %c");
  }
  name += std::string("+") + opcodes(last).last;
  code +=
      " " + text(opcodes(last).last, multiplies(last) ? "%d, %b, %c, " + t : "%d, " + t + ", %b");
  const Kind kind = wide ? Kind::kB64 : Kind::kB32;
  add_op(ops, "chain." + name + type, kind, {kind, kind, kind},
         [=](uint64_t a, uint64_t b, uint64_t c) {
           using U = std::make_unsigned_t<T>;
           return Chain<T>::compute(first, middle, last, U(a), U(b), U(c));
         })
      .code = code;
}

// Signed and unsigned differ in the upper half of a product alone.
template <class T>
void add_chains_of(std::vector<Op>& ops) {
  constexpr Link kLinks[] = {Link::kAdd, Link::kSub, Link::kMadLow, Link::kMadHigh};
  constexpr Link kMiddles[] = {Link::kNone, Link::kAdd, Link::kSub, Link::kMadLow, Link::kMadHigh};
  for (const Link first : kLinks)
    for (const Link middle : kMiddles)
      for (const Link last : kLinks)
        if (!std::is_signed_v<T> || first == Link::kMadHigh || middle == Link::kMadHigh ||
            last == Link::kMadHigh)
          add_chain<T>(ops, first, middle, last);
}

}  // namespace

void add_carry_ops(std::vector<Op>& ops) {
  add_chains_of<uint32_t>(ops);
  add_chains_of<int32_t>(ops);
  add_chains_of<uint64_t>(ops);
  add_chains_of<int64_t>(ops);
}

}  // namespace lockstep::emulator::num
