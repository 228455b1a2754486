// SPDX-License-Identifier: Apache-2.0
// Of an execution that was watched: where a line's addresses come from, and where the threads of a
// warp that come to it had parted.
#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "emulator/debug/shared_arrays.h"
#include "emulator/emulator_backend.h"
#include "emulator/node_lines.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostNodes = 512;  // of the line that are looked at
constexpr size_t kMostWarps = 8;

// By warp: of the thread that came to the line first, the last node there.
using ByWarp = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;  // launch, warp

// What lanes of a warp execute together has numbers that follow each other.
bool together(uint32_t a, uint32_t b) { return (a > b ? a - b : b - a) < 32; }

// Whether a thread executed the node's instruction together with it.
bool comes_along(const ValueGraph& values, uint32_t thread, uint32_t node) {
  const uint32_t first = node > 31 ? node - 31 : 1, end = std::min(values.last(), node + 31);
  for (uint32_t n = first; n <= end; ++n)
    if (values[n].thread == thread && values[n].launch == values[node].launch &&
        values[n].instruction == values[node].instruction)
      return true;
  return false;
}

// The first two of these nodes at one place, of different threads if there are such.
std::vector<FaultPlace> same_element(const ValueGraph& values, const std::vector<uint32_t>& nodes) {
  std::map<uint64_t, uint32_t> first;  // by address
  std::vector<FaultPlace> again;
  for (const uint32_t n : nodes) {
    const auto [at, fresh] = first.try_emplace(values[n].address, n);
    if (fresh) continue;
    const bool others = values[at->second].thread != values[n].thread;
    if (again.empty() || others)
      again = {place_of(values, values[at->second]), place_of(values, values[n])};
    if (others) return again;
  }
  return again;
}

// Of the atomic operations among these nodes: by the block whose most warps add to one element.
LineOrigins::Adding adding_most(const ValueGraph& values, const std::vector<uint32_t>& nodes) {
  using Times = std::map<uint32_t, size_t>;  // by thread
  std::map<std::tuple<uint16_t, uint32_t, uint64_t>, std::map<uint32_t, Times>> all;
  for (const uint32_t n : nodes) {
    const ValueNode& node = values[n];
    if (node.kind != ValueNode::Kind::kAtomic) continue;
    auto& warps = all[{node.launch, block_of(values, node), node.address}];
    ++warps[warp_of(values, node)][node.thread];
  }
  LineOrigins::Adding most;
  for (const auto& [place, warps] : all) {
    LineOrigins::Adding here{warps.size(), 0, 0};
    for (const auto& [warp, threads] : warps) {
      here.threads = std::max(here.threads, threads.size());
      for (const auto& [thread, times] : threads) here.times = std::max(here.times, times);
    }
    if (std::tuple(here.warps, here.threads, here.times) >
        std::tuple(most.warps, most.threads, most.times))
      most = here;
  }
  return most;
}

// Which nodes stand in a line: also what functions of the toolkit do that are called there.
class NodesOfLine {
 public:
  NodesOfLine(const ValueGraph& values, const std::string& file, int line)
      : values_(values), file_(file), line_(line) {}
  bool operator()(const ValueNode& node) {
    const std::tuple key(node.launch, node.instruction, node.call);
    const auto [known, fresh] = known_.try_emplace(key, false);
    if (fresh) {
      const ValueStory::Line at = line_of(values_, node);
      known->second = at.line == line_ && at.file.substr(at.file.rfind('/') + 1) == file_;
    }
    return known->second;
  }

 private:
  const ValueGraph& values_;
  const std::string& file_;
  const int line_;
  std::map<std::tuple<uint16_t, uint32_t, uint32_t>, bool> known_;
};

std::vector<int> callers_of(const ValueGraph& values, const ValueNode& node) {
  std::vector<int> callers;
  line_of(values, node, &callers);
  return callers;
}

