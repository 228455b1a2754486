// SPDX-License-Identifier: Apache-2.0
// Homework 5, the instructor's part: the root of the mean of (a - b)^2 over each of several
// batches, in two launches, one of a kernel that leaves a sum a batch and one of finish, which
// makes roots of them; and sums over windows of matrices. n, the number of elements, is the
// problem's unit.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/kernel_list.h"
#include "common/harness/metrics.h"
#include "common/harness/random_input.h"
#include "problems/square_sums.h"

namespace lockstep {
namespace {

constexpr int64_t kPairBytes = 2 * sizeof(float);  // an element of a and one of b
constexpr int kWarp = 32;
constexpr char kFinish[] = "finish";
constexpr char kOneBatch[] = "One batch";

// Whole MiB of a and b are what tables show: 16 batches of nearly equal length, blocks of 256
// threads. Of any other size all that a kernel could ask for is drawn, each by itself: nobody knows
// of one number by another.
constexpr int64_t kShown = 1 << 17;
constexpr int64_t kBatches = 16;
constexpr int64_t kThreadsShown = 256;
constexpr int64_t kElementsAThread = 32;  // at least, on average, where there are several blocks

// From kAmple on kernels are counted, and nothing is so small that a kernel's edges are most of its
// work: neither batches (on average) nor what a thread has of one, nor rows and columns of a view.
constexpr int64_t kAmple = 1 << 16;
constexpr int64_t kAmpleBatch = 1 << 14, kAmpleThread = 128, kAmpleRows = 64, kAmpleColumns = 128;
constexpr int64_t kMostBatches = 64;  // the blocks that a card holds at once are shared among them

constexpr int64_t kFewBlocks = 4;  // the most in the ladder, where one is what it is about

constexpr int64_t kMostElements = int64_t{1} << 30;
constexpr int64_t kMostOfViews = int64_t{1} << 24;

// What a case is about: its parameter "part".
enum Part : int64_t { kSums, kRegisters, kViews };

Part part_of(const Case& c) { return static_cast<Part>(c.parameter("part")); }

// What is drawn for a size.
enum Drawn : uint64_t {
  kBatchCount,
  kViewCount,
  kHeight,
  kGap,
  kWarps,
  kBlocks,
  kRange,
  kScale,
  kFull
};

int64_t drawn(int64_t n, Drawn what, int64_t least, int64_t most) {
  constexpr uint64_t kHomework = 5;
  return random_magnitude(random_bits(kHomework, what, static_cast<uint64_t>(n)), least, most);
}

bool is_shown(int64_t n) { return n % kShown == 0; }

// The size that was asked for: views have somewhat fewer elements.
int64_t asked_for(const Case& c) { return c.parameter(part_of(c) == kViews ? "asked" : "n"); }

int64_t divided_up(int64_t n, int64_t by) { return (n + by - 1) / by; }

// wide_rmse_3 and one_rmse_3 launch rmse_3.
std::string kernel_of(const Case& c) {
  const size_t at = c.kernel.find("rmse_");
  return at == std::string::npos ? c.kernel : c.kernel.substr(at);
}

// --- Cases

Case make_case(const std::string& kernel, const std::string& row, Part part, int64_t n,
               int64_t batches) {
  static const char* const kTables[] = {"Part 1, sums", "Part 2, registers", "Part 3, indices"};
  Case c;
  c.kernel = kernel;
  c.row = row;
  c.table = kTables[part];
  c.label = fmt::format("{} elements in {} batch{}", n, batches, batches == 1 ? "" : "es");
  c.parameters = {{"part", part}, {"n", n}, {"batches", batches}, {"wide", 0}};
  return c;
}

void set_wide(Case* c) { c->parameters.back().second = 1; }

int64_t batches_for(int64_t n, Drawn what) {
  if (is_shown(n)) return kBatches;
  return drawn(n, what, 1, std::min(kMostBatches, n >= kAmple ? n / kAmpleBatch : n));
}

// The ladder, with one block a batch; then in the student's shape; and the same for one batch.
void add_sums(const std::string& kernel, int64_t n, std::vector<Case>* cases) {
  const bool last = kernel == "rmse_4";
  if (!last) cases->push_back(make_case(kernel, kernel, kSums, n, batches_for(n, kBatchCount)));
  Case wide = make_case(last ? kernel : "wide_" + kernel, last ? kernel : "wide " + kernel, kSums,
                        n, batches_for(n, kBatchCount));
  set_wide(&wide);
  wide.by_default = last || kernel == "rmse_3";
  cases->push_back(wide);
  Case one = make_case("one_" + kernel, kernel, kSums, n, 1);
  set_wide(&one);
  one.table = kOneBatch;
  one.by_default = false;
  cases->push_back(one);
}

void add_registers(const ListedKernel& kernel, int64_t n, std::vector<Case>* cases) {
  cases->push_back(make_case(kernel.name, kernel.name, kRegisters, n, batches_for(n, kBatchCount)));
}

// Matrices of any height and width, with something or nothing between their rows.
void add_view(const std::string& kernel, int64_t n_all, std::vector<Case>* cases) {
  constexpr int64_t kGapShown = 24;
  const int64_t n = std::min(n_all, kMostOfViews);
  const int64_t batches = batches_for(n, kViewCount), each = n / batches;
  int64_t width, gap;
  if (is_shown(n)) {
    width = static_cast<int64_t>(std::sqrt(static_cast<double>(each))) - kGapShown;
    gap = kGapShown;
  } else {
    const bool ample = n >= kAmple;
    width = each / drawn(n, kHeight, ample ? kAmpleRows : 1, ample ? each / kAmpleColumns : each);
    gap = drawn(n, kGap, 1, 3 * width + (ample ? 0 : 64)) - 1;
  }
  const int64_t height = each / width;
  Case c = make_case(kernel, kernel, kViews, batches * height * width, batches);
  c.label =
      fmt::format("{} batch{} of {} rows of {}", batches, batches == 1 ? "" : "es", height, width);
  c.parameters.push_back({"height", height});
  c.parameters.push_back({"width", width});
  c.parameters.push_back({"pitch", width + gap});
  c.parameters.push_back({"asked", n});
  cases->push_back(c);
}

// --- Inputs

// Where batches begin, and where the last ends. Lengths are nearly equal in a table; else they are
// alike or very different, down to one element, and nobody knows which.
std::vector<int64_t> starts_for(int64_t n, int64_t batches, uint64_t seed) {
  constexpr int64_t kJitter = 500, kMostUnlike = 1 << 16;
  const auto bits = [&](int64_t k) { return random_bits(seed, 1, static_cast<uint64_t>(k)); };
  std::vector<int64_t> starts = {0};
  if (is_shown(n)) {
    for (int64_t k = 1; k < batches; k++)
      starts.push_back(k * (n / batches) + static_cast<int64_t>(bits(k) >> 40) % (2 * kJitter) -
                       kJitter);
  } else {
    const int64_t most = random_magnitude(bits(0), 1, kMostUnlike);
    std::vector<int64_t> weights;
    int64_t all = 0, before = 0;
    for (int64_t k = 0; k < batches; k++) {
      weights.push_back(random_magnitude(bits(k + 1), 1, most));
      all += weights.back();
    }
    for (int64_t k = 1; k < batches; k++) {
      before += weights[k - 1];
      starts.push_back(k + (n - batches) * before / all);
    }
  }
  starts.push_back(n);
  return starts;
}

// `longest`: elements of the longest batch.
Steps steps_for(const Case& c, int64_t longest) {
  constexpr int64_t kMost = 55, kMostScale = 1 << 16;
  const int64_t n = asked_for(c);
  Steps steps;
  steps.longest = longest;
  const int64_t exact = exact_most(longest);
  steps.most = std::clamp(exact, kFewestSteps, kMost);
  if (!is_shown(n)) {
    steps.most = drawn(n, kRange, kFewestSteps, steps.most);
    const auto power = static_cast<uint64_t>(drawn(n, kScale, 1, kMostScale));
    steps.scale = static_cast<double>(std::bit_floor(power)) * 0x1p-8;
    if (drawn(n, kFull, 1, 8) <= 1) steps.apart = std::max<int64_t>(1, longest / 16);
  }
  if (exact < kFewestSteps) {
    // Each four times what all others come to.
    const auto others =
        static_cast<double>(longest * (kFewestSteps + 1) * (2 * kFewestSteps + 1)) / 6;
    steps.loud = static_cast<int64_t>(std::sqrt(4 * others));
  }
  steps.step = 0.125;
  while (static_cast<double>(std::max(steps.most, steps.loud)) * steps.step > 0.4375)
    steps.step /= 2;
  return steps;
}

class Homework5 : public Assignment {
 public:
  std::string name() const override { return "hw05"; }
  // On a card 16 batches of 2^20, the classic example.
  int64_t default_bytes(const DeviceInfo&, bool emulated) const override {
    return kPairBytes * (int64_t{1} << (emulated ? 20 : 24));
  }
  ShapeFrom shape_from() const override { return ShapeFrom::kStudent; }
  std::vector<StudentConstant> constants() const override;
  std::vector<Case> cases(const ProblemSize& size) const override;
  std::string problem_key(const Case& c) const override {
    return fmt::format("{}/{}/{}", part_of(c) == kViews, asked_for(c), c.parameter("batches"));
  }
  std::vector<std::string> launched_kernels(const Case& c) const override {
    if (part_of(c) == kViews) return {c.kernel};
    return {kernel_of(c), kFinish};
  }
  std::string signature(const Case& c, const std::string& kernel) const override;
  std::vector<ArraySpec> arrays(const Case& c) const override;
  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override;
  std::vector<Expected> reference(const Case& c,
                                  const std::vector<HostArray>& inputs) const override;
  Sequence launches(const Case& c, const LaunchContext& context,
                    const std::vector<BufferId>& buffers) const override;
  UsefulWork work(const Case& c) const override;
  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock,
            metric::kBlocks,
            metric::kRegisters,
            metric::kSpillBytes,
            metric::kTheoreticalOccupancy,
            metric::kTimeUs,
            metric::kUsefulGbps,
            metric::kInstPerElement,
            metric::kAtomicRequests,
            metric::kSharedRequests,
            metric::kGlobalLoadRequests,
            metric::kLocalSectors,
            metric::kLoadSectorsPerRequest};
  }
  std::string describe_index(const Case&, const ArraySpec& array, int64_t index) const override {
    return array.name == "sums" || array.name == "out" ? fmt::format("batch {}", index) : "";
  }
  std::vector<Confusion> confusions(const Case& c) const override;
};

