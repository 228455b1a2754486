// SPDX-License-Identifier: Apache-2.0
// The launch plan. See launch_plan.h.
#include "common/harness/launch_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/error.h"
#include "common/base/text.h"

namespace lockstep {
namespace {

constexpr int kWarp = 32;
constexpr int64_t kMaxBlocks = 2147483647;
constexpr double kMiB = 1048576;
// The emulator keeps some state for every byte; more than this is a mistake on a laptop.
constexpr int64_t kEmulatorLimit = int64_t{1} << 30;

int64_t plan_blocks(const Options& options, const DeviceInfo& device) {
  const int64_t sms = std::max(device.sm_count, 1);
  if (options.blocks > 0) return options.blocks;
  const int64_t per_sm = options.blocks == 0 ? 1 : -options.blocks;
  if (per_sm > kMaxBlocks / sms)
    throw Error(fmt::format("NBLOCKS: {} blocks an SM are more than a launch can have ({} in all)",
                            per_sm, kMaxBlocks));
  return per_sm * sms;
}

std::vector<int> plan_warps(const Options& options, const DeviceInfo& device,
                            const Assignment& assignment) {
  const int most = std::max(device.max_threads_per_block / kWarp, 1);
  if (options.warps > most)
    throw Error(fmt::format("WARPS: a block of {} holds at most {} warps, not {}", device.name,
                            most, options.warps));
  if (options.warps > 0) return {options.warps};
  std::vector<int> sweep;
  for (const int warps : assignment.warp_sweep())
    if (warps <= most) sweep.push_back(warps);
  return sweep;
}

ProblemSize plan_size(const Options& options, const DeviceInfo& device,
                      const Assignment& assignment, bool emulated) {
  ProblemSize size;
  size.vectors = options.vectors;
  size.bytes = assignment.default_bytes(device, emulated);
  if (options.size == 0) return size;
  if (options.size < 0 && device.l2_bytes <= 0)
    throw Error(fmt::format("SIZE: the L2 size of {} is unknown; give MiB", device.name));
  const double bytes =
      options.size > 0 ? options.size * kMiB : -options.size * static_cast<double>(device.l2_bytes);
  // Beyond 2^60 bytes there is no such memory, and no safe conversion either.
  if (!(bytes < 0x1p60))
    throw Error(fmt::format("SIZE: {} is more memory than any GPU has", options.size));
  size.bytes = static_cast<int64_t>(std::llround(bytes));
  if (size.bytes < 1) throw Error(fmt::format("SIZE: {} is less than a byte", options.size));
  return size;
}

std::string mebibytes(int64_t bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / kMiB);
}

}  // namespace

int LaunchPlan::max_threads() const {
  return warps.empty() ? 0 : kWarp * *std::max_element(warps.begin(), warps.end());
}

LaunchPlan plan_launches(const Options& options, const DeviceInfo& device,
                         const Assignment& assignment, bool emulated) {
  LaunchPlan plan;
  if (assignment.shape_from() != ShapeFrom::kCommandLine) {
    if (options.blocks != 0 || options.warps != 0)
      throw Error(fmt::format("NBLOCKS, WARPS: the launch shape of {} is {}; give 0 0",
                              assignment.name(),
                              assignment.shape_from() == ShapeFrom::kStudent
                                  ? "what " + assignment.student_file() + " says"
                                  : "the homework's"));
    plan.blocks = 0;
    plan.warps = {0};
    plan.size = plan_size(options, device, assignment, emulated);
    return plan;
  }
  plan.blocks = plan_blocks(options, device);
  plan.warps = plan_warps(options, device, assignment);
  plan.size = plan_size(options, device, assignment, emulated);
  plan.shows_resident = plan.blocks > device.sm_count;
  return plan;
}

