// SPDX-License-Identifier: Apache-2.0
// Which registers are read, and which may be read before anything is written to them: these start
// as zero, so that runs repeat.
#include <algorithm>

#include "emulator/decode/decoder_state.h"

namespace lockstep::emulator {

size_t written_operands(std::string_view opcode) {
  const std::string_view root = opcode.substr(0, opcode.find('.'));
  static constexpr std::string_view kNone[] = {
      "st",       "red",       "bra",   "brx",     "call",         "ret",
      "exit",     "trap",      "brkpt", "membar",  "fence",        "nanosleep",
      "prefetch", "prefetchu", "cp",    "pmevent", "applypriority"};
  for (std::string_view none : kNone)
    if (root == none) return 0;
  if (root == "bar" || root == "barrier") return opcode.find(".red.") != opcode.npos ? 1 : 0;
  return 1;
}

void Decoder::count_reads() {
  reads_.assign(f_->registers.size(), 0);
  for (const Instruction& in : f_->code) {
    each_read_register(in, [&](uint32_t r) { ++reads_[r]; });
  }
}

// Forward: the registers surely written on every way to a block. A guarded write may not happen.
void Decoder::find_unassigned(FunctionInfo& info) {
  const size_t blocks = cfg_.blocks.size(), count = f_->registers.size();
  const size_t words = (count + 63) / 64;
  std::vector<uint8_t> maybe(count, 0);
  if (blocks * words > (size_t{1} << 24)) {
    maybe.assign(count, 1);
  } else {
    std::vector<uint64_t> out(blocks * words, ~uint64_t{0}), now(words);
    auto enter = [&](uint32_t b) {
      std::fill(now.begin(), now.end(), b == 0 ? 0 : ~uint64_t{0});
      for (uint32_t p : cfg_.blocks[b].predecessors)
        for (size_t k = 0; k < words; ++k) now[k] &= out[p * words + k];
    };
    auto walk = [&](uint32_t b, bool report) {
      for (uint32_t i = cfg_.blocks[b].first; i < cfg_.blocks[b].last; ++i) {
        const Instruction& in = f_->code[i];
        if (report)
          each_read_register(in,
                             [&](uint32_t r) { maybe[r] |= (now[r >> 6] >> (r & 63) & 1) == 0; });
        if (in.guard < 0)
          each_written_register(in, [&](uint32_t r) { now[r >> 6] |= uint64_t{1} << (r & 63); });
      }
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b = 0; b < blocks; ++b) {
        enter(b);
        walk(b, false);
        for (size_t k = 0; k < words; ++k)
          if (out[b * words + k] != now[k]) out[b * words + k] = now[k], changed = true;
      }
    }
    for (uint32_t b = 0; b < blocks; ++b) {
      enter(b);
      walk(b, true);
    }
  }
  for (uint32_t r = 0; r < count; ++r) {
    if (maybe[r] == 0 || registers_[r] == kNoOperand) continue;
    info.zeroed.push_back(registers_[r]);
    info.zeroed_width.push_back(static_cast<uint8_t>(register_width(r)));
  }
}

}  // namespace lockstep::emulator
