// SPDX-License-Identifier: Apache-2.0
// Fitted on an H200: 128-byte lines of four sectors, any line anywhere, the oldest of a few lines
// goes (so a loop over more than fits misses by degrees, as measured); loads and stores allocate;
// stores write through, except where stores of one warp to the same sector follow each other
// closely (they meet on the way to L2, the less the more lines are on that way).

#include "emulator/l1_model.h"

#include <algorithm>

#include "emulator/count/bank_passes.h"
#include "emulator/count/lane_count.h"

namespace lockstep::emulator {
namespace {

constexpr uint64_t kHash = 0x9E3779B97F4A7C15ull;
constexpr uint64_t kLineMask = 0xF'FFFF'FFFFull;
constexpr uint32_t kCloseInstructions = 8;  // between stores that meet

}  // namespace

L1Model::L1Model(const L1Config& config, size_t instructions)
    : config_(config), traffic_(instructions), merged_bytes_(instructions) {
  lines_.resize(std::clamp<size_t>(config.capacity_bytes / 128, 1, 65536));
  table_.resize(std::bit_ceil(lines_.size() * 4));
}

void L1Model::begin_block(int warps) {
  base_ = warps_in_use_;
  warps_in_use_ += size_t(std::max(warps, 1));
  if (warps_.size() < warps_in_use_) warps_.resize(warps_in_use_);
}

uint32_t L1Model::lanes(int warp, uint32_t instruction, L1Access kind, const uint64_t* address,
                        uint32_t lanes, uint32_t bytes) {
  (void)bytes;  // aligned accesses lie within one sector
  const Lines of = split(address, lanes);
  this->lines(warp, instruction, kind, of, 0);
  return of.sectors;
}

L1Model::Lines L1Model::split(const uint64_t* address, uint32_t lanes) {
  Lines out;
  if (++stamp_ == 0) {
    for (Slot& slot : slots_) slot.stamp = 0;
    stamp_ = 1;
  }
  uint64_t previous = ~uint64_t{0};
  uint32_t at = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    const uint64_t a = address[std::countr_zero(left)];
    const uint64_t here = a >> 7;
    if (here != previous) {
      previous = here;
      uint32_t s = uint32_t(here * kHash >> 58);
      while (slots_[s].stamp == stamp_ && slots_[s].line != here) s = (s + 1) & 63;
      if (slots_[s].stamp != stamp_) {
        slots_[s] = {here, stamp_, out.count};
        out.line[out.count] = here;
        out.sector[out.count++] = 0;
      }
      at = slots_[s].index;
    }
    out.sector[at] |= uint8_t(1u << (a >> 5 & 3));
  }
  for (uint32_t i = 0; i < out.count; ++i) out.sectors += uint32_t(lane_count(out.sector[i]));
  return out;
}

void L1Model::end_block() {
  if (++blocks_recorded_ < config_.resident_blocks) return;
  replay();
  blocks_recorded_ = 0;
  warps_in_use_ = 0;
}

void L1Model::finish() {
  replay();
  for (Line& line : lines_) evict(&line);
  blocks_recorded_ = 0;
  warps_in_use_ = 0;
  for (size_t i = 0; i < traffic_.size(); ++i) {
    const uint64_t merged = uint64_t(merged_bytes_[i] / 32 + 0.5) * 32;
    traffic_[i].write_bytes -= std::min(merged, traffic_[i].write_bytes);
    merged_bytes_[i] = 0;
  }
}

// One access of each warp in turn, until all records are used up.
void L1Model::replay() {
  bool any = true;
  while (any) {
    any = false;
    for (size_t w = 0; w < warps_in_use_; ++w) any |= replay_one(&warps_[w], warps_in_use_) > 0;
  }
  for (Warp& warp : warps_) {
    warp.record.clear();
    warp.next = 0;
  }
  recorded_ = 0;
}

size_t L1Model::replay_one(Warp* warp, size_t resident) {
  const size_t begin = warp->next, end = warp->record.size();
  if (begin >= end) return 0;
  const uint64_t head = warp->record[begin];
  const auto kind = L1Access(head >> 40 & 3);
  const uint32_t instruction = uint32_t(head >> 43);
  size_t at = begin;
  do {
    const uint64_t entry = warp->record[at++];
    const uint64_t line = entry & kLineMask;
    const uint32_t sectors = uint32_t(entry >> 36 & 15);
    if (kind == L1Access::kLoad) {
      load(line, sectors, instruction);
    } else if (kind == L1Access::kStore) {
      store(line, sectors, instruction);
    } else if (kind == L1Access::kBypass) {
      traffic_[instruction].fill_bytes += 32u * uint32_t(lane_count(sectors));
    }
  } while (at < end && !(warp->record[at] & kStart));
  warp->next = at;

  Run& run = warp->run;
  if (kind != L1Access::kStore) {
    run.close = false;
    return at - begin;
  }
  run.close = run.close && instruction > run.last && instruction - run.last <= kCloseInstructions;
  uint32_t again = 0;
  if (!run.pieces.empty() && config_.write_through) {
    size_t k = 0;
    for (size_t i = begin; i < at; ++i) {
      const uint64_t line = warp->record[i] & kLineMask;
      for (size_t tries = 0; tries < run.pieces.size(); ++tries, ++k) {
        const Run::Piece& piece = run.pieces[k % run.pieces.size()];
        if (piece.line != line) continue;
        again += uint32_t(lane_count(piece.sectors & uint32_t(warp->record[i] >> 36 & 15)));
        break;
      }
    }
    if (again) {
      merged_bytes_[instruction] += 32.0 * again * merge_share(at - begin, resident, run.close);
    }
  }
  run.pieces.clear();
  for (size_t i = begin; i < at; ++i) {
    run.pieces.push_back({warp->record[i] & kLineMask, uint32_t(warp->record[i] >> 36 & 15)});
  }
  run.last = instruction;
  run.close = true;
  return at - begin;
}

