// SPDX-License-Identifier: Apache-2.0
// The backend's types in the runner's protocol: one put and one get each, fields in one order.
// A field added to common/backend/backend.h or counts.h is added here, in both.
#include <cmath>

#include "common/base/error.h"
#include "runner/wire.h"

namespace lockstep::wire {
namespace {

template <typename T>
void put_optional(Writer& w, const std::optional<T>& value) {
  w.u8(value.has_value());
  if (value) w.i64(static_cast<int64_t>(*value));
}

template <typename T>
std::optional<T> get_optional(Reader& r) {
  if (!r.flag()) return std::nullopt;
  return static_cast<T>(r.i64());
}

void put_dim(Writer& w, const Dim3& d) {
  w.u32(d.x);
  w.u32(d.y);
  w.u32(d.z);
}

Dim3 get_dim(Reader& r) {
  Dim3 d;
  d.x = r.u32();
  d.y = r.u32();
  d.z = r.u32();
  return d;
}

// A count is a finite number that is not negative; anything else is no count.
void put_count_map(Writer& w, const std::map<std::string, Count>& counts) {
  w.u64(counts.size());
  for (const auto& [name, count] : counts) {
    w.text(name);
    w.f64(count.value);
    w.u8(static_cast<uint8_t>(count.tier));
  }
}

std::map<std::string, Count> get_count_map(Reader& r, std::map<std::string, std::string>* bad) {
  std::map<std::string, Count> counts;
  for (size_t n = r.count(kMaxNames); n > 0; --n) {
    std::string name = r.text(256);
    Count count;
    count.value = r.f64();
    uint8_t tier = r.u8();
    if (tier > static_cast<uint8_t>(Tier::kPredicted)) throw Error("a count has no known tier");
    count.tier = static_cast<Tier>(tier);
    if (std::isfinite(count.value) && count.value >= 0)
      counts[name] = count;
    else if (bad != nullptr)
      (*bad)[name] = "the value that came back is not a count";
  }
  return counts;
}

}  // namespace

void put_device(Writer& w, const DeviceInfo& d) {
  w.text(d.name);
  w.text(d.uuid);
  w.text(d.chip);
  for (int v : {d.index, d.cc_major, d.cc_minor, d.sm_count}) w.i64(v);
  put_optional(w, d.clock_khz);
  put_optional(w, d.memory_clock_khz);
  put_optional(w, d.memory_bus_bits);
  for (int64_t v : {d.global_bytes, d.l2_bytes, d.const_bytes, d.shared_per_block,
                    d.shared_per_block_optin, d.shared_per_sm, d.shared_reserved_per_block})
    w.i64(v);
  for (int v : {d.max_threads_per_block, d.max_threads_per_sm, d.max_blocks_per_sm,
                d.registers_per_block, d.registers_per_sm})
    w.i64(v);
  w.u8(d.has_display);
  w.u8(d.pageable_memory_access);
}

DeviceInfo get_device(Reader& r) {
  DeviceInfo d;
  d.name = r.text(256);
  d.uuid = r.text(64);
  if (d.uuid.find_first_not_of("GPUMI-0123456789abcdef") != d.uuid.npos)
    throw Error("a device's number has other characters");
  d.chip = r.text(64);
  for (int* v : {&d.index, &d.cc_major, &d.cc_minor, &d.sm_count}) *v = r.i32();
  d.clock_khz = get_optional<int64_t>(r);
  d.memory_clock_khz = get_optional<int64_t>(r);
  d.memory_bus_bits = get_optional<int>(r);
  for (int64_t* v : {&d.global_bytes, &d.l2_bytes, &d.const_bytes, &d.shared_per_block,
                     &d.shared_per_block_optin, &d.shared_per_sm, &d.shared_reserved_per_block})
    *v = r.i64();
  for (int* v : {&d.max_threads_per_block, &d.max_threads_per_sm, &d.max_blocks_per_sm,
                 &d.registers_per_block, &d.registers_per_sm})
    *v = r.i32();
  d.has_display = r.flag();
  d.pageable_memory_access = r.flag();
  return d;
}

void put_comparisons(Writer& w, const std::vector<Backend::Unreached::Comparison>& all) {
  const size_t most = std::min(all.size(), kMaxNumbers);
  w.u64(most);
  for (size_t i = 0; i < most; ++i) {
    w.u32(all[i].instruction);
    w.i64(all[i].line);
  }
}

std::vector<Backend::Unreached::Comparison> get_comparisons(Reader& r) {
  std::vector<Backend::Unreached::Comparison> all(r.count(kMaxNumbers));
  for (Backend::Unreached::Comparison& c : all) {
    c.instruction = r.u32();
    c.line = r.i32();
  }
  return all;
}

void put_options(Writer& w, const BackendOptions& o) {
  w.i64(o.device);
  w.text(o.profile);
  w.i64(o.threads);
  w.u64(o.step_budget);
  w.u64(o.total_step_budget);
  w.u32(o.lane_order);
  w.u8(o.lines);
  w.f64(o.time_limit_s);
}

BackendOptions get_options(Reader& r) {
  BackendOptions o;
  o.device = r.i32();
  o.profile = r.text();
  o.threads = r.i32();
  o.step_budget = r.u64();
  o.total_step_budget = r.u64();
  o.lane_order = r.u32();
  o.lines = r.flag();
  o.time_limit_s = r.f64();
  return o;
}

void put_kernels(Writer& w, const std::vector<KernelInfo>& kernels) {
  w.u64(kernels.size());
  for (const KernelInfo& k : kernels) {
    w.text(k.name);
    w.text(k.mangled);
    w.text(k.signature);
    w.i64(k.registers);
    w.i64(k.shared_bytes);
    w.i64(k.local_bytes);
    w.i64(k.spill_bytes);
    w.i64(k.max_threads_per_block);
    w.u64(k.parameter_bytes.size());
    for (uint32_t bytes : k.parameter_bytes) w.u32(bytes);
  }
}

std::vector<KernelInfo> get_kernels(Reader& r) {
  std::vector<KernelInfo> kernels(r.count(kMaxKernels));
  for (KernelInfo& k : kernels) {
    k.name = r.text(4096);
    k.mangled = r.text(4096);
    k.signature = r.text(4096);
    k.registers = r.i32();
    k.shared_bytes = r.i64();
    k.local_bytes = r.i64();
    k.spill_bytes = r.i64();
    k.max_threads_per_block = r.i32();
    k.parameter_bytes.resize(r.count(1024));
    for (uint32_t& bytes : k.parameter_bytes) bytes = r.u32();
  }
  return kernels;
}

void put_launch(Writer& w, const Launch& launch) {
  w.text(launch.kernel);
  put_dim(w, launch.grid);
  put_dim(w, launch.block);
  w.u32(launch.dynamic_shared_bytes);
  w.u64(launch.order);
  w.u32(launch.lane_order);
  w.u64(launch.permuted_warps);
  w.u8(launch.finds_races);
  w.u8(launch.continues);
  w.u64(launch.step_budget);
  w.u64(launch.opposed.size());
  for (const uint32_t instruction : launch.opposed) w.u32(instruction);
  w.u32(launch.drawn_blocks);
  w.u64(launch.drawn_from);
  w.u64(launch.arguments.size());
  for (const Argument& a : launch.arguments) {
    w.u8(a.is_buffer);
    w.u32(a.buffer);
    w.u64(a.offset);
    w.blob(a.scalar.data(), a.scalar.size());
  }
}

Launch get_launch(Reader& r) {
  Launch launch;
  launch.kernel = r.text(4096);
  launch.grid = get_dim(r);
  launch.block = get_dim(r);
  launch.dynamic_shared_bytes = r.u32();
  launch.order = r.u64();
  launch.lane_order = r.u32();
  launch.permuted_warps = r.u64();
  launch.finds_races = r.flag();
  launch.continues = r.flag();
  launch.step_budget = r.u64();
  launch.opposed.resize(r.count(kMaxNumbers));
  for (uint32_t& instruction : launch.opposed) instruction = r.u32();
  launch.drawn_blocks = r.u32();
  launch.drawn_from = r.u64();
  launch.arguments.resize(r.count(1024));
  for (Argument& a : launch.arguments) {
    a.is_buffer = r.flag();
    a.buffer = r.u32();
    a.offset = r.u64();
    a.scalar = r.blob(4096);
  }
  return launch;
}

void put_sequence(Writer& w, const Sequence& sequence) {
  w.u64(sequence.size());
  for (const Launch& launch : sequence) put_launch(w, launch);
}

Sequence get_sequence(Reader& r) {
  Sequence sequence(r.count(kMaxLaunches));
  if (sequence.empty()) throw Error("a sequence without launches");
  for (Launch& launch : sequence) launch = get_launch(r);
  return sequence;
}

void put_names(Writer& w, const std::vector<std::string>& names) {
  w.u64(names.size());
  for (const std::string& name : names) w.text(name);
}

std::vector<std::string> get_names(Reader& r) {
  std::vector<std::string> names(r.count(kMaxNames));
  for (std::string& name : names) name = r.text(256);
  return names;
}

void put_counts(Writer& w, const Counts& counts) {
  put_count_map(w, counts.values);
  w.u64(counts.unavailable.size());
  for (const auto& [name, reason] : counts.unavailable) {
    w.text(name);
    w.text(reason);
  }
  size_t lines = counts.lines.size() < kMaxLines ? counts.lines.size() : kMaxLines;
  w.u64(lines);
  for (size_t i = 0; i < lines; ++i) {
    w.text(counts.lines[i].file);
    w.i64(counts.lines[i].line);
    put_count_map(w, counts.lines[i].counts);
  }
}

Counts get_counts(Reader& r) {
  Counts counts;
  std::map<std::string, std::string> bad;
  counts.values = get_count_map(r, &bad);
  for (size_t n = r.count(kMaxNames); n > 0; --n) {
    std::string name = r.text(256);
    counts.unavailable[name] = r.text(4096);
  }
  counts.unavailable.insert(bad.begin(), bad.end());
  // A metric with a value and a reason against it is a metric without a value.
  for (const auto& item : counts.unavailable) counts.values.erase(item.first);
  counts.lines.resize(r.count(kMaxLines));
  for (LineCounts& line : counts.lines) {
    line.file = r.text(4096);
    line.line = r.i32();
    line.counts = get_count_map(r, nullptr);
  }
  return counts;
}

void put_fault(Writer& w, const KernelFault& fault) {
  w.text(fault.kind());
  w.text(fault.place().file);
  w.i64(fault.place().line);
  w.text(fault.place().kernel);
  for (uint32_t v : fault.place().block) w.u32(v);
  for (uint32_t v : fault.place().thread) w.u32(v);
  w.u8(fault.place().has_thread);
  std::string message = fault.what();
  w.text(message.substr(0, kMaxText));
}

KernelFault get_fault(Reader& r) {
  std::string kind = r.text(64);
  FaultPlace place;
  place.file = r.text(4096);
  place.line = r.i32();
  place.kernel = r.text(4096);
  for (uint32_t& v : place.block) v = r.u32();
  for (uint32_t& v : place.thread) v = r.u32();
  place.has_thread = r.flag();
  std::string message = r.text();
  return KernelFault(kind, place, message);
}

}  // namespace lockstep::wire
