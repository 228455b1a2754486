// SPDX-License-Identifier: Apache-2.0
// What can be seen and done from inside the cage. Skipped where the machine allows no namespaces,
// or has no toolkit.
#include "grader/sandbox.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <optional>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/toolchain.h"
#include "runner/confine.h"
#include "runner/doorkeeper.h"
#include "runner/process.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

class Cage : public testing::Test {
 protected:
  void SetUp() override {
    try {
      Toolchain tools = find_toolchain(find_top());
      sandbox.emplace(SandboxPaths{tools.bwrap, tools.runner, tools.cuda}, Strength::kFull);
    } catch (const Error& e) {
      GTEST_SKIP() << e.what();
    }
    folder.write("src/hw02/hw02.cu", "the source");
    std::filesystem::create_directories(folder.path("out"));
    for (const char* name : {"", "src", "src/hw02", "out"})
      chmod(folder.path(name).c_str(), name == std::string("out") ? 0777 : 0755);
    build.source_folder = folder.path("src");
    build.output_folder = folder.path("out");
  }
  ProcessResult inside(const std::string& script) {
    ProcessLimits limits;
    limits.wall_s = 20;
    return run_process(sandbox->build_command(build, {"/usr/bin/sh", "-c", script}),
                       clean_environment(), limits);
  }
  std::string output(const std::string& script) {
    ProcessResult result = inside(script);
    return result.out + result.err;
  }

  TemporaryFolder folder;
  std::optional<Sandbox> sandbox;
  Sandbox::Build build;
};

TEST_F(Cage, ShowsTheSourceAndTheCompilerAndNothingElse) {
  EXPECT_EQ(output("cat hw02/hw02.cu"), "the source");
  std::string top = output("ls /");
  for (const char* hidden : {"home", "root", "etc", "var", "opt", "srv", "mnt", "proc", "sys"})
    EXPECT_EQ(("\n" + top).find(std::string("\n") + hidden + "\n"), std::string::npos) << top;
  EXPECT_EQ(output("ls /dev"), "null\n");
  EXPECT_NE(inside("cat /etc/passwd").exit_code, 0);
  char here[4096];
  ASSERT_NE(getcwd(here, sizeof here), nullptr);
  EXPECT_NE(inside("ls " + std::string(here)).exit_code, 0);
}

TEST_F(Cage, WritesOnlyWhereItsOutputGoes) {
  EXPECT_TRUE(inside("echo x > /out/result && echo x > /tmp/scratch").good());
  EXPECT_TRUE(std::filesystem::exists(folder.path("out/result")));
  for (const char* place : {"/src/x", "/usr/x", "/x", "/dev/x", "/src/hw02/hw02.cu", "/usr/bin/ls"})
    EXPECT_NE(inside(std::string("echo x > ") + place).exit_code, 0) << place;
}

TEST_F(Cage, IsNobodyOfOursAndAlone) {
  EXPECT_NE(output("id -u"), "0\n");
  EXPECT_EQ(output("echo $$").substr(0, 1).find_first_not_of("0123456789"), std::string::npos);
  EXPECT_NE(inside("kill -0 " + std::to_string(getpid())).exit_code, 0);
  EXPECT_EQ(output("env | sort"),
            "HOME=/tmp\nLC_ALL=C\nPATH=/usr/bin\nPWD=/src\nTMPDIR=/tmp\n");
}

TEST_F(Cage, HasNoNetwork) {
  // A connection is refused at once, and there is no other interface than the idle loopback.
  EXPECT_NE(inside("exec 3<>/dev/tcp/127.0.0.1/22").exit_code, 0);
  EXPECT_NE(output("perl -MSocket -e 'socket(S,2,1,0); print connect(S,"
                   "pack_sockaddr_in(53, inet_aton(\"8.8.8.8\"))) ? \"open\" : \"closed\"'")
                .find("closed"),
            std::string::npos);
}

