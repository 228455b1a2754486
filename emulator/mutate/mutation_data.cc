// SPDX-License-Identifier: Apache-2.0
// A variable gets a result that was dropped, is set again in each turn of a loop, has an element
// for each turn, or is larger.
#include <algorithm>

#include "emulator/code/locations.h"
#include "emulator/mutate/mutation_maker.h"

namespace lockstep::emulator {

void MutationMaker::data() {
  const std::vector<Loop> all = loops();
  dropped_results();
  named_numbers();
  for (const Loop& loop : all) reset_variables(loop);
  reset_stretches(all);
  variables_of_turns(all);
  arrays_of_turns(all);
  larger_arrays();
}

// f(x) where nothing uses what it returns: v = f(x).
void MutationMaker::dropped_results() {
  for (uint32_t i = 1; i < f_->code.size(); ++i) {
    const Instruction& in = f_->code[i];
    const Opcode op(in.opcode);
    if (op.root != "ld" || !op.has("param") || line_at(i) == 0) continue;
    if (!f_->code[i - 1].opcode.starts_with("call") || !is_register(in.operands[0])) continue;
    const uint32_t result = in.operands[0].reg;
    if (words_->is_used(result)) continue;
    at_ = i;
    for (uint32_t reg = 0; reg < f_->registers.size(); ++reg) {
      const std::string* name = words_->name_of(reg);
      if (name == nullptr || f_->registers[reg] != f_->registers[result]) continue;
      if (!words_->is_read_behind(reg, i)) continue;
      Mutation m = phrased(i, kNearby, "", line_at(i));
      const std::string call = words_->value(in);
      m.phrase = "with `" + *name + " = " + call + "` in place of `" + call + "` in line " +
                 std::to_string(m.line) + ", whose result nothing uses";
      m.instead = {in, made(std::string("mov.") + type_name(f_->registers[reg]),
                            {reg_operand(reg), in.operands[0]})};
      put(std::move(m));
    }
  }
}

// The number that a variable of that name is set to before.
std::optional<Operand> MutationMaker::initial_value(const std::string& name, uint32_t before,
                                                    int* line) const {
  std::optional<Operand> value;
  for (uint32_t i = 0; i < before; ++i) {
    const Instruction& in = f_->code[i];
    if (Opcode(in.opcode).root != "mov" || in.operands.size() != 2) continue;
    if (!is_register(in.operands[0])) continue;
    const std::string* to = words_->name_of(in.operands[0].reg);
    if (to == nullptr || *to != name) continue;
    const Operand* from = &in.operands[1];
    if (const Instruction* d = is_register(*from) ? words_->definition(from->reg) : nullptr)
      if (Opcode(d->opcode).root == "mov" && d->operands.size() == 2) from = &d->operands[1];
    if (!is_number(*from)) continue;
    value = *from;
    *line = line_at(i);
  }
  return value;
}

void MutationMaker::reset_variables(const Loop& loop) {
  for (const CodeWords::Variable& v : words_->variables_at(loop.body)) {
    if (v.constant || v.is_pointer || f_->registers[v.reg] == Type::kPred) continue;
    int line = 0;
    const std::optional<Operand> value = initial_value(v.name, loop.head, &line);
    if (!value || line == 0 || line == loop.line) continue;
    Mutation m = phrased(loop.body, kNearby, "", line);
    m.phrase = "with `" + v.name + " = " + words_->of(*value) + "` in each turn of the loop in " +
               "line " + std::to_string(loop.line) + ", not only before it in line " +
               std::to_string(line);
    m.pieces.push_back({loop.body,
                        {made(std::string("mov.") + type_name(f_->registers[v.reg]),
                              {reg_operand(v.reg), *value})}});
    put(std::move(m));
  }
}

// A line that sets something to numbers.
void MutationMaker::reset_stretches(const std::vector<Loop>& loops) {
  constexpr uint32_t kLongest = 64;
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const int line = line_at(i);
    const auto [first, end] = stretch(i);
    i = std::max(i, end - 1);
    if (line == 0 || end - first > kLongest) continue;
    bool stores = false, plain = true;
    for (uint32_t k = first; k < end; ++k) {
      const Opcode op(f_->code[k].opcode);
      stores |= op.root == "st";
      plain &= op.root == "st" || op.root == "mov" || op.root == "add" || op.root == "cvt" ||
               op.root == "mul" || op.root == "shl" || op.root == "cvta";
      plain &= !op.has("param");
    }
    if (!stores || !plain) continue;
    for (const Loop& loop : loops) {
      if (loop.head < end) continue;
      Mutation m = phrased(loop.body, kNearby, "", line);
      m.phrase = "with line " + std::to_string(line) + " executed in each turn of the loop in " +
                 "line " + std::to_string(loop.line) + ", not only before it";
      m.pieces.push_back({loop.body, {f_->code.begin() + first, f_->code.begin() + end}});
      put(std::move(m));
    }
  }
}

