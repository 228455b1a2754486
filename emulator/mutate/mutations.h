// SPDX-License-Identifier: Apache-2.0
// The small changes of a kernel that are tried where its results are wrong (Backend::mutations).
// They are made by the rules of mutation testing: another operand, operation or condition, one more
// or less, in each instruction of the student's lines; nothing in them is of a homework.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "common/backend/code_mutation.h"
#include "emulator/debug/debug_info.h"
#include "emulator/mutate/code_words.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

struct Mutation {
  uint32_t function = 0, at = 0;     // into Module::functions, into its code
  std::vector<Instruction> instead;  // of that one
  std::vector<Type> registers;       // that these need besides the function's
  uint32_t first_register = 0;       // the number of the first of these
  std::vector<size_t> twins;         // others that say the same in lines that say the same
  std::vector<size_t> elsewhere;     // the same, where its line is in other functions, too
  bool joined = false;               // it is in another one's `elsewhere`
  Instruction told;                  // what words() tells in place of it
  enum class Words : uint8_t { kStatement, kWithout, kTrue, kFalse, kPhrase };
  Words words = Words::kStatement;
  int rank = 0;
  bool orders = false;  // CodeMutation::orders
  // Where statements come, go or are executed elsewhere; told by a phrase.
  struct Piece {
    uint32_t at = 0;
    std::vector<Instruction> before;  // put before that instruction, which stays
    std::vector<Label> labels = {};   // `at`: into these
  };
  std::vector<Piece> pieces;
  std::vector<std::pair<uint32_t, Instruction>> replaced;  // others, each by one
  std::pair<uint32_t, uint32_t> taken_out = {0, 0};        // from one instruction to another
  std::vector<Variable> variables;  // of the function, behind those that it has
  std::vector<Label> labels;        // `at`: before the instruction of that number
  std::string enlarged;             // a shared variable; "": none
  uint64_t times = 1;               // so many times as large
  std::string phrase;               // "without ... in line 12"
  int line = 0;                     // to look at; 0: that of `at`
  bool replaces() const { return words != Words::kPhrase || !instead.empty(); }
};

class Mutations {
 public:
  // Of these functions, in lines of that file (a name without folders), the likeliest first. The
  // module must have debug information (Error) and outlive it.
  Mutations(const Module& module, const std::vector<uint32_t>& functions, const std::string& file);

  size_t size() const { return order_.size(); }
  const Mutation& operator[](size_t mutation) const { return all_[order_.at(mutation)]; }
  CodeMutation words(size_t mutation) const;
  // Puts it and its twins into the module, or takes them out again: what is put in is exchanged.
  void exchange(size_t mutation, Module* module);

 private:
  friend class MutationMaker;
  void pair_twins();
  void join_functions();
  void put_in_order();
  CodeMutation words_of(const Mutation& m) const;
  Function made(const Mutation& m) const;
  const Module& module_;
  const DebugInfo info_;
  std::map<uint32_t, CodeWords> code_;     // by function
  std::unordered_set<std::string> texts_;  // that are not in the module's: opcodes, words
  // Of the module, while it has a mutation: with their numbers there.
  std::vector<std::pair<uint32_t, Function>> out_;
  std::vector<Mutation> all_;
  std::vector<size_t> order_;  // into all_, by rank
};

}  // namespace lockstep::emulator
