// SPDX-License-Identifier: Apache-2.0
// The parser's state, shared by its sources: parser.cc (module level), parse_variables.cc
// (declarations and initializers), parse_body.cc (statements of functions), parse_operands.cc,
// parse_expression.cc, parse_calls.cc (arguments in registers), parse_skip.cc (what is not
// understood). Not for other files.
#pragma once

#include <functional>
#include <unordered_map>

#include "common/base/error.h"
#include "emulator/ptx/lexer.h"
#include "emulator/ptx/module.h"

namespace lockstep::emulator {

inline constexpr uint64_t kMostRegisters = 1 << 20;         // a module
inline constexpr uint64_t kMostVariableBytes = 1ull << 30;  // a variable
inline constexpr uint64_t kMostNumbered = 1 << 16;          // variables of "x<100>", a module
inline constexpr size_t kMostScopes = 1 << 20;              // a function
inline constexpr size_t kMostNesting = 1000;
inline constexpr int kMostDepth = 100;  // of an expression

// The text is not what the grammar of this parser says: the statement is skipped and marked.
class SyntaxError : public Error {
 public:
  using Error::Error;
};

class Parser {
 public:
  Parser(std::shared_ptr<const std::string> text, const std::string& name);
  Module parse();

 private:
  // Tokens.
  void advance() { end_ = lexer_.place().at, token_ = lexer_.next(); }
  bool accept(char c);
  bool accept(std::string_view word);
  void expect(char c);
  std::string_view expect_word(const char* what);
  int64_t expect_integer(const char* what);
  bool is_directive() const { return token_.kind == TokenKind::kWord && token_.text[0] == '.'; }
  std::string describe() const;
  std::string_view keep(std::string text);
  // Throws SyntaxError; the text is without file and line, which Problem has.
  [[noreturn]] void fail(const std::string& what) const;
  // Throws an Error "FILE:LINE: what", which refuses the module.
  [[noreturn]] void refuse(const std::string& what) const { lexer_.fail(token_.line, what); }
  struct Mark {
    Lexer::Place place;
    Token token;
    size_t end;
  };
  Mark mark() const { return {lexer_.place(), token_, end_}; }
  void rewind(const Mark& mark) { lexer_.seek(mark.place), token_ = mark.token, end_ = mark.end; }

  // Module level (parser.cc).
  void directive();
  void add_piece(size_t begin);
  void file_directive();
  void section();
  void linked_item();
  void alias();
  void function(bool is_entry);
  void function_head(Function& f);
  void add_function(Function f);
  bool performance_directive(Function& f);
  void launch_attribute(LaunchAttribute* attribute, std::string_view name, int line);
  void parameter_list(Function& f, std::vector<uint32_t>& list);
  void resolve_aliases();

  // What is not understood (parse_skip.cc).
  void skip_item(const std::string& why);
  void skip_head(Function& f, const std::string& why);
  void skip_statement(Function& f, const std::string& why);
  void skip_words(Function& f, const std::string& why, bool all_words);
  bool opens_block();
  void not_understood(Function& f, const Token& word);
  void note(Function& f, const std::string& why) const;
  void note_lost(const std::string& why);

  // Variables (parse_variables.cc).
  Variable declared_type(Space space);
  void declarator(Variable& v, uint64_t* numbered);
  void declare(Space space, const std::function<void(Variable)>& add);
  void dimensions(Variable& v);
  void initializers(Variable& v);
  Initializer initializer(const Variable& v);
  Initializer symbol_initializer();

  // Bodies (parse_body.cc).
  void begin_function();
  void body(Function& f);
  void statement(Function& f);
  void body_directive(Function& f);
  void body_variables(Function& f, Space space);
  void register_declaration(Function& f);
  void add_registers(Function& f, std::string_view name, Type type, uint32_t width, uint64_t count,
                     bool numbered);
  void location_directive(Function& f);
  void table_directive(Function& f, std::string_view label);
  void open_scope(Function& f);
  void word_statement(Function& f);
  void guarded_instruction(Function& f);
  void instruction(Function& f, Instruction in);
  std::string_view opcode();

  // Operands (parse_operands.cc, parse_expression.cc).
  Operand operand(bool of_call);
  Operand simple_operand();
  Operand symbol_operand(Operand symbol);
  Operand address();
  Operand list(char close);
  Operand named(std::string_view name);
  Operand immediate();
  int64_t offset();
  struct Registers {
    uint32_t first = 0;
    uint32_t count = 0;  // 0: one register without a number
    uint32_t width = 1;  // elements of a vector
  };
  bool find_register(std::string_view name, uint32_t* reg, uint32_t* width) const;
  int32_t find_variable(std::string_view name) const;
  Token expression();
  Token conditional(int depth);
  Token binary(int least, int depth);
  Token unary(int depth);
  int binary_operator(std::string_view* symbol);
  Token apply(std::string_view symbol, const Token& a, const Token& b) const;

  // Arguments in registers (parse_calls.cc).
  void load_parameters(Function& f);
  void store_results(Function& f, const Instruction& at);
  void pass_registers(Function& f, Instruction call);
  const Function* callee(const Instruction& call) const;
  Instruction moved(const Function& f, const Instruction& at, bool store, uint32_t variable,
                    const Operand& value);
  uint32_t hidden_parameter(Function& f, Type type);

  struct Scope {
    uint32_t id = 0;
    std::unordered_map<std::string_view, Registers> registers;
    std::unordered_map<std::string_view, int32_t> variables;
  };
  // A parameter or result that is a register of the function.
  struct InRegister {
    uint32_t variable = 0, reg = 0;
    bool is_result = false;
  };

  Lexer lexer_;
  Token token_;
  size_t end_ = 0;  // of the token before it, in the text
  Module module_;
  std::vector<std::string_view> declared_;  // by the piece that is being read
  Function* function_ = nullptr;            // that is being read
  std::vector<Scope> scopes_;               // of it, innermost last
  std::vector<InRegister> in_registers_;
  uint64_t registers_ = 0;  // of the module so far
  uint64_t numbered_ = 0;   // the same, of variables with a number
  std::vector<std::pair<std::string_view, std::string_view>> aliases_;
  std::map<std::pair<std::pair<int, int>, int>, int> places_;  // latest .loc of file, line, column
  int location_ = -1;
};

}  // namespace lockstep::emulator
