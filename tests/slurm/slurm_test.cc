// SPDX-License-Identifier: Apache-2.0
// grader run --slurm on a real Slurm of four nodes (cluster.h), with few submissions and a small
// rubric. Nodes are lost, jobs cancelled, and one node has no compiler.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "grader/store.h"
#include "tests/slurm/cluster.h"

namespace lockstep::grader {
namespace {

// A program before bwrap on the PATH: each step of a submission's build waits, as if it took that
// long, without a processor; so four nodes can work at a time, whatever this machine has.
std::string slow_bwrap(double seconds) {
  return "#!/bin/sh\ncase \"$*\" in *submission-*) sleep " + std::to_string(seconds) +
         " ;; esac\nexec /usr/bin/bwrap \"$@\"\n";
}

class SlurmClass : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Tests wait for it; what is measured should not hang on a machine that is busy for seconds.
    const int timeout_s = std::getenv("LOCKSTEP_SLURM_RAW") != nullptr ? 60 : 6;
    if (SlurmCluster::missing().empty()) cluster = new SlurmCluster(timeout_s);
  }
  static void TearDownTestSuite() {
    delete cluster;
    cluster = nullptr;
  }
  void SetUp() override {
    if (cluster == nullptr) GTEST_SKIP() << "no Slurm: " << SlurmCluster::missing();
    if (access("grader/grader", X_OK) != 0) GTEST_SKIP() << "grader/grader is not built";
    if (access("/usr/local/cuda/bin/nvcc", X_OK) != 0) GTEST_SKIP() << "no CUDA toolkit";
    ASSERT_TRUE(cluster->wait_for_nodes(SlurmCluster::kNodes)) << cluster->log_of_all();
    assemble("tests/honest/hw02/lambdas.cu", "lambdas");
    assemble("tests/sample_class/out_of_bounds.cu", "out_of_bounds");
    assemble("tests/sample_class/does_not_compile.cu", "does_not_compile");
    assemble("tests/hostile/hw02/include_passwd.cu", "forbidden");
    for (int i = 0; i < 4; ++i) {
      const std::string name = "starter" + std::to_string(i);
      ASSERT_EQ(std::system(("cp hw02/hw02.cu " + t.path("class/" + name + ".cu")).c_str()), 0);
    }
  }
  void assemble(const std::string& file, const std::string& name) const {
    std::filesystem::create_directories(t.path("class"));
    const std::string command = "tests/hostile/assemble " + file + " > " + t.path("class/" + name);
    ASSERT_EQ(std::system((command + ".cu").c_str()), 0);
  }
  std::vector<std::string> command(const std::string& results, bool slurm = true) const {
    std::vector<std::string> words = {"grader/grader",
                                      "run",
                                      "hw02",
                                      t.path("class"),
                                      "-o",
                                      t.path(results),
                                      "--backend",
                                      "emulator",
                                      "--rubric",
                                      "tests/grader/data/two_kernels.toml",
                                      "--seed",
                                      "1120"};
    if (slurm) words.insert(words.end(), {"--slurm", "--partition", "class", "--tasks", "4"});
    return words;
  }
  // What everybody got, without times and nodes.
  static std::string verdicts(const std::string& text) {
    std::set<std::string> lines;
    size_t at = 0;
    for (size_t end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
      nlohmann::json j = nlohmann::json::parse(text.substr(at, end - at));
      for (const char* key : {"build_seconds", "run_seconds", "finished_at", "node", "unchanged"})
        j.erase(key);
      lines.insert(j.dump(1));
    }
    std::string all;
    for (const std::string& line : lines) all += line + "\n";
    return all;
  }
  std::string number_of_gradings(const std::string& results) const {
    return cluster->ask(
        "python3 -c \"import sqlite3; print(*sqlite3.connect('" + t.path(results + "/results.db") +
        "').execute('select count(*), count(distinct identity) from grading').fetchone())\"");
  }
  // This cluster's, with a slow build of submissions.
  std::vector<std::string> slow(double seconds) const {
    t.write("bin/bwrap", slow_bwrap(seconds));
    std::filesystem::permissions(t.path("bin/bwrap"), std::filesystem::perms::owner_all);
    std::vector<std::string> environment = cluster->environment();
    for (std::string& one : environment)
      if (one.rfind("PATH=", 0) == 0) one = "PATH=" + t.path("bin") + ":" + one.substr(5);
    return environment;
  }
  std::string running_task(const std::string& node) const {
    return cluster->ask("squeue -h -r -t running -w " + node + " -o %i | head -1");
  }
  bool wait_for(const std::string& question, const std::string& answer) const {
    for (int i = 0; i < 400; ++i, usleep(50000))
      if (cluster->ask(question) == answer) return true;
    return false;
  }
  std::string in_sitting(const std::string& results, const std::string& part) const {
    return "ls " + t.path(results) + "/slurm/hw02-*/" + part;
  }