TEST_F(Cage, BoundsFilesProcessesAndTime) {
  build.file_bytes = 1 << 20;
  EXPECT_NE(inside("dd if=/usr/bin/perl of=/out/big bs=1M count=3 2>/dev/null").exit_code, 0);
  EXPECT_LE(std::filesystem::file_size(folder.path("out/big")), 1u << 20);
  std::string forks = output("for i in $(seq 200); do sleep 1 & done; echo survived");
  EXPECT_NE(forks.find("fork"), std::string::npos) << forks.substr(0, 200);
  build.cpu_s = 1;
  double start = monotonic_seconds();
  EXPECT_FALSE(inside("while :; do :; done").good());
  EXPECT_LT(monotonic_seconds() - start, 15);
}

TEST_F(Cage, BoundsMemory) {
  build.memory_bytes = 300 << 20;
  EXPECT_FALSE(inside("perl -e '$x = \"a\" x (1 << 30); print length $x'").good());
  EXPECT_TRUE(inside("perl -e '$x = \"a\" x (1 << 20); print length $x'").good());
}

TEST_F(Cage, RefusesSystemCallsThatNoCompilerNeeds) {
  // unshare, ptrace, mount and a clone with a user namespace: by number, as /usr/bin may not have
  // the programs.
#if defined(__x86_64__)
  for (const char* call :
       {"272, 0x10000000", "101, 0, 0, 0, 0", "165, 0, 0, 0, 0, 0", "56, 0x10000011, 0, 0, 0, 0"})
    EXPECT_NE(
        output(std::string("perl -e 'print syscall(") + call + ") < 0 ? \"no:$!{EPERM}\" : 1'")
            .find("no:1"),
        std::string::npos)
        << call;
#endif
}

TEST_F(Cage, SaysHowACommandEndedWhateverItPrints) {
  auto run = [&](const std::string& script) {
    return sandbox->run_build(build, {"/usr/bin/sh", "-c", script});
  };
  EXPECT_EQ(run("echo entered; exit 0").ending, Ending::kGood);
  CageResult refused = run("echo 'bwrap: signal 24, out of memory' >&2; exit 3");
  EXPECT_EQ(refused.ending, Ending::kRefused);
  EXPECT_EQ(refused.exit_code, 3);
  // What died has said nothing, nor has what a shell could not become, or saw die.
  EXPECT_EQ(run("kill -SEGV $$").ending, Ending::kCrashed);
  EXPECT_EQ(run("kill -KILL $$").ending, Ending::kKilled);
  EXPECT_EQ(run("sh -c 'kill -KILL $$'; exit $?").ending, Ending::kKilled);
  EXPECT_EQ(run("exec /usr/bin/no-such-program").ending, Ending::kCage);
  EXPECT_TRUE(run("exec yes").flooded);
  // Its keeper killed: not the command's word.
  EXPECT_EQ(run("kill -KILL $PPID; sleep 1").ending, Ending::kCage);
  EXPECT_EQ(sandbox->run_build(build, {"/usr/bin/no-such-program"}).ending, Ending::kCage);
  build.cpu_s = 1;
  EXPECT_EQ(run("while :; do :; done").ending, Ending::kTime);
  EXPECT_EQ(run("(while :; do :; done) || exit 1").ending, Ending::kTime);
  EXPECT_EQ(run("sleep 30").ending, Ending::kTime);
  build.cpu_s = 20;
  build.file_bytes = 1 << 20;
  EXPECT_EQ(run("exec perl -e 'open F, \">/out/big\"; print F \"x\" x (2 << 20)'").ending,
            Ending::kSize);
  build.memory_bytes = 200 << 20;
  EXPECT_EQ(run("perl -e '$x = \"a\" x (300 << 20); sleep 5'").ending, Ending::kMemory);
}

TEST_F(Cage, GivesACommandNoWayToTheReport) {
  EXPECT_EQ(sandbox->run_build(build, {"/usr/bin/sh", "-c", "echo entered >&4"}).ending,
            Ending::kRefused);
  EXPECT_EQ(sandbox->run_build(build, {"/usr/bin/sh", "-c", "ls /proc/$PPID/fd"}).ending,
            Ending::kRefused);
  // ptrace and pidfd_getfd of its parent.
#if defined(__x86_64__)
  for (const char* call : {"101, 16, getppid()+0, 0, 0", "438, 0, 4, 0"})
    EXPECT_NE(
        output(std::string("perl -e 'print syscall(") + call + ") < 0 ? \"no:$!{EPERM}\" : 1'")
            .find("no:1"),
        std::string::npos)
        << call;
#endif
}

