// SPDX-License-Identifier: Apache-2.0
// Judged anew, a grading is what it would be if it were executed again with its seed; and what has
// to be executed is found, whatever changed. Also the command, and copies of results.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <functional>
#include <set>

#include "common/backend/module_files.h"
#include "common/base/error.h"
#include "grader/rejudge.h"
#include "grader/session.h"
#include "grader/sha256.h"
#include "runner/process.h"
#include "tests/grader/corpus_run.h"
#include "tests/grader/temporary.h"

namespace lockstep::grader {
namespace {

constexpr char kRubric[] = "tests/grader/data/regrade.toml";

// A rubric's text with some of its words replaced; they are there.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string without_check(std::string text, const std::string& id) {
  const size_t begin = text.rfind("[[check]]", text.find("id = \"" + id + "\""));
  return text.erase(begin, text.find("[[check]]", begin + 1) - begin);
}

std::string with_metric(const std::string& text, const std::string& metric,
                        const std::string& more) {
  return text + "\n[[check]]\nid = \"" + metric +
         "\"\ntitle = \"more\"\nkind = \"metric\"\nmetric = \"" + metric +
         "\"\nkernels = [\"norm_group_u<8,8,4>\"]\nruns = [\"counted\"]\npoints = 7\n" + more +
         "\n";
}

// What of a grading is not the time that it took.
nlohmann::json comparable(const Graded& g) {
  nlohmann::json j = report_json(g);
  for (const char* key : {"build_seconds", "run_seconds", "finished_at", "judged_from"})
    j.erase(key);
  return j;
}

struct Built {
  StagedSubmission staged;
  BuildResult build;
  std::string folder;
};

class Regrade : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_compile()) GTEST_SKIP() << "no CUDA toolkit";
    text = read_file(kRubric);
    session.emplace(options(kRubric), t.path("work"));
    session->prepare_reference();
  }
  SessionOptions options(const std::string& rubric) const {
    SessionOptions o;
    o.homework = "hw02";
    o.backend = "emulator";
    o.rubric = rubric;
    o.seed = 1120;
    o.weak_sandbox = std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr;
    return o;
  }
  // Compiles what differs in no rubric here; not the execution.
  void build_samples() {
    for (const char* sample :
         {"honest/hw02/as_solution", "honest/hw02/lambdas", "naive/hw02/repeats",
          "naive/hw02/conflicts_in_shared", "hostile/hw02/half", "hostile/hw02/zeros",
          "hostile/hw02/write_past_end", "hostile/hw02/include_passwd",
          "hostile/hw02/tensor_cores_by_wmma", "hostile/hw02/slow_beyond_budget"}) {
      const std::string path = std::string("tests/") + sample + ".cu", out = t.path("one.cu");
      ASSERT_EQ(std::system(("tests/hostile/assemble " + path + " > " + out).c_str()), 0);
      add_sample(sample, read_file(out), "");
    }
    add_elsewhere();
    add_sample("broken", "this is no CUDA", "");
    add_sample("none", "", "there is no file");
  }
  // Does nothing in a shape that the draw does not have.
  void add_elsewhere() {
    const std::string body = "norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {\n";
    add_sample("elsewhere",
               changed("#define SOLUTION 1\n" + read_file("solutions/hw02/hw02.cu"), body,
                       body + "  if (gridDim.x == 4 && blockDim.x == 96) return;\n"),
               "");
  }
  void add_sample(const std::string& name, const std::string& contents,
                  const std::string& problem) {
    Built one{{name, name, contents, sha256(contents + problem), problem, name}, {}, ""};
    one.build = session->build(one.staged, 1, &one.folder);
    samples.push_back(std::move(one));
  }
  // Executes all of them by a rubric.
  void grade(GradingSession& by, Store* store) const {
    for (const Built& one : samples) {
      GradeResult result = by.finish_on(0, one.staged, one.build, one.folder, 1, 0);
      store->add(&result.graded, result.plan, result.records, result.solution);
    }
  }
  std::vector<Rejudged> judge_by(const std::string& rubric_file, Store* store) const {
    Rubric rubric = load_rubric(rubric_file);
    rubric.columns = session->rubric().columns;
    const RejudgeTerms terms{rubric, session->tools(), "emulator", session->sandbox().weakness()};
    return rejudge(*store, terms, 2);
  }

  TemporaryFolder t;
  std::string text;
  std::optional<GradingSession> session;
  std::vector<Built> samples;
};

