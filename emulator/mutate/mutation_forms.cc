// SPDX-License-Identifier: Apache-2.0
// The same in another form: a shuffle of another kind, an index whose other term is multiplied, a
// share that is rounded up.
#include <algorithm>
#include <iterator>

#include "emulator/mutate/mutation_maker.h"
#include "emulator/mutate/word_parts.h"

namespace lockstep::emulator {
namespace {

using words::is_unknown;

struct Kind {
  const char *mode, *name;
};
constexpr Kind kShuffles[] = {{"idx", "__shfl_sync"},
                              {"up", "__shfl_up_sync"},
                              {"down", "__shfl_down_sync"},
                              {"bfly", "__shfl_xor_sync"}};

}  // namespace

void MutationMaker::forms() {
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    if (line_at(i) == 0) continue;
    at_ = i;
    variables_ = words_->variables_at(i);
    const Opcode op(f_->code[i].opcode);
    if (op.root == "call") other_shuffles(i);
    if (op.root == "add" && !is_float(op.type())) other_terms(f_->code[i], op);
    if (op.root == "div" && !is_float(op.type())) rounded_up(i);
  }
}

// A call of one of the functions that shuffle 32 bits: (mask, value, lane, width).
void MutationMaker::other_shuffles(uint32_t call) {
  const std::string name = words_->callee(call);
  if (std::none_of(std::begin(kShuffles), std::end(kShuffles),
                   [&](const Kind& kind) { return name == kind.name; }))
    return;
  uint32_t first = call;
  while (first > 0 && f_->code[first - 1].opcode.starts_with("st.param")) --first;
  if (call - first != 4 || call + 1 >= f_->code.size()) return;
  const Instruction& result = f_->code[call + 1];
  if (!result.opcode.starts_with("ld.param") || type_bytes(Opcode(result.opcode).type()) != 4)
    return;
  const auto argument = [&](uint32_t k) { return f_->code[first + k].operands.at(1); };
  const auto fresh = static_cast<uint32_t>(f_->registers.size());
  const Operand limit = reg_operand(fresh), value = reg_operand(fresh + 1),
                given = reg_operand(fresh + 2);
  for (const Kind& kind : kShuffles) {
    if (name == kind.name) continue;
    Mutation m = phrased(call, kNearby, "", line_at(call));
    m.phrase = std::string("with `") + kind.name + "` in place of `" + name + "` in line " +
               std::to_string(m.line);
    m.registers = {Type::kB32, Type::kB32, Type::kB32};
    // As the toolkit's functions have it: a shuffle up ends at a part's first lane.
    m.instead = {made("sub.s32", {limit, integer(32), argument(3)}),
                 made("shl.b32", {limit, limit, integer(8)})};
    if (std::string_view(kind.mode) != "up")
      m.instead.push_back(made("or.b32", {limit, limit, integer(31)}));
    m.instead.push_back(made("mov.b32", {value, argument(1)}));
    m.instead.push_back(made(std::string("shfl.sync.") + kind.mode + ".b32",
                             {given, value, argument(2), limit, argument(0)}));
    m.replaced.emplace_back(call + 1, made("mov.b32", {result.operands[0], given}));
    put(std::move(m));
  }
}

// What a sum of whole numbers adds up, of sums without a name, too.
std::vector<Operand> MutationMaker::terms_of(const Instruction& sum) const {
  constexpr size_t kMost = 4;
  std::vector<Operand> terms = {sum.operands[1], sum.operands[2]};
  for (size_t k = 0; k < terms.size() && terms.size() < kMost;) {
    const Instruction* const inner =
        is_register(terms[k]) && words_->name_of(terms[k].reg) == nullptr
            ? words_->definition(terms[k].reg)
            : nullptr;
    if (inner == nullptr || inner->opcode != sum.opcode || inner->operands.size() != 3) {
      ++k;
      continue;
    }
    terms[k] = inner->operands[1];
    terms.insert(terms.begin() + static_cast<std::ptrdiff_t>(k) + 1, inner->operands[2]);
  }
  return terms;
}

// x and s of a product without a name.
std::optional<std::pair<Operand, Operand>> MutationMaker::product_of(const Operand& o) const {
  if (!is_register(o) || words_->name_of(o.reg) != nullptr) return std::nullopt;
  const Instruction* const in = words_->definition(o.reg);
  if (in == nullptr || in->operands.size() != 3) return std::nullopt;
  const Opcode op(in->opcode);
  const Operand& factor = in->operands[2];
  if (op.root == "shl" && is_number(factor))
    return std::pair(in->operands[1], integer(int64_t{1} << (factor.bits & 31)));
  if (op.root == "mul" && op.has("lo")) return std::pair(in->operands[1], factor);
  return std::nullopt;
}

