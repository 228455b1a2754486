// SPDX-License-Identifier: Apache-2.0
// A place to run kernels: a GPU (common/cuda), the emulator (emulator/), or another process
// (runner/). The homework programs and run-kernel see this interface and nothing behind it.
// Every call is synchronous. Errors are thrown: Error, or KernelFault when the kernel is at fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/backend/code_mutation.h"
#include "common/backend/counts.h"
#include "common/backend/device_info.h"
#include "common/backend/line_trace.h"
#include "common/backend/value_story.h"
#include "common/base/error.h"

namespace lockstep {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

// A compiled module: PTX text, a cubin, or both. An empty path means "not there".
struct ModuleFiles {
  std::string ptx;
  std::string cubin;
};

// Takes FILE.ptx or FILE.cubin and finds the other beside it. Throws if FILE is not there.
ModuleFiles find_module_files(const std::string& file);

struct KernelInfo {
  std::string name;       // demangled, no spaces, return type or parameters: "norm_group<8,8>"
  std::string mangled;    // as the module names it
  std::string signature;  // parameters as demangled, "(float*,float const*,int)"; "" for extern "C"
  int registers = -1;     // a thread; -1 where not known (so are the others)
  int64_t shared_bytes = -1;  // static, a block
  int64_t local_bytes = -1;   // a thread: stack and spills
  int64_t spill_bytes = -1;   // a thread: spill stores plus loads, where known
  // What the emulator's module tells besides, on the student's machine alone (a runner sends none
  // of it): bytes of arrays and the like in a thread's local memory by the PTX, -1 where not known,
  // and the student's lines that reach these, in order; how many blocks of max_threads_per_block
  // threads __launch_bounds__ wants on an SM at once, 0: it has no such wish; where the kernel
  // begins.
  int64_t array_bytes = -1;
  std::vector<int> array_lines;
  int wanted_blocks = 0;
  FaultPlace place;
  int max_threads_per_block = 1024;
  std::vector<uint32_t> parameter_bytes;  // one a parameter
};

// What the variables begin with that an instances.cu makes of a student's constants.
inline constexpr char kConstantPrefix[] = "lockstep_constant_";

// "void f<8, (int)4>(float*, int)" -> "f<8,4>"; leaves an unmangled name alone.
std::string kernel_name(const std::string& mangled);
// The parameters alone, "(float*,float const*,int)"; "" where the name says nothing of them.
std::string kernel_signature(const std::string& mangled);

using BufferId = uint32_t;

// Device memory. A name for messages; guard zones lie on both sides (the emulator faults at once
// on an access to them, a card is checked through read_guards()). A read-only buffer must come
// out of a launch as it went in: the emulator faults on a store, on a card the harness compares.
struct BufferSpec {
  std::string name;
  size_t bytes = 0;
  size_t guard_bytes = 4096;  // each side
  bool read_only = false;
};

struct Argument {
  bool is_buffer = false;
  BufferId buffer = 0;
  size_t offset = 0;            // into the buffer, bytes
  std::vector<uint8_t> scalar;  // little-endian bytes of a value

