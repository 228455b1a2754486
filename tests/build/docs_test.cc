// SPDX-License-Identifier: Apache-2.0
// make docs: this tree's pages and their links are whole, what is broken is told with its line, and
// the search finds what a reader types, from the disk.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

namespace fs = std::filesystem;

class Docs : public testing::Test {
 protected:
  void SetUp() override {
    if (run(top(), "command -v python3 cmark-gfm && test -e /usr/share/javascript/lunr/lunr.min.js")
            .status != 0)
      GTEST_SKIP() << "no python3, cmark-gfm or lunr: make/packages.sh docs installs them";
  }
  // Pages of a folder, into `out` in it.
  static Outcome pages_of(const std::string& folder) {
    return run(folder, "python3 '" + top() + "/make/docs/pages.py' out");
  }
  static void small_tree(const TemporaryFolder& folder, const std::string& page) {
    fs::create_directory(folder.path() + "/docs");
    write_file(folder.path() + "/README.md", "# Top\n\n[guides](docs/README.md)\n");
    write_file(folder.path() + "/docs/README.md", "# Guides\n\n## All\n\n- [one](one.md)\n");
    write_file(folder.path() + "/docs/one.md", page);
  }
};

TEST_F(Docs, EveryLinkOfThisTreeLeadsSomewhere) {
  const TemporaryFolder folder;
  const Outcome outcome = run(top(), "python3 make/docs/pages.py '" + folder.path() +
                                         "/out' && ls '" + folder.path() + "/out'");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(outcome.has("index.html")) << outcome.output;
  EXPECT_TRUE(outcome.has("lunr.licence.txt")) << outcome.output;
}

TEST_F(Docs, WhatIsBrokenIsToldWithItsLine) {
  for (const auto& [page, words] : std::vector<std::pair<std::string, std::string>>{
           {"# One\n\n[gone](gone.md)\n",
            "docs/one.md:3: link to gone.md: there is no docs/gone.md"},
           {"# One\n\n[a](#b)\n", "docs/one.md:3: link to #b: docs/one.md has no heading #b"},
           {"# One\n\ntext\n[a](../README.md#on-top)\n",
            "docs/one.md:3: link to ../README.md#on-top: README.md has no heading #on-top"},
           {"# One\n\n[a](http://b.c/)\n", "only https:"},
           {"# One\n\n[a](../../etc)\n", "docs/one.md:3: link to ../../etc"},
           {"# One\n\n![a](picture.svg)\n", "there is no docs/picture.svg"},
           {"# One\n\na <b>c</b>\n", "docs/one.md:1: raw HTML"}}) {
    const TemporaryFolder folder;
    small_tree(folder, page);
    const Outcome outcome = pages_of(folder.path());
    EXPECT_EQ(outcome.status, 1) << page;
    EXPECT_TRUE(outcome.has(words)) << page << outcome.output;
    EXPECT_FALSE(fs::exists(folder.path() + "/out")) << page;
  }
}

TEST_F(Docs, APageThatNobodyWouldFindIsBroken) {
  const TemporaryFolder folder;
  small_tree(folder, "# One\n");
  write_file(folder.path() + "/docs/two.md", "# Two\n");
  const Outcome outcome = pages_of(folder.path());
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.has("no link to docs/two.md")) << outcome.output;
}

TEST_F(Docs, HeadingsHaveGitHubsAnchorsAndLinksLeadToPages) {
  const TemporaryFolder folder;
  small_tree(folder,
             "# One, `two` & (three)\n\n## Same\n\n## Same\n\n[a](#one-two--three) [b](#same-1) "
             "[c](../README.md#top)\n");
  const Outcome outcome = pages_of(folder.path());
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const std::string page = read_file(folder.path() + "/out/docs/one.html");
  EXPECT_NE(page.find("href=\"../index.html#top\""), std::string::npos) << page;
  EXPECT_NE(page.find("<h2 id=\"same-1\">"), std::string::npos) << page;
}

TEST_F(Docs, TheSearchFindsAColumnAnOptionAndAFaultInTheStudentsGuide) {
  if (run(top(), "command -v chromium").status != 0) GTEST_SKIP() << "no chromium";
  const TemporaryFolder folder;
  ASSERT_EQ(run(top(), "python3 make/docs/pages.py '" + folder.path() + "/out'").status, 0);
  for (const auto& [asked, section] : std::vector<std::pair<std::string, std::string>>{
           {"BXW", "student-guide.html#columns"},
           {"N*R", "student-guide.html#columns"},
           {"--trace", "student-guide.html#options"},
           {"divergent_barrier", "student-guide.html#a-kernel-is-stopped"}}) {
    const Outcome outcome =
        run(folder.path(),
            "chromium --headless=new --no-sandbox --disable-gpu --user-data-dir=browser "
            "--virtual-time-budget=10000 --dump-dom \"file://$PWD/out/index.html?q=" +
                asked +
                "\" 2> /dev/null | tr -d '\\n' | grep -o 'id=\"found\".*</ol>' | "
                "grep -o 'href=\"[^\"]*' | head -5");
    EXPECT_TRUE(outcome.has(section)) << asked << "\n" << outcome.output;
  }
}

}  // namespace
}  // namespace lockstep::build_test
