// SPDX-License-Identifier: Apache-2.0
#include "emulator/debug/expression.h"

#include <cctype>
#include <charconv>

#include "emulator/debug/values.h"

namespace lockstep::emulator {
namespace {

using Kind = Expression::Kind;

constexpr size_t kMostLetters = 200;
constexpr int kMostDepth = 30;

bool is_builtin(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

// Sums of products of names, numbers, and what is in parentheses.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  bool parse(Expression* out) {
    if (text_.size() > kMostLetters) return false;
    *out = sum(0);
    skip();
    return good_ && at_ == text_.size();
  }

 private:
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool accept(std::string_view what) {
    skip();
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  Expression bad() {
    good_ = false;
    return {};
  }
  std::string word() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  Expression sum(int depth) {
    if (depth > kMostDepth) return bad();
    Expression left = product(depth);
    for (int turns = 0; good_ && turns < kMostDepth; ++turns) {
      const bool plus = accept("+");
      if (!plus && !accept("-")) return left;
      left = {Kind::kBinary, 0, plus ? "+" : "-", {std::move(left), product(depth)}};
    }
    return good_ ? bad() : left;
  }

  Expression product(int depth) {
    Expression left = unary(depth);
    for (int turns = 0; good_ && turns < kMostDepth; ++turns) {
      const char* op = accept("*") ? "*" : accept("/") ? "/" : accept("%") ? "%" : nullptr;
      if (op == nullptr) return left;
      left = {Kind::kBinary, 0, op, {std::move(left), unary(depth)}};
    }
    return good_ ? bad() : left;
  }

  Expression unary(int depth) {
    if (depth > kMostDepth) return bad();
    if (accept("-")) return {Kind::kMinus, 0, {}, {unary(depth + 1)}};
    Expression e = primary(depth + 1);
    for (int turns = 0; good_ && turns < kMostDepth; ++turns) {
      if (accept("[")) {
        e = {Kind::kIndex, 0, {}, {std::move(e), sum(depth + 1)}};
        if (!accept("]")) return bad();
      } else if (accept("->") || accept(".")) {
        std::string name = word();
        if (name.empty()) return bad();
        e = {Kind::kMember, 0, std::move(name), {std::move(e)}};
      } else {
        return e;
      }
    }
    return good_ ? bad() : e;
  }

  Expression primary(int depth) {
    if (accept("(")) {
      Expression e = sum(depth + 1);
      return accept(")") ? e : bad();
    }
    std::string name = word();
    if (name.empty()) return bad();
    if (std::isdigit(static_cast<unsigned char>(name[0]))) return number(name);
    if (!accept("(")) return {Kind::kName, 0, std::move(name), {}};
    static constexpr std::string_view kCasts[] = {"int",      "unsigned",  "long",
                                                  "size_t",   "ptrdiff_t", "int64_t",
                                                  "uint64_t", "int32_t",   "uint32_t"};
    bool known = false;
    for (const std::string_view cast : kCasts) known |= name == cast;
    Expression e = sum(depth + 1);
    return known && accept(")") ? Expression{Kind::kCast, 0, name, {std::move(e)}} : bad();
  }

  Expression number(std::string_view digits) {
    while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != digits.npos)
      digits.remove_suffix(1);
    const bool hexadecimal = digits.starts_with("0x");
    if (hexadecimal) digits.remove_prefix(2);
    Expression e;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(),
                                              e.number, hexadecimal ? 16 : 10);
    return error == std::errc() && end == digits.data() + digits.size() ? e : bad();
  }

  std::string_view text_;
  size_t at_ = 0;
  bool good_ = true;
};

class Evaluator {
 public:
  explicit Evaluator(const Scene& scene) : scene_(scene), dwarf_(scene.info.dwarf()) {}

  Found find(const Expression& e) {
    switch (e.kind) {
      case Kind::kNumber:
        return of_number(e.number);
      case Kind::kName:
        return name(e.name);
      case Kind::kMember:
        return member(e);
      case Kind::kIndex:
        return index(e);
      case Kind::kCast:
      case Kind::kMinus: {
        const std::optional<int64_t> n = number_of(find(e.parts[0]));
        if (!n || e.kind == Kind::kCast) return of_number(n);
        return of_number(static_cast<int64_t>(0 - static_cast<uint64_t>(*n)));
      }
      case Kind::kBinary:
        break;
    }
    return of_number(binary(e.name[0], number_of(find(e.parts[0])), number_of(find(e.parts[1]))));
  }

  uint32_t variable() const { return variable_; }

 private:
  static Found of_number(std::optional<int64_t> number) {
    Found f;
    f.number = number;
    return f;
  }

  static std::optional<int64_t> binary(char op, std::optional<int64_t> a,
                                       std::optional<int64_t> b) {
    if (!a || !b) return std::nullopt;
    const auto x = static_cast<uint64_t>(*a), y = static_cast<uint64_t>(*b);
    if (op == '+') return static_cast<int64_t>(x + y);
    if (op == '-') return static_cast<int64_t>(x - y);
    if (op == '*') return static_cast<int64_t>(x * y);
    if (*b == 0 || *b == -1) return std::nullopt;
    return op == '/' ? *a / *b : *a % *b;
  }

