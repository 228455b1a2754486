// SPDX-License-Identifier: Apache-2.0
// A class on a cluster, without one: the front over tasks that are processes here or only said to
// be. With a real Slurm: tests/slurm.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <memory>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/cluster/front.h"
#include "tests/grader/corpus_run.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

constexpr char kRubric[] = "tests/grader/data/two_kernels.toml";

// What a task is to the cluster, and what it does.
class FakeCluster : public Cluster {
 public:
  std::string submit(int tasks, const std::set<std::string>& without) override {
    ++submissions;
    excluded = without;
    if (on_submit) on_submit(tasks);
    return std::to_string(submissions);
  }
  std::optional<std::vector<ClusterTask>> tasks() override {
    if (on_question) on_question();
    return all;
  }
  void cancel() override { ++cancels; }
  std::string how_to_cancel() const override { return "cancel"; }

  int submissions = 0, cancels = 0;
  std::set<std::string> excluded;
  std::vector<ClusterTask> all;
  std::function<void(int)> on_submit;
  std::function<void()> on_question;
};

// Tasks that are processes of this machine.
class LocalCluster : public Cluster {
 public:
  explicit LocalCluster(const std::string& folder) : folder_(folder) {}
  std::string submit(int tasks, const std::set<std::string>&) override {
    ++job_;
    for (int i = 1; i <= tasks; ++i) start(std::to_string(job_), i, 0);
    return std::to_string(job_);
  }
  std::optional<std::vector<ClusterTask>> tasks() override {
    std::vector<ClusterTask> all;
    int status = 0;
    for (auto& [id, process] : processes_) {
      using State = ClusterTask::State;
      const bool ended = process->poll_ended(&status);
      all.push_back({id, id.substr(0, id.find('_')), ended ? State::kEnded : State::kWorking});
    }
    return all;
  }
  void cancel() override {
    for (auto& [id, process] : processes_) process->kill_tree();
  }
  std::string how_to_cancel() const override { return "kill"; }
  void wait() {
    int status = 0;
    for (auto& [id, process] : processes_) process->wait_ended(120, &status);
  }
  void kill_one() { processes_.begin()->second->kill_tree(); }

 private:
  void start(const std::string& job, int index, int life) {
    std::vector<std::string> environment = clean_environment();
    environment.push_back("SLURM_ARRAY_JOB_ID=" + job);
    environment.push_back("SLURM_ARRAY_TASK_ID=" + std::to_string(index));
    environment.push_back("SLURM_RESTART_COUNT=" + std::to_string(life));
    environment.push_back("SLURMD_NODENAME=node" + std::to_string(index));
    processes_[job + "_" + std::to_string(index)] = std::make_unique<ChildProcess>(
        std::vector<std::string>{"grader/grader", "task", folder_}, environment, -1, -1, 2);
  }
  const std::string folder_;
  int job_ = 0;
  std::map<std::string, std::unique_ptr<ChildProcess>> processes_;
};

class ClusterClass : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
    if (access("grader/grader", X_OK) != 0) GTEST_SKIP() << "grader/grader is not built";
    // So that the tasks' programs are those of this session, it is theirs that is asked.
    options.homework = "hw02";
    options.backend = "emulator";
    options.rubric = kRubric;
    options.seed = 1120;
    options.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
    session.emplace(options, t.path("work"));
    front.shared = t.path("shared");
    front.tasks = 2;
    front.poll_s = front.question_s = 0.05;
    events.note = [this](const std::string& text) { notes += text + "\n"; };
    for (const char* name : {"ada", "bob", "eve"})
      t.write(std::string("class/") + name + ".cu", name);
  }
  void use(FakeCluster& fake) {
    front.cluster = [&](const Sitting& sitting) {
      this->sitting.emplace(sitting.path());
      struct Lent : Cluster {
        explicit Lent(FakeCluster& f) : fake(f) {}
        std::string submit(int n, const std::set<std::string>& w) override {
          return fake.submit(n, w);
        }
        std::optional<std::vector<ClusterTask>> tasks() override { return fake.tasks(); }
        void cancel() override { fake.cancel(); }
        std::string how_to_cancel() const override { return fake.how_to_cancel(); }
        FakeCluster& fake;
      };
      return std::make_unique<Lent>(fake);
    };
  }
  ClassProgress run(bool regrade = false) {
    Store store(t.path("results"));
    const ClassOptions settings{t.path("class"), t.path("results"), regrade, 0};
    return run_on_cluster(settings, front, *session, store, events);
  }
  // A result as a task would put it there, of a submission that cannot be graded.
  void put_result(const WorkItem& item) {
    const std::string folder = t.path("task");
    {
      Store store(folder);
      GradeResult result = session->not_graded({item.staged.name, "", item.staged.identity}, "so");
      result.graded.content_hash = item.staged.hash;
      result.graded.verdict = student_error(session->rubric(), "compile", "no");
      result.graded.node = "node1";
      store.add(&result.graded, result.plan, result.records);
      store.write_copy(folder + "/copy.db");
    }
    sitting->put_result(item.id, read_file(folder + "/copy.db"));
    remove_tree(folder);
  }

  TemporaryFolder t;
  SessionOptions options;
  std::optional<GradingSession> session;
  FrontOptions front;
  ClassEvents events;
  std::optional<Sitting> sitting;
  std::string notes;
};

