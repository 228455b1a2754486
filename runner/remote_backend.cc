// SPDX-License-Identifier: Apache-2.0
// The Backend interface over a conversation with a runner. What cannot be true of a reply (a
// length, a buffer given twice, counts of a kernel that was not executed) is refused here, so
// the harness need not ask.
#include "runner/remote_backend.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <utility>

#include "common/base/error.h"
#include "runner/conversation.h"
#include "runner/window.h"

namespace lockstep {
namespace {

using wire::Op;
using wire::Reader;
using wire::Writer;

class RemoteBackend : public Backend {
 public:
  using Start = std::function<std::unique_ptr<Conversation>()>;

  RemoteBackend(Start start, const BackendOptions& options, const std::string& kind)
      : start_(std::move(start)), options_(options), asked_kind_(kind), talk_(start_()) {
    open();
  }

  std::string kind() const override { return kind_; }
  const DeviceInfo& device() const override { return device_; }
  const std::vector<KernelInfo>& kernels() const override { return kernels_; }

  void load_module(const ModuleFiles& files) override;
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
  void prepare_counters(const std::vector<std::string>& metrics) override;
  void release_counters() override;
  std::optional<double> time_sequence(const Sequence& sequence, const PassHooks& hooks) override;
  std::vector<Counts> count_sequences(const std::vector<Sequence>& sequences,
                                      const std::vector<std::string>& metrics,
                                      const std::vector<PassHooks>& hooks) override;
  Unreached unreached(const std::string& kernel) override;
  std::vector<size_t> scout(const std::vector<Sequence>& sequences) override;
  Opposed oppose(const Sequence& sequence) override;
  std::string take_output() override;
  std::vector<DeviceInfo> devices() const override { return devices_; }
  std::optional<int64_t> free_bytes() override;
  std::string driver_version() const override { return driver_version_; }
  uint64_t steps() const override { return steps_before_ + steps_; }

 private:
  void open();
  // Runs a request that executes launches, and sees to what they took of total_step_budget.
  template <typename Function>
  auto metered(size_t launches, Function function);
  void read_steps();
  void settle_steps(size_t launches);
  // Throws Error where the bytes are not all inside the buffer.
  void check_range(BufferId id, size_t offset, size_t bytes) const;