std::vector<Case> select_cases(const Options& options, const std::vector<Case>& all) {
  std::vector<Case> selected;
  if (options.kernels.empty()) {
    for (const Case& c : all)
      if (c.by_default) selected.push_back(c);
    return selected;
  }
  std::vector<bool> wanted(all.size(), false);
  for (const std::string& pattern : options.kernels) {
    bool found = false;
    for (size_t i = 0; i < all.size(); i++) {
      if (!matches_kernel(pattern, all[i].kernel)) continue;
      wanted[i] = true;
      found = true;
    }
    if (found) continue;
    std::string names;
    for (const Case& c : all) names += " " + c.kernel;
    throw Error(
        fmt::format("--kernel: no kernel matches '{}'; there are:{}", printable(pattern), names));
  }
  for (size_t i = 0; i < all.size(); i++)
    if (wanted[i]) selected.push_back(all[i]);
  return selected;
}

namespace {

std::map<std::string, int64_t> elements_of(const Assignment& assignment, const ProblemSize& size) {
  std::map<std::string, int64_t> out;
  for (const Case& c : assignment.cases(size)) out[c.kernel] = assignment.work(c).elements;
  return out;
}

}  // namespace

bool Sizes::has(const std::string& kernel, int64_t vectors, int64_t elements) {
  auto [at, is_new] = known_.try_emplace(vectors);
  if (is_new) at->second = elements_of(assignment_, {0, vectors});
  return at->second[kernel] >= elements;
}

int64_t Sizes::least(const std::string& kernel, int64_t elements) {
  int64_t most = 1;
  while (!has(kernel, most, elements)) most *= 2;
  int64_t least = most / 2 + 1;
  while (least < most) {
    const int64_t middle = (least + most) / 2;
    if (has(kernel, middle, elements))
      most = middle;
    else
      least = middle + 1;
  }
  return most;
}

std::map<std::string, int64_t> default_sizes(const Assignment& assignment, const DeviceInfo& device,
                                             bool emulated) {
  constexpr int64_t kMostTried = 1000;
  Sizes least(assignment);
  std::map<std::string, int64_t> sizes;
  std::map<int64_t, std::vector<Case>> tried;
  const auto key_at = [&](const std::string& kernel, int64_t vectors) -> std::string {
    const auto [at, is_new] = tried.try_emplace(vectors);
    if (is_new) at->second = assignment.cases({0, vectors});
    for (const Case& c : at->second)
      if (c.kernel == kernel) return assignment.problem_key(c);
    return {};
  };
  for (const Case& c : assignment.cases({assignment.default_bytes(device, emulated), {}})) {
    if (c.library) continue;
    const int64_t from = least.least(c.kernel, assignment.work(c).elements);
    const int64_t to = from + std::min(from / 4, kMostTried);
    const std::string key = assignment.problem_key(c);
    int64_t at = from;
    while (at <= to && key_at(c.kernel, at) != key) ++at;
    sizes[c.kernel] = at <= to ? at : from;
  }
  return sizes;
}

int64_t bytes_needed(const std::vector<ArraySpec>& arrays) {
  int64_t bytes = 0;
  for (const ArraySpec& array : arrays) {
    const int64_t size = static_cast<int64_t>(array.bytes());
    bytes +=
        (array.has_input() ? 2 : 1) * size + 2 * static_cast<int64_t>(BufferSpec().guard_bytes);
  }
  return bytes;
}

void check_memory(const std::vector<ArraySpec>& arrays, const std::string& kernel,
                  std::optional<int64_t> free_bytes, bool emulated) {
  const int64_t needed = bytes_needed(arrays);
  if (emulated && needed > kEmulatorLimit)
    throw Error(
        fmt::format("SIZE: {} needs {}, more than the {} that the emulator takes; give a "
                    "smaller SIZE",
                    kernel, mebibytes(needed), mebibytes(kEmulatorLimit)));
  if (free_bytes && needed > *free_bytes)
    throw Error(fmt::format("SIZE: {} needs {}, but the GPU has {} free; give a smaller SIZE",
                            kernel, mebibytes(needed), mebibytes(*free_bytes)));
}

int resident_warps(int64_t blocks, int warps, int sm_count, int max_blocks_per_sm) {
  const int64_t sms = std::max(sm_count, 1);
  const int64_t blocks_per_sm = (blocks + sms - 1) / sms;
  return warps * static_cast<int>(std::min<int64_t>(blocks_per_sm, max_blocks_per_sm));
}