  static SlurmCluster* cluster;
  TemporaryFolder t;
};

SlurmCluster* SlurmClass::cluster = nullptr;

TEST_F(SlurmClass, ResultsAreThoseOfOneMachineAndNameTheirNode) {
  auto with_json = [](std::vector<std::string> words) {
    words.push_back("--json");
    return words;
  };
  const ProcessResult one = cluster->run(with_json(command("one", false)));
  const ProcessResult four = cluster->run(with_json(command("four")));
  ASSERT_TRUE(one.good()) << one.err;
  ASSERT_TRUE(four.good()) << four.err << cluster->log_of_all();
  EXPECT_EQ(verdicts(one.out), verdicts(four.out));
  std::set<std::string> nodes;
  size_t at = 0;
  for (size_t end; (end = four.out.find('\n', at)) != std::string::npos; at = end + 1)
    nodes.insert(nlohmann::json::parse(four.out.substr(at, end - at))["node"]);
  EXPECT_FALSE(nodes.contains(""));
  EXPECT_NE(four.err.find("4 tasks; it goes on"), std::string::npos) << four.err;
  // Nothing is left, in the folder or in the queue; and there is nothing to do a second time.
  EXPECT_EQ(cluster->ask("ls " + t.path("four/slurm")), "");
  EXPECT_TRUE(wait_for("squeue -h", ""));
  const ProcessResult again = cluster->run(command("four"));
  EXPECT_NE(again.out.find("8 unchanged"), std::string::npos) << again.out << again.err;
  EXPECT_EQ(again.err.find("job"), std::string::npos) << again.err;
}

// The node is gone with the task on it, the front is killed as well; then the same command.
TEST_F(SlurmClass, ALostNodeAndAKilledFrontLoseNothing) {
  const std::vector<std::string> environment = slow(1.5);
  {
    ChildProcess front(command("four"), environment, -1, -1, 2);
    ASSERT_TRUE(wait_for(in_sitting("four", "claims 2> /dev/null | grep -c '[.]1$'"), "4\n"))
        << cluster->log_of_all();
    cluster->lose_node(2);
    kill(front.pid(), SIGKILL);
  }
  const std::string lost = cluster->ask("grep -l node2 " + t.path("four/slurm/hw02-*/claims/*"));
  EXPECT_NE(lost, "");
  const ProcessResult four = cluster->run(command("four"));
  ASSERT_TRUE(four.good()) << four.err << cluster->log_of_all();
  EXPECT_EQ(number_of_gradings("four"), "8 8\n") << four.out << four.err;
  const ProcessResult one = cluster->run(command("one", false));
  ASSERT_TRUE(one.good()) << one.err;
  auto summary = [](const std::string& out) {
    const size_t at = out.find("8 submissions: ");
    return at == std::string::npos ? out : out.substr(at, out.find('\n', at) - at);
  };
  EXPECT_EQ(summary(one.out), summary(four.out));
  cluster->start_node(2);
  EXPECT_TRUE(cluster->wait_for_node(2)) << cluster->log_of_all();
}

TEST_F(SlurmClass, WhatIsCancelledOrRequeuedGoesOn) {
  const std::vector<std::string> environment = slow(1);
  const std::string words = t.path("said");
  {
    const UniqueFd said(open(words.c_str(), O_WRONLY | O_CREAT, 0600));
    ChildProcess front(command("four"), environment, -1, said.get(), said.get());
    ASSERT_TRUE(wait_for(in_sitting("four", "claims 2> /dev/null | grep -c '[.]1$'"), "4\n"))
        << cluster->log_of_all();
    // One task is put back into the queue, and then all are cancelled.
    const std::string task = running_task("node3");
    cluster->ask("scontrol requeue " + task);
    usleep(500000);
    cluster->ask("scancel -u root");
    int status = 0;
    ASSERT_TRUE(front.wait_ended(60, &status)) << cluster->ask("cat " + words);
    EXPECT_EQ(WEXITSTATUS(status), 77);
  }
  EXPECT_NE(cluster->ask("cat " + words).find("the job was cancelled; "), std::string::npos)
      << cluster->ask("cat " + words);
  ASSERT_TRUE(wait_for("squeue -h", ""));
  const ProcessResult four = cluster->run(command("four"));
  ASSERT_TRUE(four.good()) << four.err << cluster->log_of_all();
  EXPECT_EQ(number_of_gradings("four"), "8 8\n");
}