  const Start start_;
  const BackendOptions options_;
  const std::string asked_kind_;
  std::unique_ptr<Conversation> talk_;
  const Window window_ = Window::make();
  std::string kind_;
  DeviceInfo device_;
  std::vector<DeviceInfo> devices_;
  std::string driver_version_;
  std::vector<KernelInfo> kernels_;
  std::map<BufferId, BufferSpec> buffers_;
  uint64_t steps_before_ = 0, steps_ = 0;  // of the runners before this one; of this one
};

void RemoteBackend::open() {
  Writer request(Op::kOpen);
  request.u32(wire::kProtocolVersion);
  request.text(asked_kind_);
  BackendOptions options = options_;
  if (options.total_step_budget != 0)  // a runner after the first gets what is left; 0: no bound
    options.total_step_budget -= std::min(steps(), options.total_step_budget - 1);
  wire::put_options(request, options);
  Reader reply = talk_->call(request, window_.fd());
  talk_->decode(reply, [this](Reader& r) {
    if (r.u32() != wire::kProtocolVersion) throw Error("it is of another version: run make");
    kind_ = r.text(32);
    device_ = wire::get_device(r);
    devices_.resize(r.count(64));
    for (DeviceInfo& d : devices_) d = wire::get_device(r);
    driver_version_ = r.text(256);
    return 0;
  });
  if (kind_ != "gpu" && kind_ != "emulator") talk_->die("protocol", "unknown kind of backend");
  talk_->set_opened();
  if (kind_ == "gpu") talk_->set_fatal_faults();
}

void RemoteBackend::read_steps() {
  Reader reply = talk_->call(Writer(Op::kSteps));
  const uint64_t now = talk_->decode(reply, [](Reader& r) { return r.u64(); });
  if (now < steps_) talk_->die("protocol", "the count of warp instructions went back");
  steps_ = now;
}

// A runner that dies has no more to say: its last launches are held to have taken all they may.
void RemoteBackend::settle_steps(size_t launches) {
  try {
    if (!talk_->dead()) return read_steps();
  } catch (const Error&) {
  }
  const uint64_t each = options_.step_budget != 0 ? options_.step_budget : kDefaultStepBudget;
  for (size_t i = 0; i < launches && steps() < options_.total_step_budget; ++i) steps_ += each;
}

template <typename Function>
auto RemoteBackend::metered(size_t launches, Function function) {
  if (options_.total_step_budget == 0 || kind_ != "emulator" || talk_->dead()) return function();
  try {
    auto result = function();
    read_steps();
    return result;
  } catch (const Error&) {
    settle_steps(launches);
    throw;
  }
}

std::vector<uint8_t> file_bytes(const std::string& path) {
  if (path.empty()) return {};
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) throw Error(path + ": " + strerror(errno));
  std::vector<uint8_t> bytes;
  for (;;) {
    size_t had = bytes.size();
    bytes.resize(had + (1 << 20));
    ssize_t got = ::read(fd.get(), bytes.data() + had, 1 << 20);
    bytes.resize(had + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) throw Error(path + ": " + strerror(errno));
    if (got == 0) return bytes;
    if (bytes.size() > wire::kMaxRequestBytes / 4)
      throw Error(path + ": larger than a module may be");
  }
}

std::optional<int64_t> RemoteBackend::free_bytes() {
  Reader reply = talk_->call(Writer(Op::kFreeBytes));
  return talk_->decode(reply, [](Reader& r) -> std::optional<int64_t> {
    if (!r.flag()) return std::nullopt;
    return r.i64();
  });
}

void RemoteBackend::load_module(const ModuleFiles& files) {
  kernels_.clear();
  if (talk_->used_up())
    throw Error("the processor time that all launches have together is used up");
  if (talk_->dead()) {
    buffers_.clear();
    talk_ = start_();
    steps_before_ += std::exchange(steps_, 0);
    open();
  }
  Writer request(Op::kLoadModule);
  for (const std::string* path : {&files.ptx, &files.cubin}) {
    std::vector<uint8_t> bytes = file_bytes(*path);
    // The name without its folder: messages may quote it, and it is nobody's business there.
    request.text(path->substr(path->rfind('/') + 1));
    request.blob(bytes.data(), bytes.size());
  }
  Reader reply = talk_->call(request);
  kernels_ = talk_->decode(reply, [](Reader& r) { return wire::get_kernels(r); });
}

int RemoteBackend::max_blocks_per_sm(const Launch& launch) {
  Writer request(Op::kMaxBlocks);
  wire::put_launch(request, launch);
  Reader reply = talk_->call(request);
  return talk_->decode(reply, [](Reader& r) { return r.i32(); });
}

std::optional<std::vector<uint8_t>> RemoteBackend::read_global(const std::string& name) {
  Writer request(Op::kReadGlobal);
  request.text(name);
  Reader reply = talk_->call(request);
  return talk_->decode(reply, [](Reader& r) -> std::optional<std::vector<uint8_t>> {
    if (!r.flag()) return std::nullopt;
    return r.blob(1 << 20);
  });
}

void RemoteBackend::check_range(BufferId id, size_t offset, size_t bytes) const {
  auto found = buffers_.find(id);
  if (found == buffers_.end()) throw Error("no such buffer: " + std::to_string(id));
  size_t size = found->second.bytes;
  if (offset > size || bytes > size - offset)
    throw Error("beyond the end of buffer " + found->second.name);
}

BufferId RemoteBackend::allocate(const BufferSpec& spec) {
  Writer request(Op::kAllocate);
  request.text(spec.name);
  request.u64(spec.bytes);
  request.u64(spec.guard_bytes);
  request.u8(spec.read_only);
  Reader reply = talk_->call(request);
  BufferId id = talk_->decode(reply, [](Reader& r) { return r.u32(); });
  if (!buffers_.emplace(id, spec).second)
    talk_->die("protocol", "the process that executes the kernels gave one buffer twice");
  return id;
}

void RemoteBackend::release(BufferId id) {
  check_range(id, 0, 0);
  buffers_.erase(id);
  Writer request(Op::kRelease);
  request.u32(id);
  talk_->command(request);
}

Writer piece_of(Op op, BufferId id, size_t offset, size_t bytes) {
  Writer request(op);
  request.u32(id);
  request.u64(offset);
  request.u64(bytes);
  return request;
}

void RemoteBackend::write(BufferId id, size_t offset, const void* from, size_t bytes) {
  check_range(id, offset, bytes);
  const auto* data = static_cast<const uint8_t*>(from);
  for (size_t done = 0; done < bytes;) {
    const size_t piece = std::min(kWindowBytes, bytes - done);
    talk_->settle_commands();  // one of them may still read the window
    std::memcpy(window_.data(), data + done, piece);
    talk_->command(piece_of(Op::kWrite, id, offset + done, piece));
    done += piece;
  }
}

void RemoteBackend::read(BufferId id, size_t offset, void* to, size_t bytes) {
  check_range(id, offset, bytes);
  auto* data = static_cast<uint8_t*>(to);
  for (size_t done = 0; done < bytes;) {
    const size_t piece = std::min(kWindowBytes, bytes - done);
    Reader reply = talk_->call(piece_of(Op::kRead, id, offset + done, piece));
    talk_->decode(reply, [](Reader&) { return 0; });
    std::memcpy(data + done, window_.data(), piece);
    done += piece;
  }
}

void RemoteBackend::fill(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  check_range(id, offset, bytes);
  Writer request(Op::kFill);
  request.u32(id);
  request.u64(offset);
  request.u64(bytes);
  request.u32(pattern);
  talk_->command(request);
}

void RemoteBackend::poison(BufferId id, size_t offset, size_t bytes, uint32_t pattern) {
  check_range(id, offset, bytes);
  Writer request(Op::kPoison);
  request.u32(id);
  request.u64(offset);
  request.u64(bytes);
  request.u32(pattern);
  talk_->command(request);
}

void RemoteBackend::copy(BufferId to, BufferId from, size_t bytes) {
  check_range(to, 0, bytes);
  check_range(from, 0, bytes);
  Writer request(Op::kCopy);
  request.u32(to);
  request.u32(from);
  request.u64(bytes);
  talk_->command(request);
}

std::vector<uint8_t> RemoteBackend::read_guards(BufferId id) {
  check_range(id, 0, 0);
  size_t expected = 2 * buffers_.at(id).guard_bytes;
  Writer request(Op::kReadGuards);
  request.u32(id);
  Reader reply = talk_->call(request);
  std::vector<uint8_t> guards = talk_->decode(reply, [&](Reader& r) { return r.blob(expected); });
  if (guards.size() != expected) talk_->die("protocol", "guard zones of the wrong length");
  return guards;
}

void RemoteBackend::launch(const Launch& launch) {
  Writer request(Op::kLaunch);
  wire::put_launch(request, launch);
  metered(1, [&] {
    Reader reply = talk_->call(request);
    return talk_->decode(reply, [](Reader&) { return 0; });
  });
}

std::optional<double> RemoteBackend::time_sequence(const Sequence& sequence,
                                                   const PassHooks& hooks) {
  Writer request(Op::kTime);
  wire::put_sequence(request, sequence);
  std::vector<int> executed;
  Reader reply = metered(sequence.size(),
                         [&] { return talk_->call_with_passes(request, {hooks}, &executed); });
  auto us = talk_->decode(reply, [](Reader& r) -> std::optional<double> {
    if (!r.flag()) return std::nullopt;
    double us = r.f64();
    if (!(us > 0 && us < 1e12)) throw Error("a time that cannot be");
    return us;
  });
  if (us && executed[0] == 0)
    talk_->die("protocol", "a time came back of a kernel that was not executed");
  return us;
}

void RemoteBackend::prepare_counters(const std::vector<std::string>& metrics) {
  Writer request(Op::kPrepareCounters);
  wire::put_names(request, metrics);
  talk_->command(request);
}

// Waited for: who is next must find them free.
void RemoteBackend::release_counters() {
  if (talk_->dead()) return;
  Reader reply = talk_->call(Writer(Op::kReleaseCounters));
  talk_->decode(reply, [](Reader&) { return 0; });
}

std::vector<Counts> RemoteBackend::count_sequences(const std::vector<Sequence>& sequences,
                                                   const std::vector<std::string>& metrics,
                                                   const std::vector<PassHooks>& hooks) {
  if (hooks.size() != sequences.size())
    throw Error("count_sequences: not one set of hooks a sequence");
  Writer request(Op::kCount);
  request.u64(sequences.size());
  size_t launches = 0;
  for (const Sequence& sequence : sequences) {
    wire::put_sequence(request, sequence);
    launches += sequence.size();
  }
  wire::put_names(request, metrics);
  std::vector<int> executed;
  Reader reply =
      metered(launches, [&] { return talk_->call_with_passes(request, hooks, &executed); });
  std::vector<Counts> all = talk_->decode(reply, [&](Reader& r) {
    std::vector<Counts> counts(r.count(wire::kMaxLaunches));
    if (counts.size() != sequences.size()) throw Error("not one set of counts a sequence");
    for (Counts& c : counts) c = wire::get_counts(r);
    return counts;
  });
  for (size_t i = 0; i < all.size(); ++i)
    if (executed[i] == 0 && !all[i].values.empty())
      talk_->die("protocol", "counts came back of a kernel that was not executed");
  return all;
}

Backend::Unreached RemoteBackend::unreached(const std::string& kernel) {
  Writer request(Op::kUnreached);
  request.text(kernel);
  Reader reply = talk_->call(request);
  return talk_->decode(reply, [](Reader& r) {
    Unreached all;
    all.instructions = r.u64();
    all.numbers.resize(r.count(wire::kMaxNumbers));
    for (int64_t& number : all.numbers) number = r.i64();
    all.one_sided = wire::get_comparisons(r);
    return all;
  });
}

std::vector<size_t> RemoteBackend::scout(const std::vector<Sequence>& sequences) {
  Writer request(Op::kScout);
  request.u64(sequences.size());
  for (const Sequence& sequence : sequences) wire::put_sequence(request, sequence);
  Reader reply = talk_->call(request);
  return talk_->decode(reply, [&](Reader& r) {
    std::vector<size_t> instructions(r.count(wire::kMaxLaunches));
    if (instructions.size() != sequences.size()) throw Error("not one number a sequence");
    for (size_t& i : instructions) i = r.u64();
    return instructions;
  });
}

Backend::Opposed RemoteBackend::oppose(const Sequence& sequence) {
  Writer request(Op::kOppose);
  wire::put_sequence(request, sequence);
  Reader reply = talk_->call(request);
  return talk_->decode(reply, [](Reader& r) {
    Opposed opposed;
    opposed.asked = r.flag();
    opposed.more = wire::get_comparisons(r);
    return opposed;
  });
}

std::string RemoteBackend::take_output() {
  Reader reply = talk_->call(Writer(Op::kTakeOutput));
  return talk_->decode(reply, [](Reader& r) { return r.text(2 * wire::kMaxText); });
}

}  // namespace

