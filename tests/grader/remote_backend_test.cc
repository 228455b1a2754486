// SPDX-License-Identifier: Apache-2.0
// The remote backend against a runner that is honest, one that dies, and some that lie.
#include "runner/remote_backend.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <thread>

#include "runner/channel.h"
#include "runner/server.h"
#include "runner/window.h"
#include "runner/wire.h"
#include "tests/emulator/ptx_runner.h"
#include "tests/grader/fake_backend.h"

namespace lockstep::grader {
namespace {

// Both ends of a connection; `peer` runs on the other one in a thread.
class Pair {
 public:
  explicit Pair(std::function<void(UniqueFd)> peer) {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    ours_ = UniqueFd(ends[0]);
    thread_ = std::thread([peer, fd = ends[1]] { peer(UniqueFd(fd)); });
  }
  ~Pair() { thread_.join(); }
  std::unique_ptr<Backend> connect(double timeout_s = 5) {
    BackendOptions options;
    options.call_timeout_s = timeout_s;
    return make_remote_backend(std::move(ours_), options, "emulator");
  }

 private:
  UniqueFd ours_;
  std::thread thread_;
};

void serve_fake(UniqueFd socket) {
  serve(std::move(socket),
        [](const std::string&, const BackendOptions&) { return std::make_unique<FakeBackend>(); });
}

Launch launch_of(const char* kernel, BufferId in, BufferId out) {
  Launch launch;
  launch.kernel = kernel;
  launch.arguments = {Argument::of_buffer(in), Argument::of_buffer(out)};
  return launch;
}

struct Arrays {
  BufferId in, out;
};
Arrays allocate(Backend& backend, const std::vector<float>& values) {
  Arrays a{backend.allocate({"in", values.size() * 4, 4096, true}),
           backend.allocate({"out", values.size() * 4, 4096, false})};
  backend.write(a.in, 0, values.data(), values.size() * 4);
  return a;
}

TEST(RemoteBackend, ExecutesAndCarriesBytesBothWays) {
  Pair pair(serve_fake);
  auto backend = pair.connect();
  EXPECT_EQ(backend->device().name, "Fake");
  EXPECT_EQ(backend->driver_version(), "1.2");
  EXPECT_EQ(backend->free_bytes(), 12345);
  // More than one piece of a message.
  std::vector<float> values(kWindowBytes / 4 + 100);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Arrays a = allocate(*backend, values);
  backend->launch(launch_of("double", a.in, a.out));
  std::vector<float> got(values.size());
  backend->read(a.out, 0, got.data(), got.size() * 4);
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], 2 * values[i]) << i;
}

TEST(RemoteBackend, HasBlocksDrawn) {
  Pair pair(serve_fake);
  auto backend = pair.connect();
  Arrays a = allocate(*backend, {1});
  Launch launch = launch_of("double", a.in, a.out);
  const PassHooks hooks{[] {}, [] {}};
  EXPECT_EQ(backend->count(launch, {}, hooks).find("drawn"), nullptr);
  launch.drawn_blocks = 3;
  launch.drawn_from = 40;
  EXPECT_EQ(backend->count(launch, {}, hooks).find("drawn")->value, 43);
}

TEST(RemoteBackend, SaysWhatNoLaunchHasReached) {
  Pair pair(serve_fake);
  auto backend = pair.connect();
  const Backend::Unreached unreached = backend->unreached("double");
  EXPECT_EQ(unreached.instructions, 6u);
  EXPECT_EQ(unreached.numbers, (std::vector<int64_t>{3, 1 << 20}));
  ASSERT_EQ(unreached.one_sided.size(), 2u);
  EXPECT_EQ(unreached.one_sided[0].instruction, 17u);
  EXPECT_EQ(unreached.one_sided[0].line, 42);
  EXPECT_EQ(unreached.one_sided[1].instruction, 90u);
  Arrays a = allocate(*backend, {1});
  std::vector<Sequence> sequences;
  for (uint32_t blocks : {7u, 1u, 4u}) {
    sequences.push_back({launch_of("double", a.in, a.out)});
    sequences.back()[0].grid.x = blocks;
  }
  EXPECT_EQ(backend->scout(sequences), (std::vector<size_t>{7, 1, 4}));
  EXPECT_FALSE(backend->oppose(sequences[0]).asked);
  sequences[0][0].opposed = {1000, 7};
  const Backend::Opposed opposed = backend->oppose(sequences[0]);
  EXPECT_TRUE(opposed.asked);
  ASSERT_EQ(opposed.more.size(), 2u);
  EXPECT_EQ(opposed.more[0].instruction, 1001u);
  EXPECT_EQ(opposed.more[1].line, 7);
}