  static Argument of_buffer(BufferId id, size_t offset = 0) {
    return Argument{true, id, offset, {}};
  }
  template <typename T>
  static Argument of(T value) {
    Argument a;
    a.scalar.resize(sizeof value);
    std::memcpy(a.scalar.data(), &value, sizeof value);
    return a;
  }
};

struct Launch {
  std::string kernel;  // KernelInfo::name or ::mangled
  Dim3 grid;
  Dim3 block;
  uint32_t dynamic_shared_bytes = 0;
  std::vector<Argument> arguments;
  // Emulator, where nothing is counted: 0: ascending; else a seed that permutes blocks and warps.
  // Where it is counted, in ascending order: what it leaves is of a second execution, in another.
  uint64_t order = 0;
  // Emulator, in ascending order: the block, and in each round the warp, that is first; the others
  // follow, those before them last.
  uint64_t first_block = 0;
  uint32_t first_warp = 0;
  // Emulator, where nothing is counted: 0: BackendOptions::lane_order; else a seed that permutes
  // the lanes' progress between synchronization points, which takes far longer.
  uint32_t lane_order = 0;
  uint64_t permuted_warps = 0;  // with lane_order of a launch: of about so many warps of those that
                                // are executed; 0: of all
  // Emulator: warp instructions that it may take, at most BackendOptions' but where blocks are
  // drawn; 0: BackendOptions'.
  uint64_t step_budget = 0;
  // Emulator, where nothing is counted: races between threads through global memory are faults.
  // Looked for on one host thread, and only where the launch is small: 65536 warps, 4 MiB of
  // buffers that the kernel may write.
  bool finds_races = false;
  // `kernel` is no kernel of the module but a function of the library (BackendOptions::library);
  // its shape is the library's matter.
  bool library = false;
  // The module's variables are left as the launch before it left them. Of the launches of a
  // Sequence all but the first are taken so.
  bool continues = false;
  // Emulator, where it is counted or opposed (Backend::oppose): the instructions whose comparisons
  // say the opposite of what they find (Unreached::one_sided), with kOnce the first time that a
  // warp asks. What is wrong then is no fault, but "too_slow".
  static constexpr uint32_t kOnce = 1u << 31;
  std::vector<uint32_t> opposed = {};
  // Emulator: of a grid with more blocks so many are executed, drawn from that seed. Where it is
  // counted, their counts stand for all of its blocks (metric::kUnevenBlocks), and what ends them
  // is no fault, but where all are executed: nothing is counted then. 0: all are.
  uint32_t drawn_blocks = 0;
  uint64_t drawn_from = 0;
};

// Launches that follow one another on the device, timed and counted as one execution.
using Sequence = std::vector<Launch>;

// Called around every execution of a sequence inside time_sequence() and count_sequences(), which
// may execute it more than once: before restores inputs and poisons outputs, after checks the
// outputs.
struct PassHooks {
  std::function<void()> before;
  std::function<void()> after;
};

inline constexpr uint64_t kDefaultStepBudget = 2'000'000'000;

// How to open a backend. Fields that a backend does not know are ignored.
struct BackendOptions {
  int device = -1;           // GPU: CUDA index; -1: choose
  std::string profile;       // emulator: device profile, "h200" when empty
  int threads = 0;           // emulator: host threads, 0: all cores
  uint64_t step_budget = 0;  // emulator: warp instructions a launch may take, 0: the default; a
                             // launch that takes more is a fault, "too_slow"
  uint64_t total_step_budget = 0;  // the same of all launches together; 0: no bound
  uint32_t lane_order = 0;         // emulator: 0: lockstep; else a seed that permutes the lanes'
                                   // progress between synchronization points
  bool lines = true;  // collect counts by source line where that costs no extra process
                      // (GPU: for the first launch that is counted, and no other)
  // GPU: a shared object of the instructor's, built from hwNN/library.cu, whose functions
  //   extern "C" int lockstep_library_NAME(void** arguments, cudaStream_t stream);
  // enqueue what a library does for the problem. Arguments come as a kernel's do; 0: all is well.
  // Where it has lockstep_library_missing(), that says with 0 that the library is installed.
  std::string library;
  double time_limit_s = 10;   // GPU: a launch that takes longer is a fault, "timeout"; 0: no limit.
                              // Not applied under a debugger.
  double call_timeout_s = 0;  // remote: wall seconds that one call may take, 0: the default
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string kind() const = 0;  // "gpu" or "emulator"
  virtual const DeviceInfo& device() const = 0;
  // Every device of the machine, the chosen one among them, for the lines at a program's start.
  virtual std::vector<DeviceInfo> devices() const { return {device()}; }
  // Bytes that can still be allocated, where that is known.
  virtual std::optional<int64_t> free_bytes() { return std::nullopt; }
  // "580.159.04"; empty where there is no driver.
  virtual std::string driver_version() const { return {}; }

  // Replaces the module loaded before, and with it the module's __device__ variables.
  virtual void load_module(const ModuleFiles& files) = 0;
  virtual const std::vector<KernelInfo>& kernels() const = 0;
  // Whether Launch::library can be.
  virtual bool has_library() { return false; }
  // Blocks of this launch that fit on one SM at once.
  virtual int max_blocks_per_sm(const Launch& launch) = 0;
  // Bytes of a module's global variable, e.g. a launch shape; nullopt: no such variable.
  virtual std::optional<std::vector<uint8_t>> read_global(const std::string& name) = 0;

  // Memory of the caller's that write() and read() are going to use over and over, and that stays
  // until the backend ends.
  virtual void pin(void* /*memory*/, size_t /*bytes*/) {}

