// SPDX-License-Identifier: Apache-2.0
// Module level of the PTX parser: directives, linkage, functions' heads.
#include "emulator/ptx/parser.h"

#include <cstdio>
#include <memory>

#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {

Parser::Parser(std::shared_ptr<const std::string> text, const std::string& name)
    : lexer_(*text, name) {
  module_.text = std::move(text);
  module_.name = name;
  module_.kept = std::make_shared<std::deque<std::string>>();
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

std::string_view Parser::keep(std::string text) {
  return module_.kept->emplace_back(std::move(text));
}

void Parser::fail(const std::string& what) const { throw SyntaxError(what); }

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
  if (!accept(c)) fail("expected '" + std::string(1, c) + "', found " + describe());
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
  if (!token_.is(".version")) refuse("expected .version, found " + describe() + "; is this PTX?");
  for (size_t begin = 0; token_.kind != TokenKind::kEnd; begin = end_) {
    const Mark start = mark();
    declared_.clear();
    try {
      directive();
    } catch (const SyntaxError& e) {
      rewind(start);
      declared_.clear();
      skip_item(e.what());
    }
    add_piece(begin);
  }
  resolve_aliases();
  return std::move(module_);
}

// From `begin` to here. Pieces without names are one.
void Parser::add_piece(size_t begin) {
  const std::string_view text = *module_.text;
  std::vector<Piece>& pieces = module_.pieces;
  if (declared_.empty() && !pieces.empty() && pieces.back().names.empty()) {
    begin -= pieces.back().text.size();
    pieces.back().text = text.substr(begin, end_ - begin);
  } else {
    pieces.push_back({text.substr(begin, end_ - begin), declared_});
  }
}