const MutationMaker::Loop* MutationMaker::innermost(const std::vector<Loop>& loops, uint32_t i) {
  const Loop* best = nullptr;
  for (const Loop& loop : loops)
    if (loop.head <= i && i <= loop.end && (best == nullptr || loop.head > best->head))
      best = &loop;
  return best;
}

// The last of the registers that it adds has the address of a turn's element.
std::vector<Instruction> MutationMaker::address_of_turn(Mutation* m, uint32_t counter) {
  const auto r = static_cast<uint32_t>(f_->registers.size() + m->registers.size());
  m->registers.insert(m->registers.end(), {Type::kB64, Type::kB64, Type::kB64});
  Operand array = special(m->variables[0].name);
  array.variable = static_cast<int32_t>(f_->variables.size());
  return {made("mov.u64", {reg_operand(r), array}),
          made("mul.wide.s32", {reg_operand(r + 1), reg_operand(counter), integer(kBytesOfATurn)}),
          made("add.s64", {reg_operand(r + 2), reg_operand(r), reg_operand(r + 1)})};
}

Operand MutationMaker::element_of_turn(const Mutation& m) const {
  Operand o = reg_operand(static_cast<uint32_t>(f_->registers.size() + m.registers.size() - 1));
  o.kind = Operand::Kind::kAddress;
  o.has_register = true;
  return o;
}

// Before what reads the variable outside of that loop: its element. False: nothing does.
bool MutationMaker::read_elements(const std::vector<Loop>& loops, const Loop* loop,
                                  const Operand& variable, const std::string& counter,
                                  Mutation* m) {
  const std::string& name = *words_->name_of(variable.reg);
  const Type type = f_->registers[variable.reg];
  bool any = false;
  for (uint32_t k = 0; k < f_->code.size(); ++k) {
    const Instruction& use = f_->code[k];
    const Opcode op(use.opcode);
    if (innermost(loops, k) == loop || copies(use, op)) continue;
    for (size_t o = op.root == "st" ? 0 : 1; o < use.operands.size(); ++o) {
      const Operand& read = use.operands[o];
      const std::string* of = is_register(read) ? words_->name_of(read.reg) : nullptr;
      if (of == nullptr || *of != name || f_->registers[read.reg] != type) continue;
      const std::vector<CodeWords::Variable> there = words_->variables_at(k);
      const auto turn = std::find_if(there.begin(), there.end(), [&](const auto& v) {
        return v.name == counter && !v.constant && f_->registers[v.reg] == Type::kB32;
      });
      if (turn == there.end()) break;
      at_ = k;
      std::vector<Instruction> before = address_of_turn(m, turn->reg);
      before.push_back(
          made(std::string("ld.local.") + type_name(type), {read, element_of_turn(*m)}));
      m->pieces.push_back({k, before});
      any = true;
      break;
    }
  }
  return any;
}

