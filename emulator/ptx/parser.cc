// SPDX-License-Identifier: Apache-2.0
// Module level of the PTX parser: directives, linkage, functions' heads.
#include "emulator/ptx/parser.h"

#include <cstdio>
#include <memory>

#include "common/error.h"
#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {

Parser::Parser(std::shared_ptr<const std::string> text, const std::string& name)
    : lexer_(*text, name) {
  module_.text = std::move(text);
  module_.name = name;
  advance();
}

bool Parser::accept(char c) {
  if (!token_.is(c)) return false;
  advance();
  return true;
}

bool Parser::accept(std::string_view word) {
  if (!token_.is(word)) return false;
  advance();
  return true;
}

std::string Parser::describe() const {
  switch (token_.kind) {
    case TokenKind::kEnd:
      return "the end of the text";
    case TokenKind::kPunct:
      return std::string("'") + token_.punct + "'";
    case TokenKind::kWord:
    case TokenKind::kString:
      return "'" + shown(token_.text) + "'";
    default:
      return "a number";
  }
}

void Parser::expect(char c) {
  if (!accept(c)) fail(std::string("expected '") + c + "', found " + describe());
}

std::string_view Parser::expect_word(const char* what) {
  if (token_.kind != TokenKind::kWord)
    fail(std::string("expected ") + what + ", found " + describe());
  const std::string_view text = token_.text;
  advance();
  return text;
}

int64_t Parser::expect_integer(const char* what) {
  const bool negative = accept('-');
  if (token_.kind != TokenKind::kInteger)
    fail(std::string("expected ") + what + ", found " + describe());
  const int64_t value = static_cast<int64_t>(token_.bits);
  advance();
  return negative ? static_cast<int64_t>(0 - static_cast<uint64_t>(value)) : value;
}

Module Parser::parse() {
  if (!token_.is(".version")) fail("expected .version, found " + describe() + "; is this PTX?");
  while (token_.kind != TokenKind::kEnd) directive();
  for (uint32_t i = 0; i < module_.variables.size(); ++i)
    module_.variable_index.emplace(module_.variables[i].name, i);
  return std::move(module_);
}

void Parser::directive() {
  if (accept(".version")) {
    // "9.0" reads as a fraction; only its presence matters.
    if (token_.kind != TokenKind::kFloat64 && token_.kind != TokenKind::kInteger)
      fail("expected a version number, found " + describe());
    advance();
  } else if (accept(".target")) {
    expect_word("a target");
    while (accept(',')) expect_word("a target");
  } else if (accept(".address_size")) {
    if (expect_integer("an address size") != 64) fail("only 64-bit addresses are supported");
  } else if (accept(".file")) {
    file_directive();
  } else if (accept(".section")) {
    section();
  } else if (accept(".pragma")) {
    while (!token_.is(';') && token_.kind != TokenKind::kEnd) advance();
    expect(';');
  } else if (accept(".alias")) {
    fail("unsupported: .alias");
  } else if (accept(';')) {
  } else {
    linked_item();
  }
}

void Parser::file_directive() {
  const int64_t index = expect_integer("a file number");
  if (token_.kind != TokenKind::kString) fail("expected a file name, found " + describe());
  module_.files[static_cast<int>(index & 0x7fffffff)] = std::string(token_.text);
  advance();
  while (accept(',')) expect_integer("a number");
}

// Debug information of the compiler: not needed, but its braces must close.
void Parser::section() {
  expect_word("a section name");
  expect('{');
  size_t depth = 1;
  while (depth > 0) {
    if (token_.kind == TokenKind::kEnd) fail("a section is not closed: the text is cut short");
    depth += token_.is('{');
    depth -= token_.is('}');
    advance();
  }
}

