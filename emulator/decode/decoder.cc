// SPDX-License-Identifier: Apache-2.0
// Driver of the decoder: functions, blocks, branch targets.
#include "emulator/decode/decoder.h"

#include <algorithm>
#include <set>
#include <utility>

#include "common/backend/backend.h"
#include "common/base/error.h"
#include "emulator/code/locations.h"
#include "emulator/decode/decoder_state.h"
#include "emulator/exec/memory_access.h"
#include "emulator/exec/moves.h"
#include "emulator/ptx/lexer.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostBlocks = 1 << 16;
constexpr uint64_t kMostSharedBytes = 1 << 20;
constexpr uint64_t kMostLocalBytes = 512 * 1024;

uint32_t aligned(uint64_t offset, uint32_t alignment) {
  return static_cast<uint32_t>((offset + alignment - 1) / alignment * alignment);
}

}  // namespace

void Decoder::fail(const std::string& what) const {
  unsupported(in_ == nullptr ? what : "'" + shown(in_->opcode) + "': " + what);
}

void Decoder::unsupported(const std::string& what) const {
  if (in_ != nullptr) refuse(what, in_->line, in_->location);
  refuse(what, f_ != nullptr ? f_->line : 0, -1);
}

void Decoder::refuse(const std::string& what, int line, int location) const {
  FaultPlace place;
  if (f_ != nullptr)
    place = location >= 0 ? place_of(module_, *f_, location) : place_of(module_, *f_);
  place.kernel = kernel_name(out_.kernel);
  throw KernelFault("unsupported", place,
                    prefix_of(place) + "unsupported: " + what + " (" + module_.name + ":" +
                        std::to_string(line) +
                        "); the emulator does not execute it: use plain CUDA C++ in place of it, "
                        "or run the kernel on a GPU");
}

Program decode_kernel(const Module& module, uint32_t kernel, const std::vector<uint64_t>& addresses,
                      const SassArithmetic& sass) {
  return Decoder(module, addresses, sass).decode(kernel);
}

Program Decoder::decode(uint32_t kernel) {
  out_.kernel = std::string(module_.functions[kernel].name);
  out_.files.emplace_back();
  for (const auto& [number, name] : module_.files) {
    file_index_[number] = static_cast<int>(out_.files.size());
    out_.files.push_back(name);
  }
  out_.function_of.assign(module_.functions.size(), CallInfo::kIndirect);
  declare_function(kernel);
  for (uint32_t i = 0; i < module_function_.size(); ++i)
    declare_called(module_.functions[module_function_[i]]);
  place_module_shared();
  // Dynamic shared memory follows the static; 16-byte aligned as on the card.
  out_.static_shared_bytes = aligned(out_.static_shared_bytes, 16);
  for (uint32_t i = 0; i < module_function_.size(); ++i) decode_function(i);
  return std::move(out_);
}

void Decoder::place_shared(const Variable& v, uint32_t* place) {
  if (v.is_extern || v.bytes == 0) return;  // dynamic
  const uint64_t at = aligned(out_.static_shared_bytes, v.alignment);
  if (at + v.bytes > kMostSharedBytes) fail("more than 1 MiB of shared memory");
  *place = static_cast<uint32_t>(at);
  out_.static_shared_bytes = static_cast<uint32_t>(at + v.bytes);
  out_.shared_variables.push_back(
      {demangled_variable(v.name), static_cast<uint32_t>(at), static_cast<uint32_t>(v.bytes)});
}

// Those that the kernel, or what it calls, names: others have no place in its memory.
void Decoder::place_module_shared() {
  std::set<std::string_view> shared, named;
  for (const Variable& v : module_.variables)
    if (v.space == Space::kShared && !v.is_extern && v.bytes != 0) shared.insert(v.name);
  for (const uint32_t f : shared.empty() ? std::vector<uint32_t>() : module_function_)
    for (const Instruction& in : module_.functions[f].code)
      for (const Operand& o : in.operands)
        if (!o.name.empty() && shared.contains(o.name)) named.insert(o.name);
  for (const Variable& v : module_.variables)
    if (named.contains(v.name)) place_shared(v, &shared_offsets_[v.name]);
  if (!module_.sections.contains(".debug_info")) return;
  for (const Variable& v : module_.variables) {
    const auto at = shared_offsets_.find(v.name);
    out_.module_shared.push_back(at == shared_offsets_.end() ? kNoOperand : at->second);
  }
}

