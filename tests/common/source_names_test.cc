// SPDX-License-Identifier: Apache-2.0
// What a source line names.
#include "common/harness/source_names.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using Names = std::vector<std::string>;

TEST(SourceNames, AreNamesAndWhatIsIndexedOrPicked) {
  EXPECT_EQ(names_of_line("avg[j] = sum / d_l;", 1), (Names{"avg[j]", "j", "sum", "d_l"}));
  EXPECT_EQ(names_of_line("a.x = team->count [ i+ 1 ] ;", 1),
            (Names{"a.x", "team->count [ i+ 1 ]", "i"}));
  EXPECT_EQ(names_of_line("t[s[i]][k] += f(b, g(c.d));", 1),
            (Names{"t[s[i]][k]", "s[i]", "i", "k", "b", "c.d"}));
  EXPECT_EQ(names_of_line("x = x + std::max(y, 0x1f) * 2u;", 1), (Names{"x", "std", "y"}));
}

TEST(SourceNames, AreNoneInCommentsAndLiterals) {
  const char source[] =
      "int a = b; // c\n"
      "/* d\n"
      "e; */ f(\"g\\\"h\", 'i', 1'000); /* j\n";
  EXPECT_EQ(names_of_line(source, 1), (Names{"int", "a", "b"}));
  EXPECT_EQ(names_of_line(source, 3), Names{});
  EXPECT_EQ(names_of_line("a = \"b", 1), Names{"a"});
  EXPECT_EQ(names_of_line("/", 1), Names{});
  EXPECT_EQ(names_of_line("/*", 1), Names{});
}

TEST(SourceNames, GoOnToTheStatementsEnd) {
  const char source[] = "x =\n  y +\n  z[i;\nw;\n";
  EXPECT_EQ(names_of_line(source, 1), (Names{"x", "y", "z", "i"}));
  EXPECT_EQ(names_of_line(source, 4), Names{"w"});
  EXPECT_EQ(names_of_line(source, 5), Names{});
  EXPECT_EQ(names_of_line(source, 99), Names{});
  EXPECT_EQ(names_of_line("", 1), Names{});
}

TEST(SourceNames, LinesAreCounted) {
  EXPECT_EQ(count_lines(""), 0);
  EXPECT_EQ(count_lines("a"), 1);
  EXPECT_EQ(count_lines("a\nb\n"), 2);
  EXPECT_EQ(source_line("a\nb\n", 2), "b");
  EXPECT_EQ(source_line("a", 2), "");
}

}  // namespace
}  // namespace lockstep
