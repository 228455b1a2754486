// SPDX-License-Identifier: Apache-2.0
// A forward analysis over the instructions: what may hold such a value before each of them.
#include "emulator/sass/order.h"

#include <algorithm>
#include <bitset>
#include <string_view>

#include "emulator/sass/memory.h"

namespace lockstep::emulator::sass {
namespace {

// Registers, uniform ones behind them, and predicates.
using Places = std::bitset<Flow::kPlaces>;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> all) {
  return std::find(all.begin(), all.end(), name) != all.end();
}
bool is_load(std::string_view name) { return is_one_of(name, {"LDG", "LDS", "LDL", "LD"}); }
bool is_store(std::string_view name) { return is_one_of(name, {"STG", "STS", "STL", "ST"}); }
bool is_atomic(std::string_view name) { return is_one_of(name, {"ATOM", "ATOMG", "ATOMS"}); }
bool is_reduction(std::string_view name) { return is_one_of(name, {"RED", "REDG"}); }

class Analysis {
 public:
  Analysis(const Code& code, int load)
      : code_(code), load_(load), before_(code.instructions.size()), seen_(before_.size()) {
    for (size_t i = 0; i < code.instructions.size(); ++i)
      if (code.instructions[i].name == "CALL") returns_.push_back(i + 1);
  }

  std::vector<uint8_t> run() {
    do {
      changed_memory_ = false;
      reach(0, Places());
      while (!work_.empty()) {
        const size_t i = work_.back();
        work_.pop_back();
        step(i);
      }
      if (changed_memory_) std::fill(seen_.begin(), seen_.end(), false);
    } while (changed_memory_);
    std::vector<uint8_t> out(before_.size(), kNothing);
    for (size_t i = 0; i < out.size(); ++i) out[i] = dependence(i);
    return out;
  }

  std::vector<bool> reachable() {
    parts_ = false;
    run();
    return seen_;
  }

 private:
  static constexpr char kBarrier = 'B';  // what a barrier's reduction gives
  static char space_of(std::string_view name) {
    return name.back();
  }  // G, S, L; D of LD and T of ST: any

  void reach(size_t i, const Places& places) {
    if (i >= before_.size()) return;
    const Places all = before_[i] | places;
    if (seen_[i] && all == before_[i]) return;
    seen_[i] = true;
    before_[i] = all;
    work_.push_back(i);
  }

  bool from_order(size_t i) const {
    const Instruction& in = code_.instructions[i];
    if (load_ >= 0 && size_t(load_) == i) return true;
    if (load_ < 0 && is_atomic(in.name)) return true;
    if (load_ < 0 && is_load(in.name) && (code_.ops[i].flags & kOrders) != 0) return true;
    if (is_load(in.name))
      return std::any_of(memory_.begin(), memory_.end(), [&](char space) {
        return space == space_of(in.name) || space == 'T' || in.name == "LD";
      });
    if (in.name == "B2R")
      return std::find(memory_.begin(), memory_.end(), kBarrier) != memory_.end();
    if (load_ >= 0 || !is_one_of(in.name, {"S2R", "S2UR", "CS2R"})) return false;
    const std::string_view what = in.operands[1].part;
    return what.find("CLOCK") != what.npos || what.find("TIMER") != what.npos ||
           what == "SR_VIRTID";
  }

  bool any(const std::vector<uint16_t>& reads, const Places& places) const {
    return std::any_of(reads.begin(), reads.end(), [&](uint16_t place) { return places[place]; });
  }

  void step(size_t i) {
    const Instruction& in = code_.instructions[i];
    const Flow& flow = code_.flows[i];
    Places after = before_[i];
    const bool guarded = flow.guard != Flow::kNone && after[flow.guard];
    const bool holds = from_order(i) || any(flow.reads, after) || guarded;
    const bool always = flow.guard == Flow::kNone;
    for (const uint16_t place : flow.writes) {
      if (holds)
        after.set(place);
      else if (always)
        after.reset(place);
    }
    if ((is_store(in.name) || is_reduction(in.name)) && any(flow.reads, before_[i]))
      note_memory(space_of(in.name));
    if (in.name == "BAR" && any(flow.reads, before_[i])) note_memory(kBarrier);
    for (const size_t next : successors(i)) reach(next, after);
  }

  void note_memory(char space) {
    if (std::find(memory_.begin(), memory_.end(), space) != memory_.end()) return;
    memory_.push_back(space);
    changed_memory_ = true;
  }

  std::vector<size_t> successors(size_t i) const {
    const Instruction& in = code_.instructions[i];
    const Op& op = code_.ops[i];
    const bool always = code_.flows[i].guard == Flow::kNone && op.in[0].index == kTruePredicate8 &&
                        op.in[0].flip == 0;
    std::vector<size_t> next;
    const bool of_parted = in.name == "BRA" && op.always;
    if (op.target >= 0 && (parts_ || !of_parted)) next.push_back(static_cast<size_t>(op.target));
    if (in.name == "RET") next.insert(next.end(), returns_.begin(), returns_.end());
    // Through a register, to nobody knows where.
    const bool known = op.target >= 0 || std::any_of(code_.indirect.begin(), code_.indirect.end(),
                                                     [&](auto& at) { return at.first == int(i); });
    if (is_one_of(in.name, {"CALL", "JMP", "JMX", "BRX"}) && !known)
      for (size_t any = 0; any < before_.size(); ++any) next.push_back(any);
    if (in.name == "BRX") {
      const auto from = std::lower_bound(code_.indirect.begin(), code_.indirect.end(),
                                         std::pair<int, int>(int(i), 0));
      for (auto at = from; at != code_.indirect.end() && at->first == int(i); ++at)
        next.push_back(size_t(at->second));
    }
    const bool leaves =
        is_one_of(in.name, {"BRA", "RET", "BRX", "EXIT", "JMP", "JMX"}) && always && !of_parted;
    if (!leaves) next.push_back(i + 1);
    return next;
  }

  uint8_t dependence(size_t i) const {
    const Flow& flow = code_.flows[i];
    const std::string_view name = code_.instructions[i].name;
    uint8_t out = kNothing;
    if (flow.guard != Flow::kNone && before_[i][flow.guard]) out |= kWhether;
    if (is_one_of(name, {"BRA", "BRX", "CALL", "RET", "EXIT", "BREAK", "WARPSYNC"}) &&
        any(flow.reads, before_[i]))
      out |= kWhether;
    if (any(flow.address, before_[i])) out |= kWhere;
    return out;
  }

  const Code& code_;
  const int load_;
  std::vector<Places> before_;
  std::vector<bool> seen_;
  std::vector<size_t> work_, returns_;
  std::vector<char> memory_;  // spaces that hold such values
  bool changed_memory_ = false;
  bool parts_ = true;  // lanes may part
};

}  // namespace

std::vector<uint8_t> find_dependence(const Code& code, int load) {
  return Analysis(code, load).run();
}

std::vector<bool> find_reachable(const Code& code) { return Analysis(code, -1).reachable(); }

}  // namespace lockstep::emulator::sass
