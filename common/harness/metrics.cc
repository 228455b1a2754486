// SPDX-License-Identifier: Apache-2.0
// The derived metrics, each computed here and nowhere else. See metrics.h and docs/metrics.md.
#include "common/harness/metrics.h"

#include <algorithm>
#include <cmath>

#include "common/backend/chip.h"

namespace lockstep {
namespace {

constexpr int kWarp = 32;
// A load or store keeps a warp scheduler's port busy four times as long as an FP operation.
constexpr double kLoadStoreCost = 4;

// A value on the way to becoming a metric; absent as soon as one of its inputs is.
using Figure = std::optional<Count>;

Figure exact(double value) { return Count{value, Tier::kExact}; }

Figure exact(std::optional<double> value) {
  return value ? Figure(Count{*value, Tier::kExact}) : std::nullopt;
}

Figure find(const Counts& counts, const char* name) {
  const Count* count = counts.find(name);
  if (count == nullptr || !std::isfinite(count->value) || count->value < 0) return std::nullopt;
  return *count;
}

// A measured figure stays "measured" whatever constants it is combined with.
Tier weakest(Tier a, Tier b) {
  if (a == Tier::kPredicted || b == Tier::kPredicted) return Tier::kPredicted;
  if (a == Tier::kMeasured || b == Tier::kMeasured) return Tier::kMeasured;
  return Tier::kExact;
}

Figure operator+(const Figure& a, const Figure& b) {
  if (!a || !b) return std::nullopt;
  return Count{a->value + b->value, weakest(a->tier, b->tier)};
}

Figure operator-(const Figure& a, const Figure& b) {
  if (!a || !b) return std::nullopt;
  return Count{a->value - b->value, weakest(a->tier, b->tier)};
}

Figure operator*(const Figure& a, double factor) {
  if (!a) return std::nullopt;
  return Count{a->value * factor, a->tier};
}

Figure operator/(const Figure& a, const Figure& b) {
  if (!a || !b || !(b->value > 0)) return std::nullopt;
  return Count{a->value / b->value, weakest(a->tier, b->tier)};
}

class Derivation {
 public:
  void set(const char* name, const Figure& figure) {
    if (figure && std::isfinite(figure->value)) metrics_[name] = *figure;
  }
  std::map<std::string, Count> take() { return std::move(metrics_); }

