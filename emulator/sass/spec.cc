// SPDX-License-Identifier: Apache-2.0
// Reads the specs of opcodes.def: see format.h.

#include <map>
#include <utility>

#include "emulator/sass/format.h"
#include "emulator/sass/spec_reader.h"

namespace lockstep::emulator::sass {
namespace {

struct NamedList {
  std::string_view name, values;
};
constexpr NamedList kLists[] = {
#define LOCKSTEP_SASS_NAMES(name, values) {#name, values},
#include "emulator/sass/opcodes.def"
};

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Reads the spec of one row for one kind of sources.
class SpecParser : SpecReader {
 public:
  SpecParser(const OpcodeRow& row, int kind, int sm) : SpecReader(row, kind, sm) {}

  // Adds none where the row is not of this architecture.
  void parse(std::vector<Format>* formats) {
    const size_t end = row_.spec.find(';');
    if (end == std::string_view::npos) fail("no ';'");
    if (!read_head(row_.spec.substr(0, end))) return;
    claim(Field{{{{0, 16}}}});
    claim(Field{{{{105, 17}, {125, 1}}}});
    for (std::string_view token : split(row_.spec.substr(end + 1), ' ')) {
      if (token.empty() || !is_for_this(&token)) continue;
      rest_ = token;
      read_term();
      if (!rest_.empty()) fail("not understood");
    }
    // Bit 91 says that a source is a uniform register.
    if (!format_.known.bit(91)) require(Field{{{{91, 1}}}}, uniform_source_);
    formats->push_back(std::move(format_));
  }

 private:
  // Takes ">=SM" or "<=SM" off a token's end.
  bool is_for_this(std::string_view* token) {
    const size_t end = token->find('=') == 0 ? token->find("=", 1) : token->find('=');
    if (end == std::string_view::npos || ((*token)[end - 1] != '<' && (*token)[end - 1] != '>')) {
      return true;
    }
    rest_ = token->substr(end + 1);
    const bool least = (*token)[end - 1] == '>';
    *token = token->substr(0, end - 1);
    const int sm = number();
    return least ? sm_ >= sm : sm_ <= sm;
  }
  bool read_head(std::string_view head) {
    for (std::string_view word : split(head, ' ')) {
      rest_ = word;
      if (take(">=") && sm_ < number()) return false;
      if (take("<=") && sm_ > number()) return false;
      if (word == "u") format_.uniform = true;
    }
    return true;
  }

  static int width_for(size_t names) {
    int width = 0;
    while ((size_t{1} << width) < names) ++width;
    return width;
  }

  // Behind the dot: NAME, (a/b) or a list's name, and its place.
  void read_names(std::vector<std::string_view>* names, Field* place) {
    if (take("(")) {
      const size_t end = rest_.find(')');
      *names = split(rest_.substr(0, end), '/');
      rest_.remove_prefix(end + 1);
    } else {
      const std::string_view word = rest_.substr(0, rest_.find('@'));
      rest_.remove_prefix(word.size());
      *names = {"", word};
      for (const NamedList& list : kLists) {
        if (list.name == word) *names = split(list.values, '/');
      }
      if (rest_.empty()) *names = {word};
    }
    if (take("@")) *place = field(width_for(names->size()));
  }

  void read_term() {
    Term term;
    if (take(".imad")) {
      term.what = TermKind::kImadWords;
    } else if (take(".")) {
      term.what = TermKind::kModifier;
      read_names(&term.names, &term.field);
    } else if (take("=")) {
      const int value = number();
      if (!take("@")) fail("'@' is missing");
      require(field(1), static_cast<uint64_t>(value));
      return;
    } else {
      read_operand(&term);
    }
    format_.terms.push_back(std::move(term));
  }

  struct Signs {
    bool negated = false, absolute = false, inverted = false;
  };

  void read_operand(Term* term) {
    Signs signs;
    for (bool more = true; more;) {
      if (take("-~")) {
        signs.negated = true;
        term->invert_instead = bit(74);
      } else if (take("-")) {
        signs.negated = true;
      } else if (take("|")) {
        signs.absolute = true;
      } else if (take("~")) {
        signs.inverted = true;
      } else {
        more = false;
      }
    }
    if (!read_fixed(term)) read_source(signs, term);
    read_suffixes(term);
  }