// A variable that is set in a loop and read in another one: an array, with an element a turn.
void MutationMaker::variables_of_turns(const std::vector<Loop>& loops) {
  for (uint32_t i = 0; i < f_->code.size(); ++i) {
    const Instruction& in = f_->code[i];
    const Loop* loop = innermost(loops, i);
    if (loop == nullptr || line_at(i) == 0 || in.operands.empty()) continue;
    const Operand& set = in.operands[0];
    if (!is_register(set) || Opcode(in.opcode).root == "st") continue;
    const std::string* name = words_->name_of(set.reg);
    if (name == nullptr || copies(in, Opcode(in.opcode))) continue;
    const Type type = f_->registers[set.reg];
    if (type == Type::kPred || words_->is_pointer(set.reg)) continue;
    for (const CodeWords::Variable& counter : words_->variables_at(i)) {
      if (counter.constant || counter.is_pointer || counter.name == *name) continue;
      if (f_->registers[counter.reg] != Type::kB32) continue;
      Mutation m = phrased(i, kNearby, "", line_at(i));
      m.phrase = "with an array `" + *name + "[" + counter.name + "]` in place of the one " +
                 "variable `" + *name + "` that is set in line " + std::to_string(m.line);
      Variable array;
      array.name = kept("__mutation");
      array.space = Space::kLocal;
      array.type = Type::kB8;
      array.bytes = uint64_t{kTurns} * kBytesOfATurn;
      array.alignment = kBytesOfATurn;
      m.variables = {array};
      std::vector<Instruction> after = address_of_turn(&m, counter.reg);
      after.push_back(made(std::string("st.local.") + type_name(type), {element_of_turn(m), set}));
      m.pieces.push_back({i + 1, after});
      if (read_elements(loops, loop, set, counter.name, &m)) put(std::move(m));
    }
  }
}

// Where an access to a local array has its address: the register of the array's beginning, and how
// far from %SP that is.
std::optional<std::pair<uint32_t, int64_t>> MutationMaker::local_array_of(
    const Instruction& in) const {
  const Opcode op(in.opcode);
  if ((op.root != "ld" && op.root != "st") || op.modifiers.size() > 1 || in.operands.size() != 2)
    return std::nullopt;
  const Operand& address = in.operands[op.root == "st" ? 0 : 1];
  const Instruction* at = address.has_register ? words_->definition(address.reg) : nullptr;
  if (at == nullptr || address.offset != 0 || Opcode(at->opcode).root != "add") return std::nullopt;
  const Operand& begin = at->operands[1];
  const Instruction* base = is_register(begin) ? words_->definition(begin.reg) : nullptr;
  if (base == nullptr || Opcode(base->opcode).root != "add" || base->operands[1].name != "%SP" ||
      base->operands[2].kind != Operand::Kind::kInteger)
    return std::nullopt;
  return std::pair(begin.reg, static_cast<int64_t>(base->operands[2].bits));
}

// An access to the array of so many bytes, by the one with an element a turn.
void MutationMaker::put_element_of_turn(uint32_t k, uint32_t begin, uint32_t counter, Mutation* m) {
  at_ = k;
  Instruction access = f_->code[k];
  const Opcode op(access.opcode);
  Operand& address = access.operands[op.root == "st" ? 0 : 1];
  const uint32_t r = m->first_register;
  Operand array = special(m->variables[0].name);
  array.variable = static_cast<int32_t>(f_->variables.size());
  const auto bytes = static_cast<int64_t>(type_bytes(op.type()));
  m->pieces.push_back(
      {k,
       {made("sub.s64", {reg_operand(r), reg_operand(address.reg), reg_operand(begin)}),
        made("mul.lo.s64", {reg_operand(r), reg_operand(r), integer(kTurns)}),
        made("mul.wide.s32", {reg_operand(r + 1), reg_operand(counter), integer(bytes)}),
        made("add.s64", {reg_operand(r), reg_operand(r), reg_operand(r + 1)}),
        made("mov.u64", {reg_operand(r + 1), array}),
        made("add.s64", {reg_operand(r), reg_operand(r), reg_operand(r + 1)})}});
  address.reg = r;
  access.opcode = kept(std::string(op.root) + ".local." + type_name(op.type()));
  m->replaced.emplace_back(k, std::move(access));
}