TEST_F(Regrade, IsWhatExecutingAgainWouldGive) {
  build_samples();
  {
    Store store(t.path("base"));
    grade(*session, &store);
  }
  // Each executes all samples again, so each has several changes that have nothing to do with each
  // other.
  const std::string reworded =
      changed(changed(text, "Look at", "Do look at"), "An array", "Some array");
  const std::string pointed = changed(changed(reworded, "points = 20", "points = 35"), "points = 5",
                                      "points = 5\nvisibility = \"hidden\"");
  const std::string limited =
      changed(pointed, "at_most = 1.2\nzero_at = 4", "at_most = 0.4\nzero_at = 9");
  const std::map<std::string, std::string> rubrics = {
      {"points and limits",
       with_metric(changed(limited, "title = \"Judged anew\"",
                           "title = \"Judged anew\"\nundecided = \"review\""),
                   "load_sectors_per_element", "at_most = 0.5\nrelative_to = \"solution\"")},
      {"checks", with_metric(with_metric(without_check(text, "costs"), "warp_instructions",
                                         "at_most = 0.3\nrelative_to = \"norm_group_u<8,8,4>\""),
                             "dram_bytes", "at_most = 5")}};
  for (const auto& [name, rubric] : rubrics) {
    t.write(name + ".toml", rubric);
    Store expected(t.path(name + " executed"));
    GradingSession by(options(t.path(name + ".toml")), t.path(name + " work"));
    by.prepare_reference();
    grade(by, &expected);

    std::filesystem::copy(t.path("base"), t.path(name));
    Store store(t.path(name));
    std::vector<Graded> judged;
    for (const Rejudged& one : judge_by(t.path(name + ".toml"), &store)) {
      ASSERT_TRUE(one.now) << name << ": " << one.before.submission << ": " << one.why;
      judged.push_back(*one.now);
    }
    store.add_judged(&judged);
    for (const Graded& now : store.all_latest("hw02", "emulator")) {
      const auto then = expected.latest("hw02", now.identity, "emulator");
      EXPECT_EQ(comparable(now).dump(1), comparable(*then).dump(1)) << name;
      EXPECT_NE(now.judged_from, 0);
      EXPECT_LE(now.judged_from, static_cast<int64_t>(samples.size()));
      EXPECT_EQ(store.records_of(now).size(), expected.records_of(*then).size());
      EXPECT_EQ(store.by_line_of(now), expected.by_line_of(*then));
    }
    // Once more there is nothing to do, and with the first rubric all is as it was.
    for (const Rejudged& one : judge_by(t.path(name + ".toml"), &store))
      EXPECT_TRUE(!one.now && one.why.empty()) << one.why;
    Store first(t.path("base"));
    for (const Rejudged& one : judge_by(kRubric, &store)) {
      const auto then = first.latest("hw02", one.before.identity, "emulator");
      ASSERT_TRUE(one.now);
      EXPECT_EQ(comparable(*one.now)["checks"], comparable(*then)["checks"]) << name;
    }
  }
}