bool makes_double(const ValueGraph& values, uint32_t node) {
  const ValueNode& n = values[node];
  const std::string& opcode = values.launch_of(n).program->instructions[n.instruction].opcode;
  return opcode.find(".f64") != std::string::npos && !opcode.starts_with("cvt.rn.f32");
}

// Of the nodes that these were made of: the first doubles, which were made of none.
std::vector<ValueStory::Line> lines_of_doubles(const ValueGraph& values,
                                               std::vector<uint32_t> nodes) {
  std::vector<ValueStory::Line> lines;
  for (const uint32_t n : values.made_of(std::move(nodes))) {
    const ValueNode& node = values[n];
    if (!makes_double(values, n)) continue;
    if (std::any_of(std::begin(node.from), std::end(node.from),
                    [&](uint32_t from) { return from != 0 && makes_double(values, from); }))
      continue;
    const ValueStory::Line line = line_of(values, node);
    if (line.line > 0 && std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(line);
  }
  return lines;
}

// Counts lines once for each of some addresses; gives those of most of them. (Between the last
// thread of a group and the first one of the next, others may part than within a group.)
class LinesOfMost {
 public:
  void add(const std::set<ValueStory::Line>& here) {
    for (const ValueStory::Line& line : here) times_[line] += line.line > 0 ? 1 : 0;
  }
  std::vector<ValueStory::Line> lines() const {
    size_t most = 0;
    for (const auto& [line, n] : times_) most = std::max(most, n);
    std::vector<ValueStory::Line> lines;
    for (const auto& [line, n] : times_)
      if (2 * n > most) lines.push_back(line);
    return lines;
  }

 private:
  std::map<ValueStory::Line, size_t> times_;
};

// Of what differs between the threads of a warp: the lines from which the node's own line took it.
std::set<ValueStory::Line> taken_from(const ValueGraph& values, uint32_t node) {
  const ValueStory::Line own = line_of(values, values[node]);
  std::set<ValueStory::Line> lines;
  std::set<uint32_t> seen{0, node};
  for (std::vector<uint32_t> open{node}; !open.empty();) {
    const ValueNode& one = values[open.back()];
    open.pop_back();
    for (size_t k = 0; k < std::size(one.from); ++k) {
      const uint32_t from = one.from[k];
      if ((one.same >> k & 1) != 0 || !seen.insert(from).second) continue;
      const ValueStory::Line line = line_of(values, values[from]);
      if (line == own || line.line == 0)
        open.push_back(from);
      else
        lines.insert(line);
    }
  }
  return lines;
}

// Where these addresses came to lie far from the next thread's, and what was taken there.
void find_partings(const ValueGraph& values, const std::vector<uint32_t>& addresses,
                   LineOrigins* origins) {
  LinesOfMost parting, taken;
  for (const uint32_t address : addresses) {
    std::set<ValueStory::Line> here, from;
    for (const uint32_t n : values.made_far(address)) {
      here.insert(line_of(values, values[n]));
      from.merge(taken_from(values, n));
    }
    parting.add(here);
    taken.add(from);
  }
  origins->spread_lines = parting.lines();
  origins->differing_lines = taken.lines();
  std::erase_if(origins->differing_lines, [&](const ValueStory::Line& line) {
    const auto& told = origins->spread_lines;
    return std::find(told.begin(), told.end(), line) != told.end();
  });
}

}  // namespace

uint32_t last_joint_test(const ValueGraph& values, const std::vector<uint32_t>& own,
                         const std::vector<uint32_t>& other, uint32_t node) {
  for (auto at = std::lower_bound(own.begin(), own.end(), node); at != own.begin();) {
    const uint32_t test = *--at;
    if (values[test].launch != values[node].launch) return 0;
    const uint32_t least = test > 31 ? test - 31 : 0;
    for (auto o = std::lower_bound(other.begin(), other.end(), least);
         o != other.end() && *o <= test + 31; ++o)
      if (together(*o, test) && values[*o].instruction == values[test].instruction) return test;
  }
  return 0;
}

