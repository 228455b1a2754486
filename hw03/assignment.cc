// SPDX-License-Identifier: Apache-2.0
// Homework 3, the instructor's part: y = a * x + y, gathers, branches, and blocks of two kinds.
// n, the number of elements, is the problem's unit (--vectors).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/kernel_list.h"
#include "common/harness/metrics.h"
#include "common/harness/random_input.h"
#include "hw03/reference.h"

namespace lockstep {
namespace {

constexpr int64_t kElementBytes = sizeof(float);
constexpr int64_t kSmall = 32 << 10;      // elements, of the small gathers
constexpr int64_t kMostSums = 256 << 10;  // as many threads as an H200 holds, nearly
int64_t square_side(int64_t n) {
  int64_t side = static_cast<int64_t>(std::sqrt(static_cast<double>(n)));
  while (side * side > n) side--;
  return std::max<int64_t>(side, 1);
}

int64_t divided_up(int64_t n, int64_t by) { return (n + by - 1) / by; }

// Groups of all sizes fit a whole number of times.
int64_t for_gathers(int64_t n) { return divided_up(n, 1024) * 1024; }

Case make_case(const std::string& name, Part part, int64_t n) {
  Case c;
  c.kernel = name;
  c.parameters = {{"part", part}, {"n", n}};
  return c;
}

void add_saxpy(int64_t n, std::vector<Case>* cases) {
  const int64_t side = square_side(n);
  for (const char* name : {"saxpy", "saxpy_loop", "saxpy_matrix"}) {
    const bool matrix = std::string(name) == "saxpy_matrix";
    Case c = make_case(name, matrix ? kMatrix : kSaxpy, matrix ? side : n);
    c.table = "Part 1, y = a * x + y";
    c.label = fmt::format("{} elements; matrix of {} x {}", n, side, side);
    c.row = name;
    cases->push_back(c);
  }
}

// Of small arrays, which are always of one size, the ends and the middle are shown, and on sizes
// for a card alone: the emulator's counts are the same for small and large.
void add_gathers(const std::vector<ListedKernel>& listed, bool small, int64_t n_all,
                 std::vector<Case>* cases) {
  const int64_t n = small ? kSmall : for_gathers(n_all);
  const int64_t sums = small ? kSmall : std::min(for_gathers(n / 2), kMostSums);
  const std::string prefix = small ? "small_" : "";
  for (const ListedKernel& kernel : listed) {
    if (!kernel.function.starts_with("gather")) continue;
    const bool group = kernel.function == "gather_group";
    Case c = make_case(prefix + kernel.name,
                       group                             ? kGroup
                       : kernel.function == "gather_any" ? kAny
                                                         : kSegment,
                       n);
    c.parameters.push_back({"segments", group ? kernel.number(0) : 0});
    c.parameters.push_back({"sums", sums});
    c.by_default = !small || (n_all > 8 * kSmall && (!group || kernel.number(0) == 16));
    c.table = small ? "Part 2, small gathers" : "Part 2, gathers";
    c.label = fmt::format("{} sums of {} of {} elements ({} KiB)", sums, kPicks, n,
                          n * kElementBytes / 1024);
    c.row = group ? fmt::format("group of {}", kernel.number(0))
                  : kernel.function.substr(sizeof "gather");
    cases->push_back(c);
  }
}

// A question that spread() answers. The table's are of an H200; the others are asked by graders.
struct Question {
  int64_t threads, sms;
  std::string constant() const { return fmt::format("spread_{}_{}", threads, sms); }
};

constexpr int64_t kTableSms = 132;

void add_blocks(const std::vector<Question>& questions, int64_t n, std::vector<Case>* cases) {
  const int64_t turns = 1 + n / 256;
  for (const auto& [threads, sms] : questions)
    for (const char* way : {"few", "spread"}) {
      const bool shown = sms == kTableSms, few = std::string(way) == "few";
      if (!shown && few) continue;
      const std::string name = fmt::format("{}<{}", way, threads);
      Case c = make_case(shown ? name + ">" : name + fmt::format(",{}>", sms), kBusy, threads);
      c.parameters.push_back({"turns", turns});
      c.parameters.push_back({"sms", sms});
      c.by_default = shown;
      c.table = shown ? "Part 4, as many threads in few blocks or spread over SMs"
                      : "Part 4, spread over the SMs of other cards";
      c.label = fmt::format("{} turns", turns);
      c.row = shown ? fmt::format("{} {}", way, threads) : fmt::format("{}/{}", threads, sms);
      cases->push_back(c);
    }
}

class Homework3 : public Assignment {
 public:
  std::string name() const override { return "hw03"; }
  // 4 Mi elements on a card, and on the emulator 64 Ki.
  int64_t default_bytes(const DeviceInfo&, bool emulated) const override {
    return emulated ? 256 << 10 : 16 << 20;
  }
  ShapeFrom shape_from() const override { return ShapeFrom::kStudent; }
  std::vector<StudentConstant> constants() const override;
  std::vector<Case> cases(const ProblemSize& size) const override;
  std::vector<std::string> launched_kernels(const Case& c) const override { return {kernel_of(c)}; }
  std::string signature(const Case& c, const std::string& kernel) const override;
  std::vector<ArraySpec> arrays(const Case& c) const override;
  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override;
  std::vector<Expected> reference(const Case& c,
                                  const std::vector<HostArray>& inputs) const override;
  std::vector<Argument> arguments(const Case& c,
                                  const std::vector<BufferId>& buffers) const override;
  Sequence launches(const Case& c, const LaunchContext& context,
                    const std::vector<BufferId>& buffers) const override;
  UsefulWork work(const Case& c) const override;
  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock,
            metric::kBlocks,
            metric::kWaves,
            metric::kTheoreticalOccupancy,
            metric::kActiveWarpsPercent,
            metric::kSmActivePercent,
            metric::kTimeUs,
            metric::kInstPerElement,
            metric::kWarpEfficiency,
            metric::kBranchUniformity,
            metric::kLoadSectorsPerRequest,
            metric::kStoreSectorsPerRequest};
  }
  std::string describe_index(const Case& c, const ArraySpec&, int64_t index) const override;
  std::vector<Confusion> confusions(const Case& c) const override;

