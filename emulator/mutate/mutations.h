// SPDX-License-Identifier: Apache-2.0
// The small changes of a kernel that are tried where its results are wrong (Backend::mutations).
// They are made by the rules of mutation testing: another operand, operation or condition, one more
// or less, in each instruction of the student's lines; nothing in them is of a homework.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
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
  Instruction told;                  // what words() tells in place of it
  enum class Words : uint8_t { kStatement, kWithout, kTrue, kFalse } words = Words::kStatement;
  int rank = 0;
};

class Mutations {
 public:
  // Of these functions, in lines of that file (a name without folders), the likeliest first. The
  // module must have debug information (Error) and outlive it.
  Mutations(const Module& module, const std::vector<uint32_t>& functions, const std::string& file);

  size_t size() const { return all_.size(); }
  const Mutation& operator[](size_t mutation) const { return all_[order_.at(mutation)]; }
  CodeMutation words(size_t mutation) const;
  // The function with it in it, and its twins.
  Function made(size_t mutation) const;

 private:
  friend class MutationMaker;
  void pair_twins();
  const Module& module_;
  const DebugInfo info_;
  std::map<uint32_t, CodeWords> code_;  // by function
  std::deque<std::string> opcodes_;     // that are not in the module's text
  std::vector<Mutation> all_;
  std::vector<size_t> order_;  // into all_, by rank
};

}  // namespace lockstep::emulator