// A runner that could make it smaller could end us with a signal.
TEST(RemoteBackend, SharesMemoryThatNobodyCanTakeAway) {
  const Window window = Window::make();
  EXPECT_NE(ftruncate(window.fd(), 0), 0);
  EXPECT_NE(ftruncate(window.fd(), 2 * kWindowBytes), 0);
  EXPECT_NE(fcntl(window.fd(), F_ADD_SEALS, F_SEAL_WRITE), 0);
  UniqueFd small(memfd_create("small", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(small.get(), kWindowBytes / 2), 0);
  EXPECT_THROW(Window{std::move(small)}, Error);
}

TEST(RemoteBackend, RunsHooksAroundEveryPassWithRequestsInside) {
  Pair pair(serve_fake);
  auto backend = pair.connect();
  Arrays a = allocate(*backend, {1, 2});
  int before = 0, after = 0;
  PassHooks hooks;
  hooks.before = [&] {
    ++before;
    float value = static_cast<float>(before);
    backend->write(a.in, 0, &value, 4);
  };
  hooks.after = [&] {
    ++after;
    float got = 0;
    backend->read(a.out, 0, &got, 4);
    EXPECT_EQ(got, 2.0f * static_cast<float>(before));
  };
  Counts counts = backend->count(launch_of("double", a.in, a.out), {"warp_instructions"}, hooks);
  EXPECT_EQ(before, 2);
  EXPECT_EQ(after, 2);
  ASSERT_NE(counts.find("warp_instructions"), nullptr);
  EXPECT_EQ(counts.find("warp_instructions")->value, 42);
  EXPECT_EQ(counts.find("warp_instructions")->tier, Tier::kExact);
  EXPECT_EQ(counts.unavailable.at("dram_bytes"), "no memory here");
  ASSERT_EQ(counts.lines.size(), 1u);
  EXPECT_EQ(counts.lines[0].line, 3);
}

TEST(RemoteBackend, AHookThatThrowsEndsTheCallAndNotTheRunner) {
  Pair pair(serve_fake);
  auto backend = pair.connect();
  Arrays a = allocate(*backend, {1});
  PassHooks hooks;
  hooks.after = [] { throw std::logic_error("wrong"); };
  EXPECT_THROW(backend->time_us(launch_of("double", a.in, a.out), hooks), std::logic_error);
  EXPECT_EQ(backend->time_us(launch_of("double", a.in, a.out), {}), 12.5);
}

TEST(RemoteBackend, AReportedFaultKeepsKindPlaceAndMessage) {
  Pair pair(serve_fake);
  auto backend = pair.connect();
  try {
    backend->launch(launch_of("fault", 0, 0));
    FAIL();
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), "out_of_bounds");
    EXPECT_EQ(fault.place().line, 7);
    EXPECT_STREQ(fault.what(), "x.cu:7: too far");
  }
  EXPECT_THROW(backend->launch(launch_of("error", 0, 0)), Error);
  EXPECT_EQ(backend->max_blocks_per_sm(launch_of("double", 0, 0)), 3);
}

TEST(RemoteBackend, ARunnerThatDoesNotAnswerIsATimeout) {
  Pair pair(serve_fake);
  auto backend = pair.connect(0.2);
  try {
    backend->launch(launch_of("sleep", 0, 0));
    FAIL();
  } catch (const KernelFault& fault) {
    EXPECT_EQ(fault.kind(), "timeout");
  }
  EXPECT_THROW(backend->launch(launch_of("double", 0, 0)), KernelFault);
}

