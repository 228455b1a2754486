// SPDX-License-Identifier: Apache-2.0
// Control flow, calls, barriers and .sync operations.
#include "emulator/decode/decoder_state.h"
#include "emulator/exec/barrier_operands.h"
#include "emulator/exec/synchronize.h"
#include "emulator/exec/system_functions.h"
#include "emulator/ptx/lexer.h"

namespace lockstep::emulator {

const Label* Decoder::find_label(std::string_view name, uint32_t scope) const {
  const auto found = labels_.find(name);
  if (found == labels_.end()) return nullptr;
  for (uint32_t s = scope;; s = f_->scope_parents[s]) {
    for (uint32_t i : found->second)
      if (f_->labels[i].scope == s) return &f_->labels[i];
    if (s == 0) break;
  }
  return nullptr;
}

uint32_t Decoder::label_target(const Operand& o) {
  if (o.kind != Operand::Kind::kSymbol) fail("expected a label");
  const Label* label = find_label(o.name, o.scope);
  if (label == nullptr || label->is_table) fail("label '" + shown(o.name) + "' is not defined");
  return label->at;
}

const Label& Decoder::table_label(const Operand& o) {
  const Label* label = o.kind == Operand::Kind::kSymbol ? find_label(o.name, o.scope) : nullptr;
  if (label == nullptr || !label->is_table || label->targets.empty())
    fail("expected the label of a .branchtargets list");
  return *label;
}

InstructionFlow Decoder::flow_of(uint32_t index) {
  in_ = &f_->code[index];
  InstructionFlow out;
  const Opcode op(in_->opcode);
  out.guarded = in_->guard >= 0;
  if (op.root == "bra") {
    out.flow = Flow::kBranch;
    expect_operands(1, 1);
    out.targets.push_back(label_target(operand(0)));
  } else if (op.root == "brx") {
    out.flow = Flow::kTable;
    expect_operands(2, 2);
    const Label& table = table_label(operand(1));
    for (std::string_view name : table.targets) {
      Operand target;
      target.kind = Operand::Kind::kSymbol;
      target.name = name;
      target.scope = table.scope;
      out.targets.push_back(label_target(target));
    }
  } else if (op.root == "ret") {
    out.flow = Flow::kReturn;
  } else if (op.root == "exit") {
    out.flow = Flow::kExit;
  } else if (op.root == "trap") {
    out.flow = Flow::kTrap;
  } else if (op.root == "call") {
    out.flow = Flow::kCall;  // lanes may return apart
  }
  return out;
}

// Where the ways of the instruction's branch meet; nowhere: where the group itself would.
void Decoder::join_at(uint32_t at, uint32_t block) {
  const uint32_t join = joins_.join[block];
  if (function_ != 0 || join != cfg_.end_block()) patches_.push_back({at, join, true});
}

// imm: target; o[1]: join; o[2]: kBackEdge; o[3], o[4]: loop left when taken, when not.
void Decoder::branch() {
  const uint32_t index = number_ - first_instruction_;
  const uint32_t block = cfg_.block_of[index];
  const uint32_t target = cfg_.block_of[flows_[index].targets[0]];
  const auto at = static_cast<uint32_t>(out_.code.size());
  Instr& out = emit(Control::kBranch);
  out.o[2] = cfg_.is_back_edge(block, target) ? kBackEdge : 0;
  patches_.push_back({at, target, false});
  for (int way = 0; way < 2; ++way)
    if (const uint32_t loop = joins_.left[way][block]; loop != Joins::kNone)
      out.o[3 + way] = first_loop_ + loop;
  if (in_->guard >= 0) join_at(at, block);
}

void Decoder::table_branch() {
  const uint32_t index = number_ - first_instruction_;
  const uint32_t block = cfg_.block_of[index];
  const uint32_t selector = source(operand(0), 4);
  const auto at = static_cast<uint32_t>(out_.code.size());
  Instr& out = emit(Control::kTable);
  out.o[0] = selector;
  out.o[2] = 0;
  out.imm = static_cast<int64_t>(out_.tables.size());
  out.o[3] = static_cast<uint32_t>(flows_[index].targets.size());
  for (uint32_t target : flows_[index].targets) {
    table_patches_.push_back({static_cast<uint32_t>(out_.tables.size()), cfg_.block_of[target]});
    out_.tables.push_back(0);
  }
  join_at(at, block);
}

// ret and exit. In a device function, ret goes to the end, where lanes join.
void Decoder::end_of_function(bool is_return) {
  if (!is_return || function_ == 0) {
    emit(Control::kExit);
    return;
  }
  const uint32_t block = cfg_.block_of[number_ - first_instruction_];
  const auto at = static_cast<uint32_t>(out_.code.size());
  Instr& out = emit(Control::kBranch);
  out.o[2] = 0;
  patches_.push_back({at, cfg_.end_block(), false});
  if (in_->guard >= 0) join_at(at, block);
}

// call.uni (results), function, (arguments), prototype;
void Decoder::call() {
  CallInfo info;
  const Operand* function = nullptr;
  for (const Operand& o : in_->operands) {
    if (o.kind != Operand::Kind::kVector) {
      if (function == nullptr) function = &o;
      continue;
    }
    auto& pieces = function == nullptr ? info.out_pieces : info.in_pieces;
    for (const Operand& part : o.parts) {
      if (part.variable < 0 ||
          f_->variables[static_cast<size_t>(part.variable)].space != Space::kParam)
        unsupported("arguments of a call that are not .param variables");
      const Variable& v = f_->variables[static_cast<size_t>(part.variable)];
      pieces.push_back({variables_[static_cast<size_t>(part.variable)],
                        static_cast<uint32_t>((v.bytes + 3) / 4)});
    }
  }
  if (function == nullptr) fail("call: the function is missing");
  if (function->kind == Operand::Kind::kRegister) {
    info.function = CallInfo::kIndirect;
  } else {
    const auto at = module_.function_index.find(function->name);
    if (at == module_.function_index.end()) undeclared(function->name);
    if (!module_.functions[at->second].has_body) return system_call(function->name, info);
    if (module_.functions[at->second].is_entry) unsupported("a call of a kernel from a kernel");
    info.function = program_index_.at(at->second);
    const FunctionInfo& callee = out_.functions[info.function];
    if (callee.parameters.size() != info.in_pieces.size() ||
        callee.results.size() != info.out_pieces.size())
      fail("call of '" + shown(function->name) + "' with other arguments than it has");
  }
  const uint32_t address = info.function == CallInfo::kIndirect ? source(*function, 8) : kNoOperand;
  Instr& out = emit(Control::kCall);
  out.aux = static_cast<uint32_t>(out_.calls.size());
  out.o[0] = address;
  out_.calls.push_back(std::move(info));
}

// o[0]: result; o[1], o[2], ...: first words of the arguments.
void Decoder::system_call(std::string_view name, const CallInfo& info) {
  const SystemFunction* system = find_system_function(name);
  if (system == nullptr) unsupported("a call of " + shown(name));
  if (info.in_pieces.size() != static_cast<size_t>(system->arguments))
    fail("call of '" + shown(name) + "' with other arguments than it has");
  Instr& out = emit(system->run);
  out.role = Role::kNone;
  if (!info.out_pieces.empty()) out.o[0] = info.out_pieces[0].offset;
  for (size_t i = 0; i < info.in_pieces.size(); ++i) out.o[1 + i] = info.in_pieces[i].offset;
}

// bar.sync a{, b}; bar.arrive a, b; bar.red.op d, a{, b}, {!}p; and barrier{.cta}.
void Decoder::barrier(const Opcode& op) {
  if (op.has("cluster")) unsupported("cluster barriers");
  const bool reduces = op.has("red");
  size_t next = 0;
  uint32_t result = kNoOperand;
  auto reduction = BarrierReduction::kNone;
  if (reduces) {
    reduction = op.has("popc")  ? BarrierReduction::kPopc
                : op.has("and") ? BarrierReduction::kAnd
                                : BarrierReduction::kOr;
    result = destination(operand(next++), reduction == BarrierReduction::kPopc ? 4 : 0);
  }
  const uint32_t id = source(operand(next++), 4);
  uint32_t count = kNoOperand, predicate = kNoOperand;
  const size_t left = in_->operands.size() - std::min(next, in_->operands.size());
  if (left > (reduces ? 1u : 0u)) count = source(operand(next++), 4);
  if (reduces) {
    const Operand& p = operand(next);
    predicate = source(p, 0);
    if (p.negated) {
      const Alu invert = find_alu(Opcode("not.pred"));
      const uint32_t inverted = allocate(0);
      Instr& flip = emit(invert.run);
      flip.o[0] = inverted;
      flip.o[1] = predicate;
      predicate = inverted;
    }
  }
  Instr& out = emit(Control::kBarrier);
  out.o[kBarrierResult] = result;
  out.o[kBarrierId] = id;
  out.o[kBarrierCount] = count;
  out.o[kBarrierPredicate] = predicate;
  out.sub = op.has("arrive") ? kBarrierArrive : 0;
  out.wide = static_cast<uint16_t>(reduction);
}

// shfl.sync.mode.b32 d|p, a, b, c, mask; vote.sync.mode d, {!}p, mask; match, redux, elect;
// bar.warp.sync mask.
void Decoder::synchronized(const Opcode& op) {
  if (!op.has("sync")) unsupported("'" + shown(in_->opcode) + "' without .sync");
  const Handler run = find_sync(op);
  if (run == nullptr) unsupported("'" + shown(in_->opcode) + "'");
  Instr out;
  out.run = run;
  synchronize_operands(op, out);
  Instr& placed = emit(Control::kSync);
  const Instr base = placed;
  placed = out;
  placed.control = base.control;
  placed.flags = base.flags;
  placed.guard = base.guard;
  placed.guard_flip = base.guard_flip;
  placed.number = base.number;
}

void Decoder::synchronize_operands(const Opcode& op, Instr& out) {
  if (op.root == "bar" || op.root == "barrier") {
    out.o[4] = source(operand(0), 4);
    return;
  }
  if (op.root == "elect") {
    out.o[0] = optional_destination(operand(0), 4);
    out.o[5] = optional_destination(in_->pair, 0);
    out.o[4] = source(operand(1), 4);
    return;
  }
  if (op.root == "shfl") {
    expect_operands(5, 5);
    out.o[0] = destination(operand(0), 4);
    out.o[5] = optional_destination(in_->pair, 0);
    out.o[1] = source(operand(1), 4);
    out.o[2] = source(operand(2), 4);
    out.o[3] = source(operand(3), 4);
    out.o[4] = source(operand(4), 4);
    out.sub = 4;
    return;
  }
  expect_operands(3, 3);
  if (op.root == "vote") {
    out.o[0] = destination(operand(0), op.has("ballot") ? 4 : 0);
    out.o[1] = source(operand(1), 0);
    if (operand(1).negated) {
      const uint32_t inverted = allocate(0);
      Instr& flip = emit(find_alu(Opcode("not.pred")).run);
      flip.o[0] = inverted;
      flip.o[1] = out.o[1];
      out.o[1] = inverted;
    }
    out.sub = 1;
  } else {
    const int bytes = op.root == "match" ? type_bytes(op.type()) : 4;
    out.o[0] = destination(operand(0), 4);
    out.o[5] = optional_destination(in_->pair, 0);
    out.o[1] = source(operand(1), bytes);
    out.sub = static_cast<uint8_t>(bytes);
  }
  out.o[4] = source(operand(2), 4);
}

}  // namespace lockstep::emulator