// Of any value: a poor one must not stop the kernels that have nothing to do with it.
std::vector<StudentConstant> Homework5::constants() const {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const int64_t most = std::numeric_limits<int64_t>::max();
  return {{"kThreads", least, most, 1, "threads of a block"},
          {"kBlocks", least, most, 1, "blocks for each batch"}};
}

std::vector<Case> Homework5::cases(const ProblemSize& size) const {
  const int64_t n = size.vectors.value_or(size.bytes / kPairBytes);
  if (n < 1)
    throw Error(
        fmt::format("SIZE: {} bytes are less than an element of a and one of b", size.bytes));
  if (n > kMostElements)
    throw Error(fmt::format("SIZE: {} elements are more than the {} that the kernels can count", n,
                            kMostElements));
  const std::vector<ListedKernel> listed = {
#define KERNEL(name, ...) listed_kernel(#name, "" #__VA_ARGS__),
#include "hw05/instances.cu"
  };
  std::vector<Case> cases;
  for (const ListedKernel& kernel : listed) {
    if (kernel.function.starts_with("rmse"))
      add_sums(kernel.name, n, &cases);
    else if (kernel.function.starts_with("view"))
      add_view(kernel.name, n, &cases);
    else
      add_registers(kernel, n, &cases);
  }
  // Cases that share a table stand together.
  std::stable_sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
    return std::pair(a.table == kOneBatch, part_of(a)) <
           std::pair(b.table == kOneBatch, part_of(b));
  });
  return cases;
}