// Answers the opening, then whatever `say` does with each request.
std::function<void(UniqueFd)> liar(std::function<void(Channel&, wire::Op)> say) {
  return [say](UniqueFd fd) {
    Channel channel(std::move(fd), wire::kMaxRequestBytes);
    try {
      channel.receive();
      wire::Writer opened(wire::Op::kOk);
      opened.u32(wire::kProtocolVersion);
      opened.text("emulator");
      wire::put_device(opened, DeviceInfo{});
      opened.u64(0);
      opened.text("");
      channel.send(opened);
      for (;;) {
        wire::Reader request(channel.receive());
        say(channel, static_cast<wire::Op>(request.u8()));
      }
    } catch (const std::exception&) {
    }
  };
}

std::string fault_kind(const std::function<void()>& action) {
  try {
    action();
  } catch (const KernelFault& fault) {
    return fault.kind();
  } catch (const std::exception& e) {
    return std::string("other: ") + e.what();
  }
  return "none";
}

TEST(RemoteBackend, CountsOfAKernelThatWasNotExecutedAreRefused) {
  Pair pair(liar([](Channel& channel, wire::Op) {
    wire::Writer reply(wire::Op::kOk);
    Counts counts;
    counts.values["warp_instructions"] = {1, Tier::kMeasured};
    reply.u64(1);
    wire::put_counts(reply, counts);
    channel.send(reply);
  }));
  auto backend = pair.connect();
  EXPECT_EQ(fault_kind([&] { backend->count({}, {"warp_instructions"}, {}); }), "protocol");
}

TEST(RemoteBackend, EndlessPassesAreRefused) {
  Pair pair(liar([](Channel& channel, wire::Op) {
    for (wire::Op op : {wire::Op::kBeforePass, wire::Op::kAfterPass}) {
      wire::Writer pass(op);
      pass.u32(0);
      channel.send(pass);
      channel.receive();
    }
    wire::Writer again(wire::Op::kBeforePass);
    again.u32(0);
    channel.send(again);
  }));
  auto backend = pair.connect();
  int passes = 0;
  PassHooks hooks;
  hooks.before = [&] { ++passes; };
  EXPECT_EQ(fault_kind([&] { backend->count({}, {}, hooks); }), "protocol");
  EXPECT_LE(passes, kMaxPasses);
}

TEST(RemoteBackend, APassThatIsLeftOpenIsRefused) {
  Pair pair(liar([](Channel& channel, wire::Op) {
    wire::Writer pass(wire::Op::kBeforePass);
    pass.u32(0);
    channel.send(pass);
    channel.receive();
    wire::Writer reply(wire::Op::kOk);
    reply.u64(1);
    wire::put_counts(reply, {});
    channel.send(reply);
  }));
  auto backend = pair.connect();
  EXPECT_EQ(fault_kind([&] { backend->count({}, {}, {}); }), "protocol");
}

TEST(RemoteBackend, AReadOfTheWrongLengthIsRefused) {
  Pair pair(liar([](Channel& channel, wire::Op op) {
    wire::Writer reply(wire::Op::kOk);
    if (op == wire::Op::kAllocate)
      reply.u32(1);
    else
      reply.blob("abc", 3);
    channel.send(reply);
  }));
  auto backend = pair.connect();
  BufferId id = backend->allocate({"x", 16, 0, false});
  float values[4];
  EXPECT_EQ(fault_kind([&] { backend->read(id, 0, values, 16); }), "protocol");
}

TEST(RemoteBackend, AMessageThatAnnouncesTooMuchIsRefusedWithoutMemory) {
  Pair pair(liar([](Channel& channel, wire::Op) {
    uint64_t length = uint64_t{1} << 60;
    ::send(channel.fd(), &length, sizeof length, MSG_NOSIGNAL);
  }));
  auto backend = pair.connect();
  EXPECT_EQ(fault_kind([&] { backend->launch({}); }), "protocol");
}

TEST(RemoteBackend, CountsThatAreNoNumbersAreNotMeasured) {
  Pair pair(liar([](Channel& channel, wire::Op) {
    for (wire::Op op : {wire::Op::kBeforePass, wire::Op::kAfterPass}) {
      wire::Writer pass(op);
      pass.u32(0);
      channel.send(pass);
      channel.receive();
    }
    Counts counts;
    counts.values["a"] = {std::numeric_limits<double>::quiet_NaN(), Tier::kMeasured};
    counts.values["b"] = {-1, Tier::kMeasured};
    counts.values["c"] = {0, Tier::kMeasured};
    counts.values["d"] = {5, Tier::kMeasured};
    counts.unavailable["d"] = "dropped";
    wire::Writer reply(wire::Op::kOk);
    reply.u64(1);
    wire::put_counts(reply, counts);
    channel.send(reply);
  }));
  auto backend = pair.connect();
  Counts counts = backend->count({}, {"a", "b", "c", "d"}, {});
  EXPECT_EQ(counts.values.size(), 1u);
  EXPECT_EQ(counts.find("c")->value, 0);
  EXPECT_EQ(counts.unavailable.count("a"), 1u);
  EXPECT_EQ(counts.unavailable.count("b"), 1u);
  EXPECT_EQ(counts.find("d"), nullptr);
}

