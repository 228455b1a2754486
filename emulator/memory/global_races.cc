// SPDX-License-Identifier: Apache-2.0
// See global_races.h.
#include "emulator/memory/global_races.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

namespace lockstep::emulator {

bool GlobalRaces::begin(const AddressSpace& memory, uint64_t blocks, uint32_t warps_a_block,
                        int shift) {
  constexpr uint32_t kMostSteps = 0x80000000;  // that a launch may take on top
  constexpr uint64_t kMostUnits = 1 << 28, kMostOfBuffers = 1 << 20;
  uint64_t bytes = 0, units = 0, all = 0;
  arrays_.clear();
  const auto add = [&](const Allocation& a, bool variable) {
    if (!a.is_variable && !variable) all += a.bytes() >> shift;
    if (a.read_only || a.is_const || a.bytes() == 0 || a.is_variable != variable) return;
    if (!variable) bytes += a.bytes();
    const uint64_t end = units + ((a.bytes() - 1) >> shift) + 1;
    if (end > kMostUnits) return;
    arrays_.push_back({&a, static_cast<uint32_t>(units), static_cast<uint32_t>(end)});
    units = (((end - 1) >> kPageBits) + 1) << kPageBits;
  };
  for (const bool variable : {false, true})
    memory.each_allocation([&](const Allocation& a) { add(a, variable); });
  if (bytes > kMostBytes || bytes >> shift > kMostOfBuffers || blocks * warps_a_block > kMostWarps)
    return false;
  if (now_ > kMostSteps || pages_.size() > kMostPagesKept) {
    pages_.clear();
    now_ = 0;
  }
  begin_ = now_;
  most_accesses_ = (1u << 20) + 4 * static_cast<uint32_t>(std::min<uint64_t>(all, 1 << 24));
  work_ = pages_of_variables_ = 0;
  shift_ = shift;
  warps_a_block_ = warps_a_block;
  last_array_ = nullptr;
  syncs_.clear();
  everything_ = nullptr;
  pages_.resize(std::max<size_t>(pages_.size(), units >> kPageBits));
  blocks_.assign(blocks, {});
  warps_.assign(blocks * warps_a_block, {});
  return true;
}

const GlobalRaces::Array* GlobalRaces::find_array(uint64_t first, uint64_t last) {
  for (const Array& a : arrays_)
    if (a.allocation->contains(first, last)) return last_array_ = &a;
  return nullptr;
}

bool GlobalRaces::make_page(const Array& a, uint32_t unit) {
  if (a.allocation->is_variable && ++pages_of_variables_ > kMostPagesOfVariables) return false;
  pages_[unit >> kPageBits] = std::make_unique<Page>();
  return true;
}

const Allocation& GlobalRaces::array_of(uint32_t unit, uint64_t* offset) const {
  const auto next = std::upper_bound(arrays_.begin(), arrays_.end(), unit,
                                     [](uint32_t u, const Array& a) { return u < a.first; });
  const Array& a = *std::prev(next);
  *offset = uint64_t{unit - a.first} << shift_;
  return *a.allocation;
}

const GlobalRaces::Sync* GlobalRaces::sync_at(uint32_t unit) const {
  const auto found = syncs_.find(unit);
  return found == syncs_.end() ? nullptr : &found->second;
}

// --- Order

// A barrier is noticed when a warp next does something: nothing was in between.
void GlobalRaces::step(const Who& who) {
  BlockState& block = blocks_[who.block];
  if (block.phase != who.of->phase()) pass_barrier(who, &block);
  ++now_;
}

void GlobalRaces::pass_barrier(const Who& who, BlockState* block) {
  block->phase = who.of->phase();
  block->barrier = now_;
  if (!block->has_clocks) return;
  for (const auto which : {&WarpState::known, &WarpState::fenced, &WarpState::seen})
    unite_of_block(who.block, which);
}

void GlobalRaces::unite_of_block(uint32_t block, Clock WarpState::*which) {
  WarpState* const first = &warps_[size_t{block} * warps_a_block_];
  Clock all;
  for (uint32_t w = 0; w < warps_a_block_; ++w) unite(&all, first[w].*which);
  for (uint32_t w = 0; w < warps_a_block_; ++w) first[w].*which = all;
}

const GlobalRaces::Clock& GlobalRaces::everything() {
  if (everything_ == nullptr) everything_ = std::make_shared<Times>(warps_.size(), ~uint32_t{0});
  return everything_;
}

void GlobalRaces::unite(Clock* into, const Clock& other) {
  if (other == nullptr || *into == other) return;
  if (*into == nullptr) return void(*into = other);
  if (is_costly()) return void(*into = everything());
  work_ += other->size();
  const auto is_later = [](uint32_t mine, uint32_t others) { return others > mine; };
  if (std::equal((*into)->begin(), (*into)->end(), other->begin(), std::not_fn(is_later))) return;
  auto both = std::make_shared<Times>(**into);
  for (size_t i = 0; i < both->size(); ++i) (*both)[i] = std::max((*both)[i], (*other)[i]);
  *into = std::move(both);
}

bool GlobalRaces::is_before(const GlobalAccess& a, const Who& who, uint32_t lane) const {
  const uint32_t me = warp_of(who), warp = a.warp();
  if (warp == me) return who.order->ordered(a.order, a.lane(), lane);
  const BlockState& block = blocks_[who.block];
  const uint32_t ordered = who.of->ordered(who.index);
  if (block_of(a) == who.block &&
      (a.time <= block.barrier || (ordered >> warp_in_block(a) & 1) != 0))
    return true;
  if (!block.has_clocks) return false;
  const auto knows = [&](const WarpState& w) {
    return w.known != nullptr && (*w.known)[warp] >= a.time;
  };
  if (knows(warps_[me])) return true;
  const uint32_t first = me - who.index;
  for (uint32_t rest = ordered; rest != 0; rest &= rest - 1)
    if (knows(warps_[first + static_cast<uint32_t>(std::countr_zero(rest))])) return true;
  return false;
}

void GlobalRaces::take_seen(const Who& who) {
  WarpState& w = warps_[warp_of(who)];
  unite(&w.known, std::exchange(w.seen, nullptr));
}

void GlobalRaces::fence(const Who& who) {
  const uint32_t me = warp_of(who), first = me - who.index;
  WarpState& w = warps_[me];
  BlockState& block = blocks_[who.block];
  block.has_clocks = true;
  if (is_costly()) return void(w.fenced = everything());
  unite(&w.fenced, w.known);
  auto fenced = w.fenced != nullptr ? std::make_shared<Times>(*w.fenced)
                                    : std::make_shared<Times>(warps_.size(), 0);
  work_ += fenced->size();
  const uint32_t own = who.of->ordered(who.index) | 1u << who.index;
  for (uint32_t v = 0; v < warps_a_block_; ++v) {
    uint32_t& then = (*fenced)[first + v];
    then = std::max(then, (own >> v & 1) != 0 ? now_ : block.barrier);
  }
  w.fenced = std::move(fenced);
}

void GlobalRaces::acquire(const Who& who, uint32_t unit) {
  const Sync* sync = sync_at(unit);
  if (sync == nullptr || sync->released == nullptr) return;
  blocks_[who.block].has_clocks = true;
  unite(&warps_[warp_of(who)].known, sync->released);
}

void GlobalRaces::see(const Who& who, uint32_t unit) {
  const Sync* sync = sync_at(unit);
  if (sync == nullptr || sync->released == nullptr) return;
  blocks_[who.block].has_clocks = true;
  unite(&warps_[warp_of(who)].seen, sync->released);
}

void GlobalRaces::release(const Who& who, uint32_t unit, bool replaces) {
  Sync& sync = syncs_[unit];
  if (replaces) sync.released = nullptr;
  if (!blocks_[who.block].has_clocks) return;
  const uint32_t first = warp_of(who) - who.index;
  for (uint32_t rest = who.of->ordered(who.index) | 1u << who.index; rest != 0; rest &= rest - 1)
    unite(&sync.released, warps_[first + static_cast<uint32_t>(std::countr_zero(rest))].fenced);
}

// --- Accesses

// Of two that nothing orders, those that are farther apart are worth more.
int GlobalRaces::distance(const GlobalAccess& a, const GlobalAccess& b) const {
  return block_of(a) != block_of(b) ? 2 : a.warp() != b.warp() ? 1 : 0;
}

// What comes before the fresh one need not be remembered: who is ordered after this is after that.
void GlobalRaces::keep_two(GlobalAccess two[2], const GlobalAccess& fresh, const Who& who) {
  const bool first = races(two[0], who, fresh.lane()), second = races(two[1], who, fresh.lane());
  if (first && second) {
    if (distance(two[0], fresh) > distance(two[0], two[1])) two[1] = fresh;
    return;
  }
  if (second) two[0] = two[1];
  two[first || second ? 1 : 0] = fresh;
  if (!first && !second) two[1] = {};
}

bool GlobalRaces::has_updated(const Unit& u, const GlobalAccess& writer) const {
  return std::any_of(std::begin(u.readers), std::end(u.readers), [&](const GlobalAccess& r) {
    return is_there(r) && r.thread == writer.thread && r.time < writer.time;
  });
}

std::optional<GlobalConflict> GlobalRaces::check_load(const Who& who, uint32_t lane,
                                                      uint32_t unit) const {
  const Unit u = unit_at(unit);
  if (!races(u.writer, who, lane)) return std::nullopt;
  // Who has stored what is there reads that in any order.
  if (is_there(u.same) && ((u.same.instruction & kSeveral) != 0 || is_before(u.same, who, lane)))
    return std::nullopt;
  return GlobalConflict{GlobalConflict::Kind::kWritten, u.writer, has_updated(u, u.writer)};
}

std::optional<GlobalConflict> GlobalRaces::check_load_of_constants(uint32_t unit) const {
  const auto kind = GlobalConflict::Kind::kOfConstants;
  if (const Unit u = unit_at(unit); is_there(u.writer))
    return GlobalConflict{kind, u.writer, false};
  if (const Sync* sync = sync_at(unit))
    for (GlobalAccess a : sync->atomics) {
      if (!is_there(a)) continue;
      a.instruction &= ~kOfABlock;
      return GlobalConflict{kind, a, false};
    }
  return std::nullopt;
}

std::optional<GlobalConflict> GlobalRaces::check_writers(const Unit& u, const Who& who,
                                                         uint32_t lane) const {
  using Kind = GlobalConflict::Kind;
  if (races(u.writer, who, lane))
    return GlobalConflict{Kind::kWritten, u.writer, has_updated(u, u.writer)};
  GlobalAccess same = u.same;
  same.instruction &= ~kSeveral;
  if (races(same, who, lane)) return GlobalConflict{Kind::kWritten, same, false};
  return std::nullopt;
}

std::optional<GlobalConflict> GlobalRaces::check_store(const Who& who, uint32_t lane,
                                                       uint32_t unit) const {
  using Kind = GlobalConflict::Kind;
  const Unit u = unit_at(unit);
  if (std::optional<GlobalConflict> found = check_writers(u, who, lane)) return found;
  for (const GlobalAccess& r : u.readers)
    if (races(r, who, lane)) return GlobalConflict{Kind::kRead, r, false};
  const Sync* sync = sync_at(unit);
  if (sync == nullptr) return std::nullopt;
  for (GlobalAccess a : sync->atomics) {
    if (!races(a, who, lane)) continue;
    a.instruction &= ~kOfABlock;
    return GlobalConflict{Kind::kAtomic, a, false};
  }
  return std::nullopt;
}

std::optional<GlobalConflict> GlobalRaces::check_atomic(const Who& who, uint32_t lane,
                                                        uint32_t unit, bool of_a_block) const {
  using Kind = GlobalConflict::Kind;
  const Unit u = unit_at(unit);
  if (std::optional<GlobalConflict> found = check_writers(u, who, lane)) return found;
  const Sync* sync = sync_at(unit);
  if (sync == nullptr) return std::nullopt;
  for (GlobalAccess a : sync->atomics) {
    const bool narrow = of_a_block || (a.instruction & kOfABlock) != 0;
    if (!narrow || block_of(a) == who.block || !races(a, who, lane)) continue;
    a.instruction &= ~kOfABlock;
    return GlobalConflict{Kind::kAtomicOfABlock, a, false};
  }
  return std::nullopt;
}

void GlobalRaces::note_load(const Who& who, uint32_t lane, uint32_t unit) {
  const Unit u = unit_at(unit);
  keep_two(u.readers, access_of(who, lane), who);
  u.last = now_;
}

void GlobalRaces::note_same_store(const Who& who, GlobalAccess& before,
                                  const GlobalAccess& fresh) const {
  if (!races(before, who, fresh.lane()))
    before = fresh;
  else if (before.warp() != fresh.warp())
    before.instruction |= kSeveral;
}

void GlobalRaces::note_atomic(const Who& who, uint32_t lane, uint32_t unit, bool has_result,
                              bool of_a_block) {
  GlobalAccess fresh = access_of(who, lane);
  if (of_a_block) fresh.instruction |= kOfABlock;
  Sync& sync = syncs_[unit];
  if (!has_result) return keep_two(sync.atomics, fresh, who);
  sync.atomics[0] = fresh;
  sync.atomics[1] = {};
}

bool GlobalRaces::was_read(const Who& who, uint32_t unit) const {
  const Unit u = unit_at(unit);
  return std::any_of(std::begin(u.readers), std::end(u.readers), [&](const GlobalAccess& r) {
    return is_there(r) && r.warp() == warp_of(who) && r.time > blocks_[who.block].barrier;
  });
}

}  // namespace lockstep::emulator