std::string Homework5::signature(const Case& c, const std::string& kernel) const {
  if (kernel == kFinish) return "(float*,float const*,long long const*,int)";
  if (part_of(c) != kViews) return "(float*,float const*,float const*,long long const*)";
  return kernel == "view_64" ? "(float*,float const*,float const*,long long,long long,long long)"
                             : "(float*,float const*,float const*,int,int,int)";
}

std::vector<ArraySpec> Homework5::arrays(const Case& c) const {
  const size_t batches = static_cast<size_t>(c.parameter("batches"));
  if (part_of(c) == kViews) {
    const size_t all = batches * static_cast<size_t>(c.parameter("height") * c.parameter("pitch"));
    return {{"sums", batches, Role::kInOut}, {"a", all}, {"b", all}};
  }
  const size_t n = static_cast<size_t>(c.parameter("n"));
  return {{"sums", batches, Role::kInOut},
          {"out", batches, Role::kOutput},
          {"a", n},
          {"b", n},
          {"starts", batches + 1, Role::kInput, ElementType::kI64, true}};
}

int64_t longest_batch(const Case& c, const std::vector<HostArray>& inputs) {
  if (part_of(c) == kViews) return c.parameter("height") * c.parameter("width");
  const std::span<const int64_t> starts = inputs.at(3).as<int64_t>();
  int64_t longest = 0;
  for (size_t k = 1; k < starts.size(); k++) longest = std::max(longest, starts[k] - starts[k - 1]);
  return longest;
}

