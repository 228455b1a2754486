// SPDX-License-Identifier: Apache-2.0
// Backwards from each branch that leaves a loop to all that its condition is computed from. A walk
// takes bounded time: beyond it everything that reads is taken to decide the loop.
#include "emulator/code/waits.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "emulator/code/opcode.h"
#include "emulator/code/operand_roles.h"

namespace lockstep::emulator {
namespace {

constexpr uint64_t kMostSteps = 1 << 20;

enum Reach : uint8_t { kShared = 1, kLocal = 2, kParam = 4 };  // memory that a value may pass

bool is_load(const Opcode& op) { return op.root == "ld" || op.root == "ldu"; }

bool is_store(const Opcode& op) {
  return op.root == "st" || op.root == "atom" || op.root == "red" || is_async_copy(op);
}

// State spaces in which a value stored by one instruction is found by another; a load of global
// memory is a reading itself.
uint8_t reach(const Opcode& op) {
  if (op.has("shared") || op.has("shared::cta")) return kShared;
  if (op.has("local")) return kLocal;
  if (op.has("param") || op.has("param::func") || op.has("param::entry")) return kParam;
  return op.has("global") || op.has("const") ? 0 : kShared | kLocal;
}

// What it reads may be another warp's, or is the time.
bool reads_outside(const Opcode& op, const Instruction& in) {
  if (op.root == "atom" || is_async_copy(op)) return true;
  if (is_load(op)) return (reach(op) & kShared) != 0 || op.has("global");
  return std::any_of(in.operands.begin(), in.operands.end(), [](const Operand& o) {
    return o.kind == Operand::Kind::kSymbol &&
           (o.name.starts_with("%clock") || o.name.starts_with("%globaltimer"));
  });
}

// Of a ticket it makes another value that rises with it, or holds it against a bound.
bool keeps_order(const Opcode& op) {
  static constexpr std::string_view kRoots[] = {"mov", "shfl", "add", "mul", "mad", "shl",
                                                "cvt", "selp", "min", "max", "ld"};
  static constexpr std::string_view kBounds[] = {"lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"};
  for (std::string_view root : kRoots)
    if (op.root == root) return true;
  if (op.root == "and" || op.root == "or" || op.root == "not") return op.type() == Type::kPred;
  return op.root == "setp" && std::any_of(std::begin(kBounds), std::end(kBounds),
                                          [&](std::string_view b) { return op.has(b); });
}

// Of one function: who writes each register, and which branches decide whether a block is run.
struct Sources {
  std::vector<std::vector<uint32_t>> writers;      // by register: instructions
  std::vector<std::vector<uint32_t>> controllers;  // by block: blocks
};

class Finder {
 public:
  explicit Finder(const std::vector<FunctionGraph>& functions) : functions_(functions) {
    for (const FunctionGraph& g : functions) {
      Sources& s = sources_.emplace_back();
      s.writers.resize(g.function->registers.size());
      s.controllers.resize(g.cfg.blocks.size());
      for (uint32_t i = 0; i < g.function->code.size(); ++i) {
        const Instruction& in = g.function->code[i];
        each_written_register(in, [&](uint32_t r) { s.writers[r].push_back(i); });
        const Opcode op(in.opcode);
        if (is_store(op)) stores_.push_back({uint32_t(&g - functions.data()), i, reach(op)});
      }
      find_controllers(g.cfg, s);
    }
  }

  std::map<uint32_t, Decision> run() {
    for (uint32_t f = 0; f < functions_.size(); ++f) {
      const Cfg& cfg = functions_[f].cfg;
      for (uint32_t b = 0; b < cfg.end_block(); ++b) {
        if (cfg.blocks[b].successors.size() < 2 || !cfg.blocks[b].reachable) continue;
        std::vector<bool> loop = left_loops(f, b);
        if (!loop.empty()) walk(f, b, loop);
        if (spent_ <= kMostSteps) continue;
        take_all(functions_[f].first_instruction + cfg.blocks[b].last - 1);
        return std::move(found_);
      }
    }
    return std::move(found_);
  }

 private:
  struct Store {
    uint32_t function, at;
    uint8_t reach;
  };
  // A register that an instruction reads. ordered: what was done to it since kept its order.
  struct Step {
    uint32_t function, reg, at;
    bool ordered;
  };

  bool spend(uint64_t steps) { return (spent_ += steps) <= kMostSteps; }

  void find_controllers(const Cfg& cfg, Sources& s) {
    for (uint32_t a = 0; a < cfg.end_block(); ++a) {
      if (cfg.blocks[a].successors.size() < 2) continue;
      for (uint32_t b : cfg.blocks[a].successors)
        for (; b != cfg.blocks[a].post_dominator && b != cfg.end_block() && spend(1);
             b = cfg.blocks[b].post_dominator)
          if (s.controllers[b].empty() || s.controllers[b].back() != a)
            s.controllers[b].push_back(a);
    }
  }