namespace {

double timeout_of(const BackendOptions& options, const std::string& kind) {
  if (options.call_timeout_s > 0) return options.call_timeout_s;
  if (!(options.time_limit_s > 0)) return 1e9;
  // The runner itself ends a launch that takes too long; this is for a runner that does not.
  const double limit = options.time_limit_s + kDefaultCallTimeoutS;
  return kind == "emulator" ? limit * kBusyMachine : limit;
}

}  // namespace

std::unique_ptr<Backend> make_remote_backend(const std::vector<std::string>& command,
                                             const BackendOptions& options,
                                             const std::string& kind) {
  auto start = [command, timeout = timeout_of(options, kind)] {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      throw Error(std::string("cannot make a socket for the runner: ") + strerror(errno),
                  kExitCannotRun);
    UniqueFd ours(ends[0]), theirs(ends[1]);
    for (int end : ends) {  // arrays go through it; where the system allows less, so be it
      const int bytes = 4 << 20;
      setsockopt(end, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
    ErrorText errors;
    auto child =
        std::make_unique<ChildProcess>(command, clean_environment(), theirs.get(), -1, errors.fd());
    return std::make_unique<Conversation>(Channel(std::move(ours), wire::kMaxReplyBytes),
                                          std::move(child), std::move(errors), timeout);
  };
  return std::make_unique<RemoteBackend>(start, options, kind);
}

std::unique_ptr<Backend> make_remote_backend(UniqueFd socket, const BackendOptions& options,
                                             const std::string& kind) {
  auto held = std::make_shared<UniqueFd>(std::move(socket));
  auto start = [held, timeout = timeout_of(options, kind)] {
    if (held->get() < 0) throw Error("this runner cannot be started again", kExitCannotRun);
    return std::make_unique<Conversation>(Channel(std::move(*held), wire::kMaxReplyBytes), nullptr,
                                          ErrorText(), timeout);
  };
  return std::make_unique<RemoteBackend>(start, options, kind);
}

}  // namespace lockstep
