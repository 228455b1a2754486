// SPDX-License-Identifier: Apache-2.0
// Executions that are only to be right or not: of a kernel with small changes. See session.h.
#include <algorithm>
#include <set>

#include "common/harness/checker.h"
#include "common/harness/session_arrays.h"

namespace lockstep {
namespace {

Session::Trying::Place place_in(const Launch& launch, size_t number, const FaultPlace& at) {
  constexpr uint32_t kWarp = 32;
  const auto linear = [](const Dim3& all, const uint32_t at[3]) {
    return (uint64_t{at[2]} * all.y + at[1]) * all.x + at[0];
  };
  return {number, linear(launch.grid, at.block),
          static_cast<uint32_t>(linear(launch.block, at.thread) / kWarp)};
}

}  // namespace

bool Session::outputs_are_right() const {
  for (const Array& a : arrays_) {
    if (!a.spec.is_checked()) continue;
    const Assignment::Expected& e = problem_->expected().at(a.output);
    for (size_t i = 0; i < e.values.size(); i++)
      if (!is_right_at(e, a.got, i)) return false;
  }
  return true;
}

// Calls wrong(array, element) for each checked element that a store has given another value.
void Session::look_at_stored(BufferId buffer, size_t offset, size_t bytes,
                             const std::function<void(Array&, size_t)>& wrong) {
  for (Array& a : arrays_) {
    if (a.buffer != buffer || !a.spec.is_checked()) continue;
    const size_t size = element_bytes(a.spec.type), first = offset / size;
    const size_t end = std::min((offset + bytes + size - 1) / size, a.got.size());
    backend_.read(buffer, first * size, static_cast<char*>(a.got.data()) + first * size,
                  (end - first) * size);
    const Assignment::Expected& e = problem_->expected().at(a.output);
    for (size_t i = first; i < end; i++)
      if (!is_right_at(e, a.got, i)) wrong(a, i);
  }
}

bool Session::is_right(Sequence sequence, const Trying& trying) {
  before_execution();
  prepare(&sequence, trying.step_budget, trying.drawn);
  if (!trying.races)
    for (Launch& launch : sequence) launch.finds_races = false;
  std::set<std::pair<Array*, size_t>> wrong;
  if (trying.early || trying.rewrites != nullptr)
    backend_.check_stores([&](BufferId buffer, size_t offset, size_t bytes) {
      look_at_stored(buffer, offset, bytes, [&](Array& a, size_t i) { wrong.emplace(&a, i); });
      return !trying.early || wrong.empty();
    });
  if (trying.failed != nullptr) {
    Launch& launch = sequence.at(trying.failed->launch);
    launch.first_block = trying.failed->block;
    launch.first_warp = trying.failed->warp;
  }
  size_t ended = 0;
  try {
    for (; ended < sequence.size(); ended++) backend_.launch(sequence[ended]);
  } catch (const KernelFault& fault) {
    if (trying.failed != nullptr && fault.place().has_thread)
      *trying.failed = place_in(sequence[ended], ended, fault.place());
  }
  backend_.check_stores(nullptr);
  if (trying.ended != nullptr) *trying.ended = ended == sequence.size();
  if (ended < sequence.size() && trying.rewrites == nullptr) return false;
  read_outputs();
  if (trying.rewrites != nullptr)
    *trying.rewrites = std::any_of(wrong.begin(), wrong.end(), [&](const auto& one) {
      const auto& [array, i] = one;
      return is_right_at(problem_->expected().at(array->output), array->got, i);
    });
  return ended == sequence.size() && outputs_are_right();
}

}  // namespace lockstep