  // Blocks of the loops that the branch at the end of b leaves, together; empty: none. Of a
  // function that calls itself, and of one with loops of several entries, all blocks are a loop.
  std::vector<bool> left_loops(uint32_t f, uint32_t b) {
    const Cfg& cfg = functions_[f].cfg;
    std::vector<bool> all;
    if (functions_[f].recursive || has_loops_of_entries(f))
      return std::vector<bool>(cfg.blocks.size(), true);
    for (uint32_t header = 0; header < cfg.end_block() && spend(1); ++header) {
      if (!cfg.blocks[header].loop_header) continue;
      const std::vector<bool>& loop = loop_of(f, header);
      if (loop.empty() || !loop[b]) continue;
      const std::vector<uint32_t>& to = cfg.blocks[b].successors;
      if (std::all_of(to.begin(), to.end(), [&](uint32_t s) { return loop[s]; })) continue;
      all.resize(cfg.blocks.size());
      for (size_t k = 0; k < loop.size(); ++k) all[k] = all[k] || loop[k];
    }
    return all;
  }

  const std::vector<bool>& loop_of(uint32_t f, uint32_t header) {
    const auto [at, fresh] = loops_.try_emplace({f, header});
    if (!fresh) return at->second;
    const Cfg& cfg = functions_[f].cfg;
    std::vector<bool>& in = at->second;
    if (!spend(cfg.blocks.size() / 64)) return in;
    in.resize(cfg.blocks.size());
    in[header] = true;
    std::vector<uint32_t> work;
    for (uint32_t p : cfg.blocks[header].predecessors)
      if (cfg.is_back_edge(p, header)) work.push_back(p);
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      if (in[b]) continue;
      in[b] = true;
      spend(1);
      for (uint32_t p : cfg.blocks[b].predecessors) work.push_back(p);
    }
    return in;
  }

  // Who may have written the register last before instruction `at`.
  std::vector<uint32_t> last_writers(uint32_t f, uint32_t reg, uint32_t at) {
    const FunctionGraph& g = functions_[f];
    const std::vector<uint32_t>& writers = sources_[f].writers[reg];
    std::vector<uint32_t> out, work{g.cfg.block_of[at]};
    std::set<uint32_t> seen;
    for (uint32_t end = at; !work.empty() && spend(1); end = ~0u) {
      const BasicBlock& block = g.cfg.blocks[work.back()];
      work.pop_back();
      auto w = std::lower_bound(writers.begin(), writers.end(), std::min(end, block.last));
      bool surely = false;
      while (!surely && w != writers.begin() && *--w >= block.first) {
        out.push_back(*w);
        surely = g.function->code[*w].guard < 0;
      }
      for (uint32_t p : block.predecessors)
        if (!surely && seen.insert(p).second) work.push_back(p);
    }
    return out;
  }

  // A cycle remains where the edges back to a loop's only entry are taken away.
  bool has_loops_of_entries(uint32_t f) {
    const auto [at, fresh] = entries_.try_emplace(f, false);
    if (!fresh) return at->second;
    const Cfg& cfg = functions_[f].cfg;
    std::vector<uint32_t> into(cfg.blocks.size());
    std::vector<uint32_t> work{0};
    size_t reachable = 0, ordered = 0;
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      reachable += cfg.blocks[b].reachable;
      for (uint32_t s : cfg.blocks[b].successors)
        into[s] += cfg.blocks[b].reachable && !cfg.is_back_edge(b, s);
    }
    while (!work.empty()) {
      const uint32_t b = work.back();
      work.pop_back();
      ++ordered;
      for (uint32_t s : cfg.blocks[b].successors)
        if (!cfg.is_back_edge(b, s) && --into[s] == 0) work.push_back(s);
    }
    return at->second = ordered < reachable;
  }

  // From the condition of the branch at the end of block b.
  void walk(uint32_t f, uint32_t b, const std::vector<bool>& loop) {
    function_ = f;
    block_ = b;
    loop_ = &loop;
    branch_ = functions_[f].cfg.blocks[b].last - 1;
    seen_.clear();
    work_.clear();
    passed_ = 0;
    const Instruction& branch = functions_[f].function->code[branch_];
    each_read_register(branch, [&](uint32_t r) { add({f, r, branch_, branch.guard >= 0}); });
    while (!work_.empty() && spend(1)) {
      const Step step = work_.back();
      work_.pop_back();
      for (uint32_t i : last_writers(step.function, step.reg, step.at)) from(step, i);
    }
  }

