// SPDX-License-Identifier: Apache-2.0
// What the parser does not understand: it is skipped to the next ';' or brace, and every word in it
// that may be an operation is kept as an instruction that is not understood. The function that it
// stands in is then refused by the decoder, and no other.
#include "emulator/ptx/parser_state.h"

namespace lockstep::emulator {
namespace {

constexpr int kMostListTokens = 256;  // more than any list of operands has

constexpr std::string_view kItems[] = {
    ".version", ".target", ".address_size", ".file",  ".section", ".pragma", ".alias", ".extern",
    ".visible", ".weak",   ".common",       ".entry", ".func",    ".global", ".const", ".shared"};

// A declaration of what outlives a function's call, or of what a block shares.
bool declares(const Token& token) {
  return token.is(".global") || token.is(".const") || token.is(".shared");
}

bool begins_item(const Token& token) {
  for (const std::string_view item : kItems)
    if (token.is(item)) return true;
  return false;
}

}  // namespace

void Parser::note(Function& f, const std::string& why) const {
  if (f.problem.what.empty()) f.problem = {why, token_.line, location_};
}

void Parser::note_lost(const std::string& why) {
  if (module_.lost_variable.what.empty()) module_.lost_variable = {why, token_.line, location_};
}

void Parser::not_understood(Function& f, const Token& word) {
  Instruction in;
  in.opcode = word.text;
  in.line = word.line;
  in.location = location_;
  in.understood = false;
  f.code.push_back(std::move(in));
}

// Whether the '{' before us opens a block of statements, and not a list of operands. Looks ahead.
bool Parser::opens_block() {
  const Mark start = mark();
  bool block = true;
  int depth = 0;
  for (int i = 0; i < kMostListTokens && token_.kind != TokenKind::kEnd; ++i) {
    if (token_.is(';')) break;
    depth += token_.is('{');
    if (token_.is('}') && --depth == 0) {
      block = false;
      break;
    }
    advance();
  }
  rewind(start);
  return block;
}

// Up to and with the ';', or up to a block, to the end of one, or at the module's level to what
// begins another item. all_words: every name may be an operation; else the first, and what
// follows a ':'.
void Parser::skip_words(Function& f, const std::string& why, bool all_words) {
  const bool in_function = scopes_.size() > 1;
  bool wanted = true;
  int lists = 0;
  for (bool first = true;; first = false) {
    if (token_.kind == TokenKind::kEnd) {
      if (in_function) refuse("a function is not closed: the text is cut short");
      return;
    }
    if (token_.is('{') && lists == 0 && opens_block()) return;
    if (token_.is('}') && lists == 0 && (in_function || !first)) return;
    if (!in_function && !first && begins_item(token_)) return;
    lists += token_.is('{');
    lists -= token_.is('}') && lists > 0;
    const Token token = token_;
    if (declares(token)) note_lost(why);
    advance();
    if (token.is(';')) return;
    if (token.is(':') || token.is('@')) wanted = true;
    if (token.kind != TokenKind::kWord || token.text[0] == '.' || token.text[0] == '%') continue;
    if (wanted || all_words) not_understood(f, token);
    wanted = false;
  }
}

// A statement of a function; we are at its begin.
void Parser::skip_statement(Function& f, const std::string& why) {
  note(f, why);
  const Token begin = token_;
  const size_t before = f.code.size();
  if (token_.is('@')) {  // the guard is no operation
    advance();
    accept('!');
    if (token_.kind == TokenKind::kWord) advance();
  }
  skip_words(f, why, is_directive());
  if (f.code.size() == before && begin.kind == TokenKind::kWord) not_understood(f, begin);
}

// The head of a function, up to its body or its ';'. Its name is the first that is in no
// parentheses.
void Parser::skip_head(Function& f, const std::string& why) {
  note(f, why);
  f.name = {};
  int depth = 0;
  while (!token_.is('{') && !token_.is(';')) {
    if (token_.kind == TokenKind::kEnd) refuse("a function has no end: the text is cut short");
    depth += token_.is('(');
    depth -= token_.is(')');
    if (depth == 0 && f.name.empty() && token_.kind == TokenKind::kWord && !is_directive())
      f.name = token_.text;
    advance();
  }
}

// At the module's level; we are at the begin of what was not understood.
void Parser::skip_item(const std::string& why) {
  if (module_.problem.what.empty()) module_.problem = {why, token_.line, -1};
  note_lost(why);
  Function f;
  f.line = token_.line;
  f.has_body = true;
  begin_function();
  f.scope_parents.push_back(0);
  note(f, why);
  skip_words(f, why, true);
  if (token_.is('{')) body(f);
  if (!f.code.empty()) add_function(std::move(f));
}

}  // namespace lockstep::emulator
