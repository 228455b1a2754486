// SPDX-License-Identifier: Apache-2.0
#include "emulator/mutate/mutations.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "emulator/code/locations.h"
#include "emulator/mutate/mutation_maker.h"
#include "emulator/mutate/operands.h"

namespace lockstep::emulator {
namespace {

// The likeliest first; of those as likely, statements: there are few of these.
std::pair<int, bool> key_of(const Mutation& m) {
  return {m.rank, m.words != Mutation::Words::kPhrase};
}

}  // namespace

Mutations::Mutations(const Module& module, const std::vector<uint32_t>& functions,
                     const std::string& file)
    : module_(module), info_(module) {
  MutationMaker maker(this, file);
  for (const uint32_t f : functions) maker.function(f);
  pair_twins();
  order_.resize(all_.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](size_t a, size_t b) { return key_of(all_[a]) < key_of(all_[b]); });
}

// Who copies a line copies its mistake. Lines that read alike are changed alike, together, besides
// each by itself.
void Mutations::pair_twins() {
  constexpr size_t kMostTwins = 4;
  using Place = std::pair<uint32_t, uint32_t>;  // function, instruction
  std::map<Place, std::string> said;
  std::map<std::pair<uint32_t, std::string>, size_t> places;  // that say so in a function
  for (const Mutation& m : all_) {
    const auto [at, fresh] = said.try_emplace(Place(m.function, m.at));
    if (!fresh) continue;
    at->second = code_.at(m.function).statement(m.at, module_.functions[m.function].code[m.at]);
    ++places[{m.function, at->second}];
  }
  std::map<std::pair<uint32_t, std::string>, std::vector<size_t>> alike;  // by both texts
  for (size_t i = 0; i < all_.size(); ++i) {
    const Mutation& m = all_[i];
    const std::string& is = said.at({m.function, m.at});
    const size_t others = places.at({m.function, is});
    if (m.words != Mutation::Words::kStatement || others < 2 || others > kMostTwins) continue;
    alike[{m.function, is + "\n" + code_.at(m.function).statement(m.at, m.told)}].push_back(i);
  }
  for (const auto& [texts, mutations] : alike) {
    std::vector<size_t> apart;  // one for each place
    for (const size_t i : mutations)
      if (std::none_of(apart.begin(), apart.end(),
                       [&](size_t k) { return all_[k].at == all_[i].at; }))
        apart.push_back(i);
    if (apart.size() < 2) continue;
    Mutation joint = all_[apart[0]];
    joint.twins.assign(apart.begin() + 1, apart.end());
    all_.push_back(std::move(joint));
  }
}

CodeMutation Mutations::words(size_t mutation) const {
  const Mutation& m = (*this)[mutation];
  const Function& f = module_.functions[m.function];
  const CodeWords& code = code_.at(m.function);
  const Location where = student_location(module_, f, f.code[m.at].location);
  CodeMutation told;
  told.file = module_.files.at(where.file);
  told.line = where.line;
  told.rank = m.rank;
  told.orders = m.orders;
  told.in_kernel = f.is_entry;
  using Words = Mutation::Words;
  if (m.line > 0) told.line = m.line;
  if (m.words == Words::kPhrase) {
    told.phrase = m.phrase;
  } else if (m.words == Words::kStatement) {
    told.is = code.statement(m.at, f.code[m.at]);
    told.instead = code.statement(m.at, m.told);
  } else {
    told.is = code.of(m.told);
    told.instead = m.words == Words::kTrue ? "true" : m.words == Words::kFalse ? "false" : "";
  }
  // What the compiler has computed has no words of its own.
  const std::string_view condition =
      m.words == Words::kStatement ? f.code[m.at].opcode : m.told.opcode;
  if (told.phrase.empty() && condition == "mov.pred")
    told.phrase = "with the condition in line " + std::to_string(told.line) +
                  ", which hangs on constants alone, the other way round in this instance";
  return told;
}

namespace {

// Instructions in place of so many, or before one.
struct Change {
  uint32_t at = 0;
  std::vector<Instruction> put;
  uint32_t replaces = 0;
  std::vector<Label> labels;  // `at`: into put
};

void put_in(const Change& change, Function* f) {
  const auto at = f->code.begin() + change.at;
  f->code.insert(f->code.erase(at, at + change.replaces), change.put.begin(), change.put.end());
  const uint32_t end = change.at + change.replaces;
  const auto more = static_cast<uint32_t>(change.put.size());
  for (Label& label : f->labels)
    if (label.at > change.at) label.at = std::max(label.at, end) + more - change.replaces;
  for (Label label : change.labels) {
    label.at += change.at;
    f->labels.push_back(label);
  }
}

// Registers that it needs come behind those of the function and of its twins.
void add_changes(const Mutation& m, Function* f, std::vector<Change>* changes) {
  const uint32_t shift = static_cast<uint32_t>(f->registers.size()) - m.first_register;
  const auto shifted = [&](std::vector<Instruction> all) {
    for (Instruction& in : all) {
      for (Operand& o : in.operands)
        if ((is_register(o) || o.has_register) && o.reg >= m.first_register) o.reg += shift;
      if (in.guard >= static_cast<int>(m.first_register)) in.guard += static_cast<int>(shift);
    }
    return all;
  };
  f->registers.insert(f->registers.end(), m.registers.begin(), m.registers.end());
  f->variables.insert(f->variables.end(), m.variables.begin(), m.variables.end());
  f->labels.insert(f->labels.end(), m.labels.begin(), m.labels.end());
  if (m.replaces()) changes->push_back({m.at, shifted(m.instead), 1, {}});
  for (const auto& [at, in] : m.replaced) changes->push_back({at, shifted({in}), 1, {}});
  if (const auto [first, end] = m.taken_out; end > first)
    changes->push_back({first, {}, end - first, {}});
  for (const Mutation::Piece& piece : m.pieces)
    changes->push_back({piece.at, shifted(piece.before), 0, piece.labels});
}

}  // namespace

Function Mutations::made(const Mutation& m) const {
  Function f = module_.functions[m.function];
  for (Variable& v : f.variables)
    if (!m.enlarged.empty() && v.name == m.enlarged) v.bytes *= m.times;
  std::vector<Change> changes;
  add_changes(m, &f, &changes);
  for (const size_t twin : m.twins) add_changes(all_[twin], &f, &changes);
  // From the last one on, so that those before stay where they are.
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.at > b.at; });
  for (const Change& change : changes) put_in(change, &f);
  return f;
}

void Mutations::exchange(size_t mutation, Module* module) {
  const Mutation& m = (*this)[mutation];
  Function& there = module->functions[m.function];
  const bool takes_out = out_.has_value();
  for (Variable& v : module->variables)
    if (!m.enlarged.empty() && v.name == m.enlarged)
      v.bytes = takes_out ? v.bytes / m.times : v.bytes * m.times;
  if (takes_out) {
    there = std::move(*out_);
    out_.reset();
  } else {
    out_ = std::exchange(there, made(m));
  }
}

}  // namespace lockstep::emulator
