// SPDX-License-Identifier: Apache-2.0
// What is written too late, or not at all, of shared memory that was read.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "emulator/emulator_backend.h"
#include "emulator/node_lines.h"

namespace lockstep::emulator {
namespace {

// Where a word nearby is stored, if some threads of the block come there more often than others.
std::optional<ValueStory::Line> stored_beside(const ValueGraph& values, uint64_t key) {
  constexpr uint64_t kNear = 64;  // words
  const uint32_t near = values.kept_near(key, kNear);
  if (near == 0) return std::nullopt;
  const ValueNode& store = values[near];
  std::map<uint32_t, uint32_t> times;  // by thread of its block
  for (uint32_t n = 1; n <= values.last(); ++n)
    if (values[n].launch == store.launch && block_of(values, values[n]) == block_of(values, store))
      times[values[n].thread] += values[n].instruction == store.instruction ? 1 : 0;
  const auto [least, most] = std::minmax_element(
      times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (least->second == most->second) return std::nullopt;
  return line_of(values, store);
}

}  // namespace

LateStore EmulatorBackend::late_store(const Sequence& sequence) {
  values_ = std::make_unique<ValueGraph>();
  values_->go_on_behind_unwritten();
  watches_ = true;
  bool ended = true;
  try {
    for (const Launch& l : sequence) {
      execute(l, false);
      if (values_->unwritten()) break;  // shared memory is forgotten by the next launch
    }
  } catch (const Error&) {
    ended = false;  // something else is wrong, too
  }
  watches_ = false;
  LateStore late;
  const std::optional<uint64_t> key = values_->unwritten();
  const uint32_t node = key ? values_->kept(*key) : 0;
  late.seen = key && (ended || node != 0);
  if (node != 0) late.by = place_of(*values_, (*values_)[node]);
  if (late.seen && !late.by) late.beside = stored_beside(*values_, *key);
  return late;
}

}  // namespace lockstep::emulator
