// SPDX-License-Identifier: Apache-2.0
// Opcodes: the low nine bits name the operation whatever the form of its operands. Branch
// displacements: 48 bits in units of 4 bytes; from CC 9.0 on, 8 more low bits stand apart.

#include "emulator/sass.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace lockstep::emulator {
namespace {

constexpr uint32_t kCallRelative = 0x144;

SassKind kind_of(uint32_t operation) {
  switch (operation) {
    case 0x118:
      return SassKind::kNop;
    case 0x143:
    case kCallRelative:
      return SassKind::kCall;
    case 0x147:
    case 0x14a:
      return SassKind::kBranch;
    case 0x149:
    case 0x14c:
      return SassKind::kBranchIndirect;
    case 0x150:
      return SassKind::kReturn;
    case 0x14d:
    case 0x15b:
      return SassKind::kExit;
    case 0x145:
      return SassKind::kSetSync;
    case 0x141:
      return SassKind::kSync;
    case 0x142:
      return SassKind::kBreak;
    case 0x11b:
      return SassKind::kEndCollective;
    case 0x148:
      return SassKind::kWarpSync;
    case 0x11d:
      return SassKind::kBarrier;
    case 0x189:
      return SassKind::kShuffle;
    case 0x006:
    case 0x086:
      return SassKind::kVote;
    case 0x1a1:
      return SassKind::kMatch;
    case 0x181:
      return SassKind::kGlobalLoad;
    case 0x186:
      return SassKind::kGlobalStore;
    case 0x1a3:  // of floats
    case 0x1a6:
    case 0x1a8:
    case 0x1a9:
    case 0x18e:
      return SassKind::kGlobalAtomic;
    case 0x184:
    case 0x03b:
      return SassKind::kSharedLoad;
    case 0x188:
      return SassKind::kSharedStore;
    case 0x18c:
    case 0x18d:
      return SassKind::kSharedAtomic;
    case 0x183:
      return SassKind::kLocalLoad;
    case 0x187:
      return SassKind::kLocalStore;
    case 0x180:
      return SassKind::kGenericLoad;
    case 0x185:
      return SassKind::kGenericStore;
    case 0x18a:
    case 0x18b:
    case 0x1a2:  // of floats
      return SassKind::kGenericAtomic;
    case 0x1ae:
      return SassKind::kAsyncCopy;
    case 0x182:
    case 0x1ac:
    case 0x0b9:
      return SassKind::kConstLoad;
    default:
      return SassKind::kOther;
  }
}

int64_t branch_bytes(uint64_t low, uint64_t high, int sm) {
  int64_t units = int64_t((low >> 34 | (high & 0x3FFFF) << 30) << 16) >> 16;
  if (sm >= 90) units = int64_t(uint64_t(units) << 8 | (low >> 16 & 0xFF));
  return units * 4;
}

bool is_memory(SassKind kind) {
  return kind >= SassKind::kGlobalLoad && kind <= SassKind::kGenericAtomic;
}

// Operations that write predicates name one in bit 81, some another in bit 84; 7: none.
void decode_predicates(uint64_t low, uint64_t high, SassInstruction* out) {
  constexpr uint32_t kIntegerCompare = 0x00c, kFloatCompare = 0x00b, kDoubleCompare = 0x02a,
                     kIntegerAdd = 0x010, kLogic = 0x01c;
  constexpr uint32_t kWriters[] = {
      kIntegerCompare, kFloatCompare, kDoubleCompare, kIntegerAdd, kLogic, 0x012, 0x102,
      0x011,           0x006,         0x034,          0x189,       0x1a1,  0x025, 0x027};
  const uint32_t operation = low & 0x1FF;
  if (operation == 0x004) out->writes = 0x7F;  // R2P
  for (uint32_t writer : kWriters) {
    if (operation != writer) continue;
    out->writes = uint8_t(1u << (high >> 17 & 7) & 0x7F);
  }
  for (uint32_t writer : {kIntegerCompare, kFloatCompare, kDoubleCompare, kIntegerAdd, kLogic}) {
    if (operation != writer) continue;
    out->writes |= uint8_t(1u << (high >> 20 & 7) & 0x7F);
  }
  const bool alone = (high >> 23 & 15) == 7;  // not combined with another predicate
  if (!alone) return;
  if (operation == kFloatCompare || operation == kDoubleCompare) out->relation = high >> 12 & 15;
  if (operation == kIntegerCompare) out->relation = high >> 12 & 7;
  out->immediate = (low >> 9 & 7) == 4;
}

SassInstruction decode(uint64_t low, uint64_t high, int64_t index, int64_t count, int sm) {
  SassInstruction out;
  out.opcode = low & 0xFFF;
  out.kind = kind_of(low & 0x1FF);
  const uint32_t guard = low >> 12 & 15;
  out.guard = uint8_t(guard);
  out.guarded = guard != 7;
  out.never = guard == 15;
  out.reduces = (low & 0x1FF) == 0x1a6 || (low & 0x1FF) == 0x18e;
  if (is_memory(out.kind)) {
    constexpr uint8_t kBytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};
    out.bytes = kBytes[high >> 9 & 7];
    out.base = uint8_t(low >> 24 & 0xFF);
    out.offset = int32_t(int64_t(low) >> 40);  // 24 bits
  }
  out.empties_l1 = (low & 0x1FF) == 0x18f && (high >> 23 & 15) == 4;
  decode_predicates(low, high, &out);
  int64_t bytes = 0;
  bool has_target = true;
  switch (out.kind) {
    case SassKind::kWarpSync:
      out.exclusive = (high >> 21 & 3) == 1;   // WARPSYNC.EXCLUSIVE
      out.collective = (high >> 21 & 3) == 2;  // WARPSYNC.COLLECTIVE
      has_target = false;
      break;
    case SassKind::kCall:
      // Else to an absolute address: the linker's, or a register's.
      has_target = (low & 0x1FF) == kCallRelative;
      bytes = branch_bytes(low, high, sm);
      break;
    case SassKind::kBranch: {
      bytes = branch_bytes(low, high, sm);
      const uint32_t mode = low >> 32 & 3, condition = high >> 23 & 15;
      if ((low & 0x1FF) == 0x147) {
        if (mode == 2) out.kind = SassKind::kBranchDivergent;
        if (mode == 3) out.kind = SassKind::kBranchConvergent;
        if (mode == 0 && condition != 7) out.guarded = out.second_guard = true;
        if (mode == 1 && (low >> 24 & 15) != 7) out.guarded = true;
      }
      break;
    }
    case SassKind::kSetSync:
      bytes = int32_t(low >> 32) & ~3;
      break;
    default:
      has_target = false;
  }
  if (has_target && bytes % 16 == 0) {
    const int64_t target = index + 1 + bytes / 16;
    if (target >= 0 && target < count) out.target = target;
  }
  return out;
}