namespace {

// A variable of 1, 2, 4 or 8 bytes, little-endian, as a signed number.
std::optional<int64_t> as_number(const std::vector<uint8_t>& bytes) {
  if (bytes.empty() || bytes.size() > 8) return std::nullopt;
  uint64_t value = bytes.back() >> 7 ? ~uint64_t{0} : 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | bytes[i];
  return static_cast<int64_t>(value);
}

std::string dimensions(const Dim3& d) {
  if (d.z != 1) return fmt::format("{}x{}x{}", d.x, d.y, d.z);
  return d.y != 1 ? fmt::format("{}x{}", d.x, d.y) : fmt::format("{}", d.x);
}

}  // namespace

std::map<std::string, int64_t> read_constants(Backend& backend, const Assignment& assignment) {
  std::map<std::string, int64_t> constants;
  for (const StudentConstant& c : assignment.constants()) {
    const auto bytes = backend.read_global(kConstantPrefix + c.name);
    const std::optional<int64_t> value = bytes ? as_number(*bytes) : std::nullopt;
    const std::string begin = assignment.student_file() + ": ";
    if (!value)
      throw ConstantFault(
          fmt::format("{}there is no number {} ({}) in the module", begin, c.name, c.meaning));
    const bool fits = *value >= c.least && *value <= c.most && *value % c.multiple_of == 0;
    if (!fits)
      throw ConstantFault(fmt::format(
          "{}{} = {} ({}) must lie between {} and {}{}", begin, c.name, *value, c.meaning, c.least,
          c.most,
          c.multiple_of == 1 ? "" : fmt::format(" and be a multiple of {}", c.multiple_of)));
    constants[c.name] = *value;
  }
  return constants;
}

LaunchContext launch_context(Backend& backend, int64_t blocks, int warps,
                             std::map<std::string, int64_t> constants) {
  LaunchContext context{backend.device(), blocks, warps * kWarp, std::move(constants), {}};
  context.blocks_per_sm = [&backend](const Launch& l) { return backend.max_blocks_per_sm(l); };
  return context;
}

std::optional<Case> find_case(const Assignment& assignment, const std::string& kernel,
                              int64_t vectors) {
  ProblemSize size;
  size.vectors = vectors;
  for (Case& c : assignment.cases(size))
    if (c.kernel == kernel) return std::move(c);
  return std::nullopt;
}

const KernelInfo* kernel_with(Backend& backend, const std::string& name,
                              const std::string& signature) {
  const KernelInfo* found = nullptr;
  for (const KernelInfo& kernel : backend.kernels()) {
    if (kernel.name != name) continue;
    if (kernel.signature == signature) return &kernel;
    if (found == nullptr) found = &kernel;
  }
  return found;
}

Sequence launches_of(Backend& backend, const Assignment& assignment, const Case& c,
                     LaunchContext context, const std::vector<BufferId>& buffers) {
  const auto with_its_kernel = [&](Launch launch) {
    const KernelInfo* kernel =
        kernel_with(backend, launch.kernel, assignment.signature(c, launch.kernel));
    const auto namesakes =
        std::count_if(backend.kernels().begin(), backend.kernels().end(),
                      [&](const KernelInfo& other) { return other.name == launch.kernel; });
    if (kernel != nullptr && namesakes > 1) launch.kernel = kernel->mangled;
    return launch;
  };
  context.blocks_per_sm = [&](const Launch& launch) {
    return backend.max_blocks_per_sm(with_its_kernel(launch));
  };
  Sequence sequence = assignment.launches(c, context, buffers);
  if (sequence.empty()) throw Error("case " + c.kernel + " launches nothing");
  for (Launch& launch : sequence) {
    launch = with_its_kernel(std::move(launch));
    launch.continues = &launch != &sequence.front();
  }
  return sequence;
}

std::string shape_words(const Launch& launch) {
  const bool whole_warps = launch.block.x % kWarp == 0 && launch.block.y * launch.block.z == 1;
  if (whole_warps)
    return fmt::format("{} blocks of {} warps", dimensions(launch.grid), launch.block.x / kWarp);
  return fmt::format("{} blocks of {} threads", dimensions(launch.grid), dimensions(launch.block));
}

}  // namespace lockstep