 private:
  static std::string kernel_of(const Case& c);
  static std::vector<ListedKernel> listed();
  static std::vector<Question> questions();
};

std::vector<ListedKernel> Homework3::listed() {
  return {
#define KERNEL(name, ...) listed_kernel(#name, #__VA_ARGS__),
#define SPREAD(n, sms)
#include "hw03/instances.cu"
#undef KERNEL
#undef SPREAD
  };
}

std::vector<Question> Homework3::questions() {
  return {
#define KERNEL(name, ...)
#define SPREAD(n, sms) {n, sms},
#include "hw03/instances.cu"
  };
}

// Of any value: a poor one must not stop the parts that have nothing to do with it.
std::vector<StudentConstant> Homework3::constants() const {
  std::vector<StudentConstant> constants;
  for (const Question& q : questions())
    constants.push_back({q.constant(), std::numeric_limits<int64_t>::min(),
                         std::numeric_limits<int64_t>::max(), 1,
                         fmt::format("what spread({}, {}) returns", q.threads, q.sms)});
  return constants;
}

std::vector<Case> Homework3::cases(const ProblemSize& size) const {
  const int64_t n = size.vectors.value_or(size.bytes / kElementBytes);
  if (n < 1) throw Error(fmt::format("SIZE: {} bytes are less than one element", size.bytes));
  if (n > std::numeric_limits<int32_t>::max() / kPicks)
    throw Error(fmt::format("SIZE: {} elements are more than this homework can count", n));
  std::vector<Case> cases;
  add_saxpy(n, &cases);
  add_gathers(listed(), true, n, &cases);
  add_gathers(listed(), false, n, &cases);
  Case branches = make_case("branches", kBranches, n);
  branches.table = "Part 3, branches";
  branches.label = fmt::format("{} elements, {} operations each", n, kRepeats);
  branches.row = "branches";
  cases.push_back(branches);
  add_blocks(questions(), n, &cases);
  return cases;
}

std::string Homework3::kernel_of(const Case& c) {
  if (part_of(c) == kBusy) return "busy";
  return c.kernel.starts_with("small_") ? c.kernel.substr(6) : c.kernel;
}

std::string Homework3::signature(const Case& c, const std::string&) const {
  if (is_gather(c)) return "(float*,float const*,int)";
  if (part_of(c) == kBranches) return "(float*,float const*,float const*,int)";
  if (part_of(c) == kBusy) return "(float*,float const*,int,int)";
  return "(float*,float const*,float,int)";
}

std::vector<ArraySpec> Homework3::arrays(const Case& c) const {
  const int64_t n = c.parameter("n");
  const size_t elements = static_cast<size_t>(part_of(c) == kMatrix ? n * n : n);
  if (part_of(c) == kSaxpy || part_of(c) == kMatrix)
    return {{"y", elements, Role::kInOut}, {"x", elements, Role::kInput}};
  if (part_of(c) == kBranches)
    return {{"out", elements, Role::kOutput}, {"in", elements}, {"by", elements}};
  const size_t sums = is_gather(c) ? static_cast<size_t>(c.parameter("sums")) : elements;
  return {{"out", sums, Role::kOutput}, {"in", elements}};
}