void Parser::directive() {
  if (accept(".version")) {
    // "9.0" reads as a fraction; only its presence matters.
    if (token_.kind != TokenKind::kFloat64 && token_.kind != TokenKind::kInteger)
      refuse("expected a version number, found " + describe());
    advance();
  } else if (accept(".target")) {
    expect_word("a target");
    while (accept(',')) expect_word("a target");
  } else if (accept(".address_size")) {
    if (expect_integer("an address size") != 64) refuse("only 64-bit addresses are supported");
  } else if (accept(".file")) {
    file_directive();
  } else if (accept(".section")) {
    section();
  } else if (accept(".pragma")) {
    while (!token_.is(';') && token_.kind != TokenKind::kEnd) advance();
    expect(';');
  } else if (accept(".alias")) {
    alias();
  } else if (!accept(';')) {
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

// Debug information of the compiler: kept as it is (debug/ reads it), but its braces must close.
void Parser::section() {
  const std::string_view name = expect_word("a section name");
  expect('{');
  const size_t begin = end_;
  size_t depth = 1;
  while (depth > 0) {
    if (token_.kind == TokenKind::kEnd) refuse("a section is not closed: the text is cut short");
    depth += token_.is('{');
    depth -= token_.is('}');
    advance();
  }
  const std::string_view text = *module_.text;
  module_.sections.emplace(name, text.substr(begin, end_ - 1 - begin));
}

// ".alias name, function;"
void Parser::alias() {
  const std::string_view name = expect_word("a function's name");
  declared_.push_back(name);
  expect(',');
  aliases_.emplace_back(name, expect_word("a function's name"));
  expect(';');
}

void Parser::resolve_aliases() {
  for (const auto& [name, function] : aliases_) {
    const auto at = module_.function_index.find(function);
    if (at != module_.function_index.end()) module_.function_index[name] = at->second;
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
  if (accept(".entry")) return function(true);
  if (accept(".func")) return function(false);
  Space space = Space::kNone;
  if (accept(".global"))
    space = Space::kGlobal;
  else if (accept(".const"))
    space = Space::kConst;
  else if (accept(".shared"))
    space = Space::kShared;
  else
    fail("expected a directive, found " + describe());
  declare(space, [&](Variable v) {
    v.is_extern = is_extern;
    declared_.push_back(v.name);
    module_.variable_index.emplace(v.name, static_cast<uint32_t>(module_.variables.size()));
    module_.variables.push_back(std::move(v));
  });
}

void Parser::function(bool is_entry) {
  Function f;
  f.is_entry = is_entry;
  f.line = token_.line;
  begin_function();
  f.scope_parents.push_back(0);
  const Mark start = mark();
  try {
    function_head(f);
    if (!token_.is('{') && !token_.is(';')) fail("expected '{', found " + describe());
  } catch (const SyntaxError& e) {
    rewind(start);
    skip_head(f, e.what());
  }
  f.has_body = token_.is('{');
  if (f.has_body)
    body(f);
  else
    advance();
  add_function(std::move(f));
}

void Parser::function_head(Function& f) {
  if (f.is_entry && token_.is('(')) fail("a kernel has no results");
  if (token_.is('(')) parameter_list(f, f.results);
  f.name = expect_word("a function's name");
  if (token_.is('(')) parameter_list(f, f.parameters);
  while (is_directive()) {
    const std::string word = describe();
    if (!performance_directive(f)) fail("unknown directive " + word);
  }
}

void Parser::add_function(Function f) {
  const auto number = static_cast<uint32_t>(module_.functions.size());
  if (f.name.empty()) return module_.functions.push_back(std::move(f));
  declared_.push_back(f.name);
  const auto [at, inserted] = module_.function_index.emplace(f.name, number);
  if (inserted) {
    module_.functions.push_back(std::move(f));
  } else if (f.has_body) {
    Function& before = module_.functions[at->second];
    if (before.has_body) lexer_.fail(f.line, "'" + shown(f.name) + "' is defined twice");
    before = std::move(f);
  }
}

bool Parser::performance_directive(Function& f) {
  const std::string_view word = token_.text;
  const int line = token_.line;
  advance();
  if (word == ".noreturn") return true;
  if (word == ".maxntid") return launch_attribute(&f.most_threads, word, line), true;
  if (word == ".reqntid") return launch_attribute(&f.threads, word, line), true;
  if (word == ".reqnctapercluster") return launch_attribute(&f.cluster, word, line), true;
  if (word == ".explicitcluster" || word == ".blocksareclusters") {
    f.cluster_demand.name = word;
    f.cluster_demand.line = line;
    return true;
  }
  if (word == ".minnctapersm") {
    f.least_blocks = static_cast<uint32_t>(expect_integer("a number"));
    return true;
  }
  if (word == ".maxnctapersm" || word == ".maxnreg" || word == ".maxclusterrank" ||
      word == ".abi_preserve" || word == ".abi_preserve_control") {
    expect_integer("a number");
    return true;
  }
  if (word == ".pragma") {
    while (!token_.is(';') && token_.kind != TokenKind::kEnd) advance();
    expect(';');
    return true;
  }
  return false;
}

// ".reqntid 8, 8"
void Parser::launch_attribute(LaunchAttribute* attribute, std::string_view name, int line) {
  attribute->name = name;
  attribute->line = line;
  uint32_t* const sizes[] = {&attribute->x, &attribute->y, &attribute->z};
  for (uint32_t* size : sizes) {
    const int64_t n = expect_integer("a number");
    if (n < 1 || n >= (1 << 21)) fail("a size that cannot be");
    *size = static_cast<uint32_t>(n);
    if (!accept(',')) break;
  }
}

void Parser::parameter_list(Function& f, std::vector<uint32_t>& list) {
  expect('(');
  while (!accept(')')) {
    const bool in_register = accept(".reg");
    if (!in_register && !accept(".param")) fail("expected .param, found " + describe());
    Variable v = declared_type(Space::kParam);
    uint64_t numbered = 0;
    declarator(v, &numbered);
    if (numbered > 0) fail("a parameter with a number");
    const auto index = static_cast<uint32_t>(f.variables.size());
    const std::string_view name = v.name;
    const Type type = v.type;
    if (in_register && v.bytes != static_cast<uint64_t>(type_bytes(v.type)))
      fail("a vector as a parameter");
    list.push_back(index);
    f.variables.push_back(std::move(v));
    if (in_register) {
      const auto reg = static_cast<uint32_t>(f.registers.size());
      add_registers(f, name, type, 1, 1, false);
      in_registers_.push_back({index, reg, &list == &f.results});
    } else {
      scopes_.back().variables[name] = static_cast<int32_t>(index);
    }
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
  return parse_ptx(std::move(text), path.substr(path.rfind('/') + 1));
}

}  // namespace lockstep::emulator