void Parser::linked_item() {
  bool is_extern = false;
  for (;;) {
    if (accept(".extern")) {
      is_extern = true;
    } else if (!accept(".visible") && !accept(".weak") && !accept(".common")) {
      break;
    }
  }
  if (accept(".entry")) return function(true, is_extern);
  if (accept(".func")) return function(false, is_extern);
  Space space = Space::kNone;
  if (accept(".global"))
    space = Space::kGlobal;
  else if (accept(".const"))
    space = Space::kConst;
  else if (accept(".shared"))
    space = Space::kShared;
  else if (accept(".local"))
    space = Space::kLocal;
  else if (token_.is(".tex") || token_.is(".surf"))
    fail("unsupported: textures and surfaces");
  else
    fail("expected a directive, found " + describe());
  do {
    Variable v = variable(space);
    v.is_extern = is_extern;
    initializers(v);
    module_.variables.push_back(std::move(v));
  } while (accept(','));
  expect(';');
}

void Parser::function(bool is_entry, bool) {
  Function f;
  f.is_entry = is_entry;
  f.line = token_.line;
  scopes_.clear();
  scopes_.emplace_back();
  f.scope_parents.push_back(0);
  if (is_entry && token_.is('(')) fail("a kernel has no results");
  if (token_.is('(')) parameter_list(f, f.results);
  f.name = expect_word("a function's name");
  if (token_.is('(')) parameter_list(f, f.parameters);
  performance_directives(f);
  if (token_.is('{')) {
    f.has_body = true;
    body(f);
  } else {
    expect(';');
  }
  const auto [at, inserted] =
      module_.function_index.emplace(f.name, static_cast<uint32_t>(module_.functions.size()));
  if (inserted) {
    module_.functions.push_back(std::move(f));
  } else if (f.has_body) {
    Function& before = module_.functions[at->second];
    if (before.has_body) lexer_.fail(f.line, "'" + shown(f.name) + "' is defined twice");
    before = std::move(f);
  }
}

void Parser::performance_directives(Function& f) {
  while (token_.kind == TokenKind::kWord) {
    const std::string_view word = token_.text;
    advance();
    if (word == ".noreturn") continue;
    if (word == ".maxntid" || word == ".reqntid") {
      int64_t threads = 1;
      do {
        const int64_t n = expect_integer("a number of threads");
        if (n < 1 || n > 1024) fail("a block has 1 to 1024 threads");
        threads *= n;
      } while (accept(','));
      f.max_threads = static_cast<int>(threads > 1024 ? 1024 : threads);
    } else if (word == ".minnctapersm" || word == ".maxnctapersm" || word == ".maxnreg") {
      expect_integer("a number");
    } else if (word == ".abi_preserve" || word == ".abi_preserve_control") {
      expect_integer("a number");
    } else if (word == ".pragma") {
      while (!token_.is(';') && token_.kind != TokenKind::kEnd) advance();
      expect(';');
    } else if (word == ".explicitcluster" || word == ".reqnctapercluster" ||
               word == ".maxclusterrank" || word == ".blocksareclusters") {
      fail("unsupported: thread block clusters (" + std::string(word) + ")");
    } else {
      fail("unknown directive '" + shown(word) + "'");
    }
  }
}

void Parser::parameter_list(Function& f, std::vector<uint32_t>& list) {
  expect('(');
  while (!accept(')')) {
    if (!accept(".param") && !accept(".reg")) fail("expected .param, found " + describe());
    Variable v = variable(Space::kParam);
    const auto index = static_cast<int32_t>(f.variables.size());
    scopes_.back().variables[v.name] = index;
    list.push_back(static_cast<uint32_t>(index));
    f.variables.push_back(std::move(v));
    if (!token_.is(')')) expect(',');
  }
}

Module parse_ptx(std::string text, const std::string& name) {
  auto shared = std::make_shared<const std::string>(std::move(text));
  return Parser(std::move(shared), name).parse();
}

Module read_ptx_file(const std::string& path) {
  constexpr size_t kMostBytes = size_t{256} << 20;
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) throw Error(path + ": cannot be read; is the path right?");
  std::string text;
  char buffer[1 << 16];
  while (const size_t n = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, n);
    if (text.size() > kMostBytes) throw Error(path + ": larger than 256 MiB: not read");
  }
  return parse_ptx(std::move(text), path);
}

}  // namespace lockstep::emulator