TEST_F(Regrade, WhatAKernelDoesElsewhereIsGraded) {
  add_elsewhere();
  const Built& one = samples.back();
  GradeResult result = session->finish_on(0, one.staged, one.build, one.folder, 1, 0);
  const size_t planned = plan_submission(session->rubric(), result.graded.seed).size();
  ASSERT_GT(result.plan.size(), planned);
  EXPECT_EQ(result.records.size(), result.plan.size());
  for (size_t i = 0; i < planned; ++i) EXPECT_EQ(result.records[i].check.status, "correct");
  bool wrong = false;
  for (size_t i = planned; i < result.plan.size(); ++i) {
    EXPECT_EQ(result.plan[i].run, "counted");
    const PlannedLaunch& l = result.plan[i].launch;
    EXPECT_EQ(result.records[i].check.status == "wrong", l.blocks == 4 && l.warps == 3);
    wrong |= result.records[i].check.status == "wrong";
  }
  EXPECT_TRUE(wrong);
  EXPECT_LT(result.graded.verdict.points, 10) << "of 35";
  EXPECT_GT(result.solution.records.size(), session->reference(0).records.size());
}

TEST_F(Regrade, FindsWhatMustBeExecuted) {
  const std::string path = "tests/honest/hw02/as_solution.cu";
  ASSERT_EQ(std::system(("tests/hostile/assemble " + path + " > " + t.path("one.cu")).c_str()), 0);
  add_sample("ada", read_file(t.path("one.cu")), "");
  Store store(t.path("results"));
  grade(*session, &store);
  const auto why = [&](const std::string& rubric) {
    t.write("now.toml", rubric);
    const std::vector<Rejudged> all = judge_by(t.path("now.toml"), &store);
    return all.at(0).now ? "judged" : all.at(0).why;
  };
  EXPECT_EQ(why(text), "");
  EXPECT_EQ(why(text + "# A word more.\n"), "judged");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {changed(text, "blocks = [3]", "blocks = [4]"), "other launches"},
      {changed(text, "count = 2", "count = 3"), "other launches"},
      {changed(text, "step_budget = 1_000_000", "step_budget = 2_000_000"), "[limits]"},
      {changed(text, "[limits]", "[policy]\ninline_asm = false\n\n[limits]"), "[policy]"},
      {changed(text, "flags = [\"-DSOLUTION=1\"]", "flags = [\"-DSOLUTION=2\"]"),
       "the solution's flags"},
      {changed(text, "file = \"solutions/hw02/hw02.cu\"", "file = \"hw02/hw02.cu\""),
       "the solution"},
      {with_metric(text, "time_us", "at_most = 1000"), "times"},
      {with_metric(text, "warp_instructions",
                   "at_most = 2\nrelative_to = \"solution:norm_group_u<8,8,1>\""),
       "not made of the solution"}};
  for (const auto& [rubric, words] : cases)
    EXPECT_NE(why(rubric).find(words), std::string::npos) << words << ": " << why(rubric);
  const Graded before = store.latest("hw02", "ada", "emulator").value();
  Graded infra = before;
  infra.verdict = infra_error(session->rubric(), "no memory");
  store.add(&infra, {}, {});
  EXPECT_NE(why(text + "#\n").find("nothing could be found out"), std::string::npos);
  Graded old = before;
  old.execution_hash.clear();
  store.add(&old, {}, {});
  EXPECT_NE(why(text + "#\n").find("before it was kept"), std::string::npos);
}

// What others have made of the file is refused, not judged.
TEST_F(Regrade, RefusesRecordsThatAreNone) {
  const std::string path = "tests/honest/hw02/as_solution.cu";
  ASSERT_EQ(std::system(("tests/hostile/assemble " + path + " > " + t.path("one.cu")).c_str()), 0);
  add_sample("ada", read_file(t.path("one.cu")), "");
  {
    Store store(t.path("results"));
    grade(*session, &store);
  }
  t.write("now.toml", text + "#\n");
  for (const char* sql :
       {"UPDATE launches SET size = size + 1", "UPDATE launches SET size = 1 << 40",
        "UPDATE launches SET records = x'00'",
        "UPDATE launches SET records = (SELECT json FROM plan), "
        "size = (SELECT size FROM plan)",
        "UPDATE launches SET plan = 'none'", "UPDATE plan SET json = x''",
        "UPDATE execution SET json = '[1]'", "UPDATE solution SET records = zeroblob(9)"}) {
    std::filesystem::remove_all(t.path("copy"));
    std::filesystem::copy(t.path("results"), t.path("copy"));
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(t.path("copy/results.db").c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(db);
    Store store(t.path("copy"));
    EXPECT_THROW(judge_by(t.path("now.toml"), &store), Error) << sql;
  }
}

class RegradeCommand : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_compile() || access("grader/grader", X_OK) != 0) GTEST_SKIP();
  }
  ProcessResult grader(std::vector<std::string> words, const std::string& rubric) const {
    words.insert(words.begin(), "grader/grader");
    words.insert(words.end(), {"-o", t.path("results"), "--rubric", rubric});
    if (std::getenv("LOCKSTEP_WEAK_SANDBOX") != nullptr) words.push_back("--weak-sandbox");
    return run_process(words, clean_environment(), {});
  }
  TemporaryFolder t;
};

