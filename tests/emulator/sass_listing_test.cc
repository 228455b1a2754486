// SPDX-License-Identifier: Apache-2.0
// The decoder of machine code says what nvdisasm says (tests/data/sass), or that it does not know.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "common/backend/machine_code.h"
#include "common/base/error.h"
#include "emulator/sass/instruction.h"
#include "emulator/sass/listing.h"
#include "tests/emulator/test_modules.h"

namespace lockstep::emulator::sass {
namespace {

constexpr int kArchitectures[] = {75, 80, 89, 90, 100, 120};

Encoding encoding_of(const std::string& hex) {
  return {.low = std::stoull(hex.substr(16), nullptr, 16),
          .high = std::stoull(hex.substr(0, 16), nullptr, 16)};
}

Encoding flipped(Encoding encoding, int bit) {
  (bit < 64 ? encoding.low : encoding.high) ^= uint64_t{1} << (bit & 63);
  return encoding;
}

struct Form {
  uint64_t address;
  Encoding encoding;
  std::string text;
};

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file("tests/data/sass/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

std::vector<Form> forms_of(int sm) {
  std::vector<Form> forms;
  for (const std::string& line : lines_of("forms.sm_" + std::to_string(sm) + ".txt")) {
    const size_t space = line.find(' ');
    forms.push_back({std::stoull(line.substr(0, space), nullptr, 16),
                     encoding_of(line.substr(space + 1, 32)), line.substr(space + 34)});
  }
  return forms;
}

TEST(SassListing, EveryFormIsPrintedAsNvdisasmPrintsIt) {
  for (const int sm : kArchitectures) {
    const std::vector<Form> forms = forms_of(sm);
    ASSERT_GT(forms.size(), 300u) << sm;
    for (const Form& form : forms) {
      const Instruction instruction = decode(form.encoding, form.address, sm);
      ASSERT_NE(instruction.row, nullptr) << "sm_" << sm << " " << form.text;
      EXPECT_EQ(print(instruction), form.text) << "sm_" << sm;
    }
  }
}

// The disassembler's text with one bit flipped: the same, or not known; and what it does not know
// is not known here.
TEST(SassListing, FlippedBitsAreReadAlikeOrNotKnown) {
  for (const int sm : {80, 90}) {
    Encoding base;
    size_t equal = 0, unknown = 0;
    for (const std::string& line : lines_of("flips.sm_" + std::to_string(sm) + ".txt")) {
      if (line.starts_with('=')) {
        base = encoding_of(line.substr(2, 32));
        continue;
      }
      const size_t space = line.find(' ');
      const std::string text = line.substr(space + 1);
      const Instruction instruction =
          decode(flipped(base, std::stoi(line.substr(0, space))), 0, sm);
      if (text == "-") {
        EXPECT_EQ(instruction.row, nullptr) << "sm_" << sm << " " << print(instruction);
      } else if (instruction.row == nullptr) {
        ++unknown;
      } else {
        EXPECT_EQ(print(instruction), text) << "sm_" << sm;
        ++equal;
      }
    }
    EXPECT_GT(equal, 5 * unknown) << sm;
  }
}

TEST(SassListing, AnyBitsGiveATextOrAreNotKnown) {
  std::mt19937_64 random(1);
  const auto read = [](Encoding encoding, int sm) {
    const Instruction instruction = decode(encoding, 0x100, sm);
    return instruction.row == nullptr || !print(instruction).empty();
  };
  for (const int sm : kArchitectures) {
    for (const Form& form : forms_of(sm)) {
      for (int bit = 0; bit < 128; ++bit) EXPECT_TRUE(read(flipped(form.encoding, bit), sm));
      for (int i = 0; i < 100; ++i) {
        // The opcode of a known instruction, so that more than its absence is tried.
        const uint64_t low = random() & ~uint64_t{0xFFF};
        EXPECT_TRUE(read({.low = low | (form.encoding.low & 0xFFF), .high = random()}, sm));
        EXPECT_TRUE(read({.low = random(), .high = random()}, sm));
      }
    }
  }
  EXPECT_EQ(decode({.low = 0x7918, .high = 0x000fc00000000000}, 0, 70).row, nullptr);
  EXPECT_NE(decode({.low = 0x7918, .high = 0x000fc00000000000}, 0, 75).row, nullptr);
}

// Operands stand at the same places, printed or not.
TEST(SassListing, OperandsThatAreNotPrintedAreThere) {
  // IADD3 R2, -R13, 0x6, RZ: Rd, Pu, Pv, A, B, C, Px, Py.
  const Instruction sum = decode({.low = 0x000000060d027810, .high = 0x000fc80007ffe1ff}, 0, 90);
  ASSERT_EQ(sum.operand_count, 8);
  for (const int hidden : {1, 2, 6, 7}) EXPECT_TRUE(sum.operands[hidden].hidden) << hidden;
  EXPECT_EQ(sum.operands[3].index, 13);
  EXPECT_TRUE(sum.operands[3].negated);
  EXPECT_EQ(sum.operands[4].value, 6);
  EXPECT_EQ(sum.operands[5].index, kZeroRegister);
  // UMOV UR4, URZ: 63 is URZ before CC 10.0.
  const Instruction move = decode({.low = 0x0000003f00047c82, .high = 0x000fc60008000000}, 0, 90);
  EXPECT_EQ(move.operands[1].index, kZeroUniform);
  // LDG.E R5, desc[UR6][R2.64+0x4]: Pd, Rd, address, P.
  const Instruction load = decode({.low = 0x0000040602057981, .high = 0x000ee8000c1e1900}, 0, 90);
  ASSERT_EQ(load.operand_count, 4);
  EXPECT_EQ(load.operands[2].descriptor, 6);
  EXPECT_TRUE(load.operands[2].wide);
  EXPECT_EQ(load.operands[2].value, 4);
  EXPECT_EQ(load.operands[3].index, kTruePredicate);
}

TEST(SassListing, CubinsAreListedWithTheirSourceLines) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const std::string text = listing(Cubin::read(test_module("h200/kernels", ".cubin")));
  EXPECT_NE(text.find("\nnorm_base_32:\n"), std::string::npos);
  EXPECT_NE(text.find("tests/data/h200/kernels.cu:"), std::string::npos);
  EXPECT_NE(text.find("  EXIT\n"), std::string::npos);
  EXPECT_EQ(text.find("unknown"), std::string::npos);
  const auto shown = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  const std::string brief = listing(Cubin::read(test_module("h200/kernels", ".cubin")), shown);
  EXPECT_NE(brief.find("\nkernels.cu:"), std::string::npos);
  EXPECT_EQ(brief.find("tests/data"), std::string::npos);
}

// What is kept of a module's code comes back, and nothing else does.
TEST(SassListing, CodeIsTheSameOnceSaidAndRead) {
  LOCKSTEP_NEEDS_MODULE("h200/kernels");
  const MachineCode code = list_machine_code(test_module("h200/kernels", ".cubin"));
  const std::string text = to_json(code);
  const MachineCode back = machine_code_from_json(text);
  EXPECT_EQ(to_json(back), text);
  ASSERT_EQ(back.functions.size(), code.functions.size());
  ASSERT_GT(back.functions.size(), 3u);
  for (size_t i = 0; i < code.functions.size(); ++i) {
    EXPECT_EQ(back.functions[i].code, code.functions[i].code);
    ASSERT_EQ(back.functions[i].places.size(), code.functions[i].code.size());
  }
  EXPECT_EQ(text.find('\n'), std::string::npos);
  for (
      const char* bad :
      {"", "[]", "{\"sm\": 90}",
       R"({"sm":90,"files":[],"functions":[{"name":"f","first":0,"code":"EXIT\n","places":[]}]})",
       R"({"sm":90,"files":[],"functions":[{"name":"f","first":0,"code":"EXIT\n","places":[[7,1,1]]}]})",
       R"({"sm":90,"files":[""],"functions":[{"name":"f","first":0,"code":"X","places":[[0,1,99]]}]})"})
    EXPECT_THROW(machine_code_from_json(bad), Error) << bad;
}

}  // namespace
}  // namespace lockstep::emulator::sass
