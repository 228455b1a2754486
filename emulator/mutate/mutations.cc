// SPDX-License-Identifier: Apache-2.0
#include "emulator/mutate/mutations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "emulator/code/locations.h"
#include "emulator/mutate/mutation_maker.h"
#include "emulator/mutate/operands.h"

namespace lockstep::emulator {

Mutations::Mutations(const Module& module, const std::vector<uint32_t>& functions,
                     const std::string& file)
    : module_(module), info_(module) {
  // Of much code there is time for the likely ones alone; to make the others would take most of it.
  constexpr size_t kMuch = 1000;
  size_t instructions = 0;
  for (const uint32_t f : functions)
    for (const Instruction& in : module.functions[f].code)
      instructions += line_in(file, module, module.functions[f], in.location) > 0 ? 1 : 0;
  MutationMaker maker(this, file, instructions > kMuch ? kLess : kProduct);
  for (const uint32_t f : functions) maker.function(f);
  pair_twins();
  join_functions();
  put_in_order();
}

// The likeliest first. Of those as likely first one of each place, then another of each, and so on:
// where there are too many to try them all, none is left out.
void Mutations::put_in_order() {
  using Place = std::tuple<int, uint32_t, uint32_t, bool>;
  std::map<Place, size_t> many;
  std::vector<std::pair<int, size_t>> keys;
  for (const Mutation& m : all_)
    keys.emplace_back(m.rank,
                      many[{m.rank, m.function, m.at, m.words == Mutation::Words::kPhrase}]++);
  for (size_t i = 0; i < all_.size(); ++i)
    if (!all_[i].joined) order_.push_back(i);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](size_t a, size_t b) { return keys[a] < keys[b]; });
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

// A line of a template is code of several functions, and who changes it changes it in all of them.
void Mutations::join_functions() {
  struct Change {
    std::string opcode;
    std::string_view phrase;
    CodeMutation words;
    size_t twins = 0;
    auto key() const {
      return std::tie(words.line, words.rank, words.is, words.instead, phrase, opcode, twins);
    }
    bool operator<(const Change& other) const { return key() < other.key(); }
  };
  if (std::all_of(all_.begin(), all_.end(),
                  [&](const Mutation& m) { return m.function == all_[0].function; }))
    return;
  std::map<Change, std::map<uint32_t, std::vector<size_t>>> alike;  // by function
  for (size_t i = 0; i < all_.size(); ++i) {
    const Mutation& m = all_[i];
    const Instruction& in = module_.functions[m.function].code[m.at];
    alike[{std::string(in.opcode), m.phrase, words_of(m), m.twins.size()}][m.function].push_back(i);
  }
  for (const auto& [change, by_function] : alike) {
    const auto is_one = [](const auto& of) { return of.second.size() == 1; };
    if (by_function.size() < 2 || !std::all_of(by_function.begin(), by_function.end(), is_one))
      continue;
    Mutation& first = all_[by_function.begin()->second[0]];
    for (auto of = std::next(by_function.begin()); of != by_function.end(); ++of) {
      first.elsewhere.push_back(of->second[0]);
      all_[of->second[0]].joined = true;
    }
  }
}

CodeMutation Mutations::words(size_t mutation) const { return words_of((*this)[mutation]); }

CodeMutation Mutations::words_of(const Mutation& m) const {
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
  const bool takes_out = !out_.empty();
  for (Variable& v : module->variables)
    if (!m.enlarged.empty() && v.name == m.enlarged)
      v.bytes = takes_out ? v.bytes / m.times : v.bytes * m.times;
  if (takes_out) {
    for (auto& [number, function] : out_) module->functions[number] = std::move(function);
    out_.clear();
    return;
  }
  const auto put = [&](const Mutation& one) {
    Function changed = made(one);
    out_.emplace_back(one.function,
                      std::exchange(module->functions[one.function], std::move(changed)));
  };
  put(m);
  for (const size_t other : m.elsewhere) put(all_[other]);
}

}  // namespace lockstep::emulator