// Of either sign, from 2/3 to 3/2: a hundred times is neither too much nor nothing.
float factor_from(float value, bool negative) {
  const float factor = value >= 0 ? 1 + value / 2 : 1 / (1 - value / 2);
  return negative ? -factor : factor;
}

// Of what is added up: all of one problem are of a magnitude that its seed draws, and those of one
// stretch of one near it, so that floats alone hold them.
float magnitude_of(uint64_t seed, uint64_t stream, int64_t i) {
  constexpr uint64_t kMost = 20, kNear = 3;  // powers of two, up and down
  const auto exponent = [](uint64_t bits, uint64_t most) {
    return static_cast<int>(bits % (2 * most + 1)) - static_cast<int>(most);
  };
  const uint64_t of_all = random_bits(seed, ~uint64_t{0}, 0);
  const uint64_t of_stretch = random_bits(seed, ~stream, static_cast<uint64_t>(i / kWarp));
  return std::ldexp(1.0f, exponent(of_all, kMost) + exponent(of_stretch, kNear));
}

// Values in [-1, 1) for branches() and busy(), but for what branches() adds, multiplies by and
// divides by.
std::vector<HostArray> Homework3::make_inputs(const Case& c, uint64_t seed) const {
  const bool of_one = part_of(c) == kBranches || part_of(c) == kBusy;
  std::vector<HostArray> inputs;
  uint64_t stream = 0;
  for (const ArraySpec& spec : arrays(c)) {
    if (!spec.has_input()) continue;
    HostArray array(ElementType::kF32, spec.elements);
    const std::span<float> values = array.as<float>();
    const bool factors = spec.name == "by";
    parallel_chunks(static_cast<int64_t>(values.size()), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) {
        const float value = random_float(seed, stream, static_cast<uint64_t>(i));
        values[i] = of_one ? value : magnitude_of(seed, stream, i) * value;
        if (factors)
          values[i] = factor_from(value, random_float(seed, ~stream, static_cast<uint64_t>(i)) < 0);
      }
    });
    inputs.push_back(std::move(array));
    stream++;
  }
  return inputs;
}

std::vector<Assignment::Expected> Homework3::reference(const Case& c,
                                                       const std::vector<HostArray>& inputs) const {
  const std::span<const float> first = inputs.at(0).as<float>();
  const std::span<const float> second = inputs.back().as<float>();
  const Numbers numbers(c);
  const auto value = [&](int64_t i) -> Value {
    if (numbers.part == kBusy) return busy_value(first[i], numbers.turns);
    if (numbers.part == kBranches) return branched(first[i], second[i], i / kWarp % 4);
    return saxpy_value(numbers.a, second[i], first[i]);
  };
  const size_t n = arrays(c)[0].elements;
  std::vector<Expected> all(1);
  Expected& expected = all[0];
  resize_by_all(&expected.values, static_cast<int64_t>(n));
  resize_by_all(&expected.tolerance, static_cast<int64_t>(n));
  parallel_chunks(static_cast<int64_t>(n), kWarp, [&](int64_t begin, int64_t end) {
    Value of_warp[kWarp];
    for (int64_t i = begin; i < end; i += kWarp) {
      const auto count = static_cast<int>(std::min<int64_t>(kWarp, end - i));
      if (is_gather(c))
        gather(numbers, first, i, count, of_warp);
      else
        for (int j = 0; j < count; j++) of_warp[j] = value(i + j);
      for (int j = 0; j < count; j++) {
        expected.values[i + j] = of_warp[j].value;
        expected.tolerance[i + j] = of_warp[j].tolerance;
      }
    }
  });
  return all;
}

std::vector<Argument> Homework3::arguments(const Case& c,
                                           const std::vector<BufferId>& buffers) const {
  std::vector<Argument> arguments = Assignment::arguments(c, buffers);
  if (part_of(c) == kSaxpy || part_of(c) == kMatrix)
    arguments.push_back(Argument::of(factor_of(c)));
  if (part_of(c) == kBusy)
    arguments.push_back(Argument::of(static_cast<int32_t>(c.parameter("turns"))));
  arguments.push_back(Argument::of(static_cast<int32_t>(c.parameter("n"))));
  return arguments;
}

// Throws KernelFault, a failure of this case alone, where the student's number makes no sense.
int64_t spread_threads(const LaunchContext& context, const Question& q) {
  const int64_t threads = context.constants.at(q.constant());
  if (threads >= kWarp && threads <= 1024 && threads % kWarp == 0) return threads;
  throw KernelFault(
      "launch_failed", {},
      fmt::format("spread({}, {}) returns {}; a block has 32 to 1024 threads, in whole "
                  "warps of 32",
                  q.threads, q.sms, threads));
}

