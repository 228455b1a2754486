// SPDX-License-Identifier: Apache-2.0
// A loop is what leads back to a header by edges that go to lower blocks.

#include "emulator/ptx_loops.h"

#include <algorithm>
#include <utility>

namespace lockstep::emulator {
namespace {

std::vector<std::vector<int>> blocks_before(const std::vector<BlockProfile>& blocks) {
  std::vector<std::vector<int>> before(blocks.size());
  for (int b = 0; b < int(blocks.size()); ++b)
    for (int to : blocks[b].successors)
      if (to >= 0 && to < int(blocks.size())) before[to].push_back(b);
  return before;
}

// The blocks from the header to the latch; none where one of them is entered from elsewhere, leads
// elsewhere, or leads back to any block but the header. seen: by block, the header it was met for.
std::vector<int> body_of(const std::vector<BlockProfile>& blocks,
                         const std::vector<std::vector<int>>& before, int header, int latch,
                         std::vector<int>* seen) {
  std::vector<int> body, work = {latch};
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    if ((*seen)[b] == header) continue;
    (*seen)[b] = header;
    if (b < header || b > latch) return {};
    for (int to : blocks[b].successors)
      if (b != latch && (to <= b || to > latch)) return {};
    body.push_back(b);
    if (b != header) work.insert(work.end(), before[b].begin(), before[b].end());
  }
  std::sort(body.begin(), body.end());
  for (int b : body)
    for (int to : blocks[b].successors)
      if (b != latch && (*seen)[to] != header) return {};
  return body;
}

}  // namespace

bool PtxLoop::contains(int block) const {
  return std::binary_search(body.begin(), body.end(), block);
}

std::vector<int> loop_depths(const std::vector<BlockProfile>& blocks) {
  const int count = int(blocks.size());
  std::vector<std::vector<int>> before(count);
  std::vector<int> headers;
  for (int b = 0; b < count; ++b) {
    for (int to : blocks[b].successors) {
      if (to < 0 || to >= count) continue;
      before[to].push_back(b);
      if (to <= b) headers.push_back(to);
    }
  }
  std::sort(headers.begin(), headers.end());
  headers.erase(std::unique(headers.begin(), headers.end()), headers.end());
  std::vector<int> depth(count), seen(count, -1), work;
  if (headers.size() > 4096) return depth;
  for (int header : headers) {
    seen[header] = header;
    work = {header};
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      depth[b]++;
      for (int from : before[b]) {
        if (from < header || seen[from] == header) continue;
        if (b == header && from < header) continue;
        seen[from] = header;
        work.push_back(from);
      }
    }
  }
  return depth;
}

std::vector<PtxLoop> innermost_loops(const KernelProfile& profile) {
  const std::vector<BlockProfile>& blocks = profile.blocks;
  const std::vector<std::vector<int>> before = blocks_before(blocks);
  std::vector<int> seen(blocks.size(), -1);
  std::vector<PtxLoop> result;
  for (int h = 0; h < int(blocks.size()); ++h) {
    if (blocks[h].trip_counts.empty() || blocks[h].first >= blocks[h].last) continue;
    PtxLoop loop;
    loop.header = h;
    int back = 0;
    for (int b : before[h]) {
      if (b < h) continue;
      loop.latch = b;
      ++back;
      if (b == h) break;
    }
    if ((back != 1 && loop.latch != h) || blocks[loop.latch].first >= blocks[loop.latch].last)
      continue;
    loop.body = body_of(blocks, before, h, loop.latch, &seen);
    const auto lanes = [&](int b) { return profile.instructions[blocks[b].first].lanes; };
    for (int b : loop.body)
      if (blocks[b].first < blocks[b].last && lanes(b) == lanes(h)) loop.every_turn.push_back(b);
    if (!loop.body.empty()) result.push_back(std::move(loop));
  }
  return result;
}

}  // namespace lockstep::emulator
