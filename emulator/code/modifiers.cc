// SPDX-License-Identifier: Apache-2.0
// The table of modifiers.
#include "emulator/code/modifiers.h"

#include <unordered_map>

namespace lockstep::emulator {
namespace {

struct Known {
  std::string_view roots;      // separated and surrounded by blanks
  std::string_view modifiers;  // the same
};

constexpr Known kKnown[] = {
    {" add sub ", " rn rz rm rp ftz sat cc "},
    {" addc subc ", " cc "},
    {" mul ", " lo hi wide rn rz rm rp ftz sat "},
    {" mad ", " lo hi wide sat cc rn rz rm rp ftz "},
    {" madc ", " lo hi cc "},
    {" mul24 mad24 ", " lo hi sat "},
    {" fma ", " rn rz rm rp ftz sat relu "},
    {" div ", " rn rz rm rp ftz approx full "},
    {" rcp sqrt ", " rn rz rm rp ftz approx "},
    {" rsqrt sin cos lg2 ex2 tanh ", " approx ftz "},
    {" abs neg ", " ftz "},
    {" min max ", " ftz NaN xorsign abs relu "},
    {" sad rem popc clz brev fns bfe bfi and or xor not cnot shl shr copysign dp4a selp ", " "},
    {" bfind ", " shiftamt "},
    {" bmsk szext ", " clamp wrap "},
    {" dp2a ", " lo hi "},
    {" shf ", " l r clamp wrap "},
    {" prmt ", " f4e b4e rc8 ecl ecr rc16 "},
    {" lop3 ", " or and "},
    {" testp ", " finite infinite number notanumber normal subnormal "},
    {" slct ", " ftz "},
    {" set setp ",
     " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz "},
    {" cvt ", " rn rz rm rp rna rni rzi rmi rpi ftz sat relu satfinite pack "},
};

bool contains(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    if (at > 0 && list[at - 1] == ' ' && list[at + word.size()] == ' ') return true;
  }
  return false;
}

// By root: the modifiers.
std::unordered_map<std::string_view, std::string_view> by_root() {
  std::unordered_map<std::string_view, std::string_view> all;
  for (const Known& known : kKnown)
    for (size_t at = 1; at < known.roots.size();) {
      const size_t end = known.roots.find(' ', at);
      all.emplace(known.roots.substr(at, end - at), known.modifiers);
      at = end + 1;
    }
  return all;
}

}  // namespace

std::string_view unknown_modifier(const Opcode& op) {
  static const auto known = by_root();
  const auto at = known.find(op.root);
  if (at == known.end()) return {};
  for (const std::string_view modifier : op.modifiers) {
    if (modifier.empty()) return ".";
    if (!contains(at->second, modifier)) return modifier;
  }
  return {};
}

}  // namespace lockstep::emulator
