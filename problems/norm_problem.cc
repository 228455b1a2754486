// SPDX-License-Identifier: Apache-2.0
// Inputs, reference and useful work of vector normalization. See norm_problem.h.
#include "problems/norm_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/random_input.h"

namespace lockstep {
namespace {

constexpr int64_t kElementBytes = sizeof(float);

int64_t elements(const Case& c) { return c.parameter("n_l") * c.parameter("d_l"); }

// n_l for an input size; to the kernels it is an int.
int64_t vectors_of(const ProblemSize& size, const NormKernel& kernel) {
  const int64_t n_l = size.vectors.value_or(size.bytes / (kernel.d_l * kElementBytes));
  if (n_l < 1)
    throw Error(
        fmt::format("SIZE: {} bytes are less than one vector of {}", size.bytes, kernel.name));
  if (n_l > std::numeric_limits<int32_t>::max())
    throw Error(fmt::format("SIZE: {} vectors of {} elements are more than an int can count", n_l,
                            kernel.d_l));
  return n_l;
}

std::string label(const NormKernel& kernel) {
  std::string text = fmt::format("d_l {}", kernel.d_l);
  if (kernel.group_size > 1) text += fmt::format(", group size {}", kernel.group_size);
  if (kernel.unroll > 0) text += fmt::format(", unroll degree {}", kernel.unroll);
  return text;
}

// A sum of d floats in any order is off by less than d roundings of the sum of magnitudes; the
// division and the subtraction add their own. A tenth more covers products of roundings.
double tolerance(int d_l, double mean_magnitude, double value, double average) {
  constexpr double kRounding = 0x1p-24;
  return 1.1 * kRounding *
         ((d_l + 1) * mean_magnitude + 2 * (std::fabs(value) + std::fabs(average)));
}

void reference_range(const float* in, int d_l, int64_t begin, int64_t end,
                     Assignment::Expected* out) {
  for (int64_t start = begin; start < end; start += d_l) {
    double sum = 0, magnitudes = 0;
    for (int i = 0; i < d_l; i++) {
      sum += in[start + i];
      magnitudes += std::fabs(in[start + i]);
    }
    const double average = sum / d_l;
    for (int i = 0; i < d_l; i++) {
      const double value = in[start + i];
      out->values[start + i] = value - average;
      out->tolerance[start + i] = tolerance(d_l, magnitudes / d_l, value, average);
    }
  }
}

}  // namespace

// On a GPU input and output fit in the L2 together. In the emulator, every thread of full blocks,
// one an SM, has eight elements: the sweep's figures are meaningful and a laptop is quick.
int64_t NormProblem::default_bytes(const DeviceInfo& device, bool emulated) const {
  constexpr int64_t kFallback = 4 << 20;
  constexpr int64_t kElementsPerThread = 8;
  if (emulated && device.sm_count > 0)
    return device.sm_count * int64_t{1024} * kElementsPerThread * kElementBytes;
  return device.l2_bytes > 0 ? device.l2_bytes / 4 : kFallback;
}

std::vector<Case> NormProblem::cases(const ProblemSize& size) const {
  std::vector<Case> cases;
  for (const NormKernel& kernel : kernels_) {
    Case c;
    c.kernel = kernel.name;
    const int64_t n_l = vectors_of(size, kernel);
    c.label = fmt::format("{}, n_l {}", label(kernel), n_l);
    c.parameters = {{"d_l", kernel.d_l},
                    {"group_size", kernel.group_size},
                    {"unroll", kernel.unroll},
                    {"n_l", n_l}};
    c.by_default = kernel.by_default;
    cases.push_back(std::move(c));
  }
  return cases;
}

std::string NormProblem::problem_key(const Case& c) const {
  return fmt::format("{}x{}", c.parameter("n_l"), c.parameter("d_l"));
}

std::string NormProblem::signature(const Case&, const std::string&) const {
  return "(float*,float const*,int)";
}

std::vector<ArraySpec> NormProblem::arrays(const Case& c) const {
  const size_t n = static_cast<size_t>(elements(c));
  return {{"l_out", n, Role::kOutput}, {"l_in", n, Role::kInput}};
}

// Each vector lies around a value of its own, so that its average matters for every element, and
// has a magnitude of its own, so that no fixed point and no range of a smaller type holds them all:
// one in eight any that float has, but for what sums need.
std::vector<HostArray> NormProblem::make_inputs(const Case& c, uint64_t seed) const {
  const int64_t n = elements(c);
  const int64_t d_l = c.parameter("d_l");
  HostArray array(ElementType::kF32, static_cast<size_t>(n));
  float* const in = array.as<float>().data();
  parallel_chunks(n, d_l, [&](int64_t begin, int64_t end) {
    for (int64_t start = begin; start < end; start += d_l) {
      const float middle = 4 * random_float(seed, 1, start / d_l);
      const uint64_t bits = random_bits(seed, 2, start / d_l);
      const int most = bits >> 32 & 7 ? 15 : 90;
      const int exponent = static_cast<int>(bits % static_cast<uint64_t>(2 * most + 1)) - most;
      const float magnitude = std::ldexp(1.0f, exponent);
      for (int64_t i = start; i < start + d_l; i++)
        in[i] = magnitude * (middle + random_float(seed, 0, i));
    }
  });
  std::vector<HostArray> inputs;
  inputs.push_back(std::move(array));
  return inputs;
}

std::vector<Assignment::Expected> NormProblem::reference(
    const Case& c, const std::vector<HostArray>& inputs) const {
  const int d_l = static_cast<int>(c.parameter("d_l"));
  const std::span<const float> in = inputs.at(0).as<float>();
  Expected expected;
  resize_by_all(&expected.values, static_cast<int64_t>(in.size()));
  resize_by_all(&expected.tolerance, static_cast<int64_t>(in.size()));
  parallel_chunks(static_cast<int64_t>(in.size()), d_l, [&](int64_t begin, int64_t end) {
    reference_range(in.data(), d_l, begin, end, &expected);
  });
  std::vector<Expected> result;
  result.push_back(std::move(expected));
  return result;
}

std::vector<Argument> NormProblem::arguments(const Case& c,
                                             const std::vector<BufferId>& buffers) const {
  return {Argument::of_buffer(buffers.at(0)), Argument::of_buffer(buffers.at(1)),
          Argument::of(static_cast<int32_t>(c.parameter("n_l")))};
}

// An element is read twice (for the sum, and to subtract from) and written once; one addition and
// one subtraction. Only the first reading has to come from beyond L1.
UsefulWork NormProblem::work(const Case& c) const {
  const int64_t n = elements(c);
  UsefulWork work;
  work.elements = n;
  work.bytes_read = kElementBytes * n;
  work.bytes_written = kElementBytes * n;
  work.fp_operations = 2 * n;
  work.load_stores = 3 * n;
  return work;
}

double NormProblem::utilization(const Case& c, const Sequence& launches) const {
  const int64_t unroll = std::max<int64_t>(c.parameter("unroll"), 1);
  const int64_t threads =
      static_cast<int64_t>(launches.at(0).grid.count() * launches.at(0).block.count());
  const int64_t groups = threads / c.parameter("group_size");
  const int64_t n_l = c.parameter("n_l");
  const int64_t an_iteration = std::max<int64_t>(groups, 1) * unroll;
  const int64_t iterations = (n_l + an_iteration - 1) / an_iteration;
  return static_cast<double>(n_l) /
         (static_cast<double>(iterations) * static_cast<double>(an_iteration));
}

std::vector<Assignment::Confusion> NormProblem::confusions(const Case& c) const {
  const int64_t d_l = c.parameter("d_l");
  const auto average = [d_l](const std::vector<HostArray>& inputs, int64_t index) {
    const std::span<const float> in = inputs.at(0).as<float>();
    double sum = 0;
    for (int64_t i = index / d_l * d_l; i < (index / d_l + 1) * d_l; i++) sum += in[i];
    return sum / static_cast<double>(d_l);
  };
  const auto element = [](const std::vector<HostArray>& inputs, int64_t index) {
    return double{inputs.at(0).as<float>()[index]};
  };
  return {{"the average of the vector, not what is left without it", average},
          {"the input, unchanged", element},
          {"the average of the vector", average, true}};
}

std::string NormProblem::describe_index(const Case& c, const ArraySpec&, int64_t index) const {
  const int64_t d_l = c.parameter("d_l");
  return fmt::format("vector {}, element {}", index / d_l, index % d_l);
}

}  // namespace lockstep
