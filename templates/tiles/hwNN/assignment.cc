// SPDX-License-Identifier: Apache-2.0
// Homework @NUMBER@, the instructor's part: n matrices of 32 x 32 elements are transposed.
#include <fmt/format.h>

#include <span>

#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/kernel_list.h"
#include "common/harness/metrics.h"
#include "common/harness/random_input.h"

namespace lockstep {
namespace {

using Element = @TYPE@;
constexpr ElementType kElement = kElementTypeOf<Element>;

constexpr int64_t kDim = 32;
constexpr int64_t kMatrix = kDim * kDim;  // elements

// An index past the last matrix by one turn of the whole grid must still be an int.
constexpr int64_t kMostMatrices = (int64_t{1} << 30) / kMatrix;

// Where an element of the output comes from.
int64_t source_of(int64_t index) {
  const int64_t within = index % kMatrix;
  return index - within + within % kDim * kDim + within / kDim;
}

// Of the input: whole numbers, too, are seldom alike.
constexpr float kLargest = 0x1p30f;

class Homework@NUMBER@ : public Assignment {
 public:
  std::string name() const override { return "hwNN"; }
  int64_t default_bytes(const DeviceInfo&, bool emulated) const override {
    return emulated ? int64_t{1} << 20 : int64_t{64} << 20;
  }

  std::vector<Case> cases(const ProblemSize& size) const override {
    const int64_t n = size.vectors.value_or(size.bytes / (kMatrix * int64_t{sizeof(Element)}));
    if (n < 1) throw Error(fmt::format("SIZE: {} bytes are less than one matrix", size.bytes));
    if (n > kMostMatrices)
      throw Error(fmt::format("SIZE: {} matrices are more than the {} that the kernel can count", n,
                              kMostMatrices));
    const std::vector<ListedKernel> listed = {
#define KERNEL(name, ...) listed_kernel(#name, "" #__VA_ARGS__),
#include "hwNN/instances.cu"
    };
    std::vector<Case> cases;
    for (const ListedKernel& kernel : listed) {
      Case c;
      c.kernel = kernel.name;
      c.label = fmt::format("{} x {}, n {}", kDim, kDim, n);
      c.parameters = {{"n", n}};
      cases.push_back(std::move(c));
    }
    return cases;
  }

  std::string signature(const Case&, const std::string&) const override {
    return "(@TYPE@*,@TYPE@ const*,int)";
  }
  std::vector<ArraySpec> arrays(const Case& c) const override {
    const auto n = static_cast<size_t>(c.parameter("n") * kMatrix);
    return {{"out", n, Role::kOutput, kElement}, {"in", n, Role::kInput, kElement}};
  }
  std::vector<Argument> arguments(const Case& c,
                                  const std::vector<BufferId>& buffers) const override {
    return {Argument::of_buffer(buffers.at(0)), Argument::of_buffer(buffers.at(1)),
            Argument::of(static_cast<int32_t>(c.parameter("n")))};
  }

  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override {
    std::vector<HostArray> inputs;
    inputs.emplace_back(kElement, static_cast<size_t>(c.parameter("n") * kMatrix));
    const std::span<Element> in = inputs.back().as<Element>();
    parallel_chunks(c.parameter("n") * kMatrix, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++)
        in[i] = static_cast<Element>(kLargest * random_float(seed, 0, i));
    });
    return inputs;
  }

  std::vector<Expected> reference(const Case&,
                                  const std::vector<HostArray>& inputs) const override {
    const std::span<const Element> in = inputs.at(0).as<Element>();
    Expected expected;
    for (size_t i = 0; i < in.size(); i++)
      expected.values.push_back(static_cast<double>(in[static_cast<size_t>(source_of(i))]));
    expected.tolerance.assign(in.size(), 0);  // elements are only moved
    return {expected};
  }

  std::string describe_index(const Case&, const ArraySpec&, int64_t index) const override {
    const int64_t within = index % kMatrix;
    return fmt::format("matrix {}, row {}, column {}", index / kMatrix, within / kDim,
                       within % kDim);
  }

  UsefulWork work(const Case& c) const override {
    UsefulWork work;
    work.elements = c.parameter("n") * kMatrix;
    work.bytes_read = work.bytes_written = work.elements * int64_t{sizeof(Element)};
    work.load_stores = 2 * work.elements;
    return work;
  }

  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock,
            metric::kBlocks,
            metric::kTimeUs,
            metric::kUsefulGbps,
            metric::kInstPerElement,
            metric::kLoadSectorsPerRequest,
            metric::kStoreSectorsPerRequest,
            metric::kSharedRequests,
            metric::kSharedConflictsPerRequest,
            metric::kBarriers};
  }

  std::vector<Confusion> confusions(const Case&) const override {
    return {{"the input's element in the same place: not transposed",
             [](const std::vector<HostArray>& inputs, int64_t index) {
               return static_cast<double>(inputs.at(0).as<Element>()[index]);
             }}};
  }
};

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework@NUMBER@>(); }

}  // namespace lockstep