// Functions that f calls.
void Decoder::declare_called(const Function& f) {
  for (const Instruction& in : f.code) {
    if (in.opcode.substr(0, in.opcode.find('.')) != "call") continue;
    for (const Operand& o : in.operands) {
      if (o.kind == Operand::Kind::kSymbol) {
        const auto at = module_.function_index.find(o.name);
        if (at != module_.function_index.end() && module_.functions[at->second].has_body)
          declare_function(at->second);
      } else if (o.kind == Operand::Kind::kRegister) {
        declare_address_taken();
      }
    }
  }
}

// What a call through a pointer can reach: functions that an instruction names without calling
// them, and those whose address is a variable's initial value.
void Decoder::declare_address_taken() {
  if (std::exchange(address_taken_, true)) return;
  const auto declare = [&](std::string_view name) {
    const auto at = module_.function_index.find(name);
    if (at == module_.function_index.end()) return;
    const Function& f = module_.functions[at->second];
    if (f.has_body && !f.is_entry) declare_function(at->second);
  };
  for (const Variable& v : module_.variables)
    for (const Initializer& value : v.initial)
      if (!value.symbol.empty()) declare(value.symbol);
  for (const Function& f : module_.functions)
    for (const Instruction& in : f.code) {
      if (in.opcode.substr(0, in.opcode.find('.')) == "call") continue;
      for (const Operand& o : in.operands) {
        if (o.kind == Operand::Kind::kSymbol && o.variable < 0) declare(o.name);
        for (const Operand& part : o.parts)
          if (part.kind == Operand::Kind::kSymbol && part.variable < 0) declare(part.name);
      }
    }
}

// Gives the function a place among the program's functions, and its parameters theirs in the
// frame, before any call of it is decoded.
void Decoder::declare_function(uint32_t function) {
  if (program_index_.contains(function)) return;
  const auto index = static_cast<uint32_t>(out_.functions.size());
  program_index_[function] = index;
  out_.function_of[function] = index;
  module_function_.push_back(function);
  out_.functions.emplace_back();
  FunctionInfo& info = out_.functions.back();
  const Function& f = module_.functions[function];
  info.name = std::string(f.name);
  std::vector<uint32_t>& places = variables_of_[index];
  places.assign(f.variables.size(), kNoOperand);
  for (size_t i = 0; i < f.variables.size(); ++i)
    if (f.variables[i].space == Space::kShared) place_shared(f.variables[i], &places[i]);
  if (index == 0) return;
  auto piece = [&](uint32_t v) {
    const auto words = static_cast<uint32_t>((f.variables[v].bytes + 3) / 4);
    places[v] = allocate_words(words);
    return CallInfo::Piece{places[v], words};
  };
  for (uint32_t v : f.parameters) info.parameters.push_back(piece(v));
  for (uint32_t v : f.results) info.results.push_back(piece(v));
}

uint32_t Decoder::allocate_words(uint32_t words) {
  const uint32_t first = out_.frame_bytes;
  for (uint32_t k = 0; k < words; ++k) allocate(4);
  return first;
}

void Decoder::decode_function(uint32_t program_index) {
  f_ = &module_.functions[module_function_[program_index]];
  function_ = program_index;
  in_ = nullptr;
  if (const Problem& problem = f_->problem; !problem.what.empty())
    refuse(problem.what, problem.line, problem.location);
  registers_.assign(f_->registers.size(), kNoOperand);
  variables_ = variables_of_[program_index];
  carry_ = kNoOperand;
  labels_.clear();
  patches_.clear();
  table_patches_.clear();
  for (uint32_t i = 0; i < f_->labels.size(); ++i) labels_[f_->labels[i].name].push_back(i);
  place_variables();
  count_reads();
  find_definitions();
  flows_.clear();
  for (uint32_t i = 0; i < f_->code.size(); ++i) flows_.push_back(flow_of(i));
  in_ = nullptr;
  cfg_ = build_cfg(flows_);
  if (cfg_.blocks.size() > kMostBlocks) fail("the function has too many branches");
  joins_ = find_joins(cfg_, flows_, function_ == 0);
  first_block_ = static_cast<uint32_t>(out_.blocks.size());
  first_loop_ = static_cast<uint32_t>(out_.left_loops.size());
  for (std::vector<bool>& loop : joins_.loops)
    out_.left_loops.push_back({first_block_, std::move(loop)});
  first_instruction_ = static_cast<uint32_t>(out_.instructions.size());
  out_.blocks.resize(first_block_ + cfg_.blocks.size());
  for (const Instruction& in : f_->code) describe(in);
  for (uint32_t b = 0; b < cfg_.blocks.size(); ++b) emit_block(b);
  patch_branches();
  FunctionInfo& info = out_.functions[program_index];
  info.entry = out_.blocks[first_block_].enter;
  info.end = out_.blocks[first_block_ + cfg_.end_block()].enter;
  find_unassigned(info);
  if (!module_.sections.contains(".debug_info")) return;
  info.function = module_function_[program_index];
  info.first_instruction = first_instruction_;
  info.registers = registers_;
  info.variables = variables_;
}