std::vector<HostArray> Homework5::make_inputs(const Case& c, uint64_t seed) const {
  std::vector<HostArray> inputs;
  for (const ArraySpec& spec : arrays(c))
    if (spec.has_input()) inputs.emplace_back(spec.type, spec.elements);
  std::ranges::fill(inputs.at(0).as<float>(), 0);
  if (part_of(c) != kViews)
    std::ranges::copy(starts_for(c.parameter("n"), c.parameter("batches"), seed),
                      inputs.at(3).as<int64_t>().begin());
  const Steps steps = steps_for(c, longest_batch(c, inputs));
  const std::span<float> a = inputs.at(1).as<float>(), b = inputs.at(2).as<float>();
  fill_pairs(steps, seed, a, b);
  if (steps.loud == 0 || steps.apart > 0) return inputs;
  const int64_t batches = c.parameter("batches");
  if (part_of(c) == kViews) {
    const int64_t height = c.parameter("height"), width = c.parameter("width");
    put_loud_ones(
        steps, seed, batches, [&](int64_t) { return height * width; },
        [&](int64_t k, int64_t at) {
          return (k * height + at / width) * c.parameter("pitch") + at % width;
        },
        a, b);
  } else {
    const std::span<const int64_t> starts = inputs.at(3).as<int64_t>();
    put_loud_ones(
        steps, seed, batches, [&](int64_t k) { return starts[k + 1] - starts[k]; },
        [&](int64_t k, int64_t at) { return starts[k] + at; }, a, b);
  }
  return inputs;
}

std::vector<Assignment::Expected> Homework5::reference(const Case& c,
                                                       const std::vector<HostArray>& inputs) const {
  const std::span<const float> a = inputs.at(1).as<float>(), b = inputs.at(2).as<float>();
  const size_t batches = static_cast<size_t>(c.parameter("batches"));
  const bool views = part_of(c) == kViews;
  const std::span<const int64_t> starts =
      views ? std::span<const int64_t>() : inputs.at(3).as<int64_t>();
  const Steps steps = steps_for(c, longest_batch(c, inputs));
  Expected sums, roots;
  sums.values.resize(batches);
  sums.tolerance.resize(batches);
  roots = sums;
  parallel_chunks(static_cast<int64_t>(batches), 1, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; k++) {
      Squares squares;
      if (steps.loud > 0)
        squares.quiet = std::pow(static_cast<double>(steps.loud) * steps.step * steps.scale, 2) / 2;
      int64_t n = 0, different = 0;
      if (views) {
        const int64_t height = c.parameter("height"), width = c.parameter("width");
        n = height * width;
        for (int64_t row = 0; row < height; row++) {
          const int64_t first = (k * height + row) * c.parameter("pitch");
          add_squares(a, b, first, first + width, &squares);
          different += count_different(a, b, first, first + width);
        }
      } else {
        n = starts[k + 1] - starts[k];
        add_squares(a, b, starts[k], starts[k + 1], &squares);
        different = count_different(a, b, starts[k], starts[k + 1]);
      }
      const double sum = squares.sum;
      sums.values[k] = sum;
      sums.tolerance[k] = tolerance_of(steps, sum, squares.loud, n, different);
      roots.values[k] = std::sqrt(sum / static_cast<double>(n));
      if (sum > 0) roots.tolerance[k] = roots.values[k] * (4 * 0x1p-24 + sums.tolerance[k] / sum);
    }
  });
  if (views) return {sums};
  return {sums, roots};
}

// Throws KernelFault, a failure of this case alone, where the student's numbers make no sense.
void check_shape(int64_t threads, int64_t blocks) {
  if (threads < kWarp || threads > 1024 || threads % kWarp != 0)
    throw KernelFault(
        "launch_failed", {},
        fmt::format("kThreads = {}: a block has 32 to 1024 threads here, whole warps", threads));
  if (blocks < 0 || blocks > 65535)
    throw KernelFault("launch_failed", {},
                      fmt::format("kBlocks = {}: a batch has 1 to 65535 blocks here, or 0 for as "
                                  "many as the card holds at once",
                                  blocks));
}