// Blocks of 256 threads for the sizes that one looks at, powers of two, and of others for other
// sizes, since a kernel must not rely on it. All are whole warps, and enough for n elements, or for
// the whole last 128 of branches().
Sequence Homework3::launches(const Case& c, const LaunchContext& context,
                             const std::vector<BufferId>& buffers) const {
  const int64_t n = c.parameter("n");
  int64_t threads = 256 - kWarp * (n % 8);
  int64_t blocks = divided_up(n, threads);
  Launch launch;
  if (part_of(c) == kMatrix) {
    launch.block.y = static_cast<uint32_t>(8 - n % 4);
    launch.grid.y = static_cast<uint32_t>(divided_up(n, launch.block.y));
    threads = kWarp;
    blocks = divided_up(n, threads);
  } else if (is_gather(c)) {
    threads = int64_t{256} << n / 1024 % 3 >> 1;
    blocks = c.parameter("sums") / threads;
  } else if (part_of(c) == kBranches) {
    blocks = divided_up(divided_up(n, 128) * 128, threads);
  } else if (c.kernel == "saxpy_loop") {
    // As many as SMs hold, but each thread shall have some eight elements.
    blocks = std::min<int64_t>(8 * context.device.sm_count, n / (8 * threads));
    blocks = std::max<int64_t>(blocks - n % 11, 1);
  } else if (part_of(c) == kBusy) {
    const bool few = c.kernel.starts_with("few");
    threads = few ? std::min<int64_t>(n, 1024) : spread_threads(context, {n, c.parameter("sms")});
    blocks = divided_up(n, threads);
  }
  launch.kernel = kernel_of(c);
  launch.block.x = static_cast<uint32_t>(threads);
  launch.grid.x = static_cast<uint32_t>(blocks);
  launch.arguments = arguments(c, buffers);
  return {launch};
}

// Of gathers, a reading is an element: that is what sectors are compared with. Of the rest, an
// element of the output.
UsefulWork Homework3::work(const Case& c) const {
  const int64_t n = static_cast<int64_t>(arrays(c)[0].elements);
  UsefulWork work;
  work.elements = is_gather(c) ? n * kPicks : n;
  work.bytes_written = n * kElementBytes;
  for (const ArraySpec& array : arrays(c))
    if (array.has_input()) work.bytes_read += static_cast<int64_t>(array.bytes());
  work.fp_operations = part_of(c) == kBranches ? n * kRepeats
                       : part_of(c) == kBusy   ? n * c.parameter("turns")
                                               : work.elements;
  work.load_stores = (work.bytes_read + work.bytes_written) / kElementBytes;
  if (is_gather(c)) work.load_stores += work.elements;
  return work;
}

std::string Homework3::describe_index(const Case& c, const ArraySpec&, int64_t index) const {
  if (part_of(c) == kMatrix)
    return fmt::format("row {}, column {}", index / c.parameter("n"), index % c.parameter("n"));
  if (part_of(c) == kGroup) return fmt::format("team {}, member {}", index / kWarp, index % kWarp);
  static const char* const kOperations[] = {"added up", "subtracted", "multiplied", "divided"};
  return part_of(c) == kBranches ? kOperations[index / kWarp % 4] : "";
}

std::vector<Assignment::Confusion> Homework3::confusions(const Case& c) const {
  const auto of = [](size_t array, double factor) {
    return [=](const std::vector<HostArray>& inputs, int64_t index) {
      return factor * double{inputs.at(array).as<float>()[index]};
    };
  };
  if (part_of(c) == kSaxpy || part_of(c) == kMatrix) {
    const double a = factor_of(c);
    const auto twice = [a](const std::vector<HostArray>& inputs, int64_t index) {
      return double{inputs.at(0).as<float>()[index]} +
             2 * a * double{inputs.at(1).as<float>()[index]};
    };
    return {{"y as it was: nobody has worked on it", of(0, 1)},
            {"a * x, without y", of(1, a)},
            {"what comes of doing the same element twice", twice}};
  }
  if (part_of(c) != kBranches) return {};
  std::vector<Confusion> confusions = {{"the input, unchanged", of(0, 1)}};
  static const char* const kWords[] = {"what comes of adding", "what comes of subtracting",
                                       "what comes of multiplying", "what comes of dividing"};
  for (int64_t operation = 0; operation < 4; operation++)
    confusions.push_back(
        {kWords[operation], [operation](const std::vector<HostArray>& inputs, int64_t index) {
           return branched(inputs.at(0).as<float>()[index], inputs.at(1).as<float>()[index],
                           operation)
               .value;
         }});
  return confusions;
}

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework3>(); }

}  // namespace lockstep
