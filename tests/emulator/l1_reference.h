// SPDX-License-Identifier: Apache-2.0
// The rules of the L1 model in their plainest form: lines in a list that is searched from its
// start, no hash table, no guesses, sectors one by one. What L1Model is held against.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "emulator/l1/l1_model.h"

namespace lockstep::emulator {

class L1Reference {
 public:
  struct Access {
    uint32_t instruction = 0;
    L1Access kind = L1Access::kLoad;
    std::vector<uint64_t> lines;           // different ones, in the order of the lanes
    std::map<uint64_t, uint32_t> sectors;  // by line: bits
  };

  L1Reference(size_t lines, bool write_through, size_t instructions)
      : most_(lines),
        write_through_(write_through),
        traffic_(instructions),
        merged_(instructions) {}

  // One access of each warp in turn; then the records are empty.
  void replay(std::vector<std::vector<Access>>& records) {
    runs_.resize(std::max(runs_.size(), records.size()));
    for (size_t k = 0, left = 1; left > 0; ++k) {
      left = 0;
      for (size_t w = 0; w < records.size(); ++w) {
        if (k >= records[w].size()) continue;
        access(records[w][k], records.size(), &runs_[w]);
        ++left;
      }
    }
    for (auto& record : records) record.clear();
  }

  std::vector<L1Traffic> finish() {
    for (Line& line : lines_) write_back(&line);
    for (size_t i = 0; i < traffic_.size(); ++i)
      traffic_[i].write_bytes -=
          std::min(traffic_[i].write_bytes, uint64_t(merged_[i] / 32 + 0.5) * 32);
    return traffic_;
  }

 private:
  struct Line {
    uint64_t number = 0;
    uint32_t valid = 0, dirty = 0, writer = 0, used = 0;
  };
  struct Run {
    std::map<uint64_t, uint32_t> sectors;  // of the last store
    uint32_t last = 0;
    bool close = false;
  };
  static uint32_t bits(uint32_t sectors) { return uint32_t(std::popcount(sectors)); }

  void access(const Access& a, size_t warps, Run* run) {
    L1Traffic& traffic = traffic_[a.instruction];
    for (const uint64_t number : a.lines) {
      const uint32_t sectors = a.sectors.at(number);
      if (a.kind == L1Access::kBypass) traffic.fill_bytes += 32 * bits(sectors);
      if (a.kind != L1Access::kLoad && a.kind != L1Access::kStore) continue;
      Line& line = find(number);
      if (a.kind == L1Access::kLoad) {
        traffic.fill_bytes += 32 * bits(sectors & ~line.valid);
      } else if (write_through_) {
        traffic.write_bytes += 32 * bits(sectors);
      } else {
        line.dirty |= sectors;
        line.writer = a.instruction;
      }
      line.valid |= sectors;
    }
    if (a.kind == L1Access::kStore)
      meet(a, warps, run);
    else
      run->close = false;
  }

  void meet(const Access& a, size_t warps, Run* run) {
    run->close = run->close && a.instruction > run->last && a.instruction - run->last <= 8;
    uint32_t again = 0;
    for (const auto& [number, sectors] : a.sectors)
      if (run->sectors.count(number)) again += bits(sectors & run->sectors[number]);
    if (write_through_ && again > 0)
      merged_[a.instruction] += 32.0 * again * share(a.lines.size(), warps, run->close);
    *run = {a.sectors, a.instruction, true};
  }

  static double share(size_t lines, size_t warps, bool close) {
    const double in_flight = double(lines * warps);
    if (close) return in_flight <= 32 ? 1.0 : 1.0 / (1.0 + (in_flight / 96) * (in_flight / 96));
    if (lines > 8 || in_flight <= 12) return 0;
    return in_flight >= 24 && in_flight <= 96 ? 0.16 : 0.04;
  }

  Line& find(uint64_t number) {
    const auto found = std::find_if(lines_.begin(), lines_.end(),
                                    [&](const Line& line) { return line.number == number; });
    Line* line = found == lines_.end() ? nullptr : &*found;
    if (line == nullptr && lines_.size() < most_) line = &lines_.emplace_back();
    if (line == nullptr) write_back(line = &oldest_of_eight());
    if (found == lines_.end() || line->number != number) *line = {number};
    line->used = ++now_;
    return *line;
  }

  Line& oldest_of_eight() {
    Line* oldest = &lines_[0];
    uint32_t most = 0;
    for (int i = 0; i < 4; ++i) {
      random_ ^= random_ << 13;
      random_ ^= random_ >> 7;
      random_ ^= random_ << 17;
      for (const uint64_t half : {random_ & 0xFFFFFFFF, random_ >> 32}) {
        Line& line = lines_[half * lines_.size() >> 32];
        if (now_ - line.used < most) continue;
        most = now_ - line.used;
        oldest = &line;
      }
    }
    return *oldest;
  }

  void write_back(Line* line) {
    traffic_[line->writer].write_bytes += 32 * bits(line->dirty);
    line->dirty = 0;
  }

  size_t most_;
  bool write_through_;
  std::vector<L1Traffic> traffic_;
  std::vector<double> merged_;
  std::vector<Line> lines_;
  std::vector<Run> runs_;
  uint32_t now_ = 0;
  uint64_t random_ = 0x2545F4914F6CDD1Dull;
};

}  // namespace lockstep::emulator
