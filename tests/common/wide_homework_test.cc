// SPDX-License-Identifier: Apache-2.0
// A homework that uses all that the interface offers beyond floats and one launch: element types,
// roles, two launches a case, three dimensions, a shape out of the student's file, own columns.
#include <cmath>
#include <numeric>

#include "common/harness/launch_plan.h"
#include "common/harness/record.h"
#include "tests/common/homework_fixture.h"

namespace lockstep::harness_test {
namespace {

// Sums a mebi of 32-bit numbers: partial sums in doubles, then their total; marks are counted up.
class Sums : public Assignment {
 public:
  std::string name() const override { return "hw99"; }
  int64_t default_bytes(const DeviceInfo&, bool) const override { return 4000; }
  ShapeFrom shape_from() const override { return ShapeFrom::kStudent; }
  std::vector<StudentConstant> constants() const override {
    return {{"kThreads", 32, 1024, 32, "threads of a block"}};
  }
  std::vector<Case> cases(const ProblemSize& size) const override {
    return {{"sum", "", {{"n", size.vectors.value_or(size.bytes / 4)}}}};
  }
  std::vector<std::string> launched_kernels(const Case&) const override {
    return {"part", "total"};
  }
  std::string signature(const Case&, const std::string& kernel) const override {
    return kernel == "part" ? "(double*)" : "";
  }
  std::vector<ArraySpec> arrays(const Case& c) const override {
    const size_t n = static_cast<size_t>(c.parameter("n"));
    return {{"in", n, Role::kInput, ElementType::kI32},
            {"marks", n, Role::kInOut, ElementType::kU8},
            {"parts", 4, Role::kScratch, ElementType::kF64},
            {"sum", 1, Role::kOutput, ElementType::kI64}};
  }
  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override {
    std::vector<int32_t> in(static_cast<size_t>(c.parameter("n")));
    std::iota(in.begin(), in.end(), static_cast<int32_t>(seed));
    return {HostArray::of(in), HostArray(ElementType::kU8, in.size())};
  }
  std::vector<Expected> reference(const Case&, const std::vector<HostArray>& in) const override {
    const std::span<const int32_t> values = in[0].as<int32_t>();
    const size_t n = values.size();
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {{std::vector<double>(n, 1), std::vector<double>(n, 0)}, {{sum}, {0}}};
  }
  Sequence launches(const Case& c, const LaunchContext& context,
                    const std::vector<BufferId>& buffers) const override {
    Launch part;
    part.kernel = "part";
    part.grid = Dim3{2, 2, 1};
    part.block = Dim3{static_cast<uint32_t>(context.constants.at("kThreads")), 1, 1};
    part.arguments = arguments(c, buffers);
    Launch total = part;
    total.kernel = "total";
    total.grid = {};
    total.dynamic_shared_bytes = 64;
    return {part, total};
  }
  UsefulWork work(const Case& c) const override { return {c.parameter("n"), 4, 8, 0, 1}; }
  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock, metric::kBlocks, metric::kTheoreticalOccupancy,
            metric::kWaves,           metric::kTimeUs, metric::kSmActivePercent,
            metric::kWarpInstructions};
  }
  std::vector<Confusion> confusions(const Case&) const override {
    return {{"twice the mark", [](const std::vector<HostArray>&, int64_t) { return 2.0; }}};
  }
};

void part(const FakeLaunch& l) {
  for (int i = 0; i < 4; i++) l.array<double>(2)[i] = 0;
  for (int i = 0; i < 1000; i++) {
    l.array<double>(2)[i % 4] += l.array<int32_t>(0)[i];
    l.array<uint8_t>(1)[i]++;
  }
}

void total(const FakeLaunch& l) {
  const double* parts = l.array<double>(2);
  l.array<int64_t>(3)[0] = static_cast<int64_t>(parts[0] + parts[1] + parts[2] + parts[3]);
}

class WideHomework : public HomeworkTest {
 protected:
  WideHomework() { homework_ = std::make_unique<Sums>(); }

  static void setup(FakeBackend& b) {
    b.add_kernel("part", part, "(double*)");
    b.add_kernel("total", total);
    b.globals["lockstep_constant_kThreads"] = {64, 0, 0, 0, 0, 0, 0, 0};
    b.counts = sample_counts();
    b.counts.values[metric::kSmActivePercent] = {12.5, Tier::kMeasured};
  }
};

