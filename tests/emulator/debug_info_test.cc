// SPDX-License-Identifier: Apache-2.0
// Debug information comes with a submission: whatever it says, it is read or refused.
#include "emulator/debug/debug_info.h"

#include <gtest/gtest.h>

#include <random>

#include "common/base/error.h"
#include "emulator/debug/values.h"
#include "emulator/ptx/parser.h"
#include "tests/emulator/ptx_runner.h"
#include "tests/emulator/test_modules.h"
#include "tests/emulator/traced_source.h"

namespace lockstep::emulator {
namespace {

// All that can be asked of it; false where it is refused.
bool look_at_all(const std::string& text) {
  try {
    const Module module = parse_ptx(text, "test.ptx");
    const DebugInfo info(module);
    for (uint32_t f = 0; f < module.functions.size(); ++f)
      for (uint32_t i = 0; i < module.functions[f].code.size(); i += 7)
        for (const uint32_t variable : info.variables_at(f, i)) {
          info.home_of(variable, f, i);
          info.dwarf().name_of(variable);
          bytes_of_type(info.dwarf(), info.dwarf().type_of(variable));
        }
  } catch (const Error&) {
    return false;
  }
  return true;
}

class HostileDebugInfo : public testing::Test {
 protected:
  void SetUp() override {
    text_ = file_bytes(kTracedModule);
    if (text_.empty()) GTEST_SKIP() << "no CUDA toolkit";
  }
  // Behind the brace that opens a section.
  size_t begin_of(const std::string& section) const {
    return text_.find('{', text_.find(".section\t" + section)) + 1;
  }
  size_t end_of(const std::string& section) const { return text_.find('}', begin_of(section)); }
  std::string text_;
};

TEST_F(HostileDebugInfo, IsReadAsTheCompilerWritesIt) { EXPECT_TRUE(look_at_all(text_)); }

TEST_F(HostileDebugInfo, MayBeCutShortAnywhere) {
  for (const char* section : {".debug_info", ".debug_abbrev", ".debug_loc"}) {
    const size_t begin = begin_of(section), end = end_of(section);
    for (size_t at = begin; at < end; at += 1 + (end - begin) / 150) {
      const size_t line = text_.rfind('\n', at);
      look_at_all(text_.substr(0, std::max(line, begin)) + "\n" + text_.substr(end));
    }
  }
  std::string without = text_;
  without.replace(without.find(".debug_info"), 11, ".debug_none");
  EXPECT_FALSE(look_at_all(without));
}

// Numbers are changed at random, and what is left of it is traced.
TEST_F(HostileDebugInfo, MayHoldAnyNumbers) {
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    std::string text = text_;
    const char* const section = round % 4 == 3 ? ".debug_abbrev" : ".debug_info";
    const size_t begin = begin_of(section), end = end_of(section);
    for (int k = 0; k <= round % 5; ++k) {
      const size_t at = text.find(".b8 ", begin + random() % (end - begin));
      if (at == std::string::npos || at + 4 >= end) continue;
      text[at + 4] = static_cast<char>('0' + random() % 10);
    }
    look_at_all(text);
    try {
      PtxRunner runner(text);
      const BufferId a = runner.backend().allocate({"a", 1024});
      runner.backend().fill(a, 0, 1024, 0);
      TraceRequest request;
      request.file = kTracedFile;
      request.line = traced_line("array");
      request.expressions = {round % 2 == 0 ? "sums[i % 3]" : "none"};
      LineTrace found;
      runner.backend().trace({{"lines",
                               {1},
                               {32},
                               0,
                               {Argument::of_buffer(a), Argument::of_buffer(a), Argument::of(3)}}},
                             request, &found);
    } catch (const Error&) {
      continue;
    }
  }
}

std::string section(const std::string& name, const std::string& data) {
  return "\t.section\t" + name + "\n\t{\n" + data + "\n\t}\n";
}

// A type that is named after itself, a structure that holds itself, an array of itself.
TEST(DebugInfoTest, TypesMayGoRound) {
  const std::string abbreviations =
      ".b8 1,17,1,0,0"              // a unit
      "\n.b8 2,22,0,73,19,0,0"      // a typedef: type
      "\n.b8 3,19,1,3,8,0,0"        // a structure: name
      "\n.b8 4,13,0,73,19,0,0"      // a member: type
      "\n.b8 5,1,1,73,19,0,0"       // an array: type
      "\n.b8 6,33,0,55,11,0,0"      // its size
      "\n.b8 7,52,0,3,8,73,19,0,0"  // a variable: name, type
      "\n.b8 0";
  const std::string info =
      ".b32 54\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n"
      ".b8 1\n"                                     // 11
      ".b8 2\n.b32 12\n"                            // 12: the typedef, of itself
      ".b8 3,83,0\n.b8 4\n.b32 17\n.b8 0\n"         // 17: the structure, of itself
      ".b8 5\n.b32 26\n.b8 6,255\n.b8 0\n"          // 26: the array, of itself
      ".b8 7,97,0\n.b32 12\n.b8 7,98,0\n.b32 17\n"  // 34, 41: variables
      ".b8 7,99,0\n.b32 26\n.b8 0,0,0\n";           // 48
  const Module module = parse_ptx(std::string(kPtxHead) + section(".debug_abbrev", abbreviations) +
                                  section(".debug_info", info));
  const DebugInfo debug(module);
  const Dwarf& dwarf = debug.dwarf();
  ASSERT_EQ(debug.variables_at(0, 0).size(), 3u);
  const auto type_of = [&](const char* name) { return dwarf.type_of(debug.find(0, 0, name)); };
  EXPECT_EQ(type_of("a"), kNoEntry);
  EXPECT_NE(type_of("b"), kNoEntry);
  EXPECT_EQ(bytes_of_type(dwarf, type_of("c")), 0u);
}

TEST(DebugInfoTest, EntriesAreNotNestedWithoutEnd) {
  std::string deep = ".b32 100007\n.b8 2,0\n.b32 0\n.b8 8\n.b8 1";
  for (int i = 1; i < 100000; ++i) deep += ",1";
  const Module module =
      parse_ptx(std::string(kPtxHead) + section(".debug_abbrev", ".b8 1,11,1,0,0,0") +
                section(".debug_info", deep));
  EXPECT_THROW(DebugInfo{module}, Error);
}

TEST(DebugInfoTest, SectionsHoldDataAlone) {
  for (const char* data : {".b8", ".b8 }", "ld.f32 a, b;", ".b8 1.5", ".b8 1,", ".b99 1", "x y"})
    EXPECT_THROW(
        {
          const Module module =
              parse_ptx(std::string(kPtxHead) + section(".debug_info", data), "x");
          DebugInfo{module};
        },
        Error)
        << data;
}

}  // namespace
}  // namespace lockstep::emulator