bool ends_block(SassKind kind) {
  switch (kind) {
    case SassKind::kBranch:
    case SassKind::kBranchDivergent:
    case SassKind::kBranchConvergent:
    case SassKind::kBranchIndirect:
    case SassKind::kReturn:
    case SassKind::kExit:
    case SassKind::kCall:
    case SassKind::kSync:
      return true;
    default:
      return false;
  }
}

class Builder {
 public:
  explicit Builder(SassGraph* graph) : g_(*graph) {}

  void blocks(const std::vector<int>& starts, const std::vector<std::pair<int, int>>& indirect) {
    const int count = int(g_.code.size());
    std::set<int> leaders{0}, functions{0};
    for (int start : starts) {
      if (start >= 0 && start < count) functions.insert(start);
    }
    for (int i = 0; i < count; ++i) {
      const SassInstruction& in = g_.code[i];
      if (in.kind == SassKind::kCall && in.target >= 0) functions.insert(int(in.target));
      if (in.target >= 0) leaders.insert(int(in.target));
      if (ends_block(in.kind) && i + 1 < count) leaders.insert(i + 1);
    }
    for (const auto& [branch, target] : indirect) {
      if (target >= 0 && target < count) leaders.insert(target);
    }
    leaders.insert(functions.begin(), functions.end());
    g_.block_of.assign(count, 0);
    for (auto at = leaders.begin(); at != leaders.end(); ++at) {
      const auto next = std::next(at);
      SassBlock block;
      block.first = *at;
      block.last = next == leaders.end() ? count : *next;
      for (int i = block.first; i < block.last; ++i) g_.block_of[i] = int(g_.blocks.size());
      g_.blocks.push_back(block);
    }
    for (auto at = functions.begin(); at != functions.end(); ++at) {
      const auto next = std::next(at);
      const int end = next == functions.end() ? count : *next;
      for (int b = g_.block_of[*at]; b < int(g_.blocks.size()) && g_.blocks[b].first < end; ++b) {
        g_.blocks[b].function = int(g_.functions.size());
      }
      const bool known = *at == 0 || std::find(starts.begin(), starts.end(), *at) != starts.end();
      g_.functions.push_back({g_.block_of[*at], *at, end, !known});
    }
  }