TEST_F(WideHomework, SeveralLaunchesOfAnyTypesAreOneRow) {
  const Result r = run({}, setup);
  EXPECT_EQ(r.code, kExitGood) << r.out << r.err;
  EXPECT_NE(r.out.find(" thr blocks  occ waves"), std::string::npos) << r.out;
  // 64 threads are 2 warps; 2 blocks of them fit beside each other: 4 of 48 warps.
  EXPECT_NE(r.out.find("\n  64      4    8  0.02 10.0 12.5"), std::string::npos) << r.out;
  const Result json = run({"--json"}, setup);
  const size_t line = json.out.find("{\"record\"");
  const std::string text = json.out.substr(line, json.out.find("\n", line) - line);
  const lockstep::Record record = record_from_json_line(text);
  EXPECT_EQ(record.grid.y, 2u);
  EXPECT_EQ(record.block.x, 64u);
  ASSERT_EQ(record.launches.size(), 2u);
  EXPECT_EQ(record.launches[1].kernel, "total");
  EXPECT_EQ(record.check.checked, 1001);
  EXPECT_EQ(record.input_bytes, 5000);
}

TEST_F(WideHomework, AWrongElementOfAnyTypeIsSeenAndWhatItIsIsTold) {
  const Result marks = run({}, [](FakeBackend& b) {
    setup(b);
    b.functions["part"] = [](const FakeLaunch& l) {
      part(l);
      l.array<uint8_t>(1)[7] = 2;
    };
  });
  EXPECT_EQ(marks.code, kExitWrong);
  EXPECT_NE(marks.out.find("marks[7]: expected 1, got 2"), std::string::npos) << marks.out;
  EXPECT_NE(marks.out.find("What is wrong is twice the mark."), std::string::npos) << marks.out;
  EXPECT_NE(marks.out.find("sum with 2x2 blocks of 2 warps"), std::string::npos) << marks.out;
  const Result unwritten = run({}, [](FakeBackend& b) {
    setup(b);
    b.functions["total"] = [](const FakeLaunch&) {};
  });
  EXPECT_NE(unwritten.out.find("got nothing, it was not written"), std::string::npos);
  EXPECT_EQ(unwritten.out.find("What is wrong is"), std::string::npos) << "no mark is wrong";
  const Result large = run({}, [](FakeBackend& b) {
    setup(b);
    b.functions["total"] = [](const FakeLaunch& l) { l.array<int64_t>(3)[0] = 1234567890123; };
  });
  EXPECT_NE(large.out.find("got 1234567890123\n"), std::string::npos) << large.out;
}

