// SPDX-License-Identifier: Apache-2.0
// Homework 4, the instructor's part: the sum of n 32-bit numbers in two launches, one of a kernel
// that leaves a part a block and one of add_parts, which adds up the parts.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/kernel_list.h"
#include "common/harness/metrics.h"
#include "common/harness/random_input.h"

namespace lockstep {
namespace {

constexpr int64_t kElementBytes = sizeof(uint32_t);
constexpr int kThreads = 128;  // of the kernels that are no templates, and of those shown
constexpr char kAddParts[] = "add_parts";
constexpr char kLibrarySum[] = "cub_sum";

// From here on a problem is one to fill a card with.
constexpr int64_t kLarge = 1 << 20;
constexpr int64_t kMostSmallBlocks = 13;  // of smaller problems

// An index past n by one turn of the whole grid must still be an int.
constexpr int64_t kMostElements = int64_t{1} << 30;

int64_t parts_of(int64_t n, int64_t size) { return (n + size - 1) / size; }

// How many elements a thread has: 1, 2, or as many as the number of blocks leaves it.
enum class Share : int64_t { kOne = 1, kTwo = 2, kAny = 16 };

Share share_of(const std::string& function) {
  const int step = function.back() - '0';
  return step < 3 ? Share::kOne : step < 6 ? Share::kTwo : Share::kAny;
}

// Of these kernels it is said which elements a block adds up, so each part is checked. Else block 0
// could do everything, which no count tells.
bool has_parts(const Case& c) {
  return c.parameter("elements a thread") != static_cast<int64_t>(Share::kAny);
}

int64_t share_of_block(const Case& c) {
  return c.parameter("threads") * c.parameter("elements a thread");
}

// Kernels that take any number of blocks have 16 elements a thread, or as many as it takes for all
// blocks to be on the card at once. Of small problems, which are there to be checked and counted,
// n decides: any number, so that threads have much to do or next to nothing.
int64_t blocks_for(const Case& c, const DeviceInfo& device) {
  const int64_t n = c.parameter("n"), threads = c.parameter("threads");
  const int64_t blocks = parts_of(n, share_of_block(c));
  if (has_parts(c)) return blocks;
  if (n < kLarge) return 1 + n % kMostSmallBlocks;
  const int64_t at_once = int64_t{std::max(device.sm_count, 1)} *
                          std::max<int64_t>(device.max_threads_per_sm / threads, 1);
  return std::min(blocks, at_once);
}

double sum_of(std::span<const uint32_t> values) {
  return std::accumulate(values.begin(), values.end(), uint32_t{0});
}

class Homework4 : public Assignment {
 public:
  std::string name() const override { return "hw04"; }
  ShapeFrom shape_from() const override { return ShapeFrom::kHomework; }

  // The classic example has 2^22 numbers.
  int64_t default_bytes(const DeviceInfo&, bool emulated) const override {
    return kElementBytes * (emulated ? kLarge : 4 * kLarge);
  }

  std::vector<Case> cases(const ProblemSize& size) const override {
    const int64_t n = size.vectors.value_or(size.bytes / kElementBytes);
    if (n < 1) throw Error(fmt::format("SIZE: {} bytes are less than one element", size.bytes));
    if (n > kMostElements)
      throw Error(fmt::format("SIZE: {} elements are more than the {} that the kernels can count",
                              n, kMostElements));
    const std::vector<ListedKernel> listed = {
#define KERNEL(name, ...) listed_kernel(#name, "" #__VA_ARGS__),
#include "hw04/instances.cu"
    };
    std::vector<Case> cases;
    for (const ListedKernel& kernel : listed) {
      const int64_t threads = kernel.arguments.empty() ? kThreads : kernel.number(0);
      Case c;
      c.kernel = kernel.name;
      c.label = fmt::format("n {}", n);
      c.parameters = {{"n", n},
                      {"threads", threads},
                      {"elements a thread", static_cast<int64_t>(share_of(kernel.function))}};
      c.by_default = threads == kThreads;
      cases.push_back(std::move(c));
    }
    Case library;
    library.kernel = kLibrarySum;
    library.label = fmt::format("n {}", n);
    library.parameters = {
        {"n", n}, {"threads", kThreads}, {"elements a thread", static_cast<int64_t>(Share::kAny)}};
    library.library = true;
    cases.push_back(std::move(library));
    return cases;
  }

  std::string problem_key(const Case& c) const override {
    return fmt::format("{}/{}", c.parameter("n"), has_parts(c) ? share_of_block(c) : 0);
  }
  std::vector<std::string> launched_kernels(const Case& c) const override {
    return {c.kernel, kAddParts};
  }
  std::string signature(const Case&, const std::string&) const override {
    return "(unsigned int*,unsigned int const*,int)";
  }

