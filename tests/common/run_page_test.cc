// SPDX-License-Identifier: Apache-2.0
// --html: a page of one's own run holds what the run showed. tests/page/ opens pages in a browser.
#include <nlohmann/json.hpp>

#include "common/harness/page_parts.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

using nlohmann::json;

class RunPage : public HomeworkTest {
 protected:
  // The data of the page that a run has written, or null.
  json page_of(const Setup& setup, const Words& more = {}) {
    const std::string path = folder_ + "/page.html";
    std::filesystem::remove(path);
    Words arguments{"1", "8", "--vectors", "1000", "--kernel", "group<", "--html=" + path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    last_ = run(arguments, setup);
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string start = "id=\"data\">";
    const size_t at = text.find(start);
    if (at == std::string::npos) return nullptr;
    const size_t begin = at + start.size();
    return json::parse(text.substr(begin, text.find("</script>", begin) - begin));
  }
  static void counted(FakeBackend& b) {
    good_kernels(b);
    b.counts = sample_counts();
    LineCounts line;
    line.file = "/somewhere/hw99/hw99.cu";
    line.line = 2;
    line.counts = {{metric::kWarpInstructions, {5275, Tier::kMeasured}}};
    LineCounts header = line;
    header.file = "given.cuh";
    b.counts.lines = {line, header};
  }

  Result last_;
};

TEST_F(RunPage, HasFiguresCostsAndSourceOfARightRun) {
  std::ofstream(folder_ + "/hw99.cu") << "one\r\ntwo\n\tthree \xE2\x80\xAE\n";
  std::filesystem::last_write_time(folder_ + "/hw99.cu", std::filesystem::file_time_type::min());
  const json page = page_of(counted, {"--seed", "9"});
  EXPECT_EQ(last_.code, kExitGood) << last_.err;
  EXPECT_NE(last_.out.find("A page of this run: "), std::string::npos);
  ASSERT_FALSE(page.is_null());
  EXPECT_EQ(page["words"], "right: 1 kernel");
  EXPECT_TRUE(page["checks"].empty());
  EXPECT_EQ(page["source"]["lines"], (json{"one", "two", "\tthree ?"}));
  ASSERT_EQ(page["kernels"].size(), 1u);
  EXPECT_EQ(page["kernels"][0]["lines"].dump(), R"([[2,{"warp_instructions":5275.0}]])");
  const json& plot = page["plots"]["kernels"][0];
  EXPECT_EQ(plot["points"][0][0], 8);
  EXPECT_NEAR(plot["points"][0][1]["inst_per_element"].get<double>(), 21.1, 1e-9);
  EXPECT_TRUE(plot["reference"].empty()) << "there was no run before";
  EXPECT_TRUE(page["code"].is_null());
  EXPECT_NE(page["facts"].dump().find(R"(["Seed","9"])"), std::string::npos) << page["facts"];
  // The next has this one's figures beside its own.
  EXPECT_EQ(page_of(counted)["plots"]["kernels"][0]["reference"].size(), 1u);
}

TEST_F(RunPage, SaysWhatIsWrongAndHowToRepeatIt) {
  const json page = page_of([](FakeBackend& b) {
    one_kernel(b, [](const FakeLaunch& l) {
      normalize(l, 8);
      l.floats(0)[3] += 1;
    });
  });
  EXPECT_EQ(last_.code, kExitWrong);
  ASSERT_FALSE(page.is_null());
  EXPECT_EQ(page["verdict"], "fail");
  EXPECT_EQ(page["words"], "wrong: 1 of 1 kernel");
  ASSERT_EQ(page["checks"].size(), 1u);
  EXPECT_EQ(page["checks"][0]["title"], "norm_group<8,8>");
  EXPECT_NE(page["checks"][0]["reproduce"].get<std::string>().find("./hw99 1 8"),
            std::string::npos);
  EXPECT_EQ(page["first"], page["checks"][0]["message"].get<std::string>().substr(
                               0, page["first"].get<std::string>().size()));
  EXPECT_FALSE(page["first"].get<std::string>().empty());
}

TEST_F(RunPage, IsWrittenWholeOrNotAtAll) {
  EXPECT_TRUE(page_of(counted, {"--json"}).is_null());
  EXPECT_EQ(last_.code, kExitUsage);
  const Result r = run({"1", "8", "--vectors", "1000", "--html=" + folder_}, counted);
  EXPECT_EQ(r.code, kExitCannotRun);
  EXPECT_NE(r.err.find("--html: cannot write"), std::string::npos) << r.err;
  const Result none = run({"1", "8", "--vectors", "1000", "--html=" + folder_ + "/no/x"}, counted);
  EXPECT_NE(none.err.find("No such file"), std::string::npos) << none.err;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    EXPECT_EQ(entry.path().string().find(".html"), std::string::npos) << entry.path();
}

TEST(PageParts, ANoteIsASentenceOfOursAboutALineOfTheStudents) {
  EXPECT_EQ(note_of("hw99.cu:17: is slow", "hw99.cu"), (json{{"line", 17}, {"words", "is slow"}}));
  for (const char* other : {"hw99.cu: is slow", "hw98.cu:17: x", "hw99.cu:0: x", "hw99.cu:x: y",
                            "hw99.cu:17", "see hw99.cu:17: x", "hw99.cu:99999999999: x"})
    EXPECT_TRUE(note_of(other, "hw99.cu").is_null()) << other;
}

}  // namespace
}  // namespace lockstep::harness_test
