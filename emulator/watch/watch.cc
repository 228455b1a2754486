// SPDX-License-Identifier: Apache-2.0
#include "emulator/watch/watch.h"

#include <algorithm>
#include <bit>

#include "emulator/watch/likeness.h"
#include "emulator/watch/places.h"

namespace lockstep::emulator {
namespace {

template <class F>
void each_lane_of(uint32_t mask, F f) {
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
}

ValueGraph& graph(const Warp& w) { return *w.worker->launch->values; }

ValueNode node_of(const Instr& in, const Warp& w, int lane) {
  ValueNode node;
  node.instruction = in.number;
  node.call = graph(w).calls_of(w.frame)[static_cast<size_t>(lane)];
  node.thread = thread_of(w, static_cast<uint32_t>(lane));
  return node;
}

// The labels of these operands, as they are before the instruction.
struct Sources {
  LaneLabels labels[6] = {};
  Sources(const Instr& in, Warp& w, std::initializer_list<int> operands) {
    for (const int k : operands)
      if (in.o[k] != kNoOperand) labels[k] = graph(w).labels(w.frame, in.o[k]);
  }
};

// Operands of a comparison: 32 lanes each of the type's width, which the opcode's end tells.
uint64_t operand_bits(const std::string& opcode, Warp& w, uint32_t offset, int lane) {
  if (offset == kNoOperand) return 0;
  if (opcode.ends_with("64")) return at<uint64_t>(w, offset)[lane];
  if (opcode.ends_with("16")) return at<uint16_t>(w, offset)[lane];
  return at<uint32_t>(w, offset)[lane];
}

// What only hands on its number: where that is far from the next one's, it was before.
constexpr uint8_t kHandsOn = 1 << ValueNode::kFar;

void note_test(const Instr& in, Warp& w, int lane, uint32_t thread, uint32_t node) {
  const std::string& opcode = w.worker->program->instructions[in.number].opcode;
  ValueGraph::Test test;
  test.instruction = in.number;
  test.node = node;
  for (int k : {0, 1}) test.bits[k] = operand_bits(opcode, w, in.o[k + 1], lane);
  graph(w).note_test(thread, test);
}

void note_loss(LossKind kind, const Instr& in, Warp& w, int lane, ValueNode* node) {
  const std::string& opcode = w.worker->program->instructions[in.number].opcode;
  const uint64_t a = operand_bits(opcode, w, in.o[1], lane);
  // How far a shift goes is a word, whatever is shifted.
  const uint64_t b = in.o[2] == kNoOperand           ? 0
                     : kind == LossKind::kShiftedOut ? at<uint32_t>(w, in.o[2])[lane]
                                                     : operand_bits(opcode, w, in.o[2], lane);
  const uint64_t c = in.o[3] == kNoOperand || kind != LossKind::kCancelled
                         ? 0
                         : operand_bits(opcode, w, in.o[3], lane);
  if (const std::optional<Loss> loss = loss_in(kind, opcode, a, b, c))
    graph(w).note_loss(node, *loss);
}

void compute(const Instr& in, Warp& w, uint32_t mask) {
  if (in.o[0] == kNoOperand) return;
  const Sources s(in, w, {1, 2, 3, 4, 5});
  const LossKind kind = graph(w).loss_kind(in.number);
  LaneLabels& made = graph(w).labels(w.frame, in.o[0]);
  const std::string& opcode = w.worker->program->instructions[in.number].opcode;
  Likeness alike[6] = {};
  for (int k = 1; k <= 3; ++k)
    if (in.o[k] != kNoOperand) alike[k] = likeness(opcode, k, w, in.o[k], mask);
  const bool hands_on = opcode.starts_with("mov.") || opcode.starts_with("ld.param.");
  each_lane_of(mask, [&](int lane) {
    ValueNode node = node_of(in, w, lane);
    if (hands_on) node.same = kHandsOn;
    if (kind != LossKind::kNone) note_loss(kind, in, w, lane, &node);
    unsigned n = 0;
    for (int k = 1; k <= 5 && n < std::size(node.from); ++k) {
      if (s.labels[k][lane] == 0) continue;
      node.same |= bits_of(alike[k], lane, n, ValueNode::kFar + n);
      node.from[n++] = s.labels[k][lane];
    }
    made[lane] = graph(w).add(node);
    if (in.role == Role::kTest) note_test(in, w, lane, node.thread, made[lane]);
  });
}

void select(const Instr& in, Warp& w, uint32_t mask) {
  const Sources s(in, w, {1, 2});
  LaneLabels& made = graph(w).labels(w.frame, in.o[0]);
  const uint32_t truth = predicate(w, in.o[3]);
  each_lane_of(mask, [&](int lane) {
    ValueNode node = node_of(in, w, lane);
    node.from[0] = s.labels[(truth >> lane & 1) != 0 ? 1 : 2][lane];
    node.same = kHandsOn;
    made[lane] = graph(w).add(node);
  });
}

void unpack(const Instr& in, Warp& w, uint32_t mask) {
  const Sources s(in, w, {1});
  for (const int k : {0, 2, 3, 4}) {
    if (in.o[k] == kNoOperand) continue;
    LaneLabels& made = graph(w).labels(w.frame, in.o[k]);
    each_lane_of(mask, [&](int lane) { made[lane] = s.labels[1][lane]; });
  }
}

void compare(const Instr& in, Warp& w, uint32_t mask) {
  const Sources s(in, w, {1});
  for (const int k : {0, 3}) {
    if (in.o[k] == kNoOperand) continue;
    LaneLabels& made = graph(w).labels(w.frame, in.o[k]);
    each_lane_of(mask, [&](int lane) { made[lane] = s.labels[1][lane]; });
  }
}

void note_meeting(const Instr& in, Warp& w, uint32_t mask, uint32_t bytes) {
  uint64_t offsets[32];
  const uint32_t shared = shared_words(in, w, mask, offsets);
  if (shared != 0) graph(w).note_meeting(in.number, fullest_bank(offsets, shared, bytes));
}

void load(const Instr& in, Warp& w, uint32_t mask) {
  const Sources s(in, w, {4});
  const uint32_t bytes = w.worker->program->accesses[in.aux].bytes;
  const Likeness alike = likeness_of_addresses(in, w, mask, bytes * in.count);
  note_meeting(in, w, mask, bytes * in.count);
  LaneLabels made[4] = {};
  each_lane_of(mask, [&](int lane) {
    const Place place = place_of(in, w, lane);
    for (uint32_t k = 0; k < in.count; ++k) {
      ValueNode node = node_of(in, w, lane);
      node.kind = ValueNode::Kind::kLoad;
      node.address_from = s.labels[4][lane];
      node.same = bits_of_address(alike, lane);
      if (place.global()) {
        node.address = place.at + uint64_t{k} * bytes;
        node.from[0] = graph(w).stored(node.address);
      } else {
        node.from[0] = graph(w).kept(place.at + uint64_t{k} * bytes / 4);
        node.same |= kHandsOn;
        if (node.from[0] == 0 && place.in == Place::In::kLocal) node.kind = ValueNode::Kind::kUnset;
      }
      made[k][lane] = graph(w).add(node);
    }
  });
  for (uint32_t k = 0; k < in.count; ++k) {
    LaneLabels& to = graph(w).labels(w.frame, in.o[k]);
    each_lane_of(mask, [&](int lane) { to[lane] = made[k][lane]; });
  }
}

void store(const Instr& in, Warp& w, uint32_t mask) {
  const Sources s(in, w, {0, 1, 2, 3, 4});
  const uint32_t bytes = w.worker->program->accesses[in.aux].bytes;
  const Likeness alike = likeness_of_addresses(in, w, mask, bytes * in.count);
  note_meeting(in, w, mask, bytes * in.count);
  // Of lanes that store to one place the lowest one's value stays.
  for (uint32_t rest = mask; rest != 0;) {
    const int lane = 31 - std::countl_zero(rest);
    rest &= ~(1u << lane);
    const Place place = place_of(in, w, lane);
    for (uint32_t k = 0; k < in.count; ++k) {
      ValueNode node = node_of(in, w, lane);
      node.kind = ValueNode::Kind::kStore;
      node.from[0] = s.labels[k][lane];
      node.address_from = s.labels[4][lane];
      node.same = bits_of_address(alike, lane) | kHandsOn;
      if (place.global()) node.address = place.at + uint64_t{k} * bytes;
      const uint32_t made = graph(w).add(node);
      if (place.global())
        graph(w).note_store(node.address, bytes, made, false);
      else
        graph(w).keep(place.at + uint64_t{k} * bytes / 4, made);
    }
  }
}

void atomic(const Instr& in, Warp& w, uint32_t mask) {
  const Sources s(in, w, {1, 2, 4});
  const uint32_t bytes = w.worker->program->accesses[in.aux].bytes;
  each_lane_of(mask, [&](int lane) {
    const Place place = place_of(in, w, lane);
    ValueNode node = node_of(in, w, lane);
    node.kind = ValueNode::Kind::kAtomic;
    if (place.global()) node.address = place.at;
    const uint32_t before = place.global() ? graph(w).stored(place.at) : graph(w).kept(place.at);
    node.from[0] = s.labels[1][lane];
    node.from[1] = s.labels[2][lane];
    node.from[2] = before;
    node.address_from = s.labels[4][lane];
    const uint32_t made = graph(w).add(node);
    if (place.global())
      graph(w).note_store(place.at, bytes, made, true);
    else
      graph(w).keep(place.at, made);
    if (in.o[0] != kNoOperand) graph(w).labels(w.frame, in.o[0])[lane] = before;
  });
}

}  // namespace

void watch_plain(const Instr& in, Warp& w, uint32_t mask) {
  switch (in.role) {
    case Role::kCompute:
    case Role::kTest:
      return compute(in, w, mask);
    case Role::kSelect:
      return select(in, w, mask);
    case Role::kUnpack:
      return unpack(in, w, mask);
    case Role::kCompare:
      return compare(in, w, mask);
    case Role::kLoad:
      return load(in, w, mask);
    case Role::kStore:
      return store(in, w, mask);
    case Role::kAtomic:
      return atomic(in, w, mask);
    case Role::kFence:
    case Role::kNone:
      return;
  }
}

void watch_unset(Warp& w, const std::vector<uint32_t>& registers, const std::byte* frame,
                 uint32_t mask) {
  for (const uint32_t offset : registers) {
    LaneLabels& made = graph(w).labels(frame, offset);
    each_lane_of(mask, [&](int lane) {
      ValueNode node;
      node.kind = ValueNode::Kind::kUnset;
      made[lane] = graph(w).add(node);
    });
  }
}

void watch_call(const Instr& in, Warp& w, const std::byte* frame, uint32_t mask) {
  const LaneLabels callers = graph(w).calls_of(w.frame);
  LaneLabels& calls = graph(w).calls_of(frame);
  each_lane_of(mask, [&](int lane) {
    calls[lane] = graph(w).add_call({in.number, callers[lane]});
  });
}

void watch_copy(Warp& w, const std::byte* from_frame, uint32_t from, std::byte* to_frame,
                uint32_t to, uint32_t mask) {
  const LaneLabels source = graph(w).labels(from_frame, from);
  LaneLabels& target = graph(w).labels(to_frame, to);
  each_lane_of(mask, [&](int lane) { target[lane] = source[lane]; });
}

void WatchedExchange::gather(const Instr& in, const Warp& w, const std::byte* frame,
                             uint32_t mask) {
  present |= mask;
  if (in.o[1] == kNoOperand) return;
  const LaneLabels& labels = graph(w).labels(frame, in.o[1]);
  each_lane_of(mask, [&](int lane) { value[lane] = labels[lane]; });
}

void watch_sync(const Instr& in, Warp& w, uint32_t mask, const WatchedExchange& exchange) {
  if (in.o[0] == kNoOperand) return;
  LaneLabels& made = graph(w).labels(w.frame, in.o[0]);
  if (exchange.shuffles) {
    each_lane_of(mask, [&](int lane) {
      ValueNode node = node_of(in, w, lane);
      const uint32_t source = exchange.source[lane];
      node.from[0] = exchange.value[source];
      if ((exchange.present >> source & 1) == 0) {
        node.kind = ValueNode::Kind::kAbsentLane;
        node.address = source;
      }
      made[lane] = graph(w).add(node);
    });
    return;
  }
  // Of all: a chain of nodes, since a node has few edges.
  uint32_t all = 0;
  each_lane_of(exchange.present, [&](int lane) {
    if (exchange.value[lane] == 0) return;
    ValueNode node = node_of(in, w, lane);
    node.from[0] = exchange.value[lane];
    node.from[1] = all;
    all = graph(w).add(node);
  });
  each_lane_of(mask, [&](int lane) {
    ValueNode node = node_of(in, w, lane);
    node.from[0] = all;
    made[lane] = graph(w).add(node);
  });
}

bool watch_unwritten(const Warp& w, uint64_t offset) {
  if (!graph(w).goes_on()) return false;
  graph(w).note_unwritten(shared_key(w, offset));
  return true;
}

void watch_ended(const Warp& w) {
  for (const Warp& other : w.block->warps)
    if (other.left != 0)
      return graph(w).note_ended(
          thread_of(other, static_cast<uint32_t>(std::countr_zero(other.left))));
}

void watch_passed(const Block& block) {
  const Warp& first = block.warps.front();
  const bool alone = std::any_of(block.warps.begin(), block.warps.end(),
                                 [](const Warp& w) { return w.left != 0; });
  if (alone) graph(first).note_passed_alone();
}

}  // namespace lockstep::emulator
