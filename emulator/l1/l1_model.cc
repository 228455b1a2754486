// SPDX-License-Identifier: Apache-2.0
// Fitted on an H200: 128-byte lines of four sectors, any line anywhere, the oldest of a few lines
// goes (so a loop over more than fits misses by degrees, as measured); loads and stores allocate;
// stores write through, except where stores of one warp to the same sector follow each other
// closely (they meet on the way to L2, the less the more lines are on that way).

#include "emulator/l1/l1_model.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/count/bank_passes.h"
#include "emulator/lanes/lane_count.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kCloseInstructions = 8;  // between stores that meet

uint32_t sectors_of(const L1Piece* pieces, size_t count) {
  uint32_t sectors = 0;
  for (size_t i = 0; i < count; ++i) sectors += l1_sector_count(pieces[i]);
  return sectors;
}

}  // namespace

L1Model::L1Model(const L1Config& config, size_t instructions, std::vector<uint32_t> runs,
                 const L1Shapes* shapes)
    : config_(config),
      shapes_(shapes),
      runs_(std::move(runs)),
      traffic_(instructions),
      merged_bytes_(instructions),
      lines_(std::clamp<size_t>(config.capacity_bytes / 128, 1, 65536)) {
  runs_.resize(instructions);
  if (!config.write_through) dirty_.resize(lines_.size());
}

size_t L1Model::begin_block(int warps) {
  base_ = warps_in_use_;
  warps_in_use_ += size_t(std::max(warps, 1));
  if (warps_.size() < warps_in_use_) warps_.resize(warps_in_use_);
  ++live_;
  return base_;
}

uint32_t L1Model::lanes(int warp, uint32_t instruction, L1Access kind, const uint64_t* address,
                        uint32_t lanes, uint32_t bytes) {
  (void)bytes;  // aligned accesses lie within one sector
  const AccessLines of = split(address, lanes);
  this->lines(warp, instruction, kind, of, 0);
  return of.sectors;
}

AccessLines L1Model::split(const uint64_t* address, uint32_t lanes) {
  AccessLines out;
  out.lowest = ~uint64_t{0};
  index_.clear();
  uint64_t line[32], previous = ~uint64_t{0};
  uint32_t sectors[32] = {}, at = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    const uint64_t a = address[std::countr_zero(left)];
    if (a >> 7 != previous) {
      previous = a >> 7;
      at = index_.enter(previous, out.count);
      if (at == out.count) line[out.count++] = previous;
      out.lowest = std::min(out.lowest, previous);
    }
    sectors[at] |= 1u << (a >> 5 & 3);
  }
  for (uint32_t i = 0; i < out.count; ++i) {
    out.piece[i] = ((line[i] - out.lowest) & kL1Line) | uint64_t{sectors[i]} << kL1SectorShift;
    out.sectors += uint32_t(lane_count(sectors[i]));
  }
  return out;
}

void L1Model::end_block() {
  --live_;
  if (++blocks_recorded_ < config_.resident_blocks || live_ > 0) return;
  replay();
  blocks_recorded_ = 0;
  warps_in_use_ = 0;
}

void L1Model::finish() {
  replay();
  for (size_t place = 0; place < dirty_.size(); ++place) write_back(place);
  blocks_recorded_ = 0;
  warps_in_use_ = 0;
  for (size_t i = 0; i < traffic_.size(); ++i) {
    const uint64_t merged = uint64_t(merged_bytes_[i] / 32 + 0.5) * 32;
    traffic_[i].write_bytes -= std::min(merged, traffic_[i].write_bytes);
    merged_bytes_[i] = 0;
  }
}

void L1Model::restart() {
  std::fill(traffic_.begin(), traffic_.end(), L1Traffic());
  for (Warp& warp : warps_) warp.run = Run();
  lines_.restart();
}

// One access of each warp in turn, until all records are used up.
void L1Model::replay() {
  bool any = true;
  while (any) {
    any = false;
    for (size_t w = 0; w < warps_in_use_; ++w) any |= replay_one(&warps_[w], warps_in_use_);
  }
  touch_pending();
  for (Warp& warp : warps_) warp.record.used = warp.record.next = 0;
  recorded_ = 0;
}

