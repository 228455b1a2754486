// SPDX-License-Identifier: Apache-2.0
// The GPU information lines. See device_lines.h; docs/metrics.md says what each figure means.
#include "common/harness/device_lines.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "common/backend/chip.h"
#include "common/base/text.h"

namespace lockstep {
namespace {

constexpr int kUnknownCc = 0;

template <typename T>
std::string known(const char* format, std::optional<T> value) {
  return value ? fmt::format(fmt::runtime(format), *value) : "unknown";
}

std::string positive(int64_t value) { return value > 0 ? std::to_string(value) : "unknown"; }

// Operations in the time that one element takes to arrive from memory.
std::optional<double> operations_per_transfer(std::optional<double> gflops,
                                              std::optional<double> gbps, int element_bytes) {
  if (!gflops || !gbps) return std::nullopt;
  return element_bytes * *gflops / *gbps;
}

std::optional<double> compute_to_memory_fp32(const DeviceInfo& d) {
  return operations_per_transfer(peak_fp32_gflops(d), peak_memory_gbps(d), 4);
}

std::optional<double> compute_to_memory_fp64(const DeviceInfo& d) {
  return operations_per_transfer(peak_fp64_gflops(d), peak_memory_gbps(d), 8);
}

std::string compute_capability(const DeviceInfo& d) {
  return d.cc_major == kUnknownCc ? "unknown" : fmt::format("{}.{}", d.cc_major, d.cc_minor);
}

template <typename T>
nlohmann::json or_null(std::optional<T> value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

nlohmann::json positive_or_null(int64_t value) {
  return value > 0 ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

std::string device_lines(const DeviceInfo& d) {
  const std::string gpu = fmt::format("GPU {}: ", d.index);
  const std::string memory = d.global_bytes > 0 ? std::to_string(d.global_bytes >> 20) : "unknown";
  const std::string l2 = d.l2_bytes > 0 ? std::to_string(d.l2_bytes >> 10) : "unknown";
  std::string out;
  out += gpu + fmt::format("{} @ {} GHz WITH {} MiB GLOBAL MEM\n",
                           d.name.empty() ? "unknown" : printable(d.name),
                           known("{:.2f}", clock_ghz(d)), memory);
  out += gpu +
         fmt::format("L2: {} kiB   MEM<->L2: {} GB/s\n", l2, known("{:.1f}", peak_memory_gbps(d)));
  out += gpu + fmt::format("CC: {}   SM: {}   SP-FP32/SM: {}   DP-FP64/SM: {}   TH/BL: {}\n",
                           compute_capability(d), positive(d.sm_count),
                           known("{}", fp32_units_per_sm(d.cc_major, d.cc_minor)),
                           known("{}", fp64_units_per_sm(d.cc_major, d.cc_minor)),
                           positive(d.max_threads_per_block));
  out +=
      gpu + fmt::format("SHARED: {} B/SM   CONST: {} B   NUM REGS: {}\n", positive(d.shared_per_sm),
                        positive(d.const_bytes), positive(d.registers_per_block));
  out += gpu + fmt::format("SHARED: {} B/BL   SH RES: {} B/BL   SH OPT-IN: {} B/BL\n",
                           positive(d.shared_per_block), d.shared_reserved_per_block,
                           positive(d.shared_per_block_optin));
  out +=
      gpu + fmt::format("PEAK: {} SP GFLOPS   {} DP GFLOPS   COMP/COMM: {} SP   {} DP\n",
                        known("{:.0f}", peak_fp32_gflops(d)), known("{:.0f}", peak_fp64_gflops(d)),
                        known("{:.1f}", compute_to_memory_fp32(d)),
                        known("{:.1f}", compute_to_memory_fp64(d)));
  return out;
}

std::string device_json(const DeviceInfo& d) {
  const nlohmann::ordered_json object = {
      {"index", d.index},
      {"name", printable(d.name)},
      {"chip", d.chip.empty() ? nlohmann::json(nullptr) : nlohmann::json(printable(d.chip))},
      {"compute_capability", compute_capability(d)},
      {"sm_count", positive_or_null(d.sm_count)},
      {"clock_ghz", or_null(clock_ghz(d))},
      {"global_bytes", positive_or_null(d.global_bytes)},
      {"l2_bytes", positive_or_null(d.l2_bytes)},
      {"memory_gbps", or_null(peak_memory_gbps(d))},
      {"l2_gbps", or_null(peak_l2_gbps(d))},
      {"fp32_units_per_sm", or_null(fp32_units_per_sm(d.cc_major, d.cc_minor))},
      {"fp64_units_per_sm", or_null(fp64_units_per_sm(d.cc_major, d.cc_minor))},
      {"fp32_gflops", or_null(peak_fp32_gflops(d))},
      {"fp64_gflops", or_null(peak_fp64_gflops(d))},
      {"fp32_operations_per_transfer", or_null(compute_to_memory_fp32(d))},
      {"fp64_operations_per_transfer", or_null(compute_to_memory_fp64(d))},
      {"max_threads_per_block", positive_or_null(d.max_threads_per_block)},
      {"shared_bytes_per_sm", positive_or_null(d.shared_per_sm)},
      {"shared_bytes_per_block", positive_or_null(d.shared_per_block)},
      {"shared_bytes_reserved_per_block", d.shared_reserved_per_block},
      {"shared_bytes_per_block_optin", positive_or_null(d.shared_per_block_optin)},
      {"const_bytes", positive_or_null(d.const_bytes)},
      {"registers_per_block", positive_or_null(d.registers_per_block)},
      {"has_display", d.has_display},
      {"pageable_memory_access", d.pageable_memory_access},
  };
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace lockstep
