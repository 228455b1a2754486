// SPDX-License-Identifier: Apache-2.0
// make handout: what students get builds, runs and grades in a folder of its own, and holds nothing
// that they must not see. The dev container: its commands end with the table.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

class Handout : public testing::Test {
 protected:
  void SetUp() override {
    if (run(top(), "git rev-parse --verify -q HEAD").status != 0) GTEST_SKIP() << "no git checkout";
  }
  Outcome hand_out(const std::string& homeworks) const {
    return run(top(), "make/handout.sh '" + homeworks + "' '" + folder_.path() + "/h.tar.gz'");
  }
  Outcome in_handout(const std::string& command) const {
    return run(folder_.path() + "/lockstep", command);
  }
  TemporaryFolder folder_;
};

TEST_F(Handout, HoldsNoSolutionsTestsOrOtherHomeworks) {
  const Outcome outcome = hand_out("hw02 hw03");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const Outcome list = run(folder_.path(), "tar tzf h.tar.gz");
  for (const char* kept :
       {"lockstep/hw02/hw02.cu\n", "lockstep/hw02/recorded.json\n", "lockstep/hw03/README.md\n",
        "lockstep/docs/student-guide.md\n", "lockstep/.devcontainer/devcontainer.json\n"})
    EXPECT_TRUE(list.has(kept)) << kept;
  for (const char* secret : {"solutions", "/tests/", "templates/", "/hw01/", "/bench/", "/.git/"})
    EXPECT_FALSE(list.has(secret)) << secret;
  // The starter, not what lies in the working tree.
  run(folder_.path(), "tar xzf h.tar.gz");
  EXPECT_EQ(run(top(),
                "git show HEAD:hw02/hw02.cu | cmp - '" + folder_.path() + "/lockstep/hw02/hw02.cu'")
                .status,
            0);
}

TEST_F(Handout, HasPagesWithoutLinksToWhatItLacks) {
  if (run(top(), "command -v python3 cmark-gfm && test -e /usr/share/javascript/lunr/lunr.min.js")
          .status != 0)
    GTEST_SKIP() << "no python3, cmark-gfm or lunr: make/packages.sh docs installs them";
  ASSERT_EQ(hand_out("hw02").status, 0);
  ASSERT_EQ(run(folder_.path(), "tar xzf h.tar.gz").status, 0);
  Outcome outcome = in_handout("make/docs/pages.py out");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  const std::string page = read_file(folder_.path() + "/lockstep/out/index.html");
  EXPECT_NE(page.find("href=\"hw02/index.html\""), std::string::npos);
  EXPECT_EQ(page.find("href=\"hw01"), std::string::npos);
  // Other links are broken as ever.
  write_file(folder_.path() + "/lockstep/README.md", "# Top\n\n[gone](hw02/gone.md)\n");
  outcome = in_handout("make/docs/pages.py out");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
}

// With the objects of this tree, whose ages make is told to trust: a source that is not in the
// handout is missed all the same, by the lists of the libraries and by what depends on headers.
TEST_F(Handout, BuildsRunsAndGradesInAFolderOfItsOwn) {
  if (!has_nvcc()) GTEST_SKIP() << "no nvcc";
  ASSERT_EQ(hand_out("hw02").status, 0);
  Outcome outcome =
      run(folder_.path(),
          "tar xzf h.tar.gz && cd lockstep && mkdir -p build/release && (cd '" + top() +
              "/build/release' && tar cf - --exclude=./tests .) | tar xf - -C "
              "build/release && now=$(date +%s) && find build -type f -exec touch -d @$now {} +");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  outcome = in_handout("make -C hw02 hw02 hw02.cubin && cd hw02 && ./hw02 0 4 --backend emulator");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(outcome.has("Kernel norm_group_u<32,32,8>")) << outcome.output;
  outcome = in_handout("make -C hw02 grade");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(outcome.has("partial, 30 / 100 points")) << outcome.output;
}

TEST_F(Handout, SaysWhatItCannotHandOut) {
  EXPECT_EQ(hand_out("").status, 2);
  EXPECT_TRUE(hand_out("hw77").has("no homework 'hw77'"));
  // A rubric with a check that students are not to see.
  ASSERT_EQ(run(folder_.path(),
                "git init -q t && mkdir t/make t/hw02 && touch t/hw02/recorded.json && "
                "cp '" +
                    top() +
                    "/make/handout.sh' t/make && "
                    "printf '[[check]]\\nvisibility = \"hidden\"\\n' > t/hw02/rubric.toml && "
                    "cd t && git add -A && git -c user.name=a -c user.email=a@localhost "
                    "commit -qm a")
                .status,
            0);
  const Outcome outcome = run(folder_.path() + "/t", "make/handout.sh hw02 h.tar.gz");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(outcome.has("hw02/rubric.toml:2:visibility")) << outcome.output;
}

TEST(DevContainer, ItsCommandsEndWithTheTable) {
  const auto container =
      nlohmann::json::parse(read_file(".devcontainer/devcontainer.json"), nullptr, true, true);
  EXPECT_NE(container.at("image").get<std::string>().find("-devel-"), std::string::npos)
      << "nvcc is in the devel images alone";
  EXPECT_EQ(container.at("hostRequirements").at("gpu"), "optional");
  EXPECT_EQ(container.at("customizations").at("vscode").at("extensions"),
            nlohmann::json::parse(read_file(".vscode/extensions.json")).at("recommendations"));

  if (!has_nvcc()) GTEST_SKIP() << "no nvcc";
  const WholeTree tree;
  // On this machine packages are not installed, but asked for.
  write_file(tree.path("apt-get"), "#!/bin/sh\necho \"apt-get $*\"\n");
  ASSERT_EQ(tree.in("mkdir fake && mv apt-get fake && chmod +x fake/apt-get").status, 0);
  Outcome outcome =
      tree.in("PATH=\"$PWD/fake:$PATH\" " + container.at("onCreateCommand").get<std::string>());
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  outcome = tree.in(container.at("postCreateCommand").get<std::string>());
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(outcome.has("Kernel norm_group_u<8,8,8>")) << outcome.output;
}

}  // namespace
}  // namespace lockstep::build_test