TEST_F(Cage, RefusesNamespacesByEveryFlagAndForeignNumbers) {
#if defined(__x86_64__)
  for (const char* flag :
       {"0x10000000", "0x20000", "0x40000000", "0x20000000", "0x8000000", "0x4000000", "0x2000000"})
    EXPECT_NE(output(std::string("perl -e 'print syscall(56, ") + flag +
                     " | 17, 0, 0, 0, 0) < 0 ? \"no:$!{EPERM}\" : 1'")
                  .find("no:1"),
              std::string::npos)
        << flag;
  EXPECT_NE(output("perl -e 'print syscall(435, 0, 0) < 0 ? \"no:$!{ENOSYS}\" : 1'").find("no:38"),
            std::string::npos);
  // getpid by its x32 number ends the process.
  EXPECT_EQ(output("perl -e 'syscall(0x40000027); print 1'").find("1"), std::string::npos);
#endif
}

// gcc's driver ends with the largest code of what it started, and with 1 where it started nothing.
TEST(Witness, TellsASignalFromARefusal) {
  const std::string runner = find_top() + "/runner/lockstep-runner";
  if (access(runner.c_str(), X_OK) != 0) GTEST_SKIP() << "lockstep-runner is not built";
  auto code = [&](const std::string& script) {
    return run_process({runner, "witness", "/bin/sh", "-c", script}, clean_environment(), {})
        .exit_code;
  };
  EXPECT_EQ(code("exit 0"), 0);
  for (const char* refusal : {"exit 1", "exit 4", "exit 137"}) EXPECT_EQ(code(refusal), kWitnessed);
  EXPECT_EQ(code("kill -KILL $$"), 128 + SIGKILL);
  EXPECT_EQ(parse_door_report("entered\nended 137 0 1 1\n").signal, SIGKILL);
  EXPECT_EQ(parse_door_report("entered\nended 255 0 1 1\n").signal, 0);
}

TEST(Witness, ListsWhatIsAskedFor) {
  const SandboxPaths paths{"", find_top() + "/runner/lockstep-runner", ""};
  if (access(paths.asked().c_str(), X_OK) != 0) GTEST_SKIP() << "runner/asked.so is not built";
  TemporaryFolder folder;
  folder.write("there", "");
  auto code = [&](const std::string& list) {
    return run_process({paths.runner, "witness", "--asked", paths.asked(), list, "/bin/sh", "-c",
                        ": < " + folder.path("there") + "; : > " + folder.path("made") + "; : < " +
                            folder.path("gone")},
                       clean_environment(), {})
        .exit_code;
  };
  EXPECT_EQ(code(folder.path("list")), kWitnessed);
  EXPECT_EQ(read_file(folder.path("list"), 1 << 10),
            "+" + folder.path("there") + '\0' + "-" + folder.path("gone") + '\0');
  EXPECT_EQ(code("/no/such/list"), 128 + SIGABRT);
}

TEST(DoorReport, IsReadStrictly) {
  EXPECT_FALSE(parse_door_report("").entered);
  EXPECT_FALSE(parse_door_report("x entered\nended 0 0 1 1\n").entered);
  EXPECT_FALSE(parse_door_report("entered\nended 0\n").ended);
  const DoorReport report = parse_door_report("entered\nended -1 24 1500000 2048\n");
  EXPECT_TRUE(report.ended);
  EXPECT_EQ(report.signal, 24);
  EXPECT_EQ(report.cpu_s, 1.5);
  EXPECT_EQ(report.peak_memory_bytes, 2 << 20);
}

TEST_F(Cage, DiesWithTheGrader) {
  pid_t child = fork();
  if (child == 0) {
    inside("sleep 300");
    _exit(0);
  }
  usleep(500000);
  int64_t before = tree_memory_bytes(child);
  EXPECT_GT(before, 0);
  kill(child, SIGKILL);
  usleep(500000);
  ProcessResult left = run_process({"/bin/sh", "-c", "ps -eo args | grep '[s]leep 300' | wc -l"},
                                   clean_environment(), {});
  EXPECT_EQ(left.out, "0\n");
}