  // Operands that are the same for all kinds.
  bool read_fixed(Term* term) {
    if (take("UR")) {
      term->kind = OperandKind::kUniform;
      uniform_register(number(), term);
      if (take("~")) term->invert = bit(number());
    } else if (take("UP")) {
      term->kind = OperandKind::kUniformPredicate;
      predicate(term);
    } else if (take("R")) {
      term->kind = OperandKind::kRegister;
      term->field = plain(number(), 8);
      term->default_value = kZeroRegister;
    } else if (take("P")) {
      term->kind = OperandKind::kPredicate;
      predicate(term);
    } else if (take("^P")) {
      term->kind = OperandKind::kPredicate;
      predicate(term);
      term->complemented = true;
    } else if (take("s")) {
      term->kind = OperandKind::kSpecial;
      term->field = plain(number(), 8);
    } else if (take("b")) {
      term->kind = OperandKind::kBarrier;
      term->field = field(4);
    } else if (take("'")) {
      term->kind = OperandKind::kNamed;
      if (rest_.starts_with("(")) {
        read_names(&term->names, &term->part);
      } else {
        term->names = {std::exchange(rest_, {})};
      }
    } else if (rest_.starts_with("x") || rest_.starts_with("i")) {
      term->kind = OperandKind::kImmediate;
      if (take("i")) term->format = ImmediateFormat::kSignedHex;
      take("x");
      term->field = field(1);
    } else if (rest_.find_first_of("tjJ") == 0) {
      target(term);
    } else if (take("c")) {
      const bool elsewhere = take("37");
      constant(term);
      if (elsewhere) term->offset = plain(37, 17);
      if (take("u")) {
        uniform_register(number(), term);
        term->uniform = std::exchange(term->field, Field{});
      } else if (!rest_.empty()) {
        term->field = plain(number(), 8);
      }
    } else if (take("[")) {
      address(term);
    } else {
      return false;
    }
    return true;
  }

  void read_source(const Signs& signs, Term* term) {
    const bool exchanged = kind_ == 2 || kind_ == 3 || kind_ == 7;
    if (take("A")) {
      source_register(24, 72, 73, signs, 122, term);
      if (take("h")) half(term, 74);
    } else if (take("W")) {
      wide(signs, term);
    } else if (take("D")) {
      wide(signs, term);
      if (term->reuse >= 0) term->reuse = bit(124);
    } else if (take("B")) {
      exchanged ? third(signs, term) : wide(signs, term);
    } else if (take("C")) {
      exchanged ? wide(signs, term) : third(signs, term);
    } else {
      fail("no such term");
    }
  }

  void add_signs(const Signs& signs, int negate, int absolute, Term* term) {
    if (signs.negated) term->negate = bit(negate);
    if (signs.inverted) term->invert = bit(negate);
    if (signs.absolute) term->absolute = bit(absolute);
  }
  void source_register(int first, int negate, int absolute, const Signs& signs, int reuse,
                       Term* term) {
    if (format_.uniform) {
      term->kind = OperandKind::kUniform;
      uniform_register(first, term);
      uniform_source_ = true;
    } else {
      term->kind = OperandKind::kRegister;
      term->field = plain(first, 8);
      term->default_value = kZeroRegister;
      term->reuse = bit(reuse);
    }
    add_signs(signs, negate, absolute, term);
  }
  void half(Term* term, int first) {
    term->part = plain(first, 2);
    term->names = {"", sm_ < 90 ? "F32" : "-", "H0_H0", "H1_H1"};
  }
  // The register at 64, which half-precision operations sign elsewhere.
  void third(const Signs& signs, Term* term) {
    const bool halves = take("h"), elsewhere = halves || take("m");
    const bool exchanged = kind_ == 2 || kind_ == 3 || kind_ == 7;
    source_register(64, elsewhere ? 84 : 75, elsewhere ? 83 : 74, signs, exchanged ? 123 : 124,
                    term);
    if (halves) half(term, 81);
  }

  void wide(const Signs& signs, Term* term) {
    const bool halves = take("h");
    take("m");
    switch (kind_) {
      case 1:
        source_register(32, 63, 62, signs, 123, term);
        break;
      case 2:
      case 4:
        term->kind = OperandKind::kImmediate;
        term->field = plain(32, 32);
        return;
      case 3:
      case 5:
        constant(term);
        require(plain(38, 2), 0);
        add_signs(signs, 63, 62, term);
        break;
      case 6:
      case 7:
        term->kind = OperandKind::kUniform;
        uniform_register(32, term);
        uniform_source_ = true;
        add_signs(signs, 63, 62, term);
        break;
      default:
        fail("no source of this kind");
    }
    if (halves) half(term, 60);
  }

  void read_suffixes(Term* term) {
    if (take(":")) {
      static const std::map<char, ImmediateFormat> kFormats = {{'f', ImmediateFormat::kFloat},
                                                               {'d', ImmediateFormat::kDouble},
                                                               {'h', ImmediateFormat::kHalfPair},
                                                               {'i', ImmediateFormat::kSignedHex}};
      const ImmediateFormat format = kFormats.at(rest_.at(0));
      if (term->kind == OperandKind::kImmediate || term->part.present()) term->format = format;
      rest_.remove_prefix(1);
    }
    if (take(".")) read_names(&term->names, &term->part);
    if (!take("?")) return;
    if (take("?")) {
      term->never_shown = true;
    } else if (take("=")) {
      term->hides_default = true;
      term->default_value = static_cast<uint64_t>(number());
    } else if (take("<")) {
      term->hides_default = sm_ < number();
    } else if (rest_.empty()) {
      term->hides_default = true;
    } else {
      for (Term::Condition& condition : term->shown_if) {
        condition.clear = take("!");
        if (!take("@")) fail("'@' is missing");
        condition.bit = bit(number());
        if (rest_.empty()) break;
      }
    }
  }

  bool uniform_source_ = false;
};

}  // namespace

void parse_spec(const OpcodeRow& row, int kind, int sm, std::vector<Format>* formats) {
  SpecParser(row, kind, sm).parse(formats);
}

}  // namespace lockstep::emulator::sass
