// SPDX-License-Identifier: Apache-2.0
#include "emulator/mutate/mutations.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "emulator/code/locations.h"
#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {

Mutations::Mutations(const Module& module, const std::vector<uint32_t>& functions,
                     const std::string& file)
    : module_(module), info_(module) {
  MutationMaker maker(this, file);
  for (const uint32_t f : functions) maker.function(f);
  pair_twins();
  order_.resize(all_.size());
  std::iota(order_.begin(), order_.end(), size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](size_t a, size_t b) { return all_[a].rank < all_[b].rank; });
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
  using Words = Mutation::Words;
  if (m.words == Words::kStatement) {
    told.is = code.statement(m.at, f.code[m.at]);
    told.instead = code.statement(m.at, m.told);
  } else {
    told.is = code.of(m.told);
    told.instead = m.words == Words::kTrue ? "true" : m.words == Words::kFalse ? "false" : "";
  }
  return told;
}

namespace {

void put_in(const Mutation& m, Function* f) {
  // Registers that it needs come behind those of the function and of its twins.
  const auto first = static_cast<uint32_t>(f->registers.size());
  const uint32_t shift = first - m.first_register;
  f->registers.insert(f->registers.end(), m.registers.begin(), m.registers.end());
  std::vector<Instruction> instead = m.instead;
  for (Instruction& in : instead)
    for (Operand& o : in.operands)
      if (is_register(o) && o.reg >= m.first_register) o.reg += shift;
  const auto at = f->code.erase(f->code.begin() + m.at);
  f->code.insert(at, instead.begin(), instead.end());
  for (Label& label : f->labels)
    if (label.at > m.at) label.at = label.at - 1 + static_cast<uint32_t>(instead.size());
}

}  // namespace

Function Mutations::made(size_t mutation) const {
  const Mutation& m = (*this)[mutation];
  Function f = module_.functions[m.function];
  std::vector<const Mutation*> all{&m};
  for (const size_t twin : m.twins) all.push_back(&all_[twin]);
  // From the last one on, so that those before stay where they are.
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->at > b->at; });
  for (const Mutation* one : all) put_in(*one, &f);
  return f;
}

}  // namespace lockstep::emulator