TEST_F(WideHomework, EveryKernelOfACaseMustBeThere) {
  const Result r = run({}, [](FakeBackend& b) {
    setup(b);
    b.kernel_list.pop_back();
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_NE(r.out.find("there is no kernel total"), std::string::npos) << r.out;
}

TEST_F(WideHomework, ConstantsOfTheStudentAreCheckedForSense) {
  const auto with = [&](std::vector<uint8_t> bytes) {
    return run({}, [&](FakeBackend& b) {
      setup(b);
      b.globals["lockstep_constant_kThreads"] = std::move(bytes);
    });
  };
  const Result odd = with({33, 0, 0, 0});
  EXPECT_EQ(odd.code, kExitWrong);
  EXPECT_NE(odd.out.find("hw99.cu: kThreads = 33 (threads of a block) must lie between 32 and 1024 "
                         "and be a multiple of 32"),
            std::string::npos)
      << odd.out;
  EXPECT_NE(with({0xe0, 0xff, 0xff, 0xff}).out.find("kThreads = -32"), std::string::npos);
  EXPECT_NE(with({}).out.find("there is no number kThreads"), std::string::npos);
  EXPECT_EQ(with({64}).code, kExitGood);
}

TEST_F(WideHomework, ShapesOnTheCommandLineAreRefused) {
  const Result r = run({"4", "8"}, setup);
  EXPECT_EQ(r.code, kExitUsage);
  EXPECT_NE(r.err.find("the launch shape of hw99 is what hw99.cu says"), std::string::npos)
      << r.err;
  EXPECT_EQ(run({"0", "0", "0.001"}, setup).code, kExitWrong) << "another size than part()'s";
}

// Two cases in one table, told apart by the beginning of each row.
class Rows : public Sums {
 public:
  std::vector<Case> cases(const ProblemSize& size) const override {
    std::vector<Case> cases;
    for (const char* name : {"once", "again"}) {
      Case c = Sums::cases(size).front();
      c.kernel = c.row = name;
      c.table = "Both sums";
      c.label = "1000 numbers";
      cases.push_back(c);
    }
    return cases;
  }
};

TEST_F(WideHomework, CasesThatShareATableHaveLabelsForTheirRows) {
  homework_ = std::make_unique<Rows>();
  const Result r = run({}, setup);
  EXPECT_EQ(r.code, kExitGood) << r.out << r.err;
  EXPECT_NE(r.out.find("\nBoth sums. 1000 numbers\n"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("Kernel "), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("\n              thr blocks"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("\nonce           64      4"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("\nagain          64      4"), std::string::npos) << r.out;
}

TEST_F(WideHomework, OfATableThatCasesShareEachFailureIsTold) {
  homework_ = std::make_unique<Rows>();
  const Result r = run({}, [](FakeBackend& b) {
    setup(b);
    b.functions["part"] = [](const FakeLaunch&) {};
  });
  EXPECT_EQ(r.code, kExitWrong);
  EXPECT_NE(r.out.find("once           64 WRONG"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("--kernel once"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("--kernel again"), std::string::npos) << r.out;
}

// Of what the first kernel of a case takes, with and without counters.
class Resources : public Rows {
 public:
  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock, metric::kRegisters, metric::kSpillBytes,
            metric::kGlobalLoadRequests};
  }
};

TEST_F(WideHomework, RegistersAndSpillsCanBeColumns) {
  homework_ = std::make_unique<Resources>();
  const auto spilling = [](FakeBackend& b) {
    setup(b);
    b.kernel_list[0].spill_bytes = 24;
  };
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, std::vector<std::string>{"--no-counters"}}) {
    const Result r = run(options, spilling);
    EXPECT_EQ(r.code, kExitGood) << r.out << r.err;
    EXPECT_NE(r.out.find(" thr regs spill"), std::string::npos) << r.out;
    EXPECT_NE(r.out.find("\nonce           64   18    24"), std::string::npos) << r.out;
  }
}

TEST_F(WideHomework, HelpExplainsTheColumns) {
  const Result r = run({"--help"}, setup);
  EXPECT_NE(r.out.find("waves           blocks of the grid over"), std::string::npos) << r.out;
}

TEST(HostArrays, GiveTheirValues) {
  HostArray half(ElementType::kF16, 5);
  const uint16_t bits[] = {0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00};
  std::copy(bits, bits + 5, half.as<uint16_t>().begin());
  EXPECT_EQ(half.value(0), 1);
  EXPECT_EQ(half.value(1), -2);
  EXPECT_EQ(half.value(2), 0x1p-24);
  EXPECT_TRUE(std::isinf(half.value(3)));
  EXPECT_TRUE(std::isnan(half.value(4)));
  EXPECT_EQ(HostArray::of(std::vector<int8_t>{-3}).value(0), -3);
  EXPECT_EQ(HostArray::of(std::vector<uint64_t>{uint64_t{1} << 53}).value(0), 0x1p53);
  EXPECT_THROW(half.as<float>(), std::logic_error);
}

// The same sum by a library.
class SumsAndLibrary : public Sums {
 public:
  std::vector<Case> cases(const ProblemSize& size) const override {
    std::vector<Case> all = Sums::cases(size);
    Case library = all[0];
    library.kernel = "their_sum";
    library.library = true;
    all.push_back(library);
    return all;
  }
  Sequence launches(const Case& c, const LaunchContext& context,
                    const std::vector<BufferId>& buffers) const override {
    if (!c.library) return Sums::launches(c, context, buffers);
    Launch library;
    library.kernel = c.kernel;
    library.library = true;
    library.arguments = arguments(c, buffers);
    return {library};
  }
};

TEST_F(WideHomework, ALibraryIsACaseWhereThereIsOneAndInNoPlan) {
  homework_ = std::make_unique<SumsAndLibrary>();
  const Result without = run({}, setup);
  EXPECT_EQ(without.code, kExitGood) << without.out << without.err;
  EXPECT_EQ(without.out.find("their_sum"), std::string::npos);
  const Result asked = run({"--kernel", "their_sum"}, setup);
  EXPECT_EQ(asked.code, kExitCannotRun);
  EXPECT_NE(asked.err.find("their_sum is a library's: a GPU is needed"), std::string::npos);
  const Setup with = [](FakeBackend& b) {
    setup(b);
    b.library = true;
    b.functions["their_sum"] = [](const FakeLaunch& l) {
      part(l);
      total(l);
    };
  };
  const Result both = run({}, with);
  EXPECT_EQ(both.code, kExitGood) << both.out << both.err;
  EXPECT_NE(both.out.find("\nLibrary their_sum."), std::string::npos) << both.out;
  std::ofstream(folder_ + "/plan.json")
      << R"({"launches": [{"kernel": "their_sum", "vectors": 9, "blocks": 0, "warps": 0, )"
      << R"("seed": 5, "counters": true}]})";
  const Result planned = run({"--json", "--plan", folder_ + "/plan.json"}, with);
  EXPECT_EQ(planned.code, kExitUsage) << planned.out;
  EXPECT_NE(planned.err.find("hw99 has no kernel 'their_sum'"), std::string::npos) << planned.err;
}

}  // namespace
}  // namespace lockstep::harness_test