TEST_F(RegradeCommand, TellsWhoGainsAndWhoLoses) {
  std::filesystem::create_directories(t.path("class"));
  for (const auto& [name, sample] : std::map<std::string, std::string>{
           {"ada", "honest/hw02/as_solution"}, {"bob", "naive/hw02/repeats"}})
    ASSERT_EQ(std::system(("tests/hostile/assemble tests/" + sample + ".cu > " +
                           t.path("class/" + name + ".cu"))
                              .c_str()),
              0);
  const ProcessResult none = grader({"regrade", "hw02"}, kRubric);
  EXPECT_EQ(none.exit_code, kExitUsage) << none.err;
  ASSERT_TRUE(grader({"run", "hw02", t.path("class"), "--backend", "emulator"}, kRubric).good());
  const std::string text = read_file(kRubric);
  t.write("now.toml", changed(changed(text, "points = 10", "points = 12"),
                              "at_most = 1.2\nzero_at = 4", "at_most = 0.2\nzero_at = 0.3"));
  const std::string now = t.path("now.toml");
  for (const bool dry : {true, false}) {
    std::vector<std::string> words = {"regrade", "hw02"};
    if (dry) words.push_back("--dry-run");
    const ProcessResult told = grader(words, now);
    ASSERT_TRUE(told.good()) << told.err;
    EXPECT_NE(told.out.find("lose:"), std::string::npos) << told.out;
    EXPECT_NE(told.out.find("35 -> 17 (-18)"), std::string::npos) << told.out;
    EXPECT_NE(told.out.find("correct +2, instructions -20"), std::string::npos) << told.out;
    EXPECT_NE(told.out.find("2 judged anew"), std::string::npos) << told.out;
  }
  EXPECT_NE(grader({"regrade", "hw02"}, now).out.find("2 are judged by this rubric already"),
            std::string::npos);
  // What was judged anew is not executed again by that rubric.
  EXPECT_NE(grader({"run", "hw02", t.path("class"), "--backend", "emulator"}, now)
                .out.find("2 unchanged"),
            std::string::npos);
  t.write("other.toml", changed(text, "blocks = [3]", "blocks = [4]"));
  const ProcessResult other = grader({"regrade", "hw02"}, t.path("other.toml"));
  EXPECT_NE(other.out.find("to be executed (the rubric asks for other launches):\n  ada, bob\n"),
            std::string::npos)
      << other.out;
  const ProcessResult json = grader({"regrade", "hw02", "--json"}, kRubric);
  const std::string last = json.out.substr(json.out.rfind("{\"summary"));
  EXPECT_EQ(nlohmann::json::parse(last)["summary"]["gain"], 2) << json.out;
  EXPECT_EQ(nlohmann::json::parse(last)["summary"]["judged"], 2) << json.out;
  const auto first = nlohmann::json::parse(json.out.substr(0, json.out.find('\n')));
  EXPECT_EQ(first["outcome"], "judged");
  EXPECT_EQ(first["points"], 35);
  EXPECT_EQ(first["checks"].size(), 2u) << first;
}

}  // namespace
}  // namespace lockstep::grader
