// SPDX-License-Identifier: Apache-2.0
// What instructions of a module built with -G compute, in the names of the source's variables: in
// such a module each expression of the source has instructions of its own, and each variable a
// register.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/debug/debug_info.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

// Operand::variable of a symbol that is words of a mutation's own.
inline constexpr int32_t kWords = -2;

class CodeWords {
 public:
  // Both must outlive it.
  CodeWords(const Module& module, const DebugInfo& info, uint32_t function);

  // A variable that has a value before an instruction: in a register, or known to the compiler.
  struct Variable {
    std::string name;
    uint32_t reg = 0;
    std::optional<int64_t> constant;  // in place of a register
    bool is_pointer = false;
  };
  std::vector<Variable> variables_at(uint32_t instruction) const;

  // The variable that lies in this register, somewhere in the function; nullptr: none.
  const std::string* name_of(uint32_t reg) const;
  bool is_pointer(uint32_t reg) const { return pointers_.contains(reg); }
  // Whether a value is an address, or made of one.
  bool is_address(const Operand& o) const;
  // What lies in local memory: a variable of the function, its place among them.
  struct Local {
    std::string name;
    uint32_t variable = 0;       // of the debug information
    int64_t first = 0, end = 0;  // bytes from %SP
  };
  // The one at an address that the compiler knows; nullptr: it is none, or does not know.
  const Local* local_at(const Operand& address) const;
  // The one instruction that sets the register; nullptr: several do, or none.
  const Instruction* definition(uint32_t reg) const;

  // Whether anything reads a register that one instruction sets.
  bool is_used(uint32_t reg) const {
    const auto at = used_by_.find(reg);
    return at != used_by_.end() && at->second.size() > 1;
  }
  // The operations that read it.
  std::vector<std::string_view> roots_of_users(uint32_t reg) const;
  // Whether an instruction behind that one has it as an operand.
  bool is_read_behind(uint32_t reg, uint32_t instruction) const {
    const auto at = used_by_.find(reg);
    return at != used_by_.end() && at->second.back() > instruction;
  }

  // The function that an instruction calls, without its parameters; "": of the module it is none.
  std::string callee(size_t call) const;

  // "h = hi + j * 4", "l_out[idx + i] = sum", "i < n": of an instruction of the function, or of one
  // that would stand in its place. "" where there are no words for it.
  std::string of(const Instruction& in) const;
  std::string of(const Operand& value) const { return operand(value, 0, 0); }
  // The same as a term of a sum, and as a factor: in brackets where these bind more tightly.
  std::string as_term(const Operand& value) const;
  std::string as_factor(const Operand& value) const;
  // The same of the value alone, "hi + j * 4"; with brackets where it has an operation.
  std::string in_brackets(const Instruction& in) const;
  std::string value(const Instruction& in) const { return computed(in, 0, 0); }
  // Of the statement, or the condition, that the value of an instruction is part of, as it is with
  // another one in its place.
  std::string statement(uint32_t at, const Instruction& instead) const;

 private:
  struct Place;
  std::string operand(const Operand& o, int binding, int depth) const;
  std::string of_register(uint32_t reg, int binding, int depth) const;
  std::string computed(const Instruction& in, int binding, int depth) const;
  std::string binary(const Instruction& in, const char* sign, int own, int binding,
                     int depth) const;
  // Of an access of so many bytes; 0: not known.
  std::string element(const Operand& address, int64_t bytes, int depth) const;
  std::string part_of(uint32_t type, int64_t offset) const;
  void measure_locals();
  std::string index(const Operand& scaled, int depth) const;
  size_t number_of(const Instruction& in) const;
  std::string of_call(size_t call, int depth) const;
  std::string called(const Instruction& in, int depth) const;
  std::string argument(const Instruction& in) const;
  void name_registers();
  void name_parameters();

  const Module& module_;
  const DebugInfo& info_;
  const uint32_t number_;
  const Function& f_;
  std::vector<std::vector<uint32_t>> set_by_;  // by register: the instructions that set it
  std::map<uint32_t, std::string> names_;      // by register
  std::map<uint32_t, bool> pointers_;
  std::map<int64_t, Local> locals_;                    // by their offset from %SP
  std::map<uint32_t, std::vector<uint32_t>> used_by_;  // by register: the instructions that read it
  mutable const Instruction* instead_ = nullptr;       // of the one at instead_at_
  mutable uint32_t instead_at_ = 0;
  std::map<std::string_view, uint32_t> parameters_;  // by symbol: the register that it is loaded to
};

// "tid.x" -> "threadIdx.x"; "" where the name is no such register's.
std::string name_of_special(std::string_view name);

// Bytes that a thread accesses with a load or store.
int64_t accessed(const Instruction& in);

}  // namespace lockstep::emulator