bool L1Model::replay_one(Warp* warp, size_t resident) {
  Record& record = warp->record;
  if (record.next == record.used) return false;
  const uint64_t head = record.words[record.next];
  const L1Piece* pieces = &record.words[record.next] + 1;
  const size_t count = head & 0xFF;
  const auto kind = L1Access(head >> 8 & 0xFF);
  const auto instruction = uint32_t(head >> 16);
  const bool shaped = (head & kShaped) != 0;
  const uint64_t key = shaped ? *pieces : kNoKey;
  record.next += 1 + (shaped ? 1 : count);
  if (shaped && replay_known(warp, resident, kind, instruction, key, count)) return true;
  touch_pending();
  L1Piece placed[32];
  if (shaped) {
    const L1Piece* relative = (*shapes_)[key >> kL1SectorShift].piece;
    for (size_t i = 0; i < count; ++i) placed[i] = relative[i] + (key & kL1Line);
    pieces = placed;
  }
  switch (kind) {
    case L1Access::kStore:
    case L1Access::kStorePart:
    case L1Access::kLocalStore:
    case L1Access::kLocalStorePart:
      replay_store(kind, instruction, pieces, count, warp->stored.places);
      note(&warp->stored, key, pieces, count);
      if (config_.write_through && (kind == L1Access::kStore || kind == L1Access::kStorePart))
        write(instruction, key, pieces, count, resident, &warp->run);
      return true;
    case L1Access::kLoad:
    case L1Access::kLocalLoad:
      load(instruction, pieces, count, warp->loaded.places);
      note(&warp->loaded, key, pieces, count);
      if (kind == L1Access::kLocalLoad) return true;
      break;
    case L1Access::kLoadOnce:
      load_once(instruction, pieces, count);
      break;
    case L1Access::kInvalidate:
      invalidate_all();
      break;
    case L1Access::kBypass:
      traffic_[instruction].fill_bytes += 32 * sectors_of(pieces, count);
      break;
    case L1Access::kAtomic:
      break;
  }
  warp->run.close = false;
  return true;
}

// What is not written through is whole when it is written back. Local memory's way to L2 is not
// modelled.
void L1Model::replay_store(L1Access kind, uint32_t instruction, const L1Piece* pieces, size_t count,
                           uint16_t* places) {
  const bool part =
      kind == L1Access::kLocalStorePart || (kind == L1Access::kStorePart && config_.write_through);
  if (part)
    store_part(pieces, count, places);
  else if (kind == L1Access::kLocalStore)
    lines_.use(pieces, count, places, false, [this](size_t place) { write_back(place); });
  else
    store(instruction, pieces, count, places);
}

// An access to the lines of the warp's last one, all of which are there: no line is looked at.
bool L1Model::replay_known(Warp* warp, size_t resident, L1Access kind, uint32_t instruction,
                           uint64_t key, size_t count) {
  const bool store = kind == L1Access::kStore && config_.write_through && warp->run.key == key;
  if (!store && kind != L1Access::kLoad) return false;
  Used& used = store ? warp->stored : warp->loaded;
  if (used.key != key || used.losses != lines_.losses()) return false;
  used.passed = lines_.pass(count);
  if (used.pending == 0) pending_.push_back(&used);
  used.pending = uint32_t(count);
  if (store)
    write(instruction, key, nullptr, count, resident, &warp->run);
  else
    warp->run.close = false;
  return true;
}

void L1Model::touch_pending() {
  for (Used* used : pending_) {
    lines_.touch(used->passed, used->places, used->pending);
    used->pending = 0;
  }
  pending_.clear();
}

// A later line of an access may have taken the place of an earlier one.
void L1Model::note(Used* used, uint64_t key, const L1Piece* pieces, size_t count) const {
  used->key = key != kNoKey && lines_.there(pieces, count, used->places) ? key : kNoKey;
  used->losses = lines_.losses();
}

// A store's sectors go to L2; those that meet the same warp's store before it count in part.
void L1Model::write(uint32_t instruction, uint64_t key, const L1Piece* pieces, size_t count,
                    size_t resident, Run* run) {
  run->close = run->close && instruction > run->last &&
               instruction - run->last <= kCloseInstructions &&
               runs_[instruction] == runs_[run->last];
  uint32_t again = run->sectors;
  if ((key == kNoKey || key != run->key) &&
      !std::equal(pieces, pieces + count, run->pieces.begin(), run->pieces.end())) {
    again = sectors_again(pieces, count, run->pieces);
    run->pieces.assign(pieces, pieces + count);
    run->sectors = sectors_of(pieces, count);
  }
  run->key = key;
  traffic_[instruction].write_bytes += 32 * run->sectors;
  if (again) merged_bytes_[instruction] += 32.0 * again * merge_share(count, resident, run->close);
  run->last = instruction;
  run->close = true;
}

