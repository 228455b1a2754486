// SPDX-License-Identifier: Apache-2.0
// Executions that are watched, and on which ways values went through them.
#include <algorithm>
#include <set>

#include "emulator/emulator_backend.h"
#include "emulator/node_lines.h"
#include "emulator/watch/value_paths.h"

namespace lockstep::emulator {
namespace {

uint32_t last_store(const ValueGraph& values, uint64_t address, size_t bytes) {
  uint32_t last = 0;
  for (uint64_t at = address; at < address + bytes; at += 4)
    last = std::max(last, values.stored(at));
  return last;
}

}  // namespace

std::optional<ValueStory::Taken> EmulatorBackend::taken(BufferId id, size_t offset, size_t bytes,
                                                        const std::vector<BufferPlace>& places) {
  if (!values_) return std::nullopt;
  const ValueGraph& values = *values_;
  const uint64_t begin = buffer(id).allocation->begin + offset;
  const ValuePaths paths(values, values.made_of({last_store(values, begin, bytes)}));
  std::set<uint64_t> wanted;
  for (const BufferPlace& place : places)
    wanted.insert(buffer(place.buffer).allocation->begin + place.offset);
  std::vector<uint32_t> loads;
  for (const uint32_t n : paths.nodes())
    if (values[n].kind == ValueNode::Kind::kLoad && values[n].from[0] == 0 &&
        wanted.count(values[n].address) > 0)
      loads.push_back(n);
  const uint32_t entry = loads.empty() ? 0 : paths.entry(loads);
  if (entry == 0) return std::nullopt;
  const ValueNode& node = values[entry];
  return ValueStory::Taken{place_of(values, node), place_of(values, values[node.from[0]]),
                           is_shuffle(values, node),
                           lines_of(values, values.made_of({node.address_from}))};
}

std::optional<ValueStory::Doubled> EmulatorBackend::doubled(BufferId id, size_t offset,
                                                            size_t bytes, const BufferPlace& read) {
  if (!values_) return std::nullopt;
  const ValueGraph& values = *values_;
  const uint64_t begin = buffer(id).allocation->begin + offset;
  const uint64_t address = buffer(read.buffer).allocation->begin + read.offset;
  const ValuePaths paths(values, values.made_of({last_store(values, begin, bytes)}));
  for (const uint32_t n : paths.nodes()) {
    if (values[n].kind != ValueNode::Kind::kLoad || values[n].address != address) continue;
    const auto doubling = paths.doubling(n);
    if (!doubling) continue;
    ValueStory::Doubled doubled{place_of(values, values[doubling->sum]), {}, doubling->before_call};
    for (const uint32_t node : doubling->parted)
      if (node != 0) doubled.taken.push_back(place_of(values, values[node]));
    return doubled;
  }
  return std::nullopt;
}

std::optional<FaultPlace> EmulatorBackend::dead_end(BufferId id, size_t offset, size_t bytes) {
  if (!values_ || !values_->is_whole()) return std::nullopt;
  const uint64_t begin = buffer(id).allocation->begin + offset;
  const uint32_t end = emulator::dead_end(*values_, values_->loads_of(begin, bytes));
  if (end == 0) return std::nullopt;
  return place_of(*values_, (*values_)[end]);
}

std::vector<ValueStory::Store> EmulatorBackend::stores_of(BufferId id, size_t offset,
                                                          size_t bytes) {
  std::vector<ValueStory::Store> stores;
  if (!values_) return stores;
  const uint64_t begin = buffer(id).allocation->begin + offset;
  for (const uint32_t n : values_->stores_of(begin, bytes))
    stores.push_back({place_of(*values_, (*values_)[n]),
                      line_counts(*values_, values_->made_of({(*values_)[n].address_from}))});
  return stores;
}

std::optional<size_t> EmulatorBackend::next_store(BufferId id, size_t offset, size_t bytes) {
  if (!values_) return std::nullopt;
  const Allocation& array = *buffer(id).allocation;
  const uint32_t store = last_store(*values_, array.begin + offset, bytes);
  if (store == 0) return std::nullopt;
  const uint64_t next =
      values_->least_store((*values_)[store], array.begin + offset + bytes, array.end);
  return next == 0 ? std::nullopt : std::optional<size_t>(next - array.begin);
}

}  // namespace lockstep::emulator
