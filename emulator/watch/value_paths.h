// SPDX-License-Identifier: Apache-2.0
// On which ways values went through a ValueGraph: how often, to whom, and how far.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/watch/value_graph.h"

namespace lockstep::emulator {

// Part of a graph: what one value was made of, ValueGraph::made_of.
class ValuePaths {
 public:
  ValuePaths(const ValueGraph& graph, std::vector<uint32_t> made_of)
      : graph_(graph), nodes_(std::move(made_of)) {}
  const std::vector<uint32_t>& nodes() const { return nodes_; }

  // In how many ways each of nodes() goes into the last of them: a number that is added to itself
  // does in two.
  std::vector<double> ways() const;

  // The first node at which something made of these loads comes from another thread to one that
  // reads none of their places itself, in order of execution; 0: none.
  uint32_t entry(const std::vector<uint32_t>& loads) const;

  // A sum of two values that both are made of one load, and for each of them the first node that it
  // was made of by way of which that load came to it alone; 0: none, it is what the other is made
  // of.
  struct Doubling {
    uint32_t sum = 0;
    uint32_t parted[2] = {};
    // More than one value that it is in came into the function that was called for the sum.
    bool before_call = false;
  };
  // The first such sum to which it came by an exchange; nullopt: none.
  std::optional<Doubling> doubling(uint32_t load) const;

 private:
  size_t place_of(uint32_t node) const;  // in nodes(); their number where it is none of these
  std::vector<bool> holding(const std::vector<uint32_t>& loads) const;
  // Of nodes() that hold something those that this one is made of, itself among them; by place.
  std::vector<bool> behind(uint32_t node, const std::vector<bool>& holds) const;
  uint32_t parted(const std::vector<bool>& one, const std::vector<bool>& other) const;
  bool is_within(uint32_t node, uint32_t function_of) const;
  // How many of those that hold something came into the function called for the node.
  size_t brought_in(uint32_t node, const std::vector<bool>& holds) const;

  const ValueGraph& graph_;
  const std::vector<uint32_t> nodes_;  // ascending
};

// Of the instruction that it is of.
const std::string& opcode_of(const ValueGraph& graph, const ValueNode& node);
// Whether it takes a value by a shuffle.
bool is_shuffle(const ValueGraph& graph, const ValueNode& node);
// Whether its value is one that another thread of the same launch had; by a shuffle also its own.
bool is_exchange(const ValueGraph& graph, const ValueNode& node);

// The last node that was made of these loads, where none of these is stored in global memory, nor
// compared: nothing came of it. 0: something did.
uint32_t dead_end(const ValueGraph& graph, const std::vector<uint32_t>& loads);

}  // namespace lockstep::emulator
