// SPDX-License-Identifier: Apache-2.0
// Speed of the emulator, with its counters and checkers on: warp instructions (as a card counts
// them) a second on one host thread and on two, and the memory beyond the buffers.
// Usage: emulator_speed [SCALE [NAME]], SCALE 1 by default, 0.1 for a quick look; NAME: only
// kernels whose names contain it.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/base/error.h"

namespace {

using namespace lockstep;

constexpr const char* kModule = "build/modules/bench/kernels/speed.ptx";
constexpr int kElements = 1 << 20;
constexpr size_t kBytes = size_t{kElements} * 4;

struct Case {
  const char* kernel;
  Dim3 grid, block;
  bool reads = false;  // (out, in, n), else (out, n)
  int n = 0;
  double at_least = 0;  // the promise, in million warp instructions a second on one thread
};

std::vector<Case> cases(double scale) {
  const auto turns = [&](int n) { return std::max(1, static_cast<int>(n * scale)); };
  return {
      {"alu_f32", {32}, {256}, false, turns(4000), 40},
      {"alu_int", {32}, {256}, false, turns(4000), 40},
      {"alu_mix", {32}, {256}, false, turns(10000), 0},
      {"norm_group_16_4", {264}, {256}, true, kElements, 20},
      {"norm_group_64_8", {264}, {256}, true, kElements, 20},
      {"norm_group_8_1", {128}, {256}, true, kElements, 20},
      {"norm_group_32_1", {128}, {256}, true, kElements, 0},
      {"shared_sum", {static_cast<uint32_t>(turns(1000))}, {256}, true, kElements, 0},
      {"shared_transpose", {32, 32}, {32, 8}, true, 1024, 0},
      {"global_stride", {static_cast<uint32_t>(turns(400))}, {256}, true, kElements, 0},
  };
}

struct Result {
  double seconds = 0, instructions = 0;
};

// The best of all that go into a third of a second, three at least, each with all counts.
Result run(Backend& backend, const Case& c, BufferId out, BufferId in) {
  Launch launch{c.kernel, c.grid, c.block, 0, {Argument::of_buffer(out)}};
  if (c.reads) launch.arguments.push_back(Argument::of_buffer(in));
  launch.arguments.push_back(Argument::of<int32_t>(c.n));
  Result best;
  double total = 0;
  for (int turn = 0; turn < 3 || total < 0.3; ++turn) {
    const auto start = std::chrono::steady_clock::now();
    const Counts counts = backend.count(launch, {"warp_instructions"}, {});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    total += taken.count();
    if (turn == 0 || taken.count() < best.seconds) best.seconds = taken.count();
    const Count* instructions = counts.find("warp_instructions");
    best.instructions = instructions != nullptr ? instructions->value : NAN;
  }
  return best;
}

std::vector<Result> run_all(int threads, const std::vector<Case>& all) {
  BackendOptions options;
  options.threads = threads;
  const auto backend = make_emulator_backend(options);
  backend->load_module(find_module_files(kModule));
  const BufferId out = backend->allocate({"out", kBytes}), in = backend->allocate({"in", kBytes});
  std::vector<float> values(kElements);
  for (int i = 0; i < kElements; ++i) values[i] = static_cast<float>(i % 1000) * 0.001f;
  backend->write(in, 0, values.data(), kBytes);
  backend->fill(out, 0, kBytes, 0);
  std::vector<Result> results;
  for (const Case& c : all) results.push_back(run(*backend, c, out, in));
  return results;
}

double peak_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024.0;
}

}  // namespace

int main(int argc, char** argv) {
  const double scale = argc > 1 ? std::atof(argv[1]) : 1;
  const std::string name = argc > 2 ? argv[2] : "";
  if (!(scale > 0 && scale <= 100)) {
    std::fprintf(stderr, "usage: emulator_speed [SCALE [NAME]], SCALE above 0 and at most 100\n");
    return kExitUsage;
  }
  try {
    std::vector<Case> all = cases(scale);
    std::erase_if(
        all, [&](const Case& c) { return std::string(c.kernel).find(name) == std::string::npos; });
    const std::vector<Result> one = run_all(1, all), two = run_all(2, all);
    std::printf("%-18s %12s %9s %14s %14s %8s\n", "kernel", "warp insts", "time/ms", "Mwi/s, 1 thr",
                "Mwi/s, 2 thr", "scaling");
    for (size_t i = 0; i < all.size(); ++i) {
      const auto speed = [](const Result& r) { return r.instructions / r.seconds / 1e6; };
      std::printf("%-18s %12.0f %9.1f %14.1f %14.1f %8.2f", all[i].kernel, one[i].instructions,
                  one[i].seconds * 1e3, speed(one[i]), speed(two[i]),
                  one[i].seconds / two[i].seconds);
      if (all[i].at_least > 0) std::printf("  (promised %.0f)", all[i].at_least);
      std::printf("\n");
    }
    std::printf("peak memory %.0f MB, buffers %.0f MB\n", peak_mb(), 2 * kBytes / 1048576.0);
  } catch (const Error& error) {
    std::fprintf(stderr, "emulator_speed: %s\n", error.what());
    return error.code();
  }
  return 0;
}