 private:
  std::map<std::string, Count> metrics_;
};

void derive_from_counts(const Counts& counts, const UsefulWork& work, Derivation* out) {
  const auto get = [&](const char* name) { return find(counts, name); };
  const Figure warp_instructions = get(metric::kWarpInstructions);
  const Figure load_requests = get(metric::kGlobalLoadRequests);
  const Figure store_requests = get(metric::kGlobalStoreRequests);
  const Figure elements = exact(static_cast<double>(work.elements));
  out->set(metric::kInstPerElement, warp_instructions * kWarp / elements);
  out->set(metric::kConflictsPerElement, get(metric::kGlobalBankConflicts) / elements);
  out->set(metric::kLoadSectorsPerElement, get(metric::kGlobalLoadSectors) / elements);
  out->set(metric::kStoreSectorsPerElement, get(metric::kGlobalStoreSectors) / elements);
  out->set(metric::kConflictsPerGlobalRequest,
           get(metric::kGlobalBankConflicts) / (load_requests + store_requests));
  out->set(metric::kL2ReadRatio,
           get(metric::kL2ToL1Bytes) / exact(static_cast<double>(work.bytes_read)));
  out->set(metric::kL2WriteRatio,
           get(metric::kL1ToL2Bytes) / exact(static_cast<double>(work.bytes_written)));
  out->set(metric::kLoadSectorsPerRequest, get(metric::kGlobalLoadSectors) / load_requests);
  out->set(metric::kStoreSectorsPerRequest, get(metric::kGlobalStoreSectors) / store_requests);
  const Figure threads = get(metric::kThreadInstructions) / warp_instructions;
  out->set(metric::kThreadsPerInstruction, threads);
  out->set(metric::kWarpEfficiency, threads * (100.0 / kWarp));
  const Figure branches = get(metric::kBranches);
  out->set(metric::kBranchUniformity,
           (branches - get(metric::kDivergentBranches)) / branches * 100.0);

  const Figure conflicts = get(metric::kSharedWavefronts) - get(metric::kSharedWavefrontsIdeal);
  out->set(metric::kSharedConflicts, conflicts);
  out->set(metric::kSharedConflictsPerRequest, conflicts / get(metric::kSharedRequests));
  out->set(metric::kSharedConflictsPerElement, conflicts / elements);
}

// 1 GB/s is 1000 bytes a microsecond, and 1 GFLOP/s 1000 operations.
Figure giga_per_second(const Figure& amount, const Figure& time_us) {
  return amount * 1e-3 / time_us;
}

void derive_rates(const Counts& counts, const LaunchFacts& facts, const DeviceInfo& device,
                  Derivation* out) {
  if (!facts.time_us || !(*facts.time_us > 0)) return;
  const Figure time = Count{*facts.time_us, Tier::kMeasured};
  out->set(metric::kTimeUs, time);
  const Figure l2_bytes = find(counts, metric::kL2ToL1Bytes) + find(counts, metric::kL1ToL2Bytes);
  const Figure l2_gbps = giga_per_second(l2_bytes, time);
  out->set(metric::kL2Gbps, l2_gbps);
  out->set(metric::kL2PeakPercent, l2_gbps * 100 / exact(peak_l2_gbps(device)));
  out->set(metric::kDramGbps, giga_per_second(find(counts, metric::kDramBytes), time));
  const double fp_operations = static_cast<double>(facts.work.fp_operations);
  out->set(metric::kFpGflops, giga_per_second(exact(fp_operations), time));
  const double useful = static_cast<double>(facts.work.bytes_read + facts.work.bytes_written);
  out->set(metric::kUsefulGbps, giga_per_second(exact(useful), time));
}

// A wave is as many blocks as the device holds at once (CUDA Best Practices Guide, "Thread and
// Block Heuristics"); the tail is the share of the last wave's places that stay empty.
void derive_shape(const LaunchFacts& facts, const DeviceInfo& device, Derivation* out) {
  if (facts.blocks == 0 || facts.threads == 0) return;
  const double blocks = static_cast<double>(facts.blocks);
  const double warps = static_cast<double>((facts.threads + 31) / 32);
  out->set(metric::kBlocks, exact(blocks));
  out->set(metric::kThreadsPerBlock, exact(static_cast<double>(facts.threads)));
  out->set(metric::kWarpsPerBlock, exact(warps));
  if (!facts.blocks_per_sm || device.max_threads_per_sm <= 0) return;
  const double most_warps = device.max_threads_per_sm / 32;
  out->set(metric::kTheoreticalOccupancy, exact(100 * warps * *facts.blocks_per_sm / most_warps));
  if (facts.resident_warps && *facts.resident_warps > 0 && device.sm_count > 0) {
    const double a_share = std::ceil(blocks * warps / device.sm_count);
    // A block of which a warp does not fit is left out whole: that hangs on how large blocks are.
    const double held = *facts.resident_warps + warps - 1;
    out->set(metric::kResidencyShortfall,
             exact(std::max(1.0, std::min(most_warps, a_share) / held)));
  }
  const double places = static_cast<double>(*facts.blocks_per_sm) * device.sm_count;
  if (!(places > 0)) return;
  const double waves = blocks / places;
  out->set(metric::kWaves, exact(waves));
  out->set(metric::kTailPercent, exact(100 * (std::ceil(waves) - waves)));
}

std::optional<double> share_of_time(double amount, std::optional<double> peak_giga,
                                    std::optional<double> time_us) {
  if (!peak_giga || !time_us || !(*peak_giga > 0) || !(*time_us > 0)) return std::nullopt;
  return amount / (*peak_giga * 1e3) / *time_us;
}

}  // namespace

std::map<std::string, Count> derive_metrics(const Counts& counts, const LaunchFacts& facts,
                                            const DeviceInfo& device) {
  Derivation out;
  derive_from_counts(counts, facts.work, &out);
  derive_rates(counts, facts, device, &out);
  out.set(metric::kUtilization, exact(facts.utilization));
  if (facts.resident_warps) out.set(metric::kResidentWarps, exact(*facts.resident_warps));
  derive_shape(facts, device, &out);
  return out.take();
}

bool data_is_in_memory(const UsefulWork& work, const DeviceInfo& device) {
  return device.l2_bytes > 0 && work.bytes_read + work.bytes_written > device.l2_bytes;
}

Busy busy_fractions(const std::map<std::string, Count>& derived, const LaunchFacts& facts,
                    const DeviceInfo& device) {
  const UsefulWork& work = facts.work;
  const std::optional<double> fp_peak = peak_fp32_gflops(device);
  Busy busy;
  const double fp = static_cast<double>(work.fp_operations);
  const double load_stores = static_cast<double>(work.load_stores);
  busy.fp = share_of_time(fp, fp_peak, facts.time_us);
  busy.instructions = share_of_time(fp + kLoadStoreCost * load_stores, fp_peak, facts.time_us);

  // Without counters, the bytes that had to move stand for those that did.
  const bool memory = data_is_in_memory(work, device);
  const std::optional<double> data_peak = memory ? peak_memory_gbps(device) : peak_l2_gbps(device);
  const auto measured = derived.find(memory ? metric::kDramGbps : metric::kL2Gbps);
  if (measured != derived.end() && data_peak && *data_peak > 0)
    busy.data = measured->second.value / *data_peak;
  else
    busy.data = share_of_time(static_cast<double>(work.bytes_read + work.bytes_written), data_peak,
                              facts.time_us);
  return busy;
}

}  // namespace lockstep