TEST(RemoteBackend, AProgramThatIsNoRunnerIsAnErrorThatSaysWhatItSaid) {
  try {
    make_remote_backend(std::vector<std::string>{"/bin/sh", "-c", "echo sorry >&2; exit 9"}, {},
                        "emulator");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), kExitCannotRun);
    EXPECT_NE(std::string(e.what()).find("sorry"), std::string::npos) << e.what();
  }
  EXPECT_THROW(make_remote_backend(std::vector<std::string>{"/nonexistent/runner"}, {}, "auto"),
               Error);
}

// A runner of the emulator, with a kernel that takes some 3 n warp instructions.
class MeteredRunner {
 public:
  explicit MeteredRunner(const BackendOptions& options) {
    path_ = testing::TempDir() + "metered-" + std::to_string(getpid()) + ".ptx";
    std::ofstream(path_) << emulator::ptx_kernel(
        "mov.u32 r0, 0;\nL:\nadd.u32 r0, r0, 1;\nsetp.lt.u32 p0, r0, %n;\n@p0 bra L;\n");
    backend_ = make_remote_backend({"runner/lockstep-runner", "serve"}, options, "emulator");
    load();
  }
  ~MeteredRunner() { std::remove(path_.c_str()); }
  void load() {
    backend_->load_module({path_, ""});
    buffer_ = backend_->allocate({"x", 4});
  }
  std::string fault_of_turns(uint32_t turns) {
    Launch launch;
    launch.kernel = "k";
    launch.block.x = 32;
    launch.arguments = {Argument::of_buffer(buffer_), Argument::of_buffer(buffer_),
                        Argument::of(turns)};
    return fault_kind([&] { backend_->launch(launch); });
  }
  Backend& backend() { return *backend_; }

 private:
  std::string path_;
  std::unique_ptr<Backend> backend_;
  BufferId buffer_ = 0;
};

TEST(RemoteBackend, TheBoundOfAllLaunchesOutlivesARunner) {
  BackendOptions options;
  options.threads = 1;
  options.call_timeout_s = 2;
  options.step_budget = 4'000'000'000;
  options.total_step_budget = options.step_budget + 100'000;
  MeteredRunner runner(options);
  EXPECT_EQ(runner.fault_of_turns(1000), "none");
  const uint64_t used = runner.backend().steps();
  EXPECT_GT(used, 3000u);
  EXPECT_EQ(runner.fault_of_turns(1'000'000'000), "timeout");  // that runner is killed
  EXPECT_EQ(runner.backend().steps(), used + options.step_budget);
  runner.load();
  EXPECT_EQ(runner.fault_of_turns(1000), "none");
  EXPECT_EQ(runner.fault_of_turns(100'000), "too_slow");
  EXPECT_EQ(runner.fault_of_turns(1000), "too_slow");
  EXPECT_GE(runner.backend().steps(), options.total_step_budget);
}

TEST(Wire, NoPrefixOfAMessageIsTakenForTheWhole) {
  wire::Writer w(wire::Op::kOk);
  Counts counts;
  counts.values["warp_instructions"] = {7, Tier::kMeasured};
  counts.lines.push_back({"f.cu", 3, counts.values});
  wire::put_counts(w, counts);
  std::vector<uint8_t> whole = w.bytes();
  for (size_t n = 1; n < whole.size(); ++n) {
    wire::Reader r(std::vector<uint8_t>(whole.begin(), whole.begin() + static_cast<long>(n)));
    r.u8();
    EXPECT_THROW(
        {
          wire::get_counts(r);
          r.end();
        },
        Error)
        << n;
  }
}

}  // namespace
}  // namespace lockstep::grader
