// SPDX-License-Identifier: Apache-2.0
// Fuzzes what the trusted side reads of a runner: a RemoteBackend whose runner answers with the
// input. Whatever comes, a call returns or throws Error; it neither waits nor fills memory.
//
// The first byte: bit 0: the runner opens as it should, bit 1: "gpu", bit 2: bytes without frames.
// Then calls and answers: which call, how many answers, and each a length and its bytes.
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "common/base/error.h"
#include "runner/remote_backend.h"
#include "runner/wire.h"

namespace {

using namespace lockstep;

class Input {
 public:
  Input(const uint8_t* data, size_t size) : at_(data), left_(size) {}
  uint8_t byte() { return left_ == 0 ? uint8_t{0} : (--left_, *at_++); }
  std::vector<uint8_t> bytes(size_t most) {
    const size_t n = std::min(most, left_);
    std::vector<uint8_t> out(at_, at_ + n);
    at_ += n;
    left_ -= n;
    return out;
  }
  bool empty() const { return left_ == 0; }

 private:
  const uint8_t* at_;
  size_t left_;
};

// The runner's end: what it has to say is in the socket before it is asked.
class Runner {
 public:
  explicit Runner(int fd) : fd_(fd) {}
  void say(const std::vector<uint8_t>& message, bool framed = true) const {
    const uint64_t length = message.size();
    if (framed) put(&length, sizeof length);
    put(message.data(), message.size());
  }
  void greet(bool gpu) const {
    wire::Writer w(wire::Op::kOk);
    w.u32(wire::kProtocolVersion);
    w.text(gpu ? "gpu" : "emulator");
    wire::put_device(w, {});
    w.u64(0);
    w.text("1.2");
    say(w.bytes());
  }
  void end() const { shutdown(fd_.get(), SHUT_WR); }

 private:
  void put(const void* data, size_t bytes) const {
    if (bytes > 0) (void)!::send(fd_.get(), data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  UniqueFd fd_;
};

void call(Backend& backend, uint8_t which) {
  static constexpr BufferId kBuffer = 7;
  Launch launch{"k", {2}, {32}, 0, {Argument::of_buffer(kBuffer), Argument::of(3)}};
  const PassHooks hooks{[&] { backend.release(backend.allocate({"h", 8})); }, [] {}};
  std::array<uint8_t, 64> bytes{};
  switch (which % 16) {
    case 0:
      return backend.load_module({"/dev/null", ""});
    case 1:
      return void(backend.max_blocks_per_sm(launch));
    case 2:
      return void(backend.read_global("g"));
    case 3: {
      const BufferId id = backend.allocate({"b", 64, 16});
      backend.write(id, 0, bytes.data(), bytes.size());
      backend.read(id, 0, bytes.data(), bytes.size());
      if (backend.read_guards(id).size() != 32) __builtin_trap();
      return backend.release(id);
    }
    case 4:
      return backend.launch(launch);
    case 5: {
      const auto us = backend.time_us(launch, hooks);
      if (us && !(*us > 0)) __builtin_trap();
      return;
    }
    case 6:
      for (const auto& [name, count] : backend.count(launch, {"m"}, hooks).values)
        if (!(count.value >= 0)) __builtin_trap();
      return;
    case 7: {
      if (backend.count_sequences({{launch}, {launch}}, {"m"}, {hooks, {}}).size() != 2)
        __builtin_trap();
      return;
    }
    case 8:
      return void(backend.take_output());
    case 9:
      return void(backend.free_bytes());
    case 10:
      return backend.fill(kBuffer, 0, 4, 1);
    case 11:
      return backend.poison(kBuffer, 0, 4, 1);
    case 12:
      if (backend.unreached("k").numbers.size() > wire::kMaxNumbers) __builtin_trap();
      return;
    case 13:
      if (backend.scout({{launch}, {launch}}).size() != 2) __builtin_trap();
      return;
    case 14:
      return void(backend.oppose({launch}));
    default:
      return backend.copy(kBuffer, kBuffer, 4);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  int ends[2];
  if (size > 60000 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  Input input(data, size);
  const uint8_t how = input.byte();
  const Runner runner(ends[1]);
  if ((how & 1) != 0) runner.greet((how & 2) != 0);
  std::vector<uint8_t> calls;
  while (!input.empty() && calls.size() < 32) {
    calls.push_back(input.byte());
    for (int answers = input.byte() % 8; answers > 0; --answers)
      runner.say(input.bytes(input.byte()), (how & 4) == 0);
  }
  runner.end();
  BackendOptions options;
  options.call_timeout_s = 5;
  try {
    const auto backend = make_remote_backend(UniqueFd(ends[0]), options, "");
    for (const uint8_t which : calls) {
      try {
        call(*backend, which);
      } catch (const Error&) {
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
