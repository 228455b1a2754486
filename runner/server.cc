// SPDX-License-Identifier: Apache-2.0
// One request after another; requests inside a pass are served by the same loop, one level down.
#include "runner/server.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

#include "common/base/error.h"
#include "runner/channel.h"
#include "runner/window.h"

namespace lockstep {
namespace {

using wire::Op;
using wire::Reader;
using wire::Writer;

// The harness gave up during a pass; unwinds through the backend.
struct PassAborted {};

// A module's bytes as a file, for backends that take paths.
class MemoryFile {
 public:
  MemoryFile(const std::string& name, const std::vector<uint8_t>& bytes) {
    const char* base = std::getenv("TMPDIR");
    folder_ = std::string(base == nullptr ? "/tmp" : base) + "/lockstep-module-XXXXXX";
    if (mkdtemp(folder_.data()) == nullptr) throw Error("cannot make a folder for the module");
    path_ = folder_ + "/" + name;
    UniqueFd fd(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    for (size_t done = 0; done < bytes.size();) {
      ssize_t put = ::write(fd.get(), bytes.data() + done, bytes.size() - done);
      if (put <= 0) throw Error("cannot write the module to " + path_);
      done += static_cast<size_t>(put);
    }
  }
  ~MemoryFile() {
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }
  MemoryFile(const MemoryFile&) = delete;
  const std::string& path() const { return path_; }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_, path_;
};

class Server {
 public:
  Server(UniqueFd socket, const BackendFactory& factory, const std::function<std::string()>& output)
      : channel_(std::move(socket), wire::kMaxRequestBytes), factory_(factory), output_(output) {}

  void run() {
    for (;;) {
      Reader request(channel_.receive(0, window_ ? nullptr : &passed_));
      serve_one(static_cast<Op>(request.u8()), request);
    }
  }

 private:
  void serve_one(Op op, Reader& request);
  Writer answer(Op op, Reader& request);
  Writer open(Reader& request);
  Writer load_module(Reader& request);
  Writer allocate(Reader& request);
  Writer move_bytes(Op op, Reader& request);
  Writer time(Reader& request);
  Writer count(Reader& request);
  Writer unreached(Reader& request);
  Writer scout(Reader& request);
  Writer oppose(Reader& request);
  PassHooks hooks(uint32_t launch);
  void pass(Op op, uint32_t launch);
  Backend& backend();

