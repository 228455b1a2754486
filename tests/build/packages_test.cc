// SPDX-License-Identifier: Apache-2.0
// Missing Debian packages are named or installed, on a machine that is played by fake programs.
#include <gtest/gtest.h>

#include "tests/build/tree.h"

namespace lockstep::build_test {
namespace {

// A PATH whose dpkg-query knows the packages in the file `installed`, whose user is `uid`, and
// whose apt-get installs what it is asked for.
class Packages : public testing::Test {
 protected:
  void SetUp() override {
    program("dpkg-query",
            "for p in \"$@\"; do grep -qxF -- \"$p\" installed && "
            "printf 'installed %s\\n' \"$p\"; done; true");
    program("id", "cat uid");
    program("apt-get",
            "echo \"$@\" >> apt.log\n"
            "[ \"$1\" = update ] && touch lists\n"
            "[ \"$1\" = install ] || exit 0\n"
            "[ -e lists ] || { echo 'E: Unable to locate package' >&2; exit 100; }\n"
            "printf '%s\\n' \"$@\" >> installed");
    // All that is wanted without a mark, but for one.
    const Outcome list = run(
        top(),
        "awk '{ sub(/#.*/, \"\") } NF == 1 && $1 != \"libfmt-dev\" { print $1 }' make/packages");
    write_file(folder_.path() + "/installed", list.output);
  }

  void program(const std::string& name, const std::string& body) {
    const std::string path = folder_.path() + "/" + name;
    write_file(path, "#!/bin/bash\ncd \"${0%/*}\"\n" + body + "\n");
    run(folder_.path(), "chmod +x " + name);
  }

  Outcome check(const std::string& uid) {
    write_file(folder_.path() + "/uid", uid + "\n");
    return run(top(), "PATH='" + folder_.path() + "':$PATH make/packages.sh");
  }

  std::string apt_log() { return run(folder_.path(), "cat apt.log").output; }

  TemporaryFolder folder_;
};

TEST_F(Packages, MissingOnesAreNamedInOneLineWithTheCommand) {
  const Outcome outcome = check("1000");
  EXPECT_NE(outcome.status, 0);
  EXPECT_EQ(outcome.output,
            "missing Debian packages: libfmt-dev; install them: "
            "sudo apt-get install -y libfmt-dev\n");
}

TEST_F(Packages, RootInstallsThemAndUpdatesTheListsWhenNeeded) {
  const Outcome outcome = check("0");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_TRUE(outcome.has("Installing Debian packages: libfmt-dev")) << outcome.output;
  EXPECT_NE(apt_log().find("update"), std::string::npos) << apt_log();
}

TEST_F(Packages, NothingIsSaidWhenAllAreThere) {
  run(folder_.path(), "echo libfmt-dev >> installed");
  const Outcome outcome = check("1000");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "");
}

TEST_F(Packages, MakeStopsBeforeItCompiles) {
  SmallTree tree;
  write_file(folder_.path() + "/uid", "1000\n");
  const Outcome outcome =
      run(tree.path(), "rm -f build/packages.mk; PATH='" + folder_.path() + "':$PATH make");
  EXPECT_NE(outcome.status, 0);
  EXPECT_EQ(outcome.lines_with("missing Debian packages: libfmt-dev"), 1) << outcome.output;
  EXPECT_FALSE(outcome.has("CXX")) << outcome.output;
}

}  // namespace
}  // namespace lockstep::build_test
