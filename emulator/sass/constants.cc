// SPDX-License-Identifier: Apache-2.0
// LDC: constant banks.
#include <cstring>

#include "emulator/count/wavefronts.h"
#include "emulator/lanes/access.h"
#include "emulator/sass/alu.h"
#include "emulator/sass/fault.h"
#include "emulator/sass/memory.h"
#include "emulator/sass/semantics.h"

namespace lockstep::emulator::sass {
namespace {

constexpr uint8_t kVariables = 3;  // the bank of __constant__ ones

uint32_t copied(uint32_t a) { return a; }
uint64_t copied_pair(uint64_t a) { return a; }

void load_constant(const Op& op, Warp& w, uint32_t on) {
  static const std::vector<std::byte> kNone;
  const auto& banks = w.worker->code->banks;
  const auto found = banks.find(op.sub);
  const std::vector<std::byte>& bank = found == banks.end() ? kNone : found->second;
  const uint32_t* index = row(op.source[0], w);
  Lanes l;
  for (int i = 0; i < 32; ++i)
    l.address[i] = static_cast<uint32_t>(index[i] + static_cast<uint32_t>(op.value));
  if (!op.widen && op.sub == kVariables)  // what the compiler put elsewhere is its own
    w.worker->accesses[op.access].wavefronts += constant_wavefronts(l.address, on);
  uint32_t* d = to_row(op, w);
  for (uint32_t rest = on; rest != 0; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (l.address[i] + op.bytes > bank.size())
      fault(w, i, "out_of_bounds",
            "reads byte " + std::to_string(l.address[i]) + " of constant bank " +
                std::to_string(op.sub) + ", which has " + std::to_string(bank.size()) + " bytes");
    uint32_t word[4] = {};
    std::memcpy(word, bank.data() + l.address[i], op.bytes);
    if (op.sub2 == 1) word[0] = static_cast<uint32_t>(int32_t{static_cast<int8_t>(word[0])});
    if (op.sub2 == 2) word[0] = static_cast<uint32_t>(int32_t{static_cast<int16_t>(word[0])});
    d[i] = word[0];
    for (int k = 1; k < op.bytes / 4; ++k) d[i + 32 * k] = word[k];
  }
}

// LDC, ULDC: Rd, c[bank][R + offset].
bool prepare_ldc(Builder& b) {
  const int bytes = width_of(b);
  const Operand& from = b.operand(1);
  if (from.kind != OperandKind::kConstant || bytes > 16 || b.has("IL") || b.has("IS") ||
      b.has("ISL"))
    return false;
  b.to(0, bytes > 4 ? bytes / 4 : 1);
  const bool indexed = from.index != kZeroRegister || from.uniform != kZeroUniform;
  const bool uniform = b.op.widen;
  const bool counted = from.bank == kVariables && !uniform;
  if (!indexed && !counted && (bytes == 4 || bytes == 8) && from.value % 4 == 0) {
    b.from(0, from, Kind::kInteger, bytes / 4);
    return b.run(bytes == 8 ? alu<&copied_pair>() : alu<&copied>());
  }
  Operand index;
  index.kind = from.uniform != kZeroUniform ? OperandKind::kUniform : OperandKind::kRegister;
  index.index = from.uniform != kZeroUniform ? from.uniform : from.index;
  b.from(0, index);
  b.op.value = from.value;
  b.op.sub = from.bank;
  b.op.sub2 = b.has("S8") ? 1 : b.has("S16") ? 2 : 0;
  b.op.bytes = static_cast<uint8_t>(bytes);
  b.accesses = true;
  return b.run(&load_constant);
}

}  // namespace

const std::vector<Semantics>& constant_semantics() {
  static const std::vector<Semantics> all = {
      {"LDC", &prepare_ldc}, {"ULDC", &prepare_ldc}, {"LDCU", &prepare_ldc}};
  return all;
}

}  // namespace lockstep::emulator::sass