  Channel channel_;
  UniqueFd passed_;
  std::optional<Window> window_;  // once a backend was opened
  const BackendFactory& factory_;
  const std::function<std::string()>& output_;
  std::unique_ptr<Backend> backend_;
};

Backend& Server::backend() {
  if (!backend_) throw Error("no backend is open");
  return *backend_;
}

Writer error_reply(const std::string& message, int code) {
  Writer w(Op::kError);
  w.text(message.substr(0, wire::kMaxText));
  w.i64(code);
  return w;
}

bool executes(Op op) {
  return op == Op::kLaunch || op == Op::kTime || op == Op::kCount || op == Op::kMaxBlocks;
}

void Server::serve_one(Op op, Reader& request) {
  Writer reply(Op::kOk);
  try {
    reply = answer(op, request);
  } catch (const KernelFault& fault) {
    reply = Writer(Op::kFault);
    wire::put_fault(reply, fault);
  } catch (const Error& error) {
    reply = error_reply(error.what(), error.code());
    // A launch that cannot be made because of what the kernel is: its bounds, its parameters.
    if (executes(op) && error.code() == kExitUsage) {
      reply = Writer(Op::kFault);
      wire::put_fault(reply, KernelFault("launch_failed", {}, error.what()));
    }
  } catch (const std::bad_alloc&) {
    reply = Writer(Op::kFault);
    wire::put_fault(reply, KernelFault("out_of_memory", {},
                                       "the kernel needs more memory than "
                                       "a submission may use"));
  } catch (const PassAborted&) {
    reply = error_reply("given up", kExitWrong);
  } catch (const ChannelClosed&) {
    throw;
  } catch (const ChannelGarbage&) {
    throw;
  } catch (const std::exception& e) {
    reply = error_reply(e.what(), kExitCuda);
  }
  channel_.send(reply);
}

void Server::pass(Op op, uint32_t launch) {
  Writer announcement(op);
  announcement.u32(launch);
  channel_.send(announcement);
  for (;;) {
    Reader request(channel_.receive());
    Op next = static_cast<Op>(request.u8());
    if (next == Op::kContinue) return;
    if (next == Op::kAbort) throw PassAborted();
    serve_one(next, request);
  }
}

PassHooks Server::hooks(uint32_t launch) {
  return PassHooks{[this, launch] { pass(Op::kBeforePass, launch); },
                   [this, launch] { pass(Op::kAfterPass, launch); }};
}

Writer Server::open(Reader& request) {
  if (request.u32() != wire::kProtocolVersion)
    throw Error("the runner is of another version than the program that started it: run make");
  if (!window_) window_.emplace(std::move(passed_));
  std::string kind = request.text(32);
  backend_ = factory_(kind, wire::get_options(request));
  backend_->pin(window_->data(), kWindowBytes);
  Writer w(Op::kOk);
  w.u32(wire::kProtocolVersion);
  w.text(backend_->kind());
  wire::put_device(w, backend_->device());
  std::vector<DeviceInfo> devices = backend_->devices();
  w.u64(devices.size());
  for (const DeviceInfo& device : devices) wire::put_device(w, device);
  w.text(backend_->driver_version());
  return w;
}

std::string without(std::string text, const std::string& part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

Writer Server::load_module(Reader& request) {
  std::unique_ptr<MemoryFile> files[2];
  for (auto& file : files) {
    std::string name = request.text(4096);
    std::vector<uint8_t> bytes = request.blob(wire::kMaxRequestBytes);
    if (!name.empty()) file = std::make_unique<MemoryFile>(name, bytes);
  }
  ModuleFiles module;
  if (files[0]) module.ptx = files[0]->path();
  if (files[1]) module.cubin = files[1]->path();
  try {
    backend().load_module(module);
  } catch (const KernelFault&) {
    throw;
  } catch (const Error& e) {
    // What is in the module is the kernels' author's doing, however the backend puts it.
    std::string message = e.what();
    for (const auto& file : files)
      if (file) message = without(message, file->folder() + "/");
    throw KernelFault("launch_failed", {}, message);
  }
  Writer w(Op::kOk);
  wire::put_kernels(w, backend().kernels());
  return w;
}

Writer Server::allocate(Reader& request) {
  BufferSpec spec;
  spec.name = request.text();
  spec.bytes = request.u64();
  spec.guard_bytes = request.u64();
  spec.read_only = request.flag();
  Writer w(Op::kOk);
  w.u32(backend().allocate(spec));
  return w;
}

// Between the window and a buffer.
Writer Server::move_bytes(Op op, Reader& request) {
  BufferId id = request.u32();
  uint64_t offset = request.u64();
  uint64_t bytes = request.u64();
  if (bytes > kWindowBytes) throw Error("too much to move at once");
  Backend& open = backend();
  if (op == Op::kWrite)
    open.write(id, offset, window_->data(), bytes);
  else
    open.read(id, offset, window_->data(), bytes);
  return Writer(Op::kOk);
}

Writer Server::time(Reader& request) {
  std::optional<double> us = backend().time_sequence(wire::get_sequence(request), hooks(0));
  Writer w(Op::kOk);
  w.u8(us.has_value());
  if (us) w.f64(*us);
  return w;
}

Writer Server::count(Reader& request) {
  std::vector<Sequence> sequences(request.count(wire::kMaxLaunches));
  std::vector<PassHooks> all_hooks;
  for (Sequence& sequence : sequences) {
    sequence = wire::get_sequence(request);
    all_hooks.push_back(hooks(static_cast<uint32_t>(all_hooks.size())));
  }
  std::vector<Counts> all =
      backend().count_sequences(sequences, wire::get_names(request), all_hooks);
  Writer w(Op::kOk);
  w.u64(all.size());
  for (const Counts& counts : all) wire::put_counts(w, counts);
  return w;
}

Writer Server::unreached(Reader& request) {
  const Backend::Unreached all = backend().unreached(request.text());
  Writer w(Op::kOk);
  w.u64(all.instructions);
  const size_t numbers = std::min(all.numbers.size(), wire::kMaxNumbers);
  w.u64(numbers);
  for (size_t i = 0; i < numbers; ++i) w.i64(all.numbers[i]);
  wire::put_comparisons(w, all.one_sided);
  return w;
}

Writer Server::scout(Reader& request) {
  std::vector<Sequence> sequences(request.count(wire::kMaxLaunches));
  for (Sequence& sequence : sequences) sequence = wire::get_sequence(request);
  const std::vector<size_t> instructions = backend().scout(sequences);
  Writer w(Op::kOk);
  w.u64(instructions.size());
  for (const size_t i : instructions) w.u64(i);
  return w;
}

Writer Server::oppose(Reader& request) {
  const Backend::Opposed opposed = backend().oppose(wire::get_sequence(request));
  Writer w(Op::kOk);
  w.u8(opposed.asked);
  wire::put_comparisons(w, opposed.more);
  return w;
}

Writer Server::answer(Op op, Reader& r) {
  Writer w(Op::kOk);
  switch (op) {
    case Op::kOpen:
      return open(r);
    case Op::kLoadModule:
      return load_module(r);
    case Op::kAllocate:
      return allocate(r);
    case Op::kWrite:
    case Op::kRead:
      return move_bytes(op, r);
    case Op::kTime:
      return time(r);
    case Op::kCount:
      return count(r);
    case Op::kUnreached:
      return unreached(r);
    case Op::kScout:
      return scout(r);
    case Op::kOppose:
      return oppose(r);
    case Op::kMaxBlocks:
      w.i64(backend().max_blocks_per_sm(wire::get_launch(r)));
      return w;
    case Op::kReadGlobal: {
      auto bytes = backend().read_global(r.text());
      w.u8(bytes.has_value());
      if (bytes) w.blob(bytes->data(), bytes->size());
      return w;
    }
    case Op::kRelease:
      backend().release(r.u32());
      return w;
    case Op::kFill:
    case Op::kPoison: {
      BufferId id = r.u32();
      uint64_t offset = r.u64(), bytes = r.u64();
      uint32_t pattern = r.u32();
      if (op == Op::kFill)
        backend().fill(id, offset, bytes, pattern);
      else
        backend().poison(id, offset, bytes, pattern);
      return w;
    }
    case Op::kCopy: {
      BufferId to = r.u32(), from = r.u32();
      backend().copy(to, from, r.u64());
      return w;
    }
    case Op::kReadGuards: {
      std::vector<uint8_t> guards = backend().read_guards(r.u32());
      w.blob(guards.data(), guards.size());
      return w;
    }
    case Op::kLaunch:
      backend().launch(wire::get_launch(r));
      return w;
    case Op::kFreeBytes: {
      std::optional<int64_t> bytes = backend().free_bytes();
      w.u8(bytes.has_value());
      if (bytes) w.i64(*bytes);
      return w;
    }
    case Op::kPrepareCounters:
      backend().prepare_counters(wire::get_names(r));
      return w;
    case Op::kReleaseCounters:
      backend().release_counters();
      return w;
    case Op::kSteps:
      w.u64(backend().steps());
      return w;
    case Op::kTakeOutput: {
      std::string text = backend().take_output() + (output_ ? output_() : "");
      w.text(text.substr(0, 2 * wire::kMaxText));
      return w;
    }
    default:
      throw Error("unknown request");
  }
}

}  // namespace

int serve(UniqueFd socket, const BackendFactory& factory,
          const std::function<std::string()>& output) {
  Server server(std::move(socket), factory, output);
  try {
    server.run();
  } catch (const ChannelClosed&) {
    return kExitGood;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lockstep-runner: %s\n", e.what());
  }
  return kExitUsage;
}

}  // namespace lockstep
