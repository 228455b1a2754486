// SPDX-License-Identifier: Apache-2.0
// Pages in a real browser: they sort, filter and show, say what they say in every medium, and obey
// nothing that stands in a submission.
#include "common/page/page.h"

#include <gtest/gtest.h>

#include <map>

#include "common/backend/machine_code.h"
#include "common/harness/page_parts.h"
#include "grader/pages.h"
#include "tests/grader/temporary.h"
#include "tests/page/browser.h"
#include "tests/page/samples.h"

namespace lockstep::grader {
namespace {

using nlohmann::json;

Record record_of(const std::string& kernel, uint32_t warps, double per_element, int line) {
  Record record;
  record.kernel = kernel;
  record.block = {32 * warps, 1, 1};
  record.elements = 1000;
  record.check.status = "correct";
  record.derived["inst_per_element"] = {per_element, Tier::kExact};
  LineCounts costly;
  costly.file = "/src/./hw02/hw02.cu";
  costly.line = line;
  costly.counts = {{"warp_instructions", {900, Tier::kExact}},
                   {"global_load_sectors", {800, Tier::kExact}},
                   {"loaded_sectors", {100, Tier::kExact}},
                   {"global_load_requests", {25, Tier::kExact}}};
  LineCounts cheap = costly;
  cheap.line = line + 1;
  cheap.counts = {{"warp_instructions", {10, Tier::kExact}}};
  record.counts.lines = {costly, cheap};
  return record;
}

MachineCode code_of(const std::string& file) {
  MachineFunction f{"f<8>", 0, {"S2R R0, SR_TID.X", "LDG.E R1, desc[UR4][R2.64]", "EXIT"}, {}};
  f.places = {{1, 3}, {1, 4}, {0, 0}};
  return {90, {"", file}, {f}};
}

// Of a grading in a real store, so that what is kept is what is shown.
std::string student_page_of(const TemporaryFolder& t, Graded g, const std::string& source) {
  g.source = source;
  g.code = to_json(code_of("hw02/hw02.cu"));
  Store store(t.path("store"));
  const std::vector<Record> records = {record_of("f<8>", 4, 20, 4), record_of("f<8>", 8, 22, 4)};
  store.add(&g, {{"run", {}}, {"run", {}}}, records,
            Reference{0, true, {{"run", {}}}, {record_of("f<8>", 4, 18, 4)}});
  return page::student_page(student_data(store, g, kNames, "index.html"));
}

TEST(Page, DataHoldsNothingThatHtmlKnows) {
  const std::string text = page::embedded({{"x", kHostile}});
  for (const char c : text) {
    EXPECT_TRUE(c != '<' && c != '>' && c != '&' && static_cast<unsigned char>(c) < 0x7f) << text;
  }
  EXPECT_NE(text.find("\\u2028"), std::string::npos);
  EXPECT_NE(json::parse(text)["x"].get<std::string>().find("</script><script>window.owned=1"),
            std::string::npos);
}

// What others wrote is as they published it.
TEST(Page, TheLibraryIsTheOneThatWasPublished) {
  EXPECT_EQ(std::system("cd common/page/uplot && sha256sum --quiet -c SHA256SUMS"), 0);
}

TEST(Page, HasTheLicenceOfWhatIsInIt) {
  EXPECT_NE(page::student_page(json::object()).find("Permission is hereby granted"),
            std::string::npos);
}

TEST(Page, FilesOfPagesAreSafeAndOfOneEach) {
  std::set<std::string> files;
  const std::vector<std::string> names = {"../../etc/passwd",     "a/b", "a b",  "a-b",   "A-b",
                                          std::string("a\0b", 3), "",    "\xFF", "index", kHostile};
  for (const std::string& name : names) {
    const std::string file = page_file(shown_name(name), name);
    EXPECT_TRUE(files.insert(file).second) << file;
    EXPECT_EQ(
        file.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-."),
        std::string::npos)
        << file;
    EXPECT_NE(file.front(), '.');
    EXPECT_NE(file.front(), '-');
    EXPECT_LE(file.size(), 80u);
  }
  EXPECT_FALSE(files.contains("index.html"));
}

TEST(Page, ASubmissionShowsSourceCostsCodeAndPlot) {
  LOCKSTEP_NEEDS_BROWSER();
  TemporaryFolder t;
  Graded g = sample_grading("Bob", 4);
  g.verdict.checks[4].costs = {{"hw02.cu:5: 800 of 1000 sectors (80 %)", Quoted("x = l_in[i];")}};
  t.write("Bob.html", student_page_of(t, g, "one\ntwo\nthree\nfour = 4;\nfive\n"));
  const Browsed got = browse(
      t.path(), {{{"size", {1280, 900}}},
                 {{"open", t.path("Bob.html")}},
                 {{"eval", "document.querySelector('header').innerText"}},
                 {{"eval", "[...document.querySelectorAll('details.check[open]')].length"}},
                 {{"eval", "document.querySelector('#L4').innerText.replace(/\\s+/g, ' ')"}},
                 {{"eval", "[...document.querySelectorAll('tr.costly')].map((r) => r.id).join()"}},
                 {{"eval",
                   "['sectors', 'shared', 'local'].map((c) => "
                   "getComputedStyle(document.querySelector('th.' + c)).display).join()"}},
                 {{"eval", "document.querySelector('#L4').nextSibling.textContent"}},
                 {{"eval", "document.querySelector('#L5').nextSibling.textContent"}},
                 {{"eval",
                   "document.querySelector('.plot').getAttribute('aria-label') + "
                   "document.querySelectorAll('.plot canvas').length"}},
                 {{"eval", "document.querySelector('section .key').textContent"}},
                 {{"eval", "document.querySelector('.sass').hidden"}},
                 {{"eval", "document.querySelector('#L4 button').focus()"}},
                 {{"press", "Enter"}},
                 {{"eval", "document.querySelector('.sass li.chosen').textContent"}},
                 {{"eval", "document.querySelectorAll('.sass li').length"}},
                 {{"screenshot", picture("submission")}},
                 {{"eval", "document.querySelector('section:last-child').innerText"}}});
  EXPECT_EQ(got.console, json::array());
  const json& v = got.values;
  ASSERT_EQ(v.size(), 14u);
  EXPECT_NE(v[0].get<std::string>().find("partial, 40 / 100 points"), std::string::npos) << v[0];
  EXPECT_NE(v[0].get<std::string>().find("Do this first: the instructions of check 4"),
            std::string::npos)
      << v[0];
  EXPECT_EQ(v[1], 6);
  // 900 of 910 instructions a launch; 800 sectors where 100 would do; two launches.
  EXPECT_NE(v[2].get<std::string>().find("98.9"), std::string::npos) << v[2];
  EXPECT_NE(v[2].get<std::string>().find("1600 / 200"), std::string::npos) << v[2];
  EXPECT_EQ(v[3], "L4");
  EXPECT_EQ(v[4], "table-cell,none,none") << "columns without figures";
  EXPECT_EQ(v[5], "\xE2\x96\xB2 99 % of instructions, 8 times the sectors needed");
  EXPECT_EQ(v[6], "\xE2\x96\xB2 800 of 1000 sectors (80 %) in norm_group_u<8,4,8>");
  EXPECT_NE(v[7].get<std::string>().find("I/el over warps a block, of f<8>"), std::string::npos);
  EXPECT_NE(v[8].get<std::string>().find("this submission: 2 launches"), std::string::npos) << v[8];
  EXPECT_NE(v[8].get<std::string>().find("the solution: 1 launch"), std::string::npos) << v[8];
  EXPECT_EQ(v[9], true);
  EXPECT_NE(v[11].get<std::string>().find("LDG.E R1"), std::string::npos) << v[11];
  EXPECT_EQ(v[12], 3);
  for (const char* words : {"NVIDIA H200, emulated", "nvcc 13.0.88", "77"})
    EXPECT_NE(v[13].get<std::string>().find(words), std::string::npos) << words;
}

// Everything that comes from a submission, in every place where it can stand.
TEST(Page, SaysWhatSandboxThereWas) {
  LOCKSTEP_NEEDS_BROWSER();
  const std::map<std::string, std::string> words = {
      {"full", ""}, {"middle", "confined by Landlock"}, {"weak", "Weak sandbox"}};
  for (const auto& [kind, said] : words) {
    TemporaryFolder t;
    Graded g = sample_grading("Bob", 4);
    g.sandbox = kind;
    t.write("Bob.html", student_page_of(t, g, "one\n"));
    const Browsed got = browse(
        t.path(),
        {{{"open", t.path("Bob.html")}}, {{"eval", "document.querySelector('header').innerText"}}});
    const std::string header = got.values.at(0);
    EXPECT_NE(header.find(said), std::string::npos) << header;
    EXPECT_EQ(header.find("andbox") == std::string::npos, said.empty()) << header;
  }
}

TEST(Page, NothingOfASubmissionIsObeyed) {
  LOCKSTEP_NEEDS_BROWSER();
  TemporaryFolder t;
  Graded g = sample_grading(kHostile, 4);
  g.submission = kHostile;  // worse than a name as shown can be
  g.verdict.message = g.verdict.reason = g.device = g.compiler = kHostile;
  g.verdict.quoted = Quoted(kHostile);
  for (CheckOutcome& c : g.verdict.checks) {
    c.title = c.message = c.hint = c.reproduce = c.kernel = c.tier = c.id = kHostile;
    c.quoted = Quoted(kHostile);
    c.costs = {{"hw02.cu:1: " + kHostile, Quoted(kHostile)}};
  }
  const std::string file = page_file(g.submission, g.identity);
  t.write(file, student_page_of(t, g, kHostile + "\n" + kHostile));
  std::vector<Graded> all = {g, g};
  all[1].verdict.kind = VerdictKind::kInfraError;
  Fingerprint same;
  for (uint64_t i = 0; i < 100; ++i) same.push_back(i);
  t.write("index.html", class_page_of(all, {same, same}));
  const char* kCount =
      "[window.owned, document.scripts.length, document.querySelectorAll('img, svg, "
      "iframe').length, "
      "document.body.textContent.includes('<img src=x onerror=')].join()";
  const Browsed got = browse(
      t.path(), {{{"open", t.path("index.html")}},
                 {{"eval", kCount}},
                 {{"open", t.path(file)}},
                 {{"eval", kCount}},
                 {{"eval", "document.querySelector('#L1 .text').textContent"}},
                 {{"eval", "document.getElementById('page').textContent.includes('\\u202E')"}},
                 {{"screenshot", picture("hostile")}}});
  EXPECT_EQ(got.console, json::array());
  EXPECT_EQ(got.values[0], ",3,0,true");
  EXPECT_EQ(got.values[1], ",4,0,true");
  EXPECT_EQ(got.values[2].get<std::string>().find("\xE2\x80\xAE"), std::string::npos);
  EXPECT_EQ(got.values[3], false) << "the direction of writing can be turned";
  EXPECT_NE(got.values[2].get<std::string>().find("</script><script>window.owned=1</script>"),
            std::string::npos);
}

// If all else failed, the page's policy would still refuse.
TEST(Page, ThePolicyRefusesOtherScripts) {
  LOCKSTEP_NEEDS_BROWSER();
  TemporaryFolder t;
  std::string page = class_page_of(small_class(), {{}, {}, {}, {}});
  page.insert(page.find("<main"),
              "<script>window.owned = 1</script><img src='data:x' onerror='window.owned = 2'>");
  t.write("index.html", page);
  const Browsed got =
      browse(t.path(), {{{"open", t.path("index.html")}},
                        {{"eval", "String(window.owned)"}},
                        {{"eval",
                          "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'taken'; } "
                          "catch (e) { return 'refused'; } })()"}}});
  EXPECT_EQ(got.values[0], "undefined");
  EXPECT_EQ(got.values[1], "refused");
  EXPECT_NE(got.console.dump().find("Content Security Policy"), std::string::npos) << got.console;
}

// Of each pair of colours in which text stands: WCAG 2.1's contrast, 4.5 at least.
constexpr char kWorstContrast[] = R"((() => {
  const light = (name) => {
    const hex = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
    const part = (at) => { const c = parseInt(hex.slice(at, at + 2), 16) / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5); };
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05); };
  const pairs = ['ink', 'soft', 'good', 'bad', 'some', 'link'].flatMap((t) => [[t, 'paper'], [t, 'panel']])
    .concat([['ink', 'bar'], ['ink', 'mark'], ['link', 'mark'], ['link', 'bar'], ['soft', 'mark']]);
  return pairs.map(([a, b]) => [ratio(a, b), a + ' on ' + b]).sort((a, b) => a[0] - b[0])[0];
})())";

