// SPDX-License-Identifier: Apache-2.0
// What is settled before the first execution of a job: its kernels, its shape, whether it can be
// launched at all. See measure.h.
#include <fmt/format.h>

#include <algorithm>

#include "common/harness/large_problem.h"
#include "common/harness/launch_plan.h"
#include "common/harness/measure_state.h"

namespace lockstep {
namespace {

constexpr int kWarp = 32;

}  // namespace

Measurement::Pending Measurement::prepare(const Job& job) const {
  Pending p;
  p.job = job;
  p.row.c = job.c;
  p.failed_seed = job.seed;
  p.row.facts.work = assignment_.work(job.c);
  Record& r = p.row.record;
  r.homework = assignment_.name();
  r.kernel = job.c.kernel;
  for (const auto& [name, value] : job.c.parameters) r.parameters[name] = value;
  r.backend = backend_.kind();
  r.device = backend_.device().name;
  r.driver = backend_.driver_version();
  r.module_hash = options_.module_hash;
  r.seed = job.seed;
  r.elements = p.row.facts.work.elements;
  for (const ArraySpec& array : assignment_.arrays(job.c))
    if (array.has_input()) r.input_bytes += static_cast<int64_t>(array.bytes());
  r.grid.x = static_cast<uint32_t>(job.blocks);
  r.block.x = static_cast<uint32_t>(job.warps * kWarp);
  p.row.facts.blocks = r.grid.count();
  p.row.facts.threads = r.block.count();
  return p;
}

bool Measurement::can_launch(Pending* p) {
  if (!dead_.empty() || (options_.skip_after_fault && faulty_kernels_.count(p->job.c.kernel) > 0)) {
    p->check().message = dead_.empty() ? "skipped after the fault above" : dead_;
    p->check().quoted = dead_quoted_;
    return false;
  }
  if (told_wrong_.count(p->job.c.kernel) > 0) {
    p->check().message = "it is wrong on a small problem, see above";
    return false;
  }
  if (!find_kernels(p) || !read_constants_once(p)) return false;
  guarded(p, [&] {
    p->launches = launches_of(p->job);
    take_shape(p);
  });
  return p->check().status == "not_run";
}

bool Measurement::read_constants_once(Pending* p) {
  try {
    if (!constants_) constants_ = read_constants(backend_, assignment_);
    return true;
  } catch (const ConstantFault& fault) {
    p->check().status = "bad_constant";
    p->check().message = fault.what();
    return false;
  }
}

Sequence Measurement::launches_of(const Job& job) {
  const LaunchContext context = launch_context(backend_, job.blocks, job.warps, *constants_);
  return job.drawn ? large_problem(job).launches_of(job.c, context)
                   : session(job).launches_of(job.c, context);
}

// What the launches' shapes tell, and whether their blocks fit on an SM at all.
void Measurement::take_shape(Pending* p) {
  LaunchFacts& facts = p->row.facts;
  const Launch& first = p->launches[0];
  p->row.record.grid = first.grid;
  p->row.record.block = first.block;
  for (const Launch& launch : p->launches)
    p->row.record.launches.push_back({kernel_name(launch.kernel), launch.grid, launch.block});
  facts.utilization = assignment_.utilization(p->job.c, p->launches);
  facts.blocks = facts.threads = 0;
  if (first.library) return;  // its shape is not known
  facts.blocks = first.grid.count();
  facts.threads = first.block.count();
  for (const Launch& launch : p->launches) {
    const int fit = backend_.max_blocks_per_sm(launch);
    if (&launch == &first) {
      facts.blocks_per_sm = fit;
      facts.resident_warps = resident_warps(static_cast<int64_t>(facts.blocks),
                                            static_cast<int>((facts.threads + kWarp - 1) / kWarp),
                                            backend_.device().sm_count, fit);
    }
    if (fit > 0) continue;
    p->check().status = "fault";
    p->check().fault_kind = "launch_failed";
    p->check().message = fmt::format(
        "a block does not fit on an SM with {} registers a thread and {} bytes of shared memory; "
        "use less of them, or let __launch_bounds__(1024) make the compiler do so",
        p->row.kernel.registers, p->row.kernel.shared_bytes);
    return;
  }
}

// The standard ones, and what else the columns show.
std::vector<std::string> Measurement::metrics() const {
  std::vector<std::string> names = standard_metrics();
  const std::vector<std::string>& further = further_metrics();
  for (const std::string& column : assignment_.columns())
    if (std::find(further.begin(), further.end(), column) != further.end()) names.push_back(column);
  return names;
}

// The first kernel's resources are told; all must be there.
bool Measurement::find_kernels(Pending* p) {
  if (p->job.c.library) return true;
  const std::vector<std::string> names = assignment_.launched_kernels(p->job.c);
  for (size_t i = names.size(); i-- > 0;)
    if (!find_kernel(p, names[i])) return false;
  return true;
}

bool Measurement::find_kernel(Pending* p, const std::string& name) {
  const std::string wanted = assignment_.signature(p->job.c, name);
  const KernelInfo* found = kernel_with(backend_, name, wanted);
  if (found == nullptr) {
    p->check().status = "missing_kernel";
    p->check().message = fmt::format("{}: there is no kernel {}{} in the module",
                                     assignment_.student_file(), name, wanted);
    return false;
  }
  p->row.kernel = *found;
  Record& r = p->row.record;
  r.registers = found->registers;
  r.shared_bytes = found->shared_bytes;
  r.local_bytes = found->local_bytes;
  r.spill_bytes = found->spill_bytes;
  if (wanted.empty() || found->signature == wanted) return true;
  // A name without types, of extern "C", tells how many parameters there are and no more.
  const auto parameters = wanted == "()" ? 0 : std::count(wanted.begin(), wanted.end(), ',') + 1;
  if (found->signature.empty() && static_cast<int64_t>(found->parameter_bytes.size()) == parameters)
    return true;
  p->check().status = "bad_signature";
  p->check().message = fmt::format("{}: kernel {} takes other parameters than it is to take: {}",
                                   assignment_.student_file(), name, wanted);
  p->check().quoted = Quoted(found->signature);
  return false;
}

}  // namespace lockstep
