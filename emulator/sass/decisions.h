// SPDX-License-Identifier: Apache-2.0
// What a kernel's comparisons answer. One that has had the same answer wherever it was asked
// decides something that was never seen: what the code does then is seen where it is told the
// opposite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "emulator/sass/code.h"
#include "emulator/sass/run.h"

namespace lockstep::emulator::sass {

// Of one kernel's code, which must live as long and is written to between launches alone.
class Decisions {
 public:
  // Every comparison is watched from now on.
  explicit Decisions(Code* code);

  // How often a launch of this code, as it is written, asks and accesses memory.
  void note_launch(const Profile& profile);
  // How many answers have come since that none gave before. Of a comparison that has held and has
  // not held there is no more to learn: it is watched no longer, and costs nothing.
  size_t take_answers();
  // Instructions whose comparison was asked and has always had one answer.
  std::vector<uint32_t> one_sided() const;
  // From now on these comparisons say the opposite of what they find, always or, with
  // Launch::kOnce, the first time that a warp asks, and no answer is kept; none: as the code says.
  // An instruction that is no comparison stays as it is. One that is asked twice as often as in any
  // launch as written, by warps that ask no more of memory, or eight times as often, keeps a loop
  // going: "too_slow" is thrown there.
  void oppose(const std::vector<uint32_t>& instructions);
  // Since then: whether all of those were asked, and which others that had never been, with one
  // answer.
  bool were_asked() const;
  std::vector<uint32_t> asked_first() const;

 private:
  struct Comparison {
    Op op;  // as the code has it
    const Decisions* of = nullptr;
    uint32_t at = 0;
    uint8_t known = 0, said = 0;  // bits: kHeld, kHeldNot
    bool opposed = false;
    uint32_t once = 0;      // the bit of Warp::opposed; 0: always
    double most_asked = 0;  // by a warp, on the average of a launch
    uint64_t asked = 0;     // while it is opposed
  };
  static constexpr uint8_t kHeld = 1, kHeldNot = 2;
  static void note(const Op& op, Warp& w, uint32_t on);
  static void keep(Comparison& c, uint32_t holds, uint32_t on);
  static void say_opposite(const Op& op, Warp& w, uint32_t on);
  void replace(Comparison& c, Run with);
  void check_use(const Comparison& c, Warp& w, uint64_t asked) const;

  Code* code_;
  std::deque<Comparison> all_;
  double most_requests_ = 0;  // of a warp, on the average of a launch
};

}  // namespace lockstep::emulator::sass