TEST_F(SlurmClass, ANodeWithoutACompilerIsToldAndLeftAside) {
  const std::string hide = "mount -t tmpfs none $(readlink -f /usr/local/cuda)";
  cluster->lose_node(4);
  cluster->start_node(4, hide);
  ASSERT_TRUE(cluster->wait_for_node(4)) << cluster->log_of_all();
  const ProcessResult mixed = cluster->run(command("mixed"));
  ASSERT_TRUE(mixed.good()) << mixed.err << cluster->log_of_all();
  EXPECT_NE(mixed.err.find("node node4 is not fit, nothing is graded on it: "), std::string::npos)
      << mixed.err;
  EXPECT_EQ(number_of_gradings("mixed"), "8 8\n");
  // Where it is the only one, nothing is graded, and the exit code says that it cannot be here.
  std::vector<std::string> only = command("only");
  only.insert(only.end(), {"--slurm-option", "--nodelist=node4"});
  const ProcessResult bad = cluster->run(only);
  EXPECT_EQ(bad.exit_code, 77) << bad.err;
  EXPECT_NE(bad.err.find("no node is fit"), std::string::npos) << bad.err;
  EXPECT_EQ(number_of_gradings("only"), "0 0\n");
  cluster->lose_node(4);
  cluster->start_node(4);
  EXPECT_TRUE(cluster->wait_for_node(4)) << cluster->log_of_all();
}

TEST_F(SlurmClass, ANodeSaysWhatItHas) {
  std::vector<std::string> words = command("told");
  for (std::string& word : words)
    if (word == "emulator") word = "auto";
  const ProcessResult told = cluster->run(words);
  ASSERT_TRUE(told.good()) << told.err << cluster->log_of_all();
  EXPECT_NE(told.out.find(access("/dev/nvidiactl", F_OK) == 0 ? " on the gpu" : " on the emulator"),
            std::string::npos)
      << told.out;
}

// Not a test of what is right: writes docs/measured/slurm.md (make measure-slurm).
TEST_F(SlurmClass, DISABLED_Measure) {
  constexpr int kSubmissions = 16;
  std::filesystem::remove_all(t.path("class"));
  for (int i = 0; i < kSubmissions; ++i) {
    assemble("tests/hostile/hw02/include_passwd.cu", "s" + std::to_string(i));
    std::ofstream(t.path("class/s" + std::to_string(i) + ".cu"), std::ios::app)
        << "// " << i << "\n";
  }
  const std::vector<std::string> environment = slow(5);
  std::string said[2];
  double wall[2];
  for (int k = 0; k < 2; ++k) {
    const std::string results = k == 0 ? "one" : "four";
    std::vector<std::string> words = command(results);
    words.back() = k == 0 ? "1" : "4";
    ProcessLimits limits;
    limits.wall_s = 600;
    const ProcessResult run = run_process(words, environment, limits);
    ASSERT_TRUE(run.good()) << run.err;
    ASSERT_EQ(number_of_gradings(results), "16 16\n");
    std::fputs(run.err.c_str(), stderr);
    wall[k] = run.wall_s;
    said[k] = run.err.substr(run.err.rfind("note: ") + 6);
    ASSERT_TRUE(cluster->wait_for_nodes(SlurmCluster::kNodes));
  }
  std::ofstream(std::getenv("LOCKSTEP_SLURM_RAW")) << kSubmissions << "\n"
                                                   << wall[0] << "\n"
                                                   << wall[1] << "\n"
                                                   << said[0] << said[1];
}

TEST(SlurmNone, OneLineSaysSo) {
  std::vector<std::string> environment = clean_environment();
  for (std::string& one : environment)
    if (one.rfind("PATH=", 0) == 0) one = "PATH=/nonexistent";
  if (access("grader/grader", X_OK) != 0) GTEST_SKIP() << "grader/grader is not built";
  TemporaryFolder t;
  t.write("class/a.cu", "");
  const ProcessResult none =
      run_process({"grader/grader", "run", "hw02", t.path("class"), "-o", t.path("r"), "--slurm"},
                  environment, {});
  EXPECT_EQ(none.exit_code, 77);
  EXPECT_EQ(none.err,
            "grader: --slurm: sbatch is not on the PATH: this machine is no client of a Slurm "
            "cluster; without --slurm the class is graded here\n");
}

}  // namespace
}  // namespace lockstep::grader
