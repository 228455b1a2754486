// SPDX-License-Identifier: Apache-2.0
// Operands: every one becomes an offset into the frame.
#include <bit>

#include "emulator/decode/decoder_state.h"
#include "emulator/exec/moves.h"
#include "emulator/memory/address_space.h"
#include "emulator/ptx/lexer.h"

namespace lockstep::emulator {
namespace {

constexpr uint32_t kMostFrameBytes = 64u << 20;

struct SpecialName {
  const char* name;
  Special special;
};
constexpr SpecialName kSpecials[] = {
    {"%tid.x", Special::kTidX},
    {"%tid.y", Special::kTidY},
    {"%tid.z", Special::kTidZ},
    {"%ntid.x", Special::kNtidX},
    {"%ntid.y", Special::kNtidY},
    {"%ntid.z", Special::kNtidZ},
    {"%ctaid.x", Special::kCtaidX},
    {"%ctaid.y", Special::kCtaidY},
    {"%ctaid.z", Special::kCtaidZ},
    {"%nctaid.x", Special::kNctaidX},
    {"%nctaid.y", Special::kNctaidY},
    {"%nctaid.z", Special::kNctaidZ},
    {"%laneid", Special::kLaneid},
    {"%warpid", Special::kWarpid},
    {"%nwarpid", Special::kNwarpid},
    {"%nsmid", Special::kNsmid},
    {"%gridid", Special::kGridid},
    {"%lanemask_eq", Special::kLanemaskEq},
    {"%lanemask_le", Special::kLanemaskLe},
    {"%lanemask_lt", Special::kLanemaskLt},
    {"%lanemask_ge", Special::kLanemaskGe},
    {"%lanemask_gt", Special::kLanemaskGt},
    {"%dynamic_smem_size", Special::kDynamicSharedSize},
    {"%total_smem_size", Special::kTotalSharedSize},
};

}  // namespace

uint32_t Decoder::allocate(int width) {
  if (width == 0) {
    if (predicates_left_ == 0) {
      next_predicate_ = allocate(2);  // 64 bytes: sixteen predicates
      predicates_left_ = 16;
    }
    --predicates_left_;
    const uint32_t offset = next_predicate_;
    next_predicate_ += 4;
    return offset;
  }
  const uint32_t offset = out_.frame_bytes;
  out_.frame_bytes += static_cast<uint32_t>(width) * 32;
  if (out_.frame_bytes > kMostFrameBytes) fail("the function uses too many registers");
  return offset;
}

uint32_t Decoder::constant(uint64_t bits, int width) {
  if (width > 0 && width < 8) bits &= (uint64_t{1} << (width * 8)) - 1;
  const auto [at, inserted] = constants_.try_emplace({bits, width}, 0);
  if (inserted) {
    at->second = allocate(width);
    out_.constants.push_back({at->second, static_cast<uint8_t>(width), bits});
  }
  return at->second;
}

uint32_t Decoder::special(std::string_view name, int width) {
  for (const std::string_view vector : {"%tid", "%ntid", "%ctaid", "%nctaid"})
    if (name.starts_with(vector) && name.substr(vector.size()) == ".w") return constant(0, width);
  for (const SpecialName& s : kSpecials) {
    if (name != s.name) continue;
    if (width != 4) fail("special register " + shown(name) + " has 32 bits");
    const auto [at, inserted] = specials_.try_emplace(s.special, 0);
    if (inserted) {
      at->second = allocate(4);
      out_.specials.emplace_back(s.special, at->second);
    }
    return at->second;
  }
  unsupported("special register " + shown(name));
}

int Decoder::register_width(uint32_t reg) const {
  const Type type = f_->registers[reg];
  if (type == Type::kPred) return 0;
  const int bytes = type_bytes(type);
  return bytes == 1 ? 2 : bytes;
}

int Decoder::operand_width(const Operand& o) const {
  return o.kind == Operand::Kind::kRegister ? register_width(o.reg) : -1;
}

uint32_t Decoder::register_offset(uint32_t reg) {
  uint32_t& offset = registers_[reg];
  if (offset == kNoOperand) {
    const int width = register_width(reg);
    if (width > 8) unsupported("128-bit registers");
    offset = allocate(width);
  }
  return offset;
}

uint64_t Decoder::immediate_bits(const Operand& o, int width, bool is_float) const {
  if (o.kind == Operand::Kind::kFloat64 && width == 4) {
    const float value = static_cast<float>(std::bit_cast<double>(o.bits));
    return std::bit_cast<uint32_t>(value);
  }
  if (o.kind == Operand::Kind::kFloat32 && width == 8) {
    const double value = std::bit_cast<float>(static_cast<uint32_t>(o.bits));
    return std::bit_cast<uint64_t>(value);
  }
  if (o.kind == Operand::Kind::kInteger && is_float && width >= 4) {
    const auto value = static_cast<double>(static_cast<int64_t>(o.bits));
    return width == 8 ? std::bit_cast<uint64_t>(value)
                      : std::bit_cast<uint32_t>(static_cast<float>(value));
  }
  return o.bits;
}

uint32_t Decoder::source(const Operand& o, int width, bool is_float) {
  if (o.negated && width != 0) fail("'!' can stand before a predicate only");
  switch (o.kind) {
    case Operand::Kind::kRegister: {
      const int own = register_width(o.reg);
      if (own != width)
        fail("operand '" + shown(o.name) + "' has " + std::to_string(own * 8) + " bits, where " +
             std::to_string(width * 8) + " are needed");
      return register_offset(o.reg);
    }
    case Operand::Kind::kInteger:
    case Operand::Kind::kFloat32:
    case Operand::Kind::kFloat64:
      return constant(immediate_bits(o, width, is_float), width);
    case Operand::Kind::kSymbol: {
      if (o.variable < 0 && o.name[0] == '%') return special(o.name, width);
      if (width < 4) fail("'" + shown(o.name) + "' is an address");
      if (o.variable >= 0 &&
          f_->variables[static_cast<size_t>(o.variable)].space == Space::kLocal) {
        const uint32_t offset = allocate(width);
        Instr& out = emit(find_local_address(width));
        out.o[0] = offset;
        out.imm = variables_[static_cast<size_t>(o.variable)] + o.offset;
        return offset;
      }
      const auto at = symbol_address(o, o.name, o.variable);
      if (!at) undeclared(o.name);
      return constant(*at + static_cast<uint64_t>(o.offset), width);
    }
    default:
      fail("operand is not a value");
  }
}

uint32_t Decoder::destination(const Operand& o, int width) {
  if (o.kind != Operand::Kind::kRegister) fail("the first operand must be a register");
  if (register_width(o.reg) != width)
    fail("register '" + shown(o.name) + "' has " + std::to_string(register_width(o.reg) * 8) +
         " bits, where " + std::to_string(width * 8) + " are written");
  return register_offset(o.reg);
}

uint32_t Decoder::optional_destination(const Operand& o, int width) {
  return o.kind == Operand::Kind::kDiscard || o.kind == Operand::Kind::kNone
             ? kNoOperand
             : destination(o, width);
}

// The address of a variable or function in its own space (generic for global and const).
std::optional<uint64_t> Decoder::symbol_address(const Operand&, std::string_view name,
                                                int32_t variable) {
  if (variable >= 0) {
    const Variable& v = f_->variables[static_cast<size_t>(variable)];
    if (v.space == Space::kShared) return kSharedFirst + variables_[static_cast<size_t>(variable)];
    if (v.space == Space::kParam && function_ == 0)
      return window_begin(Window::kParam) + variables_[static_cast<size_t>(variable)];
    if (v.global >= 0) return variable_address(static_cast<size_t>(v.global));
    return std::nullopt;
  }
  if (const auto at = shared_offsets_.find(name); at != shared_offsets_.end())
    return kSharedFirst + at->second;
  if (const auto at = module_.variable_index.find(name); at != module_.variable_index.end()) {
    if (module_.variables[at->second].space == Space::kShared) {
      out_.uses_dynamic_shared = true;
      return kSharedFirst + out_.static_shared_bytes;
    }
    return variable_address(at->second);
  }
  if (const auto at = module_.function_index.find(name); at != module_.function_index.end()) {
    if (!module_.functions[at->second].has_body) unsupported("the address of " + shown(name));
    return window_begin(Window::kFunction) + uint64_t{16} * at->second;
  }
  return std::nullopt;
}

// Perhaps declared by what was not understood.
void Decoder::undeclared(std::string_view name) const {
  const Problem& problem = module_.problem;
  fail("'" + shown(name) + "' is not declared" +
       (problem.what.empty()
            ? ""
            : "; line " + std::to_string(problem.line) + " was not understood: " + problem.what));
}

uint64_t Decoder::variable_address(size_t variable) const {
  const Variable& v = module_.variables[variable];
  if (addresses_[variable] == 0)
    fail("variable '" + shown(v.name) + "' is declared but not defined; is it in another file?");
  return addresses_[variable];
}

const Operand& Decoder::operand(size_t index) const {
  static const Operand kNone;
  return index < in_->operands.size() ? in_->operands[index] : kNone;
}

void Decoder::expect_operands(size_t least, size_t most) const {
  const size_t n = in_->operands.size();
  if (n < least || n > most)
    fail("'" + shown(in_->opcode) + "' has " + std::to_string(n) + " operands, not " +
         std::to_string(least));
}

Instr& Decoder::emit(Handler run) {
  out_.code.emplace_back();
  Instr& out = out_.code.back();
  out.run = run;
  out.number = number_;
  set_guard(out);
  return out;
}

Instr& Decoder::emit(Control control) {
  Instr& out = emit(Handler{nullptr});
  out.control = control;
  out.flags |= kFlagControl;
  return out;
}

void Decoder::set_guard(Instr& out) {
  if (in_ == nullptr || in_->guard < 0) return;
  const uint32_t offset = register_offset(static_cast<uint32_t>(in_->guard));
  out.guard = offset;
  out.guard_flip = in_->guard_negated ? ~0u : 0;
  out.flags |= kFlagGuarded;
}

}  // namespace lockstep::emulator