namespace {

// Where threads of these warps had parted before these nodes, and what made what they compared.
void find_conditions(ValueGraph& values, const ByWarp& warps, LineOrigins* origins) {
  std::set<uint32_t> partings;
  for (const auto& [warp, node] : warps) {
    const uint32_t thread = values[node].thread;
    const auto threads = static_cast<uint32_t>(values.launch_of(values[node]).block.count());
    const uint32_t lane = thread % threads % 32, first = thread - lane;
    const std::vector<uint32_t> own = values.tests_of(thread);
    for (uint32_t other = first; other < first + std::min(32u, threads - first % threads); ++other)
      if (!comes_along(values, other, node))
        if (const uint32_t test = last_joint_test(values, own, values.tests_of(other), node))
          partings.insert(test);
  }
  const std::vector<uint32_t> tests(partings.begin(), partings.end());
  origins->parting_lines = lines_of(values, tests);
  origins->parting_made_of = lines_of(values, values.made_different(tests));
}

}  // namespace

LineOrigins EmulatorBackend::origins_of(const std::string& file, int line) {
  LineOrigins origins;
  if (!values_) return origins;
  ValueGraph& values = *values_;
  NodesOfLine is_there(values, file, line);
  std::vector<uint32_t> addresses, differing, far, accesses, doubles;
  std::set<int> callers;
  std::map<int, size_t> of_kernel;  // of these, by how much is done for them
  Meeting meeting;
  ByWarp warps;
  for (uint32_t n = 1; n <= values.last(); ++n) {
    const ValueNode& node = values[n];
    if (!is_there(node)) continue;
    if (node.kind != ValueNode::Kind::kLossy && node.address != 0) accesses.push_back(n);
    if (const Meeting one = values.meeting_of(node);
        std::popcount(one.lanes) > std::popcount(meeting.lanes))
      meeting = one;
    const std::vector<int> calls = callers_of(values, node);
    callers.insert(calls.begin(), calls.end());
    if (!calls.empty()) ++of_kernel[calls.back()];
    if (doubles.size() < kMostNodes && makes_double(values, n)) doubles.push_back(n);
    if (node.address_from != 0 && addresses.size() < kMostNodes) {
      addresses.push_back(node.address_from);
      if ((node.same >> ValueNode::kOfAddress & 1) == 0) differing.push_back(node.address_from);
      if ((node.same >> ValueNode::kFarAddress & 1) != 0) far.push_back(node.address_from);
    }
    const uint32_t warp = warp_of(values, node);
    if (warps.size() >= kMostWarps && !warps.contains({node.launch, warp})) continue;
    uint32_t& last = warps[{node.launch, warp}];
    if (last == 0 || values[last].thread == node.thread) last = n;
  }
  std::vector<uint32_t> made = values.made_of(std::move(addresses));
  origins.index_lines = lines_of(values, made);
  std::erase_if(made, [&](uint32_t n) { return values[n].call != 0; });
  if (!callers.empty()) origins.called_with = lines_of(values, made);
  find_partings(values, far, &origins);
  if (origins.spread_lines.empty())
    origins.spread_lines = lines_of(values, values.made_different(std::move(differing)));
  origins.double_lines = lines_of_doubles(values, std::move(doubles));
  origins.same_element = same_element(values, accesses);
  origins.adding = adding_most(values, accesses);
  origins.banks = static_cast<int>(meeting.banks);
  for (int lane = 0; lane < 32; ++lane)
    if ((meeting.lanes >> lane & 1) != 0) origins.one_bank.push_back(lane);
  for (const int caller : callers) origins.callers.push_back({file, caller});
  const auto most =
      std::max_element(of_kernel.begin(), of_kernel.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most != of_kernel.end()) origins.most_called = most->first;
  find_conditions(values, warps, &origins);
  origins.shared_arrays = shared_arrays_of(module().ptx, file, line);
  return origins;
}

}  // namespace lockstep::emulator