// Without namespaces, as in containers that refuse them.
class MiddleCage : public Cage {
 protected:
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "no Landlock";
    Cage::SetUp();
    if (IsSkipped()) return;
    const Toolchain tools = find_toolchain(find_top());
    sandbox.emplace(SandboxPaths{"", tools.runner, tools.cuda}, Strength::kMiddle);
    folder.write("other/hw02.cu", "another's");
    for (const char* name : {"", "other"}) chmod(folder.path(name).c_str(), 0755);
  }
};

TEST_F(MiddleCage, ShowsTheSourceAndTheCompilerAndNothingElse) {
  EXPECT_EQ(sandbox->strength(), Strength::kMiddle);
  EXPECT_EQ(sandbox->weakness().rfind("MIDDLE SANDBOX", 0), 0u);
  EXPECT_EQ(output("cat hw02/hw02.cu"), "the source");
  EXPECT_TRUE(inside("/usr/bin/gcc --version").good());
  for (const std::string& hidden :
       {std::string("cat /etc/passwd"), "cat " + folder.path("other/hw02.cu"),
        "ls " + folder.path(), std::string("cat ../../../../etc/passwd"), std::string("ls /"),
        std::string("cat /proc/self/environ"), std::string("ls /tmp"), std::string("ls /proc"),
        "ls " + find_top(), "cat " + find_top() + "/hw02/rubric.toml"})
    EXPECT_NE(inside(hidden).exit_code, 0) << hidden;
  // By a link, a new name or another's program.
  EXPECT_NE(inside("ln -s /etc/passwd $TMPDIR/l && cat $TMPDIR/l").exit_code, 0);
  EXPECT_NE(inside("ln " + folder.path("other/hw02.cu") + " $TMPDIR/h").exit_code, 0);
  EXPECT_NE(inside("/usr/bin/sh -c 'exec /usr/bin/cat /etc/passwd'").exit_code, 0);
}

TEST_F(MiddleCage, WritesOnlyWhereItsOutputGoes) {
  ProcessLimits limits;
  const std::string out = folder.path("out");
  EXPECT_TRUE(inside("echo x > " + out + "/result && rm " + out + "/result && echo y > " + out +
                     "/kept && echo z > /dev/null")
                  .good());
  EXPECT_TRUE(std::filesystem::exists(out + "/kept"));
  for (const std::string& place :
       {folder.path("src/x"), folder.path("x"), std::string("/tmp/lockstep-x"),
        folder.path("src/hw02/hw02.cu"), std::string("/dev/shm/lockstep-x")})
    EXPECT_NE(inside("echo x > " + place).exit_code, 0) << place;
  chmod(folder.path("src/hw02/hw02.cu").c_str(), 0666);
  EXPECT_NE(inside("echo x >> " + folder.path("src/hw02/hw02.cu")).exit_code, 0);
  EXPECT_NE(inside("mv " + out + "/kept " + folder.path("src/kept")).exit_code, 0);
}

TEST_F(MiddleCage, HasNoNetworkAndNobodyElsesProcesses) {
  const ProcessResult network = run_process(
      sandbox->build_command(build, {"/usr/bin/bash", "-c", "echo > /dev/tcp/127.0.0.1/9"}),
      clean_environment(), {});
  EXPECT_NE(network.err.find("Address family not supported"), std::string::npos) << network.err;
  EXPECT_NE(inside("kill -0 " + std::to_string(getpid())).exit_code, 0);
  if (geteuid() == 0) {
    EXPECT_NE(output("id -u"), "0\n");
  }
}

TEST_F(MiddleCage, IsNoneForACard) {
  EXPECT_THROW(sandbox->prepare_for_gpu(), Error);
  const Toolchain tools = find_toolchain(find_top());
  Sandbox any({"", tools.runner, tools.cuda}, Strength::kWeak);
  EXPECT_EQ(any.strength(), Strength::kMiddle);
  any.prepare_for_gpu();
  EXPECT_EQ(any.strength(), Strength::kWeak);
  EXPECT_EQ(any.weakness().rfind("WEAK SANDBOX", 0), 0u);
  EXPECT_THROW(Sandbox({"", tools.runner, tools.cuda}, Strength::kFull), Error);
}

}  // namespace
}  // namespace lockstep::grader
