// SPDX-License-Identifier: Apache-2.0
// Kernel names, module files and their hash, and text for terminals.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/backend/backend.h"
#include "common/backend/module_files.h"
#include "common/base/text.h"

namespace lockstep {
namespace {

TEST(KernelName, IsWhatAStudentWrites) {
  EXPECT_EQ(kernel_name("_Z10norm_groupILi8ELi8EEvPfPKfi"), "norm_group<8,8>");
  EXPECT_EQ(kernel_name("_Z12norm_group_uILi32ELi32ELi4EEvPfPKfi"), "norm_group_u<32,32,4>");
  EXPECT_EQ(kernel_name("_Z5plainPfi"), "plain");
  EXPECT_EQ(kernel_name("k_copy"), "k_copy");
  EXPECT_EQ(kernel_name("_ZN2ns1fILj8EEEvPf"), "ns::f<8>");
  EXPECT_EQ(kernel_name("_Z1fILb1EEvPf"), "f<true>");
  EXPECT_EQ(kernel_name("_Z1fILin4EEvPf"), "f<-4>");
  EXPECT_EQ(kernel_name("_Z1fIfLi8EEvPT_"), "f<float,8>");
  EXPECT_EQ(kernel_name("_Z1fIjEvT_"), "f<unsigned int>");
}

TEST(KernelName, TakesDemangledTextToo) {
  EXPECT_EQ(kernel_name("void f<8, (int)4>(float*, int)"), "f<8,4>");
  EXPECT_EQ(kernel_name("f<8u, 4ul>"), "f<8,4>");
}

TEST(KernelName, OfNestedTemplatesAndAnonymousNamespaces) {
  EXPECT_EQ(kernel_name("_Z1fI1AIiLi3EEEvT_"), "f<A<int,3>>");
  EXPECT_EQ(kernel_name("_ZN12_GLOBAL__N_11fILi8EEEvPf"), "(anonymous namespace)::f<8>");
}

TEST(KernelSignature, IsTheParameters) {
  EXPECT_EQ(kernel_signature("_Z10norm_groupILi8ELi8EEvPfPKfi"), "(float*,float const*,int)");
  EXPECT_EQ(kernel_signature("k_copy"), "");
}

TEST(KernelName, OfHostileTextComesBackSoonAndBounded) {
  std::string doubling = "_Z1f";
  for (int i = 0; i < 60; i++) doubling += "I1AIS";
  std::string references = "_Z1f";
  for (int i = 0; i < 60; i++) references += "1AIS_S_E";
  std::string blow_up = "_Z1fI1AIiiE";
  for (int i = 0; i < 40; i++) blow_up += "1BIS" + (i ? std::string(1, '0' + i % 10) : "") + "_S_E";
  const std::vector<std::string> hostile = {"",
                                            "_Z",
                                            "_Z9999999999999999999f",
                                            "_ZZZZZZZZZZZ",
                                            "<<<<>>>>",
                                            "f<8",
                                            "((((",
                                            "))))",
                                            "   ",
                                            "_Z1f\x1b[2J",
                                            std::string(100000, 'S'),
                                            "_Z" + std::string(100000, 'I'),
                                            doubling,
                                            references,
                                            blow_up + "EvT_",
                                            std::string("_Z1f\0g", 6),
                                            "void ",
                                            "f(",
                                            "(f)(int)"};
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& name : hostile) {
    EXPECT_LE(kernel_name(name).size(), 1u << 24);
    EXPECT_LE(kernel_signature(name).size(), 1u << 24);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

class ModuleFilesTest : public ::testing::Test {
 protected:
  ModuleFilesTest() {
    char name[] = "/tmp/lockstep-module-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~ModuleFilesTest() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  std::string folder_;
};

TEST_F(ModuleFilesTest, OneFileLeadsToTheOther) {
  write("k.ptx", "a");
  write("k.cubin", "b");
  for (const char* name : {"/k.ptx", "/k.cubin", "/k"}) {
    const ModuleFiles files = find_module_files(folder_ + name);
    EXPECT_EQ(files.ptx, folder_ + "/k.ptx");
    EXPECT_EQ(files.cubin, folder_ + "/k.cubin");
  }
}

TEST_F(ModuleFilesTest, OneAloneIsEnoughNoneIsNot) {
  write("k.ptx", "a");
  EXPECT_EQ(find_module_files(folder_ + "/k.ptx").cubin, "");
  EXPECT_THROW(find_module_files(folder_ + "/k.cubin"), Error);
  EXPECT_THROW(find_module_files(folder_ + "/none"), Error);
  EXPECT_THROW(find_module_files(folder_), Error);
  EXPECT_THROW(find_module_files(""), Error);
}

TEST_F(ModuleFilesTest, HashIsFnv1aOfTheBytes) {
  write("k.ptx", "foobar");
  EXPECT_EQ(module_hash(find_module_files(folder_ + "/k.ptx")), "85944171f73967e8");
  write("k.cubin", "x");
  EXPECT_NE(module_hash(find_module_files(folder_ + "/k.ptx")), "85944171f73967e8");
}

TEST_F(ModuleFilesTest, ReadingHasALimit) {
  write("big", std::string(100, 'x'));
  EXPECT_EQ(read_file(folder_ + "/big", 100).size(), 100u);
  EXPECT_THROW(read_file(folder_ + "/big", 99), Error);
  EXPECT_THROW(read_file(folder_, 100), Error) << "a folder is no file";
}

TEST(OwnModule, OfTheVariants) {
  EXPECT_EQ(own_module("/x/hw02"), "/x/hw02");
  EXPECT_EQ(own_module("/x/hw02-debug"), "/x/hw02");
  EXPECT_EQ(own_module("/x/hw02-cuda-debug"), "/x/hw02-cuda-debug");
}

TEST(Text, WidthCountsCharacters) {
  EXPECT_EQ(display_width("t/\xC2\xB5s"), 4);
  EXPECT_EQ(pad_left("\xCE\xB8", 3), "  \xCE\xB8");
  EXPECT_EQ(pad_right("\xCE\xB8", 3), "\xCE\xB8  ");
  EXPECT_EQ(pad_left("long", 2), "long");
}

TEST(Text, PrintableLeavesNothingThatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[31m\nb"), "a?[31m?b");
  EXPECT_EQ(printable("a\nb\tc\r", true), "a\nb\tc?");
  EXPECT_EQ(printable("\xC2\xB5 ok"), "\xC2\xB5 ok");
  EXPECT_EQ(printable("\xC2\x9B"
                      "1m"),
            "?1m")
      << "CSI of eight bits";
  EXPECT_EQ(printable("\xE2\x80\xAEx"), "?x") << "right-to-left override";
  EXPECT_EQ(printable("\xC0\xAF\xFF\xE2\x80"), "?????") << "no UTF-8";
  EXPECT_EQ(printable(std::string("\0", 1)), "?");
}

TEST(Text, TerminalWidthComesFromColumnsWhereThereIsNoTerminal) {
  const int no_terminal = -1;
  setenv("COLUMNS", "132", 1);
  EXPECT_EQ(terminal_width(no_terminal), 132);
  for (const char* useless : {"", "abc", "0", "-4", "99999999999999999999"}) {
    setenv("COLUMNS", useless, 1);
    EXPECT_EQ(terminal_width(no_terminal), 80) << useless;
  }
  unsetenv("COLUMNS");
  EXPECT_EQ(terminal_width(no_terminal), 80);
}

TEST(Text, ShellQuoting) {
  EXPECT_EQ(shell_quoted("a/b-1.ptx"), "a/b-1.ptx");
  EXPECT_EQ(shell_quoted("f<8,8>"), "'f<8,8>'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace lockstep
