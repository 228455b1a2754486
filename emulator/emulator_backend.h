// SPDX-License-Identifier: Apache-2.0
// The Backend that executes kernels on the CPU: machine code where counts are asked for, PTX where
// accesses are to be checked. Made by make_emulator_backend (common/backend/backend.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "emulator/device/device_profile.h"
#include "emulator/exec/launch_runner.h"
#include "emulator/memory/global_races.h"
#include "emulator/module/loaded_module.h"
#include "emulator/watch/value_graph.h"

namespace lockstep::emulator {

class DebugInfo;
class LineTracer;
class Mutations;
class SavedMemory;
namespace sass {
struct Code;
struct Launched;
struct RunOptions;
struct Profile;
enum class Order : uint8_t;
}  // namespace sass

class EmulatorBackend final : public Backend {
 public:
  explicit EmulatorBackend(const BackendOptions& options);
  ~EmulatorBackend() override;

  std::string kind() const override { return "emulator"; }
  const DeviceInfo& device() const override { return profile_.info; }
  void load_module(const ModuleFiles& files) override;
  const std::vector<KernelInfo>& kernels() const override;
  int max_blocks_per_sm(const Launch& launch) override;
  std::optional<std::vector<uint8_t>> read_global(const std::string& name) override;
  BufferId allocate(const BufferSpec& spec) override;
  void release(BufferId id) override;
  void write(BufferId id, size_t offset, const void* from, size_t bytes) override;
  void read(BufferId id, size_t offset, void* to, size_t bytes) override;
  void fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override;
  void poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) override;
  void copy(BufferId to, BufferId from, size_t bytes) override;
  std::vector<uint8_t> read_guards(BufferId id) override;
  void launch(const Launch& launch) override;
  bool watch(const Sequence& sequence) override;
  ValueStory story_of(BufferId id, size_t offset, size_t bytes) override;
  std::vector<ValueStory::Line> readers_of(BufferId id, size_t offset, size_t bytes) override;
  std::vector<uint64_t> threads_reading(BufferId id, size_t offset, size_t bytes) override;
  std::optional<ValueStory::Comparison> before_skipped_load() override;
  std::optional<ValueStory::Taken> taken(BufferId id, size_t offset, size_t bytes,
                                         const std::vector<BufferPlace>& places) override;
  std::optional<ValueStory::Doubled> doubled(BufferId id, size_t offset, size_t bytes,
                                             const BufferPlace& read) override;
  std::optional<FaultPlace> dead_end(BufferId id, size_t offset, size_t bytes) override;
  std::vector<ValueStory::Store> stores_of(BufferId id, size_t offset, size_t bytes) override;
  std::optional<size_t> next_store(BufferId id, size_t offset, size_t bytes) override;
  std::vector<Touched> touched(BufferId id, size_t element_bytes, size_t elements) override;
  std::vector<ValueStory::Line> lines_of_fault() override { return fault_lines_; }
  std::optional<ValueStory::Comparison> last_comparison() override { return comparison_; }
  LateStore late_store(const Sequence& sequence) override;
  WatchedWork watched_work(const std::string& file) override;
  LineOrigins origins_of(const std::string& file, int line) override;
  Computed computed() override;
  void forget_watched() override { values_.reset(); }
  std::vector<int> lines_with_code(const std::string& kernel, const std::string& file) override;
  size_t find_mutations(const std::string& kernel, const std::string& file) override;
  CodeMutation mutation(size_t which) override;
  void mutate(const std::string& kernel, std::optional<size_t> which) override;
  void check_stores(StoreCheck check) override { store_check_ = std::move(check); }
  bool trace(const Sequence& sequence, const TraceRequest& request, LineTrace* trace) override;
  std::optional<double> time_sequence(const Sequence& sequence, const PassHooks& hooks) override;
  std::vector<Counts> count_sequences(const std::vector<Sequence>& sequences,
                                      const std::vector<std::string>& metrics,
                                      const std::vector<PassHooks>& hooks) override;
  std::string take_output() override;
  uint64_t steps() const override { return steps_ + further_steps_; }
  Unreached unreached(const std::string& kernel) override;
  std::vector<size_t> scout(const std::vector<Sequence>& sequences) override;
  Opposed oppose(const Sequence& sequence) override;
  // Counts by executing the machine code alone, which checks what it can. Where that cannot be,
  // memory is as before, and it says why.
  std::optional<std::string> execute_code(const Launch& launch, Counts* counts);

