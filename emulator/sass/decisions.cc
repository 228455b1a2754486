// SPDX-License-Identifier: Apache-2.0
// See decisions.h. An Op's function is replaced by one that calls it.
#include "emulator/sass/decisions.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <string_view>

#include "common/backend/backend.h"
#include "emulator/sass/fault.h"

namespace lockstep::emulator::sass {
namespace {

// What gives predicates answers a question of the code's, but for carries, which are parts of sums,
// and what a shuffle, an atomic operation or a division tells of itself.
bool compares(std::string_view name) {
  constexpr std::string_view kOthers[] = {"IADD3", "UIADD3", "IMAD", "UIMAD", "LEA",   "ULEA",
                                          "SHFL",  "FCHK",   "ATOM", "ATOMG", "ATOMS", "R2UR"};
  return std::find(std::begin(kOthers), std::end(kOthers), name) == std::end(kOthers);
}

bool is_written(uint8_t predicate) { return predicate != kNoPredicate; }

// Asked for a BRA.DIV alone: whether the lanes that a mask names are together. That is the
// compiler's question, and what it does for lanes that have parted is no other way through the
// code.
bool is_of_parting(const Code& code, size_t at) {
  const auto& writes = code.flows[at].writes;
  for (size_t i = at + 1; i < code.instructions.size(); ++i) {
    const Flow& flow = code.flows[i];
    const auto is_written_here = [&](uint16_t place) {
      return std::find(writes.begin(), writes.end(), place) != writes.end();
    };
    if (is_written_here(flow.guard) ||
        std::any_of(flow.reads.begin(), flow.reads.end(), is_written_here))
      return code.instructions[i].name == "BRA" && code.instructions[i].has("DIV");
    if (code.instructions[i].name == "BRA" || code.instructions[i].name == "EXIT") break;
  }
  return false;
}

uint64_t requests_of(const std::vector<Accesses>& accesses) {
  uint64_t all = 0;
  for (const Accesses& a : accesses) all += a.requests + a.shared_requests;
  return all;
}

}  // namespace

Decisions::Decisions(Code* code) : code_(code) {
  for (size_t i = 0; i < code->instructions.size() && i < code->ops.size(); ++i) {
    const Op& op = code->ops[i];
    if (op.run == nullptr || !compares(code->instructions[i].name)) continue;
    if (!is_written(op.out[0]) && !is_written(op.out[1])) continue;
    if (is_of_parting(*code, i) || (i < code->asks_width.size() && code->asks_width[i])) continue;
    all_.push_back({op, this, static_cast<uint32_t>(i)});
    replace(all_.back(), &Decisions::note);
  }
}

void Decisions::replace(Comparison& c, Run with) {
  Op& op = code_->ops[c.at];
  op = c.op;
  if (with == nullptr) return;
  op.run = with;
  op.value = static_cast<int64_t>(reinterpret_cast<intptr_t>(&c));
}

// Several threads execute the same code; each bit is set once or twice.
void Decisions::keep(Comparison& c, uint32_t holds, uint32_t on) {
  const auto said =
      static_cast<uint8_t>(((holds & on) != 0 ? kHeld : 0) | ((~holds & on) != 0 ? kHeldNot : 0));
  const std::atomic_ref<uint8_t> kept(c.said);
  if ((said & ~kept.load(std::memory_order_relaxed)) != 0)
    kept.fetch_or(said, std::memory_order_relaxed);
}

void Decisions::note(const Op& op, Warp& w, uint32_t on) {
  auto& c = *reinterpret_cast<Comparison*>(static_cast<intptr_t>(op.value));
  c.op.run(c.op, w, on);
  keep(c, w.predicates[is_written(c.op.out[0]) ? c.op.out[0] : c.op.out[1]], on);
}

void Decisions::say_opposite(const Op& op, Warp& w, uint32_t on) {
  auto& c = *reinterpret_cast<Comparison*>(static_cast<intptr_t>(op.value));
  c.op.run(c.op, w, on);
  keep(c, 0, on);
  if ((w.opposed & c.once) != 0) return;
  const std::atomic_ref<uint64_t> asked(c.asked);
  c.of->check_use(c, w, asked.fetch_add(1, std::memory_order_relaxed) + 1);
  w.opposed |= c.once;
  for (const uint8_t out : c.op.out)
    if (is_written(out)) w.predicates[out] ^= on;
}

void Decisions::note_launch(const Profile& profile) {
  const auto warps = static_cast<double>(std::max<uint64_t>(profile.warps, 1));
  for (Comparison& c : all_)
    c.most_asked =
        std::max(c.most_asked, static_cast<double>(profile.executions[c.at].warps) / warps);
  most_requests_ =
      std::max(most_requests_, static_cast<double>(requests_of(profile.accesses)) / warps);
}

// Looked at each time that it has been asked twice as often, by all workers together.
void Decisions::check_use(const Comparison& c, Warp& w, uint64_t asked) const {
  constexpr double kLittle = 4, kMuch = 16;  // turns of a warp
  if (std::popcount(asked) != 1) return;
  const Launched& launch = *w.worker->launch;
  const double a_warp =
      static_cast<double>(asked) /
      static_cast<double>(launch.grid.count() * ((launch.block.count() + 31) / 32));
  if (a_warp <= 2 * c.most_asked + kLittle) return;
  const bool idle = static_cast<double>(requests_of(w.worker->accesses)) <=
                    most_requests_ * static_cast<double>(w.worker->warps_launched);
  if (idle || a_warp > 8 * c.most_asked + kMuch)
    launch_fault(w, -1, "too_slow", "a comparison that says the opposite keeps a loop going");
}

size_t Decisions::take_answers() {
  size_t answers = 0;
  for (Comparison& c : all_) {
    const auto now = static_cast<uint8_t>(c.said & ~c.known);
    if (now == 0) continue;
    answers += now == (kHeld | kHeldNot) ? 2 : 1;
    c.known |= now;
    if (c.known == (kHeld | kHeldNot)) replace(c, nullptr);
  }
  return answers;
}

std::vector<uint32_t> Decisions::one_sided() const {
  std::vector<uint32_t> all;
  for (const Comparison& c : all_)
    if (c.known == kHeld || c.known == kHeldNot) all.push_back(c.at);
  return all;
}

void Decisions::oppose(const std::vector<uint32_t>& instructions) {
  for (Comparison& c : all_) {
    const auto asked = std::find_if(instructions.begin(), instructions.end(),
                                    [&](uint32_t i) { return (i & ~Launch::kOnce) == c.at; });
    c.opposed = asked != instructions.end();
    c.once = c.opposed && (*asked & Launch::kOnce) != 0
                 ? 1u << std::min<ptrdiff_t>(asked - instructions.begin(), 31)
                 : 0;
    const bool settled = c.known == (kHeld | kHeldNot);
    const bool is_new = c.known == 0;
    if (c.opposed)
      replace(c, &Decisions::say_opposite);
    else
      replace(c, settled || (!instructions.empty() && !is_new) ? nullptr : &Decisions::note);
    c.said = instructions.empty() ? c.known : 0;
    c.asked = 0;
  }
}

bool Decisions::were_asked() const {
  return std::none_of(all_.begin(), all_.end(),
                      [](const Comparison& c) { return c.opposed && c.said == 0; });
}

std::vector<uint32_t> Decisions::asked_first() const {
  std::vector<uint32_t> all;
  for (const Comparison& c : all_)
    if (!c.opposed && c.known == 0 && (c.said == kHeld || c.said == kHeldNot)) all.push_back(c.at);
  return all;
}

}  // namespace lockstep::emulator::sass