  virtual BufferId allocate(const BufferSpec& spec) = 0;
  virtual void release(BufferId id) = 0;
  virtual void write(BufferId id, size_t offset, const void* from, size_t bytes) = 0;
  virtual void read(BufferId id, size_t offset, void* to, size_t bytes) = 0;
  // Fills with a repeated 32-bit pattern. poison() does too, and declares the bytes undefined:
  // the emulator faults on a load of them.
  virtual void fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) = 0;
  virtual void poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) = 0;
  virtual void copy(BufferId to, BufferId from, size_t bytes) = 0;
  // A number that equal contents have in common and others almost surely not; nullopt where it
  // would be no faster than reading them. For results of kernels that nobody has to distrust.
  virtual std::optional<uint64_t> fingerprint(BufferId) { return std::nullopt; }
  // The bytes of both guard zones, low then high, and the byte they were filled with.
  virtual std::vector<uint8_t> read_guards(BufferId id) = 0;
  static constexpr uint8_t kGuardByte = 0xC5;

  // Every execution of a sequence, and of a launch that does not continue one, begins with the
  // module's variables as load_module() made them: nothing is kept in them from one to the next.
  virtual void launch(const Launch& launch) = 0;
  // Executes the launches and remembers how values come about, for story_of(), until it forgets
  // them: for small problems of which the result is known to be wrong. False, and nothing is
  // executed, where that is not offered. After a fault, that of the execution, lines_of_fault() has
  // the lines that made the address, where it was one of an access.
  virtual bool watch(const Sequence&) { return false; }
  virtual ValueStory story_of(BufferId, size_t /*offset*/, size_t /*bytes*/) { return {}; }
  // The lines that read any of the bytes there.
  virtual std::vector<ValueStory::Line> readers_of(BufferId, size_t, size_t) { return {}; }
  // The threads that do: numbers that say nothing but which are the same.
  virtual std::vector<uint64_t> threads_reading(BufferId, size_t, size_t) { return {}; }
  // What the first thread compared before the first load that no thread came to.
  virtual std::optional<ValueStory::Comparison> before_skipped_load() { return std::nullopt; }
  // Of the value there: how what was read from these places first came to a thread that reads none
  // of them; and where what was read from that place is added to what has it in it already.
  virtual std::optional<ValueStory::Taken> taken(BufferId, size_t, size_t,
                                                 const std::vector<BufferPlace>&) {
    return std::nullopt;
  }
  virtual std::optional<ValueStory::Doubled> doubled(BufferId, size_t, size_t, const BufferPlace&) {
    return std::nullopt;
  }
  // Where that which was made last of what is read there is used by nothing, if nothing of it is
  // stored in global memory, or compared.
  virtual std::optional<FaultPlace> dead_end(BufferId, size_t, size_t) { return std::nullopt; }
  // All stores to any of the bytes there, as they were executed.
  virtual std::vector<ValueStory::Store> stores_of(BufferId, size_t, size_t) { return {}; }
  // Where in the buffer, behind these bytes, the thread stores that stored there last; nullopt:
  // nowhere.
  virtual std::optional<size_t> next_store(BufferId, size_t, size_t) { return std::nullopt; }
  // Of elements of so many bytes, from the buffer's first on.
  virtual std::vector<Touched> touched(BufferId, size_t /*element_bytes*/, size_t /*elements*/) {
    return {};
  }
  virtual std::vector<ValueStory::Line> lines_of_fault() { return {}; }
  // What the thread at which it ended compared last.
  virtual std::optional<ValueStory::Comparison> last_comparison() { return std::nullopt; }
  // Executes the launches once more as watch() does, but goes on behind reads of what nothing has
  // written to shared memory: about the first of them.
  virtual LateStore late_store(const Sequence&) { return {}; }
  virtual WatchedWork watched_work(const std::string& /*file*/) { return {}; }
  // Of a line of such a file.
  virtual LineOrigins origins_of(const std::string& /*file*/, int /*line*/) { return {}; }
  // Of all lines.
  virtual Computed computed() { return {}; }
  virtual void forget_watched() {}
  // Lines of that file (a name without folders) with code in the kernel or what it calls.
  virtual std::vector<int> lines_with_code(const std::string& /*kernel*/, const std::string&) {
    return {};
  }
  // Executes the launches of a module built with -G and follows a thread through them. False, and
  // nothing is executed, where that is not offered. *trace has what was found also after a fault.
  // Of several launches, the first in which the thread comes to the line is told.
  virtual bool trace(const Sequence&, const TraceRequest&, LineTrace* /*trace*/) { return false; }
  // How many small changes there are of the kernel, and of what it calls, in lines of that file (a
  // name without folders): of a module built with -G. mutation() tells one of them, the likeliest
  // first, and mutate() has the kernel executed with it, until the next call; nullopt: as it is.
  // KernelFault where the change makes no code: then the kernel is as it was.
  virtual size_t find_mutations(const std::string& /*kernel*/, const std::string& /*file*/) {
    return 0;
  }
  virtual CodeMutation mutation(size_t) { return {}; }
  virtual void mutate(const std::string& /*kernel*/, std::optional<size_t>) {}
  // Of further launches that are not counted: what is to be asked after each store to a buffer
  // (the bytes from there on). Where it says false the launch ends with KernelFault "stored".
  using StoreCheck = std::function<bool(BufferId, size_t offset, size_t bytes)>;
  virtual void check_stores(StoreCheck /*none: null*/) {}
  // Device time of the last launch() and of those that it continues, in microseconds; nullopt where
  // that is not offered. Good for what takes long: it holds the first launch's delays.
  virtual std::optional<double> launched_us() { return std::nullopt; }
  // Device time of one execution, from the start of the first launch to the end of the last, in
  // microseconds; nullopt, and nothing is executed, where time is not offered.
  virtual std::optional<double> time_sequence(const Sequence& sequence, const PassHooks& hooks) = 0;
  // These metrics will be counted: what that needs besides may begin beside other work.
  virtual void prepare_counters(const std::vector<std::string>&) {}
  // Another process may count now. The next count takes them again.
  virtual void release_counters() {}
  // Executes each sequence as often as the metrics need, hooks[i] around every execution of
  // sequences[i], and returns the sums of its launches' counts.
  // The emulator counts by executing machine code, in which accesses that ptxas took away are not
  // seen: launch() checks them.
  // On a GPU all at once is much cheaper than one by one (27 ms a sequence against 3), and
  // time_sequence() puts the counters away (0.2 s to have them back): so time everything first,
  // then count it together.
  virtual std::vector<Counts> count_sequences(const std::vector<Sequence>& sequences,
                                              const std::vector<std::string>& metrics,
                                              const std::vector<PassHooks>& hooks) = 0;
  // The same of one launch.
  std::optional<double> time_us(const Launch& launch, const PassHooks& hooks) {
    return time_sequence({launch}, hooks);
  }
  Counts count(const Launch& launch, const std::vector<std::string>& metrics,
               const PassHooks& hooks) {
    return count_sequences({{launch}}, metrics, {hooks}).at(0);
  }
  // What the kernels printed since the last call, at most some 64 KiB (GPU: empty, see stdout).
  virtual std::string take_output() { return {}; }
  // Of a kernel's machine code, what no launch that was counted or tried has come to. GPU: nothing
  // is known.
  struct Unreached {
    size_t instructions = 0;
    std::vector<int64_t> numbers;  // that stand in the code, where something is unreached
    // Comparisons that always had the same answer, by instruction, and their lines; 0: not known.
    struct Comparison {
      uint32_t instruction = 0;
      int line = 0;
    };
    std::vector<Comparison> one_sided;
  };
  virtual Unreached unreached(const std::string& /*kernel*/) { return {}; }
  // Tries three blocks of each sequence, for some steps; what is wrong there is no fault. Gives of
  // each how many instructions and answers of unreached() it comes to that none before has come to.
  virtual std::vector<size_t> scout(const std::vector<Sequence>& sequences) {
    return std::vector<size_t>(sequences.size());
  }
  // Tries the launches of which comparisons are opposed, as scout() does.
  struct Opposed {
    bool asked = false;  // all of these comparisons were
    // Others that were, with one answer, and never before in a launch that was counted or tried.
    std::vector<Unreached::Comparison> more;
  };
  virtual Opposed oppose(const Sequence& /*sequence*/) { return {}; }
  // Warp instructions that all launches since it was opened have executed; 0 where that is not
  // known.
  virtual uint64_t steps() const { return 0; }
};

// nullptr, with the reason in *why, where there is no usable GPU; throws on a bad option.
std::unique_ptr<Backend> make_cuda_backend(const BackendOptions& options, std::string* why);
std::unique_ptr<Backend> make_emulator_backend(const BackendOptions& options);

}  // namespace lockstep