TEST_F(ClusterClass, WhoseTaskIsDeadIsGradedByAnotherAndOnceOnly) {
  FakeCluster fake;
  use(fake);
  using State = ClusterTask::State;
  int questions = 0;
  fake.on_submit = [&](int) {
    fake.all = {{"1_1", "1", State::kWorking}, {"1_2", "1", State::kWorking}};
  };
  fake.on_question = [&] {
    if (!sitting || ++questions == 1) return;
    if (questions == 2) {
      ASSERT_TRUE(sitting->claim({"1_1", 0, "n1"}, 0));  // and dies, to be requeued
    }
    if (questions == 3) fake.all[0].state = State::kWaiting;
    if (questions < 4) return;
    while (const auto item = sitting->claim({"1_2", 0, "n2"}, 0)) put_result(*item);
  };
  const ClassProgress progress = run();
  EXPECT_EQ(progress.done, 3u);
  EXPECT_EQ(fake.submissions, 1);
  EXPECT_EQ(fake.cancels, 1);
  Store store(t.path("results"));
  EXPECT_EQ(store.all_latest("hw02", "emulator").size(), 3u);
  EXPECT_EQ(store.latest("hw02", "ada.cu", "emulator")->node, "node1");
  EXPECT_EQ(store.latest("hw02", "ada.cu", "emulator")->submission, "ada");
  EXPECT_TRUE(std::filesystem::is_empty(t.path("shared")));
}

TEST_F(ClusterClass, WhatKillsEveryTaskCostsNobodyElseAResult) {
  FakeCluster fake;
  use(fake);
  int task = 0;
  fake.on_question = [&] {
    if (!sitting) return;
    // A task is started, grades whom it can, and dies of bob.
    ++task;
    std::optional<WorkItem> item;
    while ((item = sitting->claim({"9_" + std::to_string(task), 0, "n"}, 0)))
      if (item->staged.name == "bob")
        return;
      else
        put_result(*item);
  };
  EXPECT_EQ(run().done, 3u);
  Store store(t.path("results"));
  const Graded bob = store.latest("hw02", "bob.cu", "emulator").value();
  EXPECT_EQ(bob.verdict.kind, VerdictKind::kInfraError);
  EXPECT_NE(bob.verdict.reason.find("3 tasks ended"), std::string::npos) << bob.verdict.reason;
  EXPECT_EQ(store.latest("hw02", "eve.cu", "emulator")->verdict.kind, VerdictKind::kStudentError);
}

TEST_F(ClusterClass, BadNodesAreToldAndLeftAside) {
  FakeCluster fake;
  use(fake);
  fake.on_submit = [&](int) {
    const std::string node = "node" + std::to_string(fake.submissions);
    sitting->report({node, node + "_1", false, "no compiler\nremedy", "", ""},
                    {node + "_1", 0, node});
  };
  try {
    run();
    ADD_FAILURE() << "no node was fit";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), kExitCannotRun);
    EXPECT_NE(std::string(e.what()).find("3 submissions to be graded"), std::string::npos)
        << e.what();
  }
  EXPECT_NE(notes.find("node node1 is not fit, nothing is graded on it: no compiler\n"),
            std::string::npos)
      << notes;
  EXPECT_TRUE(fake.excluded.contains("node1"));
  EXPECT_EQ(fake.submissions, 6);
  EXPECT_TRUE(Store(t.path("results")).all_latest("hw02", "emulator").empty());
}

