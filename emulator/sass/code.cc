// SPDX-License-Identifier: Apache-2.0
// From a cubin's sections to Ops.
#include "emulator/sass/code.h"

#include <algorithm>
#include <cstring>

#include "emulator/sass/builder.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/order.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

constexpr uint32_t kUnread = 4;  // rows for what is written to RZ

// An opcode, or a modifier of one, that has no meaning here.
void not_known(const Op&, Warp& w, uint32_t) {
  const Code& code = *w.worker->code;
  const Instruction& in = code.instructions[static_cast<size_t>(w.at)];
  throw NotExecuted{in.row == nullptr
                        ? "its machine code has an instruction that is not known"
                        : "its machine code has " + print(in) + ", which is not executed"};
}
void past_the_end(const Op&, Warp& w, uint32_t) {
  fault(w, -1, "illegal_address", "the machine code ends without EXIT");
}

void find_rows(Code* code) {
  uint32_t registers = 1, uniform = 0;
  for (const Instruction& in : code->instructions) {
    if (in.row == nullptr) continue;
    for (int k = 0; k < in.operand_count; ++k) {
      const Operand& o = in.operands[static_cast<size_t>(k)];
      const bool reg = o.kind == OperandKind::kRegister || o.kind == OperandKind::kAddress ||
                       o.kind == OperandKind::kTarget || o.kind == OperandKind::kConstant;
      if (reg && o.index != kZeroRegister) registers = std::max(registers, o.index + 4u);
      if (o.kind == OperandKind::kUniform && o.index != kZeroUniform)
        uniform = std::max(uniform, o.index + 4u);
      if (o.uniform != kZeroUniform) uniform = std::max(uniform, o.uniform + 4u);
    }
  }
  code->registers = registers + kUnread;
  code->rows = code->registers + uniform;
}

std::vector<std::byte> bytes_of(std::string_view section) {
  const auto* first = reinterpret_cast<const std::byte*>(section.data());
  return {first, first + section.size()};
}

// Addresses that the loader fills in.
void fill_bank4(const Cubin& cubin, const Resolve& resolve, Code* code) {
  std::vector<std::byte>& bank = code->banks[4];
  bank = bytes_of(cubin.section(".nv.constant4"));
  uint64_t outside = kOutside;
  for (const Cubin::Relocation& r : cubin.relocations(".nv.constant4")) {
    if (r.offset > bank.size() || bank.size() - r.offset < 8) continue;
    std::optional<uint64_t> value = resolve(r.symbol);
    if (!value) value = outside += 16, code->has_gaps = true;
    std::memcpy(bank.data() + r.offset, &*value, 8);
  }
}

void find_together(Code* code) {
  for (size_t i = code->instructions.size(); i-- > 0;) {
    Op& op = code->ops[i];
    const bool guarded =
        op.guard.index % kUniformPredicates != kTruePredicate8 || op.guard.flip != 0;
    if (guarded || steers(code->instructions[i].name)) continue;
    op.together = static_cast<uint8_t>(std::min(code->ops[i + 1].together + 1, 255));
  }
}

// R2P and P2R name all of them.
void note_all_predicates(std::string_view name, Flow* flow) {
  if (name != "R2P" && name != "P2R") return;
  std::vector<uint16_t>& list = name == "R2P" ? flow->writes : flow->reads;
  for (uint16_t p = 0; p < 7; ++p) list.push_back(static_cast<uint16_t>(Flow::kPredicates + p));
}

}  // namespace