// A local array that each turn of a loop sets anew: with an element of each for each turn.
void MutationMaker::arrays_of_turns(const std::vector<Loop>& loops) {
  std::map<int64_t, std::vector<uint32_t>> accesses;  // by the array's offset
  for (uint32_t k = 0; k < f_->code.size(); ++k)
    if (const auto array = local_array_of(f_->code[k])) accesses[array->second].push_back(k);
  int64_t end = 0;
  for (const Variable& v : f_->variables)
    if (v.name.starts_with("__local_depot")) end = static_cast<int64_t>(v.bytes);
  for (auto array = accesses.begin(); array != accesses.end(); ++array) {
    const auto next = std::next(array);
    const int64_t bytes = (next == accesses.end() ? end : next->first) - array->first;
    const std::vector<uint32_t>& all = array->second;
    const auto set = std::find_if(all.begin(), all.end(), [&](uint32_t k) {
      return f_->code[k].opcode.starts_with("st") && innermost(loops, k) != nullptr;
    });
    if (set == all.end() || bytes <= 0 || bytes > kMostBytes || line_at(*set) == 0) continue;
    std::set<std::string> counted;  // what changes in the loops around it
    for (const Loop& loop : loops)
      if (loop.head <= *set && *set <= loop.end)
        counted.merge(needs_of(loop.head, loop.end + 1).writes);
    for (const CodeWords::Variable& counter : words_->variables_at(*set))
      if (counted.contains(counter.name))
        add_array_of_turns(all, *set, counter, static_cast<uint64_t>(bytes));
  }
}

void MutationMaker::add_array_of_turns(const std::vector<uint32_t>& accesses, uint32_t set,
                                       const CodeWords::Variable& counter, uint64_t bytes) {
  if (counter.constant || counter.is_pointer || f_->registers[counter.reg] != Type::kB32) return;
  const Instruction& store = f_->code[set];
  const std::string element = words_->of(store), name = element.substr(0, element.find('['));
  Mutation m = phrased(set, kOther, "", line_at(set));
  m.phrase = "with `" + name + "[...][" + counter.name + "]` in place of `" + name +
             "[...]`, which line " + std::to_string(m.line) + " sets in each turn";
  Variable array;
  array.name = kept("__mutation");
  array.space = Space::kLocal;
  array.type = Type::kB8;
  array.bytes = bytes * kTurns;
  array.alignment = kBytesOfATurn;
  m.variables = {array};
  m.registers = {Type::kB64, Type::kB64};
  for (const uint32_t k : accesses) {
    const std::vector<CodeWords::Variable> there = words_->variables_at(k);
    const auto turn = std::find_if(there.begin(), there.end(), [&](const auto& v) {
      return v.name == counter.name && !v.constant && f_->registers[v.reg] == Type::kB32;
    });
    if (turn == there.end()) return;
    put_element_of_turn(k, local_array_of(f_->code[k])->first, turn->reg, &m);
  }
  put(std::move(m));
}

void MutationMaker::larger_arrays() {
  if (!f_->is_entry) return;
  std::set<std::string_view> used;
  for (const Instruction& in : f_->code)
    for (const Operand& o : in.operands)
      if (o.kind == Operand::Kind::kSymbol) used.insert(o.name);
  for (const std::vector<Variable>* all : {&module_.variables, &f_->variables})
    for (const Variable& v : *all) {
      const int line = to_.info_.line_of_symbol(v.name);
      if (v.space != Space::kShared || v.bytes == 0 || !used.contains(v.name) || line == 0)
        continue;
      for (const uint64_t times : {2, 4, 8, 16, 32}) {
        Mutation m = phrased(0, kNearby, "", line);
        m.phrase = "with `" + demangled_variable(v.name) + "` " + std::to_string(times) +
                   " times as large as it is declared in line " + std::to_string(line);
        m.enlarged = std::string(v.name);
        m.times = times;
        put(std::move(m));
      }
    }
}

}  // namespace lockstep::emulator