// Share of a store's sectors that meet the same warp's store before it on the way to L2.
double L1Model::merge_share(size_t lines, size_t warps, bool close) const {
  const double in_flight = double(lines * warps);
  if (close) return in_flight <= 32 ? 1.0 : 1.0 / (1.0 + (in_flight / 96) * (in_flight / 96));
  if (lines > 8 || in_flight <= 12) return 0;
  return in_flight >= 24 && in_flight <= 96 ? 0.16 : 0.04;
}

size_t L1Model::home(uint64_t tag) const { return (tag * kHash >> 20) & (table_.size() - 1); }

L1Model::Line& L1Model::find(uint64_t tag) {
  const size_t mask = table_.size() - 1;
  for (size_t at = home(tag); table_[at]; at = (at + 1) & mask) {
    Line& line = lines_[table_[at] - 1];
    if (line.tag != tag) continue;
    line.used = ++now_;
    return line;
  }
  size_t number = lines_used_;
  if (lines_used_ < lines_.size()) {
    ++lines_used_;
  } else {
    number = victim();
    evict(&lines_[number]);
    forget(lines_[number].tag);
  }
  Line& line = lines_[number];
  line = Line{};
  line.tag = tag;
  line.used = ++now_;
  size_t at = home(tag);
  while (table_[at]) at = (at + 1) & mask;
  table_[at] = uint32_t(number + 1);
  return line;
}

size_t L1Model::victim() {
  size_t oldest = 0;
  uint32_t most = 0;
  for (int i = 0; i < kCandidates; i += 2) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    for (const uint64_t part : {random_ & 0xFFFFFFFF, random_ >> 32}) {
      const size_t candidate = size_t(part * lines_.size() >> 32);
      const uint32_t age = now_ - lines_[candidate].used;
      if (age < most) continue;
      most = age;
      oldest = candidate;
    }
  }
  return oldest;
}

// Takes a tag out of the hash table and moves up what was displaced by it.
void L1Model::forget(uint64_t tag) {
  const size_t mask = table_.size() - 1;
  size_t hole = home(tag);
  while (lines_[table_[hole] - 1].tag != tag) hole = (hole + 1) & mask;
  for (size_t at = (hole + 1) & mask; table_[at]; at = (at + 1) & mask) {
    const size_t wanted = home(lines_[table_[at] - 1].tag);
    if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
    table_[hole] = table_[at];
    hole = at;
  }
  table_[hole] = 0;
}

void L1Model::evict(Line* line) {
  if (!line->dirty) return;
  traffic_[line->writer].write_bytes += 32u * uint32_t(lane_count(line->dirty));
  line->dirty = 0;
}

void L1Model::load(uint64_t tag, uint32_t sectors, uint32_t instruction) {
  Line& line = find(tag);
  const uint32_t missing = sectors & ~line.sectors;
  if (!missing) return;
  traffic_[instruction].fill_bytes += 32u * uint32_t(lane_count(missing));
  line.sectors |= missing;
}

void L1Model::store(uint64_t tag, uint32_t sectors, uint32_t instruction) {
  Line& line = find(tag);
  line.sectors |= sectors;
  if (config_.write_through) {
    traffic_[instruction].write_bytes += 32u * uint32_t(lane_count(sectors));
  } else {
    line.dirty |= sectors;
    line.writer = instruction;
  }
}

// Lanes are served in groups (whole warp, halves for 64 bits, quarters for 128). A group takes as
// many data passes as its fullest bank has distinct words. One pass is no conflict, and of the
// passes for more than four lines some hide behind the tag stage, which takes four lines a cycle.
uint32_t global_bank_conflict_eighths(const uint64_t* address, uint32_t lanes, uint32_t bytes) {
  const uint32_t group_lanes = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
  uint32_t eighths = 0;
  for (uint32_t first = 0; first < 32; first += group_lanes) {
    const uint32_t group = lanes & (group_lanes == 32 ? ~0u : ((1u << group_lanes) - 1) << first);
    const uint32_t passes = bank_passes(address, group, bytes);
    if (passes <= 1) continue;
    uint64_t seen[32];
    uint32_t lines = 0;
    for (uint32_t left = group; left; left &= left - 1) {
      const uint64_t line = address[std::countr_zero(left)] >> 7;
      if (lines > 0 && seen[lines - 1] == line) continue;
      if (std::find(seen, seen + lines, line) == seen + lines) seen[lines++] = line;
    }
    const uint32_t tags = (lines + 3) / 4;
    if (passes > tags) eighths += 8 * (passes - 1) - 5 * (tags - 1);
  }
  return eighths;
}

}  // namespace lockstep::emulator
