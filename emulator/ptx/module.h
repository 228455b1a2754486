// SPDX-License-Identifier: Apache-2.0
// A PTX module as parsed: variables, functions and their instructions, names resolved within each
// function. code/decoder.h turns it into what is executed. Text is pointed to, not copied.
//
// No operation of the text is missing: a statement that the parser does not understand is an
// Instruction with its opcode that is not `understood`, and a block that belongs to nothing known
// is a Function without a name. What calls need for arguments in registers is written out as
// instructions with the opcodes st.param and ld.param.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/ptx/types.h"

namespace lockstep::emulator {

enum class Space : uint8_t { kNone, kReg, kGlobal, kShared, kLocal, kConst, kParam };

// One field of an initializer: bytes, or the address of a symbol plus an offset.
struct Initializer {
  std::string_view symbol;  // empty: `value`
  bool generic = false;     // generic(symbol)
  int shift = 0;            // mask(symbol): the byte of the address that is kept, times 8
  bool masked = false;
  uint64_t value = 0;  // bits; with a symbol, the offset
};

struct Variable {
  std::string_view name;
  Space space = Space::kNone;
  Type type = Type::kNone;
  uint64_t bytes = 0;  // 0: extern, size given at the launch
  uint32_t element_bytes = 0;
  uint32_t alignment = 1;
  bool is_extern = false;
  bool of_function = false;  // .global or .const, declared in a function
  int32_t global = -1;       // the same there: index into Module::variables
  int line = 0;
  std::vector<Initializer> initial;  // elements of `type`, the rest zero
};

struct Operand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,
    kInteger,
    kFloat32,
    kFloat64,
    kSymbol,
    kAddress,
    kVector,
    kDiscard,
  };
  Kind kind = Kind::kNone;
  bool negated = false;  // !%p1
  uint32_t reg = 0;      // kRegister; kAddress with has_register: into Function::registers
  bool has_register = false;
  int32_t variable = -1;       // kSymbol, kAddress: index into Function::variables; -1: not there
  uint32_t scope = 0;          // kSymbol: where a label is looked up from
  int64_t offset = 0;          // kSymbol, kAddress
  uint64_t bits = 0;           // immediate; a negative one in two's complement
  std::string_view name;       // kSymbol, kAddress: label, variable, function, special register
  std::vector<Operand> parts;  // kVector: elements; kAddress: what follows a comma
};

struct Location {
  int file = 0, line = 0, column = 0;
  int inlined_at = -1;  // index into Function::locations: the call that was inlined
};

struct Instruction {
  std::string_view opcode;  // with its modifiers
  int line = 0;             // of the PTX text
  int location = -1;        // index into Function::locations
  int guard = -1;           // register
  bool guard_negated = false;
  bool understood = true;  // false: nothing but opcode, line and location is known
  std::vector<Operand> operands;
  Operand pair;  // what follows '|' in the first operand
};

struct Label {
  std::string_view name;
  uint32_t scope = 0;
  uint32_t at = 0;                        // index of the instruction that follows
  std::vector<std::string_view> targets;  // .branchtargets, .calltargets: no place in the code
  bool is_table = false;
};

// The first statement of a function that was not understood, and why.
struct Problem {
  std::string what;  // empty: there is none
  int line = 0;
  int location = -1;
};

// An attribute of a kernel that restricts its launch: .reqntid 64, 2.
struct LaunchAttribute {
  std::string_view name;  // empty: not there
  int line = 0;
  uint32_t x = 1, y = 1, z = 1;
  bool given() const { return !name.empty(); }
  // Blocks or threads; sizes are below 2^21, so it fits.
  uint64_t count() const { return uint64_t{x} * y * z; }
};

// ".reg .b32 %r<29>;" of a function's body, not of a scope within it.
struct RegisterRange {
  std::string_view name;  // "%r"
  uint32_t first = 0;     // into Function::registers
  uint32_t count = 0;     // of "%r0", "%r1" ...; 0: one register of that name
};

struct Function {
  std::string_view name;  // empty: a block that belongs to nothing known
  bool is_entry = false, has_body = false;
  int line = 0;
  Problem problem;
  LaunchAttribute most_threads, threads;    // .maxntid, .reqntid
  uint32_t least_blocks = 0;                // .minnctapersm
  LaunchAttribute cluster, cluster_demand;  // .reqnctapercluster; .explicitcluster and its like
  std::vector<uint32_t> parameters;         // into variables
  std::vector<uint32_t> results;            // into variables
  std::vector<Variable> variables;          // of every scope
  std::vector<Type> registers;
  std::vector<RegisterRange> register_names;
  std::vector<Instruction> code;
  std::vector<Label> labels;
  std::vector<uint32_t> scope_parents;  // scope 0 is the body
  std::vector<Location> locations;
};

// A stretch of the text at the module's level: a declaration or a definition, or directives, with
// what stands before them. All of them together are the text.
struct Piece {
  std::string_view text;
  std::vector<std::string_view> names;  // that it declares; none: it declares nothing that is known
};

struct Module {
  std::shared_ptr<const std::string> text;
  std::string name;                  // for messages: the file, without its folders
  Problem problem;                   // outside of functions
  Problem lost_variable;             // what was not understood and may declare a variable
  std::map<int, std::string> files;  // .file
  // Text between the braces of ".section NAME { }": debug information (debug/).
  std::map<std::string_view, std::string_view> sections;
  std::vector<Piece> pieces;
  std::vector<Variable> variables;
  std::vector<Function> functions;  // a definition replaces its declaration
  std::map<std::string_view, uint32_t> function_index;
  std::map<std::string_view, uint32_t> variable_index;
  std::shared_ptr<std::deque<std::string>> kept;  // names that are not in the text as they are
};

}  // namespace lockstep::emulator