  void edges(const std::vector<std::pair<int, int>>& indirect) {
    for (int b = 0; b < int(g_.blocks.size()); ++b) {
      const int last = g_.blocks[b].last - 1;
      const SassInstruction& in = g_.code[last];
      bool falls = true;
      switch (in.kind) {
        case SassKind::kBranch:
          if (!in.never) edge(b, in.target, true, false);
          falls = in.guarded;
          break;
        case SassKind::kBranchDivergent:
          edge(b, in.target, true, true);
          break;
        case SassKind::kBranchConvergent:
          edge(b, in.target, true, false);
          edge(b, last + 1, false, true);
          falls = false;
          break;
        case SassKind::kBranchIndirect: {
          std::set<int> seen;
          for (const auto& [branch, target] : indirect) {
            if (branch == last && seen.insert(target).second) edge(b, target, true, false);
          }
          falls = in.guarded;
          break;
        }
        case SassKind::kExit:
        case SassKind::kReturn:
          if (!in.never) leave(b);
          falls = in.guarded;
          break;
        case SassKind::kCall:
          if (in.target >= 0) g_.blocks[b].call = g_.blocks[g_.block_of[in.target]].function;
          break;
        default:
          break;
      }
      if (falls) edge(b, last + 1, false, false);
    }
  }

  void sync() {
    for (int i = 0; i < int(g_.code.size()); ++i) {
      const SassInstruction& in = g_.code[i];
      if (in.kind != SassKind::kSetSync || in.target < 0) continue;
      g_.blocks[g_.block_of[in.target]].sync_of = g_.block_of[i];
    }
  }

  // Natural loops of the backward edges; code is laid out so that loops go back in address.
  void loops() {
    std::set<int> headers;
    for (const SassEdge& e : g_.edges) {
      if (e.to >= 0 && e.to <= e.from) headers.insert(e.to);
    }
    if (headers.size() > 4096) return;
    std::vector<int> seen(g_.blocks.size(), -1), work;
    for (int header : headers) {
      work.clear();
      seen[header] = header;
      g_.blocks[header].depth++;
      for (int e : g_.blocks[header].in) {
        const int from = g_.edges[e].from;
        if (from >= header && seen[from] != header) {
          seen[from] = header;
          work.push_back(from);
        }
      }
      while (!work.empty()) {
        const int b = work.back();
        work.pop_back();
        g_.blocks[b].depth++;
        for (int e : g_.blocks[b].in) {
          const int from = g_.edges[e].from;
          if (from > header && seen[from] != header) {
            seen[from] = header;
            work.push_back(from);
          }
        }
      }
    }
  }

 private:
  void add(SassEdge e) {
    const int id = int(g_.edges.size());
    g_.blocks[e.from].out.push_back(id);
    if (e.to >= 0) g_.blocks[e.to].in.push_back(id);
    g_.edges.push_back(e);
  }
  void edge(int from, int64_t instruction, bool taken, bool cold) {
    if (instruction < 0 || instruction >= int64_t(g_.code.size())) return leave(from);
    const int to = g_.block_of[instruction];
    if (g_.blocks[to].function != g_.blocks[from].function) return leave(from);
    add({from, to, taken, cold});
  }
  void leave(int from) { add({from, -1, true, false}); }

  SassGraph& g_;
};

}  // namespace

std::vector<SassInstruction> decode_sass(std::string_view code, int sm) {
  const int64_t count = int64_t(code.size() / 16);
  std::vector<SassInstruction> result;
  result.reserve(size_t(count));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t words[2];
    std::memcpy(words, code.data() + i * 16, 16);
    result.push_back(decode(words[0], words[1], i, count, sm));
  }
  return result;
}

SassGraph build_sass_graph(std::vector<SassInstruction> code, const std::vector<int>& starts,
                           const std::vector<std::pair<int, int>>& indirect) {
  SassGraph graph;
  graph.code = std::move(code);
  if (graph.code.empty()) return graph;
  Builder builder(&graph);
  builder.blocks(starts, indirect);
  builder.edges(indirect);
  builder.sync();
  builder.loops();
  return graph;
}

}  // namespace lockstep::emulator