void build_ops(Code* code) {
  find_rows(code);
  code->pool = std::make_shared<Pool>();
  const size_t count = code->instructions.size();
  code->ops.assign(count + 1, Op());
  code->ops[count].run = &past_the_end;
  code->flows.assign(count, Flow());
  for (size_t i = 0; i < count; ++i) {
    const Instruction& in = code->instructions[i];
    Op& op = code->ops[i];
    const Prepare prepare = in.row == nullptr ? nullptr : find_semantics(in.name);
    Builder b(in, 0, static_cast<int64_t>(16 * i), *code, op);
    if (in.row != nullptr) op.guard = Builder::predicate(in.guard);
    const bool known = prepare != nullptr && prepare(b);
    const bool inside = op.target < 0 || static_cast<size_t>(op.target) < count;
    if (!known || !inside) {
      const Predicate guard = op.guard;
      op = Op();
      op.guard = guard;
      op.run = &not_known;
      code->has_gaps = true;
      continue;
    }
    if (b.accesses) op.access = code->accesses++;
    finish(b);
    note_all_predicates(in.name, &b.flow);
    if (op.guard.index != kTruePredicate8 && op.guard.index != kUniformPredicates + kTruePredicate8)
      b.flow.guard = static_cast<uint16_t>(Flow::kPredicates + op.guard.index);
    code->flows[i] = std::move(b.flow);
  }
  find_together(code);
}

bool is_known(const Code& code, size_t instruction) {
  return code.ops[instruction].run != &not_known;
}

std::unique_ptr<Code> make_code(const Cubin& cubin, const std::string& kernel,
                                const Resolve& resolve) {
  auto code = std::make_unique<Code>();
  code->kernel = kernel;
  code->sm = cubin.sm();
  const std::string_view text = cubin.code(kernel);
  if (text.empty()) {
    code->why_not = "the cubin lacks its machine code";
    return code;
  }
  for (size_t at = 0; at + 16 <= text.size(); at += 16) {
    Encoding e;
    std::memcpy(&e.low, text.data() + at, 8);
    std::memcpy(&e.high, text.data() + at + 8, 8);
    code->instructions.push_back(decode(e, at, code->sm));
  }
  if (!cubin.relocations(".text." + kernel).empty()) {
    code->why_not = "its machine code is to be linked";
    return code;
  }
  code->banks[3] = bytes_of(cubin.section(".nv.constant3"));
  code->banks[2] = bytes_of(cubin.section(".nv.constant2." + kernel));
  code->banks[0] = {};
  fill_bank4(cubin, resolve, code.get());
  if (const CubinKernel* found = cubin.find_kernel(kernel); found != nullptr)
    code->indirect = found->indirect;
  std::sort(code->indirect.begin(), code->indirect.end());
  build_ops(code.get());
  code->dependence = find_dependence(*code);
  code->hangs_on_order = std::any_of(code->dependence.begin(), code->dependence.end(),
                                     [](uint8_t of) { return (of & kWhether) != 0; });
  return code;
}

uint32_t first_parameter(int sm) { return sm >= 100 ? 0x380 : sm >= 90 ? 0x210 : 0x160; }

void set_constants(Code* code, const Dim3& grid, const Dim3& block,
                   const std::vector<std::byte>& parameters, uint64_t stack, uint64_t local,
                   uint64_t shared) {
  const uint32_t first = first_parameter(code->sm), base = code->sm >= 100 ? 0x360 : 0;
  std::vector<std::byte>& bank = code->banks[0];
  bank.assign(first + parameters.size() + 16, std::byte{0});
  const auto put = [&](uint32_t at, uint32_t value) { std::memcpy(bank.data() + at, &value, 4); };
  put(base, block.x);
  put(base + 4, block.y);
  put(base + 8, block.z);
  put(base + 12, grid.x);
  put(base + 16, grid.y);
  put(base + 20, grid.z);
  if (code->sm < 90) {
    put(0x18, static_cast<uint32_t>(shared));
    put(0x1c, static_cast<uint32_t>(shared >> 32));
  }
  put(0x20, static_cast<uint32_t>(local));
  put(0x24, static_cast<uint32_t>(local >> 32));
  put(code->sm >= 100 ? 0x37c : 0x28, static_cast<uint32_t>(stack));
  if (!parameters.empty()) std::memcpy(bank.data() + first, parameters.data(), parameters.size());
  code->pool->fill([&](uint8_t number, uint32_t offset) {
    const auto at = code->banks.find(number);
    uint32_t word = 0;
    if (at != code->banks.end() && size_t{offset} + 4 <= at->second.size())
      std::memcpy(&word, at->second.data() + offset, 4);
    return word;
  });
}

}  // namespace lockstep::emulator::sass
