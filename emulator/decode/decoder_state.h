// SPDX-License-Identifier: Apache-2.0
// The decoder's state, shared by its sources: decoder.cc (driver), decode_instruction.cc (which
// source an opcode goes to), decode_operands.cc, decode_control.cc, decode_memory.cc,
// decode_registers.cc, decode_fusion.cc, decode_liveness.cc. Not for other files.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "emulator/code/cfg.h"
#include "emulator/code/joins.h"
#include "emulator/code/opcode.h"
#include "emulator/code/operand_roles.h"
#include "emulator/decode/decoder.h"
#include "emulator/exec/alu.h"

namespace lockstep::emulator {

class Decoder {
 public:
  Decoder(const Module& module, const std::vector<uint64_t>& addresses, const SassArithmetic& sass)
      : module_(module), addresses_(addresses), sass_(sass) {}
  Program decode(uint32_t kernel);

 private:
  // Driver (decoder.cc).
  void declare_function(uint32_t function);
  void declare_called(const Function& f);
  void declare_address_taken();
  void place_module_shared();
  void place_shared(const Variable& v, uint32_t* place);
  void decode_function(uint32_t program_index);
  void place_variables();
  void place_parameters(const Function& f);
  void count_reads();
  void find_unassigned(FunctionInfo& info);
  void instruction(uint32_t index);
  void describe(const Instruction& in);
  void emit_block(uint32_t block);
  void patch_branches();
  // Of the instruction being decoded: what is wrong with it, or is not executed.
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void unsupported(const std::string& what) const;
  [[noreturn]] void refuse(const std::string& what, int line, int location) const;

  // Operands (decode_operands.cc). Offsets are into the frame; width 0 is a predicate.
  uint32_t allocate(int width);
  uint32_t allocate_words(uint32_t words);
  uint32_t constant(uint64_t bits, int width);
  uint32_t special(std::string_view name, int width);
  uint32_t register_offset(uint32_t reg);
  int register_width(uint32_t reg) const;
  int operand_width(const Operand& o) const;  // of a register; -1 for others
  uint32_t source(const Operand& o, int width, bool is_float = false);
  uint32_t destination(const Operand& o, int width);
  uint32_t optional_destination(const Operand& o, int width);
  uint64_t immediate_bits(const Operand& o, int width, bool is_float) const;
  std::optional<uint64_t> symbol_address(const Operand& o, std::string_view name, int32_t variable);
  uint64_t variable_address(size_t variable) const;
  [[noreturn]] void undeclared(std::string_view name) const;
  const Operand& operand(size_t index) const;
  void expect_operands(size_t least, size_t most) const;
  Instr& emit(Handler run);
  Instr& emit(Control control);
  void set_guard(Instr& out);

  // Registers to registers (decode_registers.cc).
  void arithmetic(const Opcode& op);
  bool try_arithmetic(const Opcode& op);
  bool half_pair(const Opcode& op);
  void emit_alu(const Alu& alu, const Opcode& op);
  void move(const Opcode& op);
  void move_vector(const Opcode& op, size_t count);
  void move_special_half();
  void convert(const Opcode& op);
  void compare(const Opcode& op);
  void emit_comparison(const Alu& alu, Type type, int combination, uint32_t p, uint32_t q);
  void set_instruction(const Opcode& op);
  void lop3(const Opcode& op);
  void address_conversion(const Opcode& op);
  void is_space(const Opcode& op);
  void carry(const Opcode& op, Handler run, int operands, int width);
  void pack(const Opcode& op);
  void unpack(const Opcode& op);
  bool clock(const Operand& from);

  // Fused multiply-add (decode_fusion.cc).
  void find_definitions();
  struct Product {
    const Instruction* mul = nullptr;
    bool negated = false;
  };
  Product product_of(const Operand& o, const Opcode& sum);
  bool dominates(size_t from, size_t to) const;
  bool factors_unchanged(const Instruction& mul) const;
  bool fused_addition(const Opcode& op);

  // Memory (decode_memory.cc).
  uint32_t access(Space space, int bytes);  // its memory slot
  int shared_variable_of(const Operand& o, int depth = 0) const;
  void load_store(const Opcode& op, bool store);
  void fence(const Opcode& op);
  void give_way(Space space);
  void prefetch(const Opcode& op);
  bool asynchronous(const Opcode& op);
  void async_copy(const Opcode& op);
  void parameter_access(const Opcode& op, bool store, const Operand& address);
  void atomic(const Opcode& op, bool reduction);
  void address(Instr& out, const Operand& o, Space space);
  std::vector<const Operand*> elements(const Operand& data, const Opcode& op);

  // Control (decode_control.cc).
  InstructionFlow flow_of(uint32_t index);
  uint32_t label_target(const Operand& o);
  const Label& table_label(const Operand& o);
  const Label* find_label(std::string_view name, uint32_t scope) const;
  void branch();
  void join_at(uint32_t at, uint32_t block);
  void table_branch();
  void call();
  void system_call(std::string_view name, const CallInfo& info);
  void end_of_function(bool is_return);
  void barrier(const Opcode& op);
  void synchronized(const Opcode& op);
  void synchronize_operands(const Opcode& op, Instr& out);

  const Module& module_;
  const std::vector<uint64_t>& addresses_;
  const SassArithmetic& sass_;
  Program out_;
  std::map<uint32_t, uint32_t> program_index_;  // module function -> out_.functions
  std::vector<uint32_t> module_function_;       // the reverse
  std::map<std::pair<uint64_t, int>, uint32_t> constants_;
  std::map<Special, uint32_t> specials_;
  std::map<std::string_view, uint32_t> shared_offsets_;  // module-level shared variables
  std::map<int, int> file_index_;                        // .file number -> index in out_.files
  bool address_taken_ = false;                           // such functions have been declared
  uint32_t next_predicate_ = 0, predicates_left_ = 0;

  // The function being decoded.
  const Function* f_ = nullptr;
  FunctionInfo* info_ = nullptr;
  uint32_t function_ = 0;  // index in out_.functions
  Cfg cfg_;
  Joins joins_;
  uint32_t first_loop_ = 0;  // of the function, among Program::left_loops
  std::vector<InstructionFlow> flows_;
  std::vector<uint32_t> registers_;  // offsets; kNoOperand: not yet
  std::vector<uint32_t> variables_;  // offset in the frame, shared or local memory
  std::map<uint32_t, std::vector<uint32_t>> variables_of_;  // program function -> variables_
  std::vector<uint32_t> reads_;                             // by register: how often it is read
  std::vector<int> definition_;  // by register: its only writer; negative: none
  uint32_t carry_ = kNoOperand;
  uint32_t first_block_ = 0;        // of this function in out_.blocks
  uint32_t first_instruction_ = 0;  // in out_.instructions
  std::unordered_map<std::string_view, std::vector<uint32_t>> labels_;
  const Instruction* in_ = nullptr;  // the instruction being decoded
  uint32_t number_ = 0;              // its place in out_.instructions
  struct Patch {
    uint32_t at = 0;     // code index
    uint32_t block = 0;  // cfg block
    bool join = false;   // patch o[1] instead of imm
  };
  std::vector<Patch> patches_;
  struct TablePatch {
    uint32_t at = 0, block = 0;
  };
  std::vector<TablePatch> table_patches_;
};

}  // namespace lockstep::emulator
