// SPDX-License-Identifier: Apache-2.0
// --trace: what is executed, and how what was found is printed.
#include "common/harness/trace.h"

#include "common/harness/trace_table.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

// Finds what a test gives it.
class TracedBackend : public FakeBackend {
 public:
  LineTrace found;
  std::string fault;
  std::vector<int> lines{2, 3, 5};
  TraceRequest* request = nullptr;  // what it is asked for
  Sequence* launches = nullptr;

  std::vector<int> lines_with_code(const std::string&, const std::string&) override {
    return lines;
  }
  bool trace(const Sequence& sequence, const TraceRequest& asked, LineTrace* out) override {
    *request = asked;
    *launches = sequence;
    *out = found;
    FaultPlace place;
    place.file = "/w/hw99.cu";
    place.line = 3;
    if (!fault.empty()) throw KernelFault(fault, place, "hw99.cu:3: it did that");
    return true;
  }
};

class TraceTest : public HomeworkTest {
 protected:
  TraceTest() {
    std::ofstream(folder_ + "/hw99.cu") << "one\nif (h)\n  a[i] = h;\n\nend\n";
    std::ofstream(folder_ + "/hw99-cuda-debug.ptx") << "module";
    found_.kernel = "norm_group<8,8>";
    found_.columns = {"a[i]", "i", "h"};
    found_.turns = {{1, {{"-", "0.5"}, {"0", "0"}, {"?", "?"}}},
                    {2, {{"0.5", "1.5"}, {"1", "1"}, {"0", "0"}}}};
    found_.all = 2;
  }

  Result trace(const Words& arguments) {
    HomeworkEnvironment environment;
    environment.open_checker = [&](const Options&) {
      auto backend = std::make_unique<TracedBackend>();
      backend->info = rtx4090();
      backend->fake_kind = "emulator";
      good_kernels(*backend);
      backend->found = found_;
      backend->fault = fault_;
      backend->request = &request_;
      backend->launches = &launches_;
      return std::unique_ptr<Backend>(std::move(backend));
    };
    return run_in(environment, arguments);
  }

  LineTrace found_;
  std::string fault_;
  TraceRequest request_;
  Sequence launches_;
};

TEST_F(TraceTest, PrintsATable) {
  const Result r = trace({"--trace", "3", "--thread", "33", "--block", "1"});
  EXPECT_EQ(r.code, kExitGood) << r.err;
  EXPECT_EQ(r.out.substr(0, r.out.find("With")),
            "hw99.cu:3, thread (33,0,0) of block (1,0,0), norm_group<8,8>\n"
            "    |   a[i] = h;\n");
  EXPECT_EQ(r.out.substr(r.out.find("\n\n")),
            "\n\n"
            "  turn  a[i]        i  h\n"
            "     1  0.5         0  ?\n"
            "     2  0.5 -> 1.5  1  0\n"
            "?: not known here, or outside of its array.\n");
  EXPECT_EQ(request_.file, "hw99.cu");
  EXPECT_EQ(request_.line, 3);
  EXPECT_EQ(request_.thread[0], 33u);
  EXPECT_EQ(request_.block[0], 1u);
  EXPECT_EQ(request_.expressions, (Words{"a[i]", "i", "h"}));
  ASSERT_EQ(launches_.size(), 1u);
  EXPECT_EQ(launches_[0].grid.x, 2u);
  EXPECT_EQ(launches_[0].block.x, 128u);
}

TEST_F(TraceTest, TakesTheShapeThatIsGivenOrNeeded) {
  trace({"7", "2", "--vectors", "37", "--trace", "3"});
  EXPECT_EQ(launches_.at(0).grid.x, 7u);
  EXPECT_EQ(launches_[0].block.x, 64u);
  trace({"--trace", "3", "--thread", "500", "--block", "9", "--kernel", "norm_base"});
  EXPECT_EQ(launches_.at(0).grid.x, 10u);
  EXPECT_EQ(launches_[0].block.x, 512u);
  EXPECT_EQ(launches_[0].kernel, "norm_base<8>");
}

TEST_F(TraceTest, SaysWhatIsWrong) {
  const auto error_of = [&](const Words& arguments) {
    const Result r = trace(arguments);
    EXPECT_NE(r.code, kExitGood);
    std::istringstream lines(r.err);  // as it was before it was broken into lines
    std::string text;
    for (std::string word; lines >> word;) text += (text.empty() ? "" : " ") + word;
    return text;
  };
  EXPECT_NE(error_of({"--trace", "4"})
                .find("no code of norm_group<8,8>, norm_group_u<8,8,4> in "
                      "this line of hw99.cu; the nearest with code: 3 and 5"),
            std::string::npos);
  EXPECT_NE(error_of({"--trace", "9"}).find("hw99.cu has 5 lines"), std::string::npos);
  EXPECT_NE(error_of({"2", "1", "--trace", "3", "--thread", "32"})
                .find("there is no thread (32,0,0) of a block (0,0,0): norm_group<8,8> is launched "
                      "with 2 blocks of 1 warps"),
            std::string::npos);
  EXPECT_NE(error_of({"2", "1", "--trace", "3", "--block", "2"}).find("there is no thread"),
            std::string::npos);
  std::filesystem::remove(folder_ + "/hw99-cuda-debug.ptx");
  EXPECT_NE(error_of({"--trace", "3"}).find("hw99-cuda-debug.ptx is not there: type make first"),
            std::string::npos);
}

TEST_F(TraceTest, SaysWhereTheThreadWasInstead) {
  found_.turns.clear();
  found_.all = 0;
  found_.last_lines = {2, 5};
  const Result r = trace({"--trace", "3"});
  EXPECT_NE(r.out.find("The thread did not come to this line. The lines where it was last: 2, 5."),
            std::string::npos)
      << r.out;
}

TEST_F(TraceTest, PrintsAFaultBehindWhatCameBefore) {
  fault_ = "out_of_bounds";
  const Result r = trace({"--trace", "3"});
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_LT(r.out.find("0.5 -> 1.5"), r.out.find("Then the kernel failed: "));
  EXPECT_NE(r.out.find("    | hw99.cu:3: it did that\n"), std::string::npos) << r.out;
}

TEST_F(TraceTest, OldModulesAreMentioned) {
  namespace fs = std::filesystem;
  fs::last_write_time(folder_ + "/hw99-cuda-debug.ptx",
                      fs::last_write_time(folder_ + "/hw99.cu") - std::chrono::hours(1));
  EXPECT_NE(trace({"--trace", "3"}).out.find("hw99.cu is newer than "), std::string::npos);
}

TEST(TraceTable, LeavesOutTurnsBeforeTheLast) {
  LineTrace trace;
  trace.columns = {"k"};
  trace.turns = {{1, {{"0", "0"}}}, {101, {{"-1", "-5"}}}};
  EXPECT_EQ(trace_table(trace, 80),
            "  turn  k\n"
            "     1  0\n"
            "  ... and 99 more; the last:\n"
            "   101  -1 -> -5\n");
}

TEST(TraceTable, BreaksWhereTheTerminalEnds) {
  LineTrace trace;
  trace.columns = {"first", "second", "third"};
  trace.turns = {{1, {{"{-, 1}", "{-, 1}"}, {"2", "2"}, {"\x1b[2J", "\x1b[2J"}}}};
  EXPECT_EQ(trace_table(trace, 24),
            "  turn  first   second\n"
            "     1  {-, 1}  2\n"
            "\n"
            "  turn  third\n"
            "     1  ?[2J\n"
            "-: nothing has been stored there yet.\n");
}

}  // namespace
}  // namespace lockstep::harness_test