// x * s + y: x + y * k. Who deals out in pieces writes the one, who deals out in turn the other. Of
// a sum that is part of another expression the words would need that one's brackets: left out.
void MutationMaker::other_terms(const Instruction& in, const Opcode& op) {
  if (in.operands.size() != 3 || type_bytes(op.type()) != 4 || !is_register(in.operands[0])) return;
  if (words_->name_of(in.operands[0].reg) == nullptr)
    for (const std::string_view root : words_->roots_of_users(in.operands[0].reg))
      if (root != "cvt" && root != "mov" && root != "st") return;
  const std::vector<Operand> terms = terms_of(in);
  for (size_t t = 0; t < terms.size(); ++t)
    if (const auto product = product_of(terms[t]))
      for (size_t y = 0; y < terms.size(); ++y)
        if (y != t && is_register(terms[y]) && !product_of(terms[y]))
          other_factor(in, terms, t, *product, y);
}

void MutationMaker::other_factor(const Instruction& in, const std::vector<Operand>& terms, size_t t,
                                 const std::pair<Operand, Operand>& product, size_t y) {
  const auto scaled = reg_operand(static_cast<uint32_t>(f_->registers.size()));
  const auto sum = reg_operand(scaled.reg + 1);
  std::vector<std::pair<Operand, std::string>> factors = steps_at(at_);
  factors.emplace_back(product.second, words_->as_factor(product.second));
  for (const auto& [by, words] : factors) {
    if (words == words_->of(terms[y])) continue;
    std::vector<Instruction> instead{made("mul.lo.s32", {scaled, terms[y], by}),
                                     made("mov.u32", {sum, integer(0)})};
    std::string told_words;
    for (size_t k = 0; k < terms.size(); ++k) {
      const Operand& term = k == t ? product.first : terms[k];
      instead.push_back(made("add.s32", {sum, sum, k == y ? scaled : term}));
      told_words += (k > 0 ? " + " : "") +
                    (k == y ? words_->as_factor(term) + " * " + words : words_->as_term(term));
    }
    if (is_unknown(told_words)) continue;
    instead.push_back(made("mov.u32", {in.operands[0], sum}));
    Instruction told = in;
    told.opcode = kept("mov.u32");
    told.operands = {in.operands[0], worded(told_words, "", "")};
    add(std::move(instead), told, kOther, {Type::kB32, Type::kB32});
  }
}

// a / b made up to the next whole number, and what is done with it only as far as a reaches: two
// changes, which are tried behind those that are one.
void MutationMaker::rounded_up(uint32_t i) {
  constexpr int kRank = kMoreWithin;
  constexpr size_t kMostPlaces = 16;
  const Instruction& in = f_->code[i];
  const Operand &all = in.operands[1], &parts = in.operands[2];
  if (kRank > most_rank_ || !is_register(all) || type_bytes(f_->registers[all.reg]) != 4) return;
  if (words_->definition(all.reg) == nullptr) return;  // it may be another one behind it
  const std::string bound = words_->as_term(all), by = words_->as_factor(parts);
  if (is_unknown(bound + by)) return;
  const int line = line_at(i);
  const auto predicate = static_cast<uint32_t>(f_->registers.size());
  const auto put_with = [&](Mutation m) {
    const auto sum = reg_operand(predicate + static_cast<uint32_t>(m.registers.size()));
    at_ = i;
    m.registers.push_back(Type::kB32);
    m.pieces.push_back(
        {i, {made("add.s32", {sum, all, parts}), made("sub.s32", {sum, sum, integer(1)})}});
    m.replaced.emplace_back(i, made("div.s32", {in.operands[0], sum, parts}));
    m.phrase = "with `(" + bound + " + " + words_->as_term(parts) + " - 1) / " + by + "` in line " +
               std::to_string(line) + " and " + m.phrase.substr(m.phrase.find('`'));
    m.line = line;
    m.rank = kRank;
    put(std::move(m));
  };
  const auto tests = [&](uint32_t at) {
    std::vector<Test> found;
    at_ = at;
    for (const CodeWords::Variable& v : words_->variables_at(at))
      if (!v.constant && !v.is_pointer && f_->registers[v.reg] == Type::kB32 && v.name != bound)
        found.push_back({v.name + " < " + bound,
                         {made("setp.lt.s32", {reg_operand(predicate), reg_operand(v.reg), all})}});
    return found;
  };
  size_t places = 0;
  for (const Stretch& s : storing())
    if (s.first > i && places++ < kMostPlaces)
      for (const Test& test : tests(s.first)) put_with(guarded_store(s, test));
  for (uint32_t k = i + 1; k < f_->code.size() && places < 2 * kMostPlaces; ++k)
    if (const auto is = decision_at(k); is && ++places > 0)
      for (const Test& test : tests(k)) put_with(further_condition(k, *is, test, true));
}

}  // namespace lockstep::emulator