  // Where the number of blocks is the device's matter, there is room for as many parts as any has.
  std::vector<ArraySpec> arrays(const Case& c) const override {
    const int64_t n = c.parameter("n");
    const int64_t parts = has_parts(c) ? parts_of(n, share_of_block(c))
                                       : std::max<int64_t>(parts_of(n, 64), kMostSmallBlocks);
    return {{"sum", 1, Role::kOutput, ElementType::kU32},
            {"parts", static_cast<size_t>(parts), has_parts(c) ? Role::kOutput : Role::kScratch,
             ElementType::kU32},
            {"in", static_cast<size_t>(n), Role::kInput, ElementType::kU32}};
  }

  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override {
    HostArray array(ElementType::kU32, static_cast<size_t>(c.parameter("n")));
    const std::span<uint32_t> in = array.as<uint32_t>();
    parallel_chunks(c.parameter("n"), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++)
        in[i] = static_cast<uint32_t>(random_bits(seed, 0, i) >> 32);
    });
    std::vector<HostArray> inputs;
    inputs.push_back(std::move(array));
    return inputs;
  }

  std::vector<Expected> reference(const Case& c,
                                  const std::vector<HostArray>& inputs) const override {
    const std::span<const uint32_t> in = inputs.at(0).as<uint32_t>();
    std::vector<Expected> expected = {{{sum_of(in)}, {0}}};
    if (!has_parts(c)) return expected;
    Expected parts;
    for (size_t i = 0; i < in.size(); i += static_cast<size_t>(share_of_block(c)))
      parts.values.push_back(
          sum_of(in.subspan(i, std::min(in.size() - i, static_cast<size_t>(share_of_block(c))))));
    parts.tolerance.assign(parts.values.size(), 0);
    expected.push_back(std::move(parts));
    return expected;
  }

  std::string describe_index(const Case& c, const ArraySpec& array, int64_t index) const override {
    if (array.name != "parts" || !has_parts(c)) return {};
    const int64_t first = index * share_of_block(c);
    return fmt::format("elements {} to {}", first,
                       std::min(first + share_of_block(c), c.parameter("n")) - 1);
  }

  Sequence launches(const Case& c, const LaunchContext& context,
                    const std::vector<BufferId>& buffers) const override {
    const BufferId sum = buffers.at(0), parts = buffers.at(1), in = buffers.at(2);
    if (c.library) {
      Launch library;
      library.kernel = c.kernel;
      library.library = true;
      library.arguments = {Argument::of_buffer(sum), Argument::of_buffer(in),
                           Argument::of(static_cast<int32_t>(c.parameter("n")))};
      return {library};
    }
    const int64_t threads = c.parameter("threads"), blocks = blocks_for(c, context.device);
    Launch reduce;
    reduce.kernel = c.kernel;
    reduce.grid.x = static_cast<uint32_t>(blocks);
    reduce.block.x = static_cast<uint32_t>(threads);
    reduce.dynamic_shared_bytes = static_cast<uint32_t>(threads * kElementBytes);
    reduce.arguments = {Argument::of_buffer(parts), Argument::of_buffer(in),
                        Argument::of(static_cast<int32_t>(c.parameter("n")))};
    Launch add;
    add.kernel = kAddParts;
    add.block.x = static_cast<uint32_t>(std::min<int64_t>(32 * parts_of(blocks, 32), 1024));
    add.arguments = {Argument::of_buffer(sum), Argument::of_buffer(parts),
                     Argument::of(static_cast<int32_t>(blocks))};
    return {reduce, add};
  }

  UsefulWork work(const Case& c) const override {
    const int64_t n = c.parameter("n");
    UsefulWork work;
    work.elements = n;
    work.bytes_read = n * kElementBytes;
    work.bytes_written = kElementBytes;
    work.load_stores = n;
    return work;
  }

  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock, metric::kBlocks,
            metric::kTimeUs,          metric::kUsefulGbps,
            metric::kInstPerElement,  metric::kWarpEfficiency,
            metric::kSharedRequests,  metric::kSharedConflictsPerRequest,
            metric::kBarriers,        metric::kLoadSectorsPerRequest};
  }

  std::vector<Confusion> confusions(const Case& c) const override {
    const auto in_part = [](int64_t from, int64_t to) {
      return [from, to](const std::vector<HostArray>& inputs, int64_t) {
        return sum_of(inputs.at(0).as<uint32_t>().subspan(from, to - from));
      };
    };
    const int64_t n = c.parameter("n"), a_block = c.parameter("threads");
    if (n < 2) return {};
    std::vector<Confusion> known = {{"the sum of all but the first element", in_part(1, n)},
                                    {"the sum of all but the last element", in_part(0, n - 1)}};
    if (n > a_block)
      known.push_back({"the sum of the first block's elements alone", in_part(0, a_block)});
    if (n % 4 != 0)
      known.push_back(
          {"the sum without the elements behind the last whole four", in_part(0, n - n % 4)});
    return known;
  }
};

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework4>(); }

}  // namespace lockstep