TEST(Page, CanBeReadInEveryMedium) {
  LOCKSTEP_NEEDS_BROWSER();
  TemporaryFolder t;
  t.write("s.html", student_page_of(t, sample_grading("Bob", 4),
                                    "int x;\n\n\nint y = " + std::string(300, 'z') + ";\n"));
  t.write("index.html", class_page_of(small_class(), {{}, {}, {}, {}}));
  const char* kWidth = "document.documentElement.scrollWidth";
  const Browsed got =
      browse(t.path(), {{{"size", {390, 800}}},
                        {{"open", t.path("s.html")}},
                        {{"eval", kWidth}},
                        {{"screenshot", picture("submission-phone")}},
                        {{"open", t.path("index.html")}},
                        {{"eval", kWidth}},
                        {{"screenshot", picture("class-phone")}},
                        {{"size", {1280, 900}}},
                        {{"media", ""}, {"dark", false}},
                        {{"eval", kWorstContrast}},
                        {{"media", ""}, {"dark", true}},
                        {{"eval", kWorstContrast}},
                        {{"screenshot", picture("class-dark")}},
                        {{"open", t.path("s.html")}},
                        {{"screenshot", picture("submission-dark")}},
                        {{"size", {794, 1123}}},
                        {{"media", "print"}, {"dark", true}},
                        {{"eval", kWorstContrast}},
                        {{"eval", "getComputedStyle(document.querySelector('.controls')).display"}},
                        {{"eval", kWidth}},
                        {{"screenshot", picture("submission-print")}}});
  EXPECT_EQ(got.console, json::array());
  EXPECT_EQ(got.values[0], 390);
  EXPECT_EQ(got.values[1], 390);
  for (const size_t medium : {2, 3, 4}) {
    EXPECT_GE(got.values[medium][0].get<double>(), 4.5) << got.values[medium];
  }
  EXPECT_EQ(got.values[5], "none");
  EXPECT_EQ(got.values[6], 794);
}

}  // namespace
}  // namespace lockstep::grader
