// SPDX-License-Identifier: Apache-2.0
// Homework @NUMBER@, the instructor's part: each element of the output is made of one of the input.
#include <fmt/format.h>

#include <cmath>
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

// An index past n by one turn of the whole grid must still be an int.
constexpr int64_t kMostElements = int64_t{1} << 30;

// Of the input; three times that must still be an int.
constexpr float kLargest = 0x1p26f;

// What the kernel computes, in double.
double result_of(double in) { return 3 * in + 1; }

// Twice the rounding of the two operations; whole numbers are exact.
double tolerance_of(double result) { return 4 * rounding_of(kElement) * (std::fabs(result) + 1); }

class Homework@NUMBER@ : public Assignment {
 public:
  std::string name() const override { return "hwNN"; }
  int64_t default_bytes(const DeviceInfo&, bool emulated) const override {
    return emulated ? int64_t{1} << 20 : int64_t{64} << 20;
  }

  std::vector<Case> cases(const ProblemSize& size) const override {
    const int64_t n = size.vectors.value_or(size.bytes / int64_t{sizeof(Element)});
    if (n < 1) throw Error(fmt::format("SIZE: {} bytes are less than one element", size.bytes));
    if (n > kMostElements)
      throw Error(fmt::format("SIZE: {} elements are more than the {} that the kernel can count", n,
                              kMostElements));
    const std::vector<ListedKernel> listed = {
#define KERNEL(name, ...) listed_kernel(#name, "" #__VA_ARGS__),
#include "hwNN/instances.cu"
    };
    std::vector<Case> cases;
    for (const ListedKernel& kernel : listed) {
      Case c;
      c.kernel = kernel.name;
      c.label = fmt::format("n {}", n);
      c.parameters = {{"n", n}};
      cases.push_back(std::move(c));
    }
    return cases;
  }

  std::string signature(const Case&, const std::string&) const override {
    return "(@TYPE@*,@TYPE@ const*,int)";
  }
  std::vector<ArraySpec> arrays(const Case& c) const override {
    const auto n = static_cast<size_t>(c.parameter("n"));
    return {{"out", n, Role::kOutput, kElement}, {"in", n, Role::kInput, kElement}};
  }
  std::vector<Argument> arguments(const Case& c,
                                  const std::vector<BufferId>& buffers) const override {
    return {Argument::of_buffer(buffers.at(0)), Argument::of_buffer(buffers.at(1)),
            Argument::of(static_cast<int32_t>(c.parameter("n")))};
  }

  // From -kLargest to kLargest, in the steps that a float has.
  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override {
    std::vector<HostArray> inputs;
    inputs.emplace_back(kElement, static_cast<size_t>(c.parameter("n")));
    const std::span<Element> in = inputs.back().as<Element>();
    parallel_chunks(c.parameter("n"), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++)
        in[i] = static_cast<Element>(kLargest * random_float(seed, 0, i));
    });
    return inputs;
  }

  std::vector<Expected> reference(const Case&,
                                  const std::vector<HostArray>& inputs) const override {
    Expected expected;
    for (const Element in : inputs.at(0).as<Element>()) {
      expected.values.push_back(result_of(static_cast<double>(in)));
      expected.tolerance.push_back(tolerance_of(expected.values.back()));
    }
    return {expected};
  }

  UsefulWork work(const Case& c) const override {
    UsefulWork work;
    work.elements = c.parameter("n");
    work.bytes_read = work.bytes_written = work.elements * int64_t{sizeof(Element)};
    work.fp_operations = 2 * work.elements;
    work.load_stores = 2 * work.elements;
    return work;
  }

  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock,
            metric::kBlocks,
            metric::kTimeUs,
            metric::kUsefulGbps,
            metric::kInstPerElement,
            metric::kWarpEfficiency,
            metric::kLoadSectorsPerRequest,
            metric::kStoreSectorsPerRequest};
  }

  std::vector<Confusion> confusions(const Case&) const override {
    return {{"the input", [](const std::vector<HostArray>& inputs, int64_t index) {
               return static_cast<double>(inputs.at(0).as<Element>()[index]);
             }}};
  }
};

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework@NUMBER@>(); }

}  // namespace lockstep
