// SPDX-License-Identifier: Apache-2.0
// From modes that a program has at run time to those that arithmetic is compiled for:
//   with_round(round, [](auto r) { return &add_f64<r>; })
#pragma once

#include <type_traits>

#include "emulator/numerics/bits.h"

namespace lockstep::emulator::num {

// f(r), r converting to the rounding mode in constant expressions.
template <class F>
auto with_round(Round round, F f) {
  switch (round) {
    case Round::kZero:
      return f(std::integral_constant<Round, Round::kZero>());
    case Round::kDown:
      return f(std::integral_constant<Round, Round::kDown>());
    case Round::kUp:
      return f(std::integral_constant<Round, Round::kUp>());
    case Round::kNearest:
      break;
  }
  return f(std::integral_constant<Round, Round::kNearest>());
}

// The same of booleans (.ftz, .sat ...): f(flag...).
template <class F>
auto with_flags(F f) {
  return f();
}
template <class F, class... More>
auto with_flags(F f, bool flag, More... more) {
  return flag ? with_flags([&](auto... rest) { return f(std::true_type(), rest...); }, more...)
              : with_flags([&](auto... rest) { return f(std::false_type(), rest...); }, more...);
}

}  // namespace lockstep::emulator::num
