// SPDX-License-Identifier: Apache-2.0
// The parser's state, shared by its three sources: parser.cc (module level), parse_variables.cc
// (declarations and initializers) and parse_body.cc (functions' bodies). Not for other files.
#pragma once

#include <unordered_map>

#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

inline constexpr uint64_t kMostRegisters = 1 << 20;         // a module
inline constexpr uint64_t kMostVariableBytes = 1ull << 30;  // a variable
inline constexpr size_t kMostScopes = 1 << 16;              // a function
inline constexpr size_t kMostNesting = 1000;

class Parser {
 public:
  Parser(std::shared_ptr<const std::string> text, const std::string& name);
  Module parse();

 private:
  // Tokens.
  void advance() { token_ = lexer_.next(); }
  bool accept(char c);
  bool accept(std::string_view word);
  void expect(char c);
  std::string_view expect_word(const char* what);
  int64_t expect_integer(const char* what);
  std::string describe() const;
  [[noreturn]] void fail(const std::string& what) const { lexer_.fail(token_.line, what); }

  // Module level (parser.cc).
  void directive();
  void file_directive();
  void section();
  void linked_item();
  void function(bool is_entry, bool is_extern);
  void performance_directives(Function& f);
  void parameter_list(Function& f, std::vector<uint32_t>& list);

  // Variables (parse_variables.cc).
  Variable variable(Space space);
  void dimensions(Variable& v);
  void initializers(Variable& v);
  Initializer initializer(const Variable& v);
  Initializer symbol_initializer();

  // Bodies (parse_body.cc).
  void body(Function& f);
  void body_directive(Function& f);
  void register_declaration(Function& f);
  void location_directive(Function& f);
  void table_directive(Function& f, std::string_view label);
  void open_scope(Function& f);
  void close_scope(Function& f);
  void word_statement(Function& f);
  void instruction(Function& f, int guard, bool negated);
  void guarded_instruction(Function& f);
  Operand operand(Function& f);
  Operand simple_operand(Function& f);
  Operand address(Function& f);
  Operand list(Function& f, char close);
  Operand signed_immediate();
  Operand named(Function& f, std::string_view name);
  bool find_register(std::string_view name, uint32_t* reg) const;
  int32_t find_variable(std::string_view name) const;

  struct Registers {
    uint32_t first = 0;
    uint32_t count = 0;  // 0: one register without a number
  };
  struct Scope {
    uint32_t id = 0;
    std::unordered_map<std::string_view, Registers> registers;
    std::unordered_map<std::string_view, int32_t> variables;
  };

  Lexer lexer_;
  Token token_;
  Module module_;
  std::vector<Scope> scopes_;  // of the function being read, innermost last
  uint64_t registers_ = 0;     // of the module so far
  std::map<std::pair<std::pair<int, int>, int>, int> places_;  // latest .loc of file, line, column
  int location_ = -1;
};

}  // namespace lockstep::emulator