TEST_F(ClusterClass, WhatWasCancelledGoesOnWithTheSameCommand) {
  FakeCluster fake;
  use(fake);
  using State = ClusterTask::State;
  fake.on_submit = [&](int) {
    put_result(sitting->claim({"1_1", 0, "n1"}, 0).value());
    ASSERT_TRUE(sitting->claim({"1_1", 0, "n1"}, 0));
    fake.all = {{"1_1", "1", State::kCancelled}};
  };
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(fake.submissions, 1);
  const std::string path = sitting->path();
  fake.on_submit = [&](int) { fake.all.push_back({"2_1", "2", State::kWorking}); };
  fake.on_question = [&] {
    if (sitting->claims().empty() || fake.submissions < 2) return;
    while (const auto item = sitting->claim({"2_1", 0, "n1"}, 0)) put_result(*item);
  };
  const ClassProgress progress = run();
  EXPECT_EQ(sitting->path(), path);
  EXPECT_EQ(progress.unchanged, 1u);
  EXPECT_EQ(progress.done, 2u);
}

// The front is killed between taking a result over and clearing it away.
TEST_F(ClusterClass, AResultIsTakenOverOnce) {
  FakeCluster fake;
  use(fake);
  std::string file;
  fake.on_submit = [&](int) {
    while (const auto item = sitting->claim({"1_1", 0, "n1"}, 0)) {
      put_result(*item);
      if (item->staged.name == "ada") file = sitting->result(item->id).value();
    }
  };
  run();
  t.write("again.db", file);
  Store store(t.path("results"));
  const Graded before = store.latest("hw02", "ada.cu", "emulator").value();
  const Graded again = store.take_over(t.path("again.db"), before);
  EXPECT_EQ(again.id, before.id);
  Graded other = before;
  other.content_hash = "of another file";
  EXPECT_THROW(store.take_over(t.path("again.db"), other), Error);
}

TEST_F(ClusterClass, GradesAsOneMachineDoesThoughTasksAreKilled) {
  const std::string command = "tests/hostile/assemble tests/honest/hw02/lambdas.cu > ";
  ASSERT_EQ(std::system((command + t.path("class/lambdas.cu")).c_str()), 0);
  ASSERT_EQ(std::system(("cp hw02/hw02.cu " + t.path("class/starter.cu")).c_str()), 0);
  const ProcessResult one =
      run_process({"grader/grader", "run", "hw02", t.path("class"), "-o", t.path("one"),
                   "--backend", "emulator", "--rubric", kRubric, "--seed", "1120"},
                  clean_environment(), {});
  ASSERT_TRUE(one.good()) << one.err;
  // The tasks' session is that of grader/grader, whose hash is in its terms; so its front runs.
  Store expected(t.path("one"));
  const std::string config = expected.latest("hw02", "starter.cu", "emulator")->config_hash;
  Terms terms = terms_of(*session, t.path("one"), 1);
  terms.config_hash = config;
  const Sitting work = Sitting::make(t.path("shared"), terms);
  for (const SubmissionEntry& entry : list_submissions(t.path("class"), "hw02.cu", t.path("un")))
    work.publish(stage_submission(entry, "hw02.cu"));
  LocalCluster cluster(work.path());
  cluster.submit(2, {});
  while (work.claims().empty()) usleep(20000);
  cluster.kill_one();
  cluster.wait();
  for (const auto& [item, claim] : work.claims())
    if (!work.results().contains(item)) work.release(claim);
  cluster.submit(1, {});
  cluster.wait();
  ASSERT_EQ(work.results(), work.items());
  Store merged(t.path("four"));
  for (const std::string& id : work.items()) {
    t.write("in.db", work.result(id).value());
    Graded found;
    for (const Graded& g : expected.all_latest("hw02", "emulator"))
      if (Sitting::id_of({"", "", "", g.content_hash, "", g.identity}) == id) found = g;
    const Graded got = merged.take_over(t.path("in.db"), found);
    auto comparable = [](const Graded& g) {
      nlohmann::json j = report_json(g);
      for (const char* key : {"build_seconds", "run_seconds", "finished_at", "node"}) j.erase(key);
      return j.dump(1);
    };
    EXPECT_EQ(comparable(got), comparable(found));
    EXPECT_EQ(got.node.rfind("node", 0), 0u);
  }
}

}  // namespace
}  // namespace lockstep::grader
