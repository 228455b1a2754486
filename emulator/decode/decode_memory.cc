// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomic operations.
#include <algorithm>

#include "emulator/decode/decoder_state.h"
#include "emulator/exec/async_copies.h"
#include "emulator/exec/atomics.h"
#include "emulator/exec/memory_handlers.h"
#include "emulator/exec/moves.h"
#include "emulator/ptx/lexer.h"

namespace lockstep::emulator {
namespace {

Space space_of(const Opcode& op) {
  if (op.has("global")) return Space::kGlobal;
  if (op.has("shared") || op.has("shared::cta")) return Space::kShared;
  if (op.has("local")) return Space::kLocal;
  if (op.has("const")) return Space::kConst;
  if (op.has("param") || op.has("param::entry") || op.has("param::func")) return Space::kParam;
  return Space::kNone;
}

bool orders(const Opcode& op) {
  return op.has("volatile") || op.has("relaxed") || op.has("acquire") || op.has("release") ||
         op.has("mmio");
}

// What other blocks may rely on, by semantics and scope.
uint16_t reliance(const Opcode& op) {
  if (op.has("cta")) return kOfItsBlock;
  const bool both = op.has("acq_rel") || op.has("sc");
  return static_cast<uint16_t>((both || op.has("release") ? kReleases : 0) |
                               (both || op.has("acquire") ? kAcquires : 0));
}

uint32_t vector_size(const Opcode& op) {
  return op.has("v2") ? 2 : op.has("v4") ? 4 : op.has("v8") ? 8 : 1;
}

}  // namespace

std::vector<const Operand*> Decoder::elements(const Operand& data, const Opcode& op) {
  std::vector<const Operand*> out;
  const uint32_t n = vector_size(op);
  if (n == 1 && data.kind != Operand::Kind::kVector) {
    out.push_back(&data);
  } else {
    if (data.parts.size() != n) fail("expected " + std::to_string(n) + " elements in braces");
    for (const Operand& part : data.parts) out.push_back(&part);
  }
  return out;
}

// o[4] and imm: the address; sub: whether its register has 32 bits.
void Decoder::address(Instr& out, const Operand& o, Space space) {
  const bool symbol_alone = o.kind == Operand::Kind::kSymbol;  // x[2]
  if ((o.kind != Operand::Kind::kAddress && !symbol_alone) || !o.parts.empty())
    fail("expected an address in brackets");
  if (o.has_register) {
    const int width = register_width(o.reg);
    if (width != 8 && (width != 4 || space == Space::kGlobal || space == Space::kNone))
      fail("an address register must have 64 bits");
    out.o[4] = register_offset(o.reg);
    out.imm = o.offset;
    if (width == 4) out.sub |= kAddress32;
    return;
  }
  if (o.name.empty()) {
    out.o[4] = constant(0, 8);
    out.imm = o.offset;
    return;
  }
  Operand symbol = o;
  symbol.kind = Operand::Kind::kSymbol;
  symbol.offset = 0;
  symbol.parts.clear();
  out.o[4] = source(symbol, 8);
  out.imm = o.offset;
}

// The shared variable of whose address an address is made, by the instructions that alone make each
// part; -1: none, several, or not known. Dynamic shared memory is not among them.
int Decoder::shared_variable_of(const Operand& o, int depth) const {
  static constexpr std::string_view kPass[] = {"mov", "add", "sub", "mad", "cvt", "cvta", "or"};
  constexpr int kMostDepth = 32;
  const bool has_register =
      o.kind == Operand::Kind::kRegister || (o.kind == Operand::Kind::kAddress && o.has_register);
  if (!has_register) {
    if (o.variable < 0 || f_->variables[static_cast<size_t>(o.variable)].space != Space::kShared)
      return -1;
    const uint32_t offset = variables_[static_cast<size_t>(o.variable)];
    for (size_t i = 0; i < out_.shared_variables.size(); ++i)
      if (out_.shared_variables[i].offset == offset && out_.shared_variables[i].bytes > 0)
        return static_cast<int>(i);
    return -1;
  }
  const int at = definition_[o.reg];
  if (at < 0 || depth > kMostDepth) return -1;
  const Instruction& in = f_->code[static_cast<size_t>(at)];
  const std::string_view root = in.opcode.substr(0, in.opcode.find('.'));
  if (std::find(std::begin(kPass), std::end(kPass), root) == std::end(kPass)) return -1;
  int found = -1;
  for (size_t i = 1; i < in.operands.size(); ++i) {
    const int of_operand = shared_variable_of(in.operands[i], depth + 1);
    if (of_operand >= 0 && found >= 0) return -1;
    found = std::max(found, of_operand);
  }
  return found;
}

uint32_t Decoder::access(Space space, int bytes) {
  if (space == Space::kGlobal || space == Space::kNone)
    out_.global_shift = std::min(out_.global_shift, bytes == 1 ? 0 : bytes == 2 ? 1 : 2);
  out_.accesses.push_back({space, static_cast<uint32_t>(bytes)});
  return static_cast<uint32_t>(out_.accesses.size() - 1);
}

void Decoder::load_store(const Opcode& op, bool store) {
  const Space space = space_of(op);
  const Operand& place = operand(store ? 0 : 1);
  if (op.has("shared::cluster")) unsupported("shared memory of another block of a cluster");
  if (place.variable >= 0 && !place.has_register &&
      f_->variables[static_cast<size_t>(place.variable)].space == Space::kParam)
    return parameter_access(op, store, place);
  if (in_->operands.size() > 3) unsupported("'" + shown(in_->opcode) + "' with a cache policy");
  const std::vector<const Operand*> data = elements(operand(store ? 1 : 0), op);
  if (data.size() > 4) unsupported("vectors of eight");
  const Type type = op.types.empty() ? Type::kNone : op.types.back();
  MemoryOp what;
  what.space = space;
  what.store = store;
  what.bytes = type_bytes(type);
  what.sign = is_signed(type);
  int width = -1;
  for (const Operand* o : data) width = std::max(width, operand_width(*o));
  if (width < 0) width = what.bytes == 1 ? 2 : what.bytes;
  what.register_bytes = width;
  if (type == Type::kPred || what.bytes == 0 || what.bytes == 16)
    unsupported("'" + shown(in_->opcode) + "'");
  const Handler run = find_memory(what);
  if (run == nullptr) fail("'" + shown(in_->opcode) + "' does not fit its registers");
  Instr out;
  for (size_t i = 0; i < data.size(); ++i) {
    if (store) {
      out.o[i] = source(*data[i], width, is_float(type));
    } else {
      out.o[i] =
          data[i]->kind == Operand::Kind::kDiscard ? allocate(width) : destination(*data[i], width);
    }
  }
  // Four elements at most: o[4] is the address.
  address(out, place, space);
  if (orders(op)) out.sub |= kOrdering;
  Instr& placed = emit(run);
  std::copy(std::begin(out.o), std::end(out.o), std::begin(placed.o));
  placed.imm = out.imm;
  placed.sub = out.sub;
  placed.count = static_cast<uint8_t>(data.size());
  placed.wide =
      static_cast<uint16_t>(reliance(op) | width | (op.has("cg") || op.has("cv") ? kAroundL1 : 0) |
                            (op.has("nc") ? kOfConstants : 0));
  placed.role = store ? Role::kStore : Role::kLoad;
  placed.aux = access(space, what.bytes);
  if (space == Space::kShared) out_.accesses.back().variable = shared_variable_of(place);
  if ((space == Space::kShared || space == Space::kNone) && what.bytes < (1 << out_.shadow_shift))
    out_.shadow_shift = what.bytes == 1 ? 0 : 1;
  if (!store && (out.sub & kOrdering) != 0) give_way(space);
}

// Others may come between this and whatever the thread does next.
void Decoder::give_way(Space space) {
  if (space == Space::kLocal) return;
  emit(Control::kGiveWay);
  out_.takes_turns |= space != Space::kShared;
}

// Orders accesses for threads of other blocks, or does nothing: blocks are executed in an order of
// their own.
void Decoder::fence(const Opcode& op) {
  const bool old = op.root == "membar";
  const bool wide = op.has("gpu") || op.has("gl") || op.has("sys");
  const bool of_memory =
      old || op.has("sc") || op.has("acq_rel") || op.has("acquire") || op.has("release");
  Instr& out = emit(find_nothing());
  out.role = Role::kNone;
  if (!wide || !of_memory || op.has("proxy")) return;
  out.role = Role::kFence;
  out.wide = old ? kReleases | kAcquires : reliance(op);
}

// Named, not moved: of no array is no fault on a card, either.
void Decoder::prefetch(const Opcode& op) {
  if (op.has("tensormap")) unsupported("tensor maps, '" + shown(in_->opcode) + "'");
  Instr out;
  address(out, operand(0), space_of(op));
  emit(find_nothing());
}

// The forms of cp.async that need no mbarrier; false: it is another.
bool Decoder::asynchronous(const Opcode& op) {
  if (is_async_copy(op)) {
    async_copy(op);
    return true;
  }
  const bool commits = op.text == "cp.async.commit_group";
  const bool waits = op.text == "cp.async.wait_group",
             waits_for_all = op.text == "cp.async.wait_all";
  if (!commits && !waits && !waits_for_all) return false;
  expect_operands(waits ? 1 : 0, waits ? 1 : 0);
  if (waits && operand(0).kind != Operand::Kind::kInteger)
    fail("the number of groups is no constant");
  const uint64_t left = waits ? operand(0).bits : 0;
  Instr& out = emit(commits ? find_commit_copies() : find_wait_for_copies());
  out.role = Role::kNone;
  out.imm = waits_for_all ? -1 : static_cast<int64_t>(left & 0xffffffff);
  return true;
}

// cp.async.ca|cg.shared.global{.L2::...} [to], [from], size {, bytes to take | !take any};
void Decoder::async_copy(const Opcode& op) {
  static constexpr std::string_view kPrefetch[] = {"L2::64B", "L2::128B", "L2::256B"};
  std::vector<std::string_view> rest(op.modifiers.begin() + 2, op.modifiers.end());
  if (rest.size() == 3 &&
      std::find(std::begin(kPrefetch), std::end(kPrefetch), rest[2]) != std::end(kPrefetch))
    rest.pop_back();
  const bool known =
      rest.size() == 2 && (rest[0] == "shared" || rest[0] == "shared::cta") && rest[1] == "global";
  if (!known || !op.types.empty()) unsupported("'" + shown(in_->opcode) + "'");
  if (in_->operands.size() > 4) unsupported("'" + shown(in_->opcode) + "' with a cache policy");
  expect_operands(3, 4);
  const Operand& size = operand(2);
  const bool l2_only = op.has("cg");
  const bool fits = size.bits == 16 || (!l2_only && (size.bits == 4 || size.bits == 8));
  if (size.kind != Operand::Kind::kInteger || !fits)
    fail("an asynchronous copy has " + std::string(l2_only ? "" : "4, 8 or ") + "16 bytes");
  Instr to, from;
  address(to, operand(0), Space::kShared);
  address(from, operand(1), Space::kGlobal);
  if (to.imm != static_cast<int32_t>(to.imm)) fail("the offset does not fit into 32 bits");
  if (in_->operands.size() == 4) {
    const bool ignores = operand_width(operand(3)) == 0;
    from.o[ignores ? kCopyIgnores : kCopyTaken] = source(operand(3), ignores ? 0 : 4);
    if (operand(3).negated) from.wide |= kCopyIgnoresNot;
  }
  if ((to.sub & kAddress32) != 0) from.wide |= kCopyTo32;
  from.o[kCopyTo] = to.o[4];
  from.o[kCopyToOffset] = static_cast<uint32_t>(to.imm);
  Instr& placed = emit(find_async_copy());
  std::copy(std::begin(from.o), std::end(from.o), std::begin(placed.o));
  placed.imm = from.imm;
  placed.sub = from.sub;
  placed.wide = from.wide;
  placed.count = static_cast<uint8_t>(size.bits);
  placed.role = Role::kNone;
  placed.aux = access(Space::kGlobal, static_cast<int>(size.bits));
}

// ld.param, st.param with a named parameter.
void Decoder::parameter_access(const Opcode& op, bool store, const Operand& place) {
  const auto index = static_cast<size_t>(place.variable);
  const Variable& v = f_->variables[index];
  const std::vector<const Operand*> data = elements(operand(store ? 1 : 0), op);
  const Type type = op.types.empty() ? Type::kNone : op.types.back();
  const int bytes = type_bytes(type);
  const bool of_kernel =
      function_ == 0 && index < f_->parameters.size() && f_->parameters[index] == index;
  if (bytes == 0 || bytes == 16 || type == Type::kPred) unsupported("'" + shown(in_->opcode) + "'");
  for (size_t i = 0; i < data.size(); ++i) {
    const int64_t offset = place.offset + static_cast<int64_t>(i) * bytes;
    if (offset < 0 || static_cast<uint64_t>(offset) + static_cast<uint64_t>(bytes) > v.bytes)
      fail("access outside of parameter '" + shown(v.name) + "'");
    if (offset % std::min(bytes, 4) != 0)
      fail("misaligned access to parameter '" + shown(v.name) + "'");
    int width = operand_width(*data[i]);
    if (data[i]->kind == Operand::Kind::kDiscard) continue;
    if (width < 0) width = bytes == 1 ? 2 : bytes;
    if (of_kernel) {
      if (store) fail("a kernel's parameters cannot be written");
      const Handler run = find_load_parameter(bytes, width, is_signed(type));
      if (run == nullptr) fail("'" + shown(in_->opcode) + "' does not fit its register");
      const uint32_t target = destination(*data[i], width);
      Instr& out = emit(run);
      out.o[0] = target;
      out.imm = variables_[index] + offset;
      continue;
    }
    const Handler run =
        store ? find_store_word(bytes, width) : find_load_word(bytes, width, is_signed(type));
    if (run == nullptr) fail("'" + shown(in_->opcode) + "' does not fit its register");
    if (variables_[index] == kNoOperand) fail("'" + shown(v.name) + "' has no place here");
    const uint32_t word = variables_[index] + static_cast<uint32_t>(offset / 4) * 128;
    const uint32_t value =
        store ? source(*data[i], width, is_float(type)) : destination(*data[i], width);
    Instr& out = emit(run);
    out.o[0] = store ? word : value;
    out.o[1] = store ? value : word;
    out.imm = offset % 4;
  }
}

void Decoder::atomic(const Opcode& op, bool reduction) {
  const Space space = space_of(op);
  const int bytes = atomic_bytes(op);
  const Handler run = bytes == 0 ? nullptr : find_atomic(op, space);
  if (run == nullptr || op.has("shared::cluster")) unsupported("'" + shown(in_->opcode) + "'");
  const size_t first = reduction ? 0 : 1;
  const bool swaps = op.has("cas");
  expect_operands(first + (swaps ? 3 : 2), first + (swaps ? 3 : 2));
  Instr out;
  out.o[1] = source(operand(first + 1), bytes, is_float(op.type()));
  if (swaps) out.o[2] = source(operand(first + 2), bytes);
  address(out, operand(first), space);
  if (!reduction && operand(0).kind == Operand::Kind::kRegister && reads_[operand(0).reg] > 0) {
    out.o[0] = destination(operand(0), bytes);
    out.sub |= kOrdering;
  }
  Instr& placed = emit(run);
  std::copy(std::begin(out.o), std::end(out.o), std::begin(placed.o));
  placed.imm = out.imm;
  placed.sub = out.sub;
  placed.count = 1;
  placed.wide = static_cast<uint16_t>(reliance(op) | bytes);
  placed.role = Role::kAtomic;
  placed.aux = access(space, bytes);
  if (space == Space::kShared)
    out_.accesses.back().variable = shared_variable_of(operand(reduction ? 0 : 1));
  if (space != Space::kGlobal && bytes < (1 << out_.shadow_shift)) out_.shadow_shift = 1;
  if ((out.sub & kOrdering) != 0) give_way(space);
}

}  // namespace lockstep::emulator