  std::optional<int64_t> number_of(const Found& f) const {
    if (f.number || f.type == kNoEntry) return f.number;
    const Entry& type = dwarf_.entries[f.type];
    const bool integer = type.tag == dwarf::kEnumeration ||
                         (type.tag == dwarf::kBaseType && type.encoding != dwarf::kFloat);
    uint64_t value = 0;
    if (!integer || !scene_.lane.read_number(f.at, static_cast<size_t>(type.bytes), &value))
      return std::nullopt;
    const auto unused = static_cast<int>(64 - 8 * type.bytes);
    const bool is_signed = type.encoding == dwarf::kSigned || type.encoding == dwarf::kSignedChar;
    if (is_signed) return static_cast<int64_t>(value << unused) >> unused;
    return static_cast<int64_t>(value);
  }

  // What a reference refers to.
  Found followed(Found f) const {
    if (f.type == kNoEntry) return f;
    const uint64_t tag = dwarf_.entries[f.type].tag;
    if (tag != dwarf::kReference && tag != dwarf::kRvalueReference) return f;
    return target(f);
  }

  Found target(const Found& pointer) const {
    uint64_t address = 0;
    Found f;
    if (!scene_.lane.read_number(pointer.at, 8, &address)) return f;
    f.type = dwarf_.type_of(pointer.type);
    f.at = {Spot::Space::kGeneric, address, 0};
    return f;
  }

  Found name(const std::string& name) {
    Found f;
    const uint32_t variable = scene_.info.find(scene_.function, scene_.instruction, name);
    if (variable == kNoEntry) return f;
    if (variable_ == kNoEntry) variable_ = variable;
    f.type = dwarf_.type_of(variable);
    f.at = scene_.lane.locate(scene_.info.home_of(variable, scene_.function, scene_.instruction));
    return followed(f);
  }

  Found member(const Expression& e) {
    if (e.parts[0].kind == Kind::kName && is_builtin(e.parts[0].name)) {
      int64_t value = 0;
      const bool known =
          e.name.size() == 1 && scene_.lane.builtin(e.parts[0].name, e.name[0], &value);
      return known ? of_number(value) : Found();
    }
    Found whole = find(e.parts[0]);
    if (whole.type == kNoEntry) return {};
    if (dwarf_.entries[whole.type].tag == dwarf::kPointer) whole = target(whole);
    if (whole.type == kNoEntry) return {};
    for (uint32_t m = whole.type + 1; m < dwarf_.entries[whole.type].end;
         m = dwarf_.entries[m].end) {
      if (dwarf_.entries[m].tag != dwarf::kMember || dwarf_.entries[m].name != e.name) continue;
      Found f;
      f.type = dwarf_.type_of(m);
      f.at = whole.at.plus(dwarf_.entries[m].member_offset);
      return followed(f);
    }
    return {};
  }

  Found index(const Expression& e) {
    const Found whole = find(e.parts[0]);
    const std::optional<int64_t> index = number_of(find(e.parts[1]));
    if (whole.type == kNoEntry || !index) return {};
    Found f;
    uint64_t bytes = 0;
    if (dwarf_.entries[whole.type].tag == dwarf::kPointer) {
      f = target(whole);
      bytes = bytes_of_type(dwarf_, f.type);
    } else if (dwarf_.entries[whole.type].tag == dwarf::kArray) {
      const ElementType element = element_of(dwarf_, whole.type, whole.dimension);
      // Where the compiler knows how many there are, a wrong index shows nothing of another array.
      if (element.count != 0 && static_cast<uint64_t>(*index) >= element.count) return {};
      f.type = element.type;
      f.dimension = element.dimension;
      f.at = whole.at;
      bytes = element.bytes;
    }
    if (bytes == 0 || f.at.space == Spot::Space::kNowhere) return {};
    f.at = f.at.plus(static_cast<uint64_t>(*index) * bytes);
    return f;
  }

  const Scene& scene_;
  const Dwarf& dwarf_;
  uint32_t variable_ = kNoEntry;
};

void add_names(const Expression& e, std::vector<std::string>* names) {
  if (e.kind == Kind::kName && !is_builtin(e.name)) names->push_back(e.name);
  for (const Expression& part : e.parts) add_names(part, names);
}

}  // namespace

bool parse_expression(std::string_view text, Expression* out) {
  return ExpressionParser(text).parse(out);
}

std::vector<std::string> names_in(const Expression& e) {
  std::vector<std::string> names;
  add_names(e, &names);
  return names;
}

Found evaluate(const Expression& e, const Scene& scene) {
  Evaluator evaluator(scene);
  Found found = evaluator.find(e);
  found.variable = evaluator.variable();
  return found;
}

std::string text_of(const Found& found, const Scene& scene) {
  if (found.number) return std::to_string(*found.number);
  return value_text(scene.info.dwarf(), scene.lane, found.type, found.dimension, found.at);
}

}  // namespace lockstep::emulator