// Shared and local variables get offsets; parameters of the kernel theirs in the parameter block.
void Decoder::place_variables() {
  if (function_ == 0) place_parameters(*f_);
  uint64_t local = 0;
  for (size_t i = 0; i < f_->variables.size(); ++i) {
    const Variable& v = f_->variables[i];
    if (variables_[i] != kNoOperand) continue;
    if (v.space == Space::kShared) {
      variables_[i] = out_.static_shared_bytes;  // extern: the dynamic part
      out_.uses_dynamic_shared = true;
    } else if (v.space == Space::kLocal) {
      local = aligned(local, v.alignment);
      variables_[i] = static_cast<uint32_t>(local);
      local += v.bytes;
      if (local > kMostLocalBytes) fail("more than 512 KiB of local memory a thread");
    } else if (v.space == Space::kParam) {
      if (v.bytes > 65536) fail("a parameter has more than 64 KiB");
      variables_[i] = allocate_words(static_cast<uint32_t>((v.bytes + 3) / 4));
    }
  }
  out_.functions[function_].local_bytes = aligned(local, 16);
}

void Decoder::place_parameters(const Function& f) {
  uint64_t offset = 0;
  for (uint32_t v : f.parameters) {
    offset = aligned(offset, f.variables[v].alignment);
    variables_[v] = static_cast<uint32_t>(offset);
    out_.parameters.push_back({static_cast<uint32_t>(offset),
                               static_cast<uint32_t>(f.variables[v].bytes),
                               f.variables[v].alignment});
    offset += f.variables[v].bytes;
    if (offset > 65536) fail("the kernel's parameters have more than 64 KiB");
  }
  out_.parameter_bytes = static_cast<uint32_t>(offset);
}

void Decoder::describe(const Instruction& in) {
  InstructionInfo info;
  info.ptx_line = in.line;
  info.opcode = std::string(in.opcode);
  if (in.location >= 0) {
    const Location& inner = f_->locations[static_cast<size_t>(in.location)];
    if (const auto at = file_index_.find(inner.file); at != file_index_.end())
      info.source = {at->second, inner.line};
    const Location outer = student_location(module_, *f_, in.location);
    if (const auto at = file_index_.find(outer.file); at != file_index_.end())
      info.student = {at->second, outer.line};
    info.callers = calling_lines(*f_, outer);
  }
  out_.instructions.push_back(std::move(info));
}

void Decoder::emit_block(uint32_t b) {
  const BasicBlock& block = cfg_.blocks[b];
  BlockInfo& info = out_.blocks[first_block_ + b];
  info.enter = static_cast<uint32_t>(out_.code.size());
  info.size = block.last - block.first;
  in_ = nullptr;
  number_ = first_instruction_ +
            (block.first < f_->code.size() || block.first == 0 ? block.first : block.first - 1);
  Instr& enter = emit(Control::kEnter);
  enter.aux = first_block_ + b;
  if (function_ == 0 && info.size == 1 && f_->code[block.first].guard < 0 &&
      flows_[block.first].flow == Flow::kReturn)
    enter.sub = kLastReturn;
  for (uint32_t i = block.first; i < block.last; ++i) instruction(i);
  if (b == cfg_.end_block()) {
    in_ = nullptr;
    emit(function_ == 0 ? Control::kExit : Control::kReturn);
  }
}

void Decoder::patch_branches() {
  for (const Patch& p : patches_) {
    const uint32_t target = out_.blocks[first_block_ + p.block].enter;
    if (p.join)
      out_.code[p.at].o[1] = target;
    else
      out_.code[p.at].imm = target;
  }
  for (const TablePatch& p : table_patches_)
    out_.tables[p.at] = out_.blocks[first_block_ + p.block].enter;
}

}  // namespace lockstep::emulator