  void add(const Step& step) {
    const auto [at, fresh] = seen_.try_emplace({step.function, step.reg, step.at}, step.ordered);
    if (!fresh && (step.ordered || !at->second)) return;
    at->second = step.ordered;
    work_.push_back(step);
  }

  void from(const Step& step, uint32_t i) {
    const FunctionGraph& g = functions_[step.function];
    const Instruction& in = g.function->code[i];
    const Opcode op(in.opcode);
    const bool ordered = step.ordered && keeps_order(op);
    if (reads_outside(op, in)) take(step, i);
    if (is_load(op) && !is_argument(step.function, in)) pass_memory(reach(op), ordered);
    const uint32_t block = g.cfg.block_of[i];
    each_read_register(in, [&](uint32_t r) {
      add({step.function, r, i, ordered && !is_load(op) && int64_t{r} != in.guard});
    });
    // It comes before each reading: whether it is run at all decides nothing, but for other turns.
    const bool always = g.cfg.is_back_edge(g.cfg.block_of[step.at], block);
    add_controllers(step.function, block, always);
  }

  // What decides whether block b is run, in the loop alone or anywhere, but for the branch from
  // which the walk began.
  void add_controllers(uint32_t f, uint32_t b, bool in_loop) {
    const FunctionGraph& g = functions_[f];
    for (uint32_t c : sources_[f].controllers[b]) {
      if ((f == function_ && c == block_) || !spend(1)) continue;
      if (in_loop && !(f == function_ && (*loop_)[c])) continue;
      const uint32_t at = g.cfg.blocks[c].last - 1;
      each_read_register(g.function->code[at], [&](uint32_t r) { add({f, r, at, false}); });
    }
  }

  bool is_argument(uint32_t f, const Instruction& in) const {
    const Function& kernel = *functions_[0].function;
    return f == 0 && in.operands.size() > 1 && in.operands[1].variable >= 0 &&
           std::count(kernel.parameters.begin(), kernel.parameters.end(),
                      uint32_t(in.operands[1].variable)) != 0;
  }

  // What is stored to memory that the walk reads.
  void pass_memory(uint8_t reached, bool ordered) {
    const auto now = static_cast<uint8_t>(ordered ? reached : reached | reached << 4);
    if ((passed_ & now) == now) return;
    passed_ |= now;
    for (const Store& store : stores_) {
      if ((store.reach & reached) == 0 || !spend(1)) continue;
      const Instruction& in = functions_[store.function].function->code[store.at];
      const uint32_t block = functions_[store.function].cfg.block_of[store.at];
      if (is_async_copy(Opcode(in.opcode))) take({store.function, 0, store.at, ordered}, store.at);
      each_read_register(in, [&](uint32_t r) {
        const bool is_data = in.operands.size() == 2 && in.operands[1].reg == r &&
                             in.operands[1].kind == Operand::Kind::kRegister;
        add({store.function, r, store.at, ordered && is_data});
      });
      add_controllers(store.function, block, false);
    }
  }

  void take(const Step& step, uint32_t i) {
    const FunctionGraph& g = functions_[step.function];
    const bool each_turn = step.function != function_ || (*loop_)[g.cfg.block_of[i]];
    note(g.first_instruction + i, each_turn && !step.ordered);
  }

  void note(uint32_t instruction, bool any_value) {
    const uint32_t branch = functions_[function_].first_instruction + branch_;
    found_.try_emplace(instruction, Decision{branch, false}).first->second.any_value |= any_value;
  }

  void take_all(uint32_t branch) {
    for (const FunctionGraph& g : functions_)
      for (uint32_t i = 0; i < g.function->code.size(); ++i) {
        const Instruction& in = g.function->code[i];
        if (reads_outside(Opcode(in.opcode), in)) found_[g.first_instruction + i] = {branch, true};
      }
  }

  const std::vector<FunctionGraph>& functions_;
  std::vector<Sources> sources_;
  std::vector<Store> stores_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<bool>> loops_;
  std::map<uint32_t, bool> entries_;
  std::map<uint32_t, Decision> found_;
  uint64_t spent_ = 0;
  // The walk: from this branch.
  uint32_t function_ = 0, block_ = 0, branch_ = 0;
  const std::vector<bool>* loop_ = nullptr;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, bool> seen_;  // of a step: ordered
  std::vector<Step> work_;
  uint8_t passed_ = 0;
};

}  // namespace

std::map<uint32_t, Decision> find_decisions(const std::vector<FunctionGraph>& functions) {
  return Finder(functions).run();
}

}  // namespace lockstep::emulator