 private:
  struct Buffer {
    Allocation* allocation = nullptr;
    size_t guard_bytes = 0;
  };
  Buffer& buffer(BufferId id);
  std::byte* range(BufferId id, size_t offset, size_t bytes, const char* what);
  void put_pattern(BufferId id, size_t offset, size_t bytes, uint32_t pattern);
  const LoadedModule& module() const;
  size_t find_kernel(const std::string& name) const;
  BlockNeeds needs(const Launch& launch) const;
  // emulator_launches.cc.
  std::vector<std::byte> parameters(const Launch& launch, const Program& program);
  void prepare_memory(const Launch& launch, bool of_machine_code);
  // counted: in the order that counts have.
  void execute(const Launch& launch, bool counted);
  LaunchState::Stored look_at_stores();
  Counts count_launch(const Launch& launch, const std::vector<std::string>& metrics);
  void set_up(const Launch& launch, const sass::Code* code, sass::Launched* state,
              sass::RunOptions* options);
  void prepare_code(const Launch& launch, sass::Code* code);
  // emulator_scouts.cc.
  void note_reached(sass::Code* code, const sass::Profile& profile);
  size_t scout(const Launch& launch);
  std::vector<bool> try_blocks(const Launch& launch, sass::Code* code, uint64_t steps_a_warp);
  // emulator_launches.cc.
  sass::Profile run_again(const Launch& launch, sass::Launched* state, sass::RunOptions options,
                          const SavedMemory& before, sass::Order order);
  void count_in_two_orders(const Launch& launch, sass::Launched* state,
                           const sass::RunOptions& options, const SavedMemory& before,
                           Counts* counts);
  // emulator_drawn.cc.
  void count_opposed(const Launch& launch, sass::Code* code, sass::Launched* state,
                     sass::RunOptions* options, Counts* counts);
  std::optional<std::string> count_drawn(const Launch& launch, sass::Code* code,
                                         sass::Launched* state, sass::RunOptions* options,
                                         Counts* counts);
  // emulator_traces.cc.
  void trace_launch(const Launch& launch, const TraceRequest& request, const DebugInfo& info,
                    LineTrace* trace);
  // emulator_stories.cc.
  void add_reads(const std::vector<uint32_t>& nodes, bool compared,
                 std::vector<ValueStory::Read>* reads) const;
  // That the launch may take by itself.
  uint64_t step_budget(const Launch& launch) const;
  uint64_t steps_left() const;
  Counts count_sequence(const Sequence& sequence, const std::vector<std::string>& metrics);

  BackendOptions options_;
  DeviceProfile profile_;
  AddressSpace memory_;
  std::unique_ptr<LoadedModule> module_;
  std::map<BufferId, Buffer> buffers_;
  BufferId next_buffer_ = 1;
  std::string output_;
  uint64_t steps_ = 0;          // of all executions, for BackendOptions::total_step_budget
  uint64_t further_steps_ = 0;  // of launches with drawn blocks, which have bounds of their own
  std::unique_ptr<ValueGraph> values_;  // of the execution that is or was watched
  bool watches_ = false;
  LineTracer* tracer_ = nullptr;  // of the launch that is being traced
  std::unique_ptr<Mutations> mutations_;
  std::string mutated_;       // the kernel that has one in it
  std::string mutations_of_;  // a kernel
  StoreCheck store_check_;
  // By kernel, as sass::Code has its name: instructions that launches which were counted came to.
  std::map<std::string, std::vector<bool>> reached_;
  uint64_t scouted_ = 0;  // launches that were tried
  GlobalRaces races_;     // of the launch that looks for them
  std::vector<ValueStory::Line> fault_lines_;
  std::optional<ValueStory::Comparison> comparison_;
};

}  // namespace lockstep::emulator