// In a table a batch has one block in the ladder of part 1. Elsewhere it has as many as the student
// says, or as the occupancy calculator grants to each; but no more than leave 32 elements a thread,
// so that small problems are not spread over blocks with nothing to do. What is not the student's
// is drawn where no table shows it.
Sequence Homework5::launches(const Case& c, const LaunchContext& context,
                             const std::vector<BufferId>& buffers) const {
  const int64_t n = asked_for(c), batches = c.parameter("batches");
  const bool wide = c.parameter("wide") != 0, views = part_of(c) == kViews;
  const bool is_drawn = !wide && !is_shown(n), ample = n >= kAmple;
  int64_t threads = kThreadsShown, asked = 0;
  if (is_drawn) {
    const int64_t most = ample ? n / batches / kAmpleThread : 1024;
    threads = kWarp * drawn(n, kWarps, ample ? 2 : 1, std::min<int64_t>(most, 1024) / kWarp);
  }
  if (part_of(c) == kRegisters) threads = std::min(threads, kThreadsShown);  // as bounded promises
  if (wide) {
    threads = context.constants.at("kThreads");
    asked = context.constants.at("kBlocks");
    check_shape(threads, asked);
  }
  Launch add;
  add.kernel = kernel_of(c);
  add.block.x = static_cast<uint32_t>(threads);
  add.grid.y = static_cast<uint32_t>(batches);
  add.dynamic_shared_bytes = static_cast<uint32_t>(views ? 0 : threads * sizeof(float));
  int64_t blocks = 1;
  if (is_drawn) {
    const int64_t most = ample ? n / batches / kAmpleThread / threads : kFewBlocks;
    // What is only checked shows whether the blocks of a batch work together, too.
    blocks =
        drawn(n, kBlocks, ample ? 1 : 2, part_of(c) == kSums ? std::min(most, kFewBlocks) : most);
  } else if (wide || part_of(c) != kSums) {
    const int64_t at_once = int64_t{context.device.sm_count} * context.blocks_per_sm(add);
    const int64_t most = divided_up(c.parameter("n"), batches * threads * kElementsAThread);
    blocks = std::clamp<int64_t>(asked > 0 ? asked : at_once / batches, 1, most);
  }
  add.grid.x = static_cast<uint32_t>(blocks);
  const BufferId sums = buffers.at(0);
  if (views) {
    add.arguments = {Argument::of_buffer(sums), Argument::of_buffer(buffers.at(1)),
                     Argument::of_buffer(buffers.at(2))};
    for (const char* number : {"height", "width", "pitch"})
      add.arguments.push_back(c.kernel == "view_64"
                                  ? Argument::of(c.parameter(number))
                                  : Argument::of(static_cast<int32_t>(c.parameter(number))));
    return {add};
  }
  const BufferId out = buffers.at(1), starts = buffers.at(4);
  add.arguments = {Argument::of_buffer(sums), Argument::of_buffer(buffers.at(2)),
                   Argument::of_buffer(buffers.at(3)), Argument::of_buffer(starts)};
  Launch finish;
  finish.kernel = kFinish;
  finish.block.x = kWarp;
  finish.grid.x = static_cast<uint32_t>(divided_up(batches, kWarp));
  finish.arguments = {Argument::of_buffer(out), Argument::of_buffer(sums),
                      Argument::of_buffer(starts), Argument::of(static_cast<int32_t>(batches))};
  return {add, finish};
}

UsefulWork Homework5::work(const Case& c) const {
  const int64_t n = c.parameter("n");
  UsefulWork work;
  work.elements = n;
  work.bytes_read = n * kPairBytes;
  work.bytes_written = c.parameter("batches") * static_cast<int64_t>(sizeof(float));
  work.fp_operations = 2 * n;
  work.load_stores = 2 * n;
  return work;
}

std::vector<Assignment::Confusion> Homework5::confusions(const Case& c) const {
  if (part_of(c) == kViews) return {};
  const auto part = [](int64_t after_start, int64_t before_end) {
    return [=](const std::vector<HostArray>& inputs, int64_t k) {
      const std::span<const int64_t> starts = inputs.at(3).as<int64_t>();
      return sum_of_squares(inputs.at(1).as<float>(), inputs.at(2).as<float>(),
                            starts[k] + after_start, starts[k + 1] - before_end);
    };
  };
  const auto twice = [part](const std::vector<HostArray>& inputs, int64_t k) {
    return 2 * part(0, 0)(inputs, k);
  };
  return {
      {"the sum of all but the batch's first element", part(1, 0)},
      {"the sum of all but the batch's last element", part(0, 1)},
      {"twice the sum", twice},
      {"0: nobody has added anything", [](const std::vector<HostArray>&, int64_t) { return 0.0; }}};
}

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework5>(); }

}  // namespace lockstep