// How many of the sectors are in `before`, too: mostly in the same order.
uint32_t L1Model::sectors_again(const L1Piece* pieces, size_t count,
                                const std::vector<L1Piece>& before) {
  const auto none = uint32_t(before.size());
  uint32_t again = 0;
  bool indexed = false;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t at = i;
    if (at >= none || !same_l1_line(pieces[i], before[at])) {
      if (!indexed) {
        index_.clear();
        for (uint32_t k = 0; k < none; ++k) index_.enter(before[k] & kL1Line, k);
        indexed = true;
      }
      at = index_.number(pieces[i] & kL1Line, none);
      if (at == none) continue;
    }
    again += l1_sector_count(pieces[i] & before[at]);
  }
  return again;
}

// Share of a store's sectors that meet the same warp's store before it on the way to L2.
double L1Model::merge_share(size_t lines, size_t warps, bool close) const {
  const double in_flight = double(lines * warps);
  if (close) return in_flight <= 32 ? 1.0 : 1.0 / (1.0 + (in_flight / 96) * (in_flight / 96));
  if (lines > 8 || in_flight <= 12) return 0;
  return in_flight >= 24 && in_flight <= 96 ? 0.16 : 0.04;
}

void L1Model::load(uint32_t instruction, const L1Piece* pieces, size_t count, uint16_t* places) {
  const uint32_t missing =
      lines_.use(pieces, count, places, true, [this](size_t place) { write_back(place); });
  traffic_[instruction].fill_bytes += 32 * missing;
}

// What is there is used, nothing stays.
void L1Model::load_once(uint32_t instruction, const L1Piece* pieces, size_t count) {
  uint32_t missing = 0;
  for (size_t i = 0; i < count; ++i) missing += lines_.take(pieces[i]);
  traffic_[instruction].fill_bytes += 32 * missing;
}

void L1Model::invalidate_all() {
  for (size_t place = 0; place < std::min(lines_.taken(), dirty_.size()); ++place)
    write_back(place);
  lines_.clear();
}

void L1Model::store(uint32_t instruction, const L1Piece* pieces, size_t count, uint16_t* places) {
  const auto replaced = [this](size_t place) { write_back(place); };
  if (config_.write_through) {
    lines_.use(pieces, count, places, false, replaced);
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    lines_.use(pieces + i, 1, places + i, false, replaced);
    Dirty& dirty = dirty_[places[i]];
    dirty.sectors |= pieces[i] & kL1Sectors;
    dirty.writer = instruction;
  }
}

// Words are valid that were written whole; the first load of a sector that has others fetches it.
void L1Model::store_part(const L1Piece* pieces, size_t count, uint16_t* places) {
  for (size_t i = 0; i < count; ++i) {
    const L1Piece line = pieces[i] & ~kL1Sectors;
    lines_.use(&line, 1, places + i, false, [this](size_t place) { write_back(place); });
    lines_.spoil(places[i], pieces[i]);
  }
}

// The line at `place` leaves: what it has for L2 goes there.
void L1Model::write_back(size_t place) {
  if (config_.write_through) return;
  Dirty& dirty = dirty_[place];
  traffic_[dirty.writer].write_bytes += 32 * l1_sector_count(dirty.sectors);
  dirty.sectors = 0;
}

namespace {

// At least as many as its passes: the words that lanes want of the fullest bank, equal ones each.
uint32_t wanted_of_a_bank(const uint64_t* address, uint32_t lanes, uint32_t bytes) {
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  uint8_t wanted[32] = {};
  for (uint32_t left = lanes; left; left &= left - 1)
    for (uint32_t k = 0; k < words; ++k)
      ++wanted[((address[std::countr_zero(left)] >> 2) + k) & 31];
  return *std::max_element(wanted, wanted + 32);
}

}  // namespace

// Lanes are served in groups (whole warp, halves for 64 bits, quarters for 128). A group takes as
// many data passes as its fullest bank has distinct words. One pass is no conflict, and of the
// passes for more than four lines some hide behind the tag stage, which takes four lines a cycle.
uint32_t L1Model::bank_conflict_eighths(const uint64_t* address, uint32_t lanes, uint32_t bytes,
                                        uint32_t lines) {
  const uint32_t group_lanes = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  uint32_t eighths = 0;
  for (uint32_t first = 0; first < 32; first += group_lanes) {
    const uint32_t group = lanes & (group_lanes == 32 ? ~0u : ((1u << group_lanes) - 1) << first);
    const uint32_t most = wanted_of_a_bank(address, group, bytes);
    if (most <= 1) continue;
    const uint32_t tags = ((group == lanes ? lines : split(address, group).count) + 3) / 4;
    if (most <= tags) continue;
    const uint32_t passes = bank_passes(address, group, bytes);
    if (passes > tags) eighths += 8 * (passes - 1) - 5 * (tags - 1);
  }
  return eighths;
}

}  // namespace lockstep::emulator
