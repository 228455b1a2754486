// SPDX-License-Identifier: Apache-2.0
// Runs kernels given as PTX text in a test: writes a module, launches, reads the output back. Where
// counts are asked for, the toolkit's ptxas makes the cubin that has them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/base/error.h"

namespace lockstep::emulator {

inline constexpr char kPtxHead[] = ".version 8.0\n.target sm_90\n.address_size 64\n";

// A kernel `k(out, in, n)` around a body that may use %out and %in (b64, global addresses), %n and
// %t (b32: the thread's number in the grid) and registers r0..r31, d0..d31, f0..f31, p0..p15, ...
inline std::string ptx_kernel(const std::string& body, const std::string& before = "") {
  return kPtxHead + before +
         ".visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u32 k_2)\n{\n"
         ".reg .pred p<16>;\n.reg .b16 h<16>;\n.reg .b32 r<32>;\n.reg .b64 d<32>;\n"
         ".reg .f32 f<32>;\n.reg .f64 g<16>;\n.reg .b64 %out, %in;\n.reg .b32 %n, %t;\n"
         "ld.param.u64 %out, [k_0];\nld.param.u64 %in, [k_1];\nld.param.u32 %n, [k_2];\n"
         "cvta.to.global.u64 %out, %out;\ncvta.to.global.u64 %in, %in;\n"
         "mov.u32 r30, %ntid.x;\nmov.u32 r31, %ctaid.x;\nmov.u32 %t, %tid.x;\n"
         "mad.lo.s32 %t, r31, r30, %t;\n" +
         body + "\nret;\n}\n";
}

// Stores b32 register `value` to out[t].
inline std::string store_result(const std::string& value) {
  return "mul.wide.u32 d31, %t, 4;\nadd.u64 d31, %out, d31;\nst.global.u32 [d31], " + value + ";\n";
}

// As make finds it; "": there is no toolkit.
inline std::string ptxas() {
  for (const char* path : {"/usr/local/cuda/bin/ptxas", "/usr/bin/ptxas"})
    if (std::ifstream(path)) return path;
  return "";
}
#define LOCKSTEP_NEEDS_PTXAS() \
  if (ptxas().empty()) GTEST_SKIP() << "no ptxas: no CUDA toolkit"

class PtxRunner {
 public:
  explicit PtxRunner(const std::string& text, BackendOptions options = {}, bool assembled = false) {
    static int count = 0;
    file_.path = testing::TempDir() + "lockstep-" + std::to_string(getpid()) + "-" +
                 std::to_string(count++) + ".ptx";
    std::ofstream(file_.path) << text;
    if (options.threads == 0) options.threads = 1;
    if (assembled) {
      file_.cubin = file_.path + ".cubin";
      const std::string command =
          ptxas() + " -arch=sm_90 -lineinfo '" + file_.path + "' -o '" + file_.cubin + "'";
      if (std::system(command.c_str()) != 0) throw Error("fails: " + command);
    }
    backend_ = make_emulator_backend(options);
    backend_->load_module({file_.path, file_.cubin});
  }

  // One word a thread in and out.
  std::vector<uint32_t> run(const std::vector<uint32_t>& input, uint32_t blocks, uint32_t threads,
                            uint32_t n = 0, uint32_t dynamic_shared = 0) {
    const size_t in_bytes = std::max<size_t>(input.size(), 1) * 4;
    const size_t out_words = size_t{blocks} * threads;
    const BufferId in = backend_->allocate({"in", in_bytes});
    const BufferId out = backend_->allocate({"out", out_words * 4});
    if (!input.empty()) backend_->write(in, 0, input.data(), in_bytes);
    Launch launch;
    launch.kernel = "k";
    launch.grid.x = blocks;
    launch.block.x = threads;
    launch.dynamic_shared_bytes = dynamic_shared;
    launch.order = order;
    launch.lane_order = lane_order;
    launch.permuted_warps = permuted_warps;
    launch.arguments = {Argument::of_buffer(out), Argument::of_buffer(in), Argument::of(n)};
    backend_->fill(out, 0, out_words * 4, 0);
    backend_->launch(launch);
    std::vector<uint32_t> result(out_words);
    backend_->read(out, 0, result.data(), out_words * 4);
    backend_->release(in);
    backend_->release(out);
    return result;
  }
  Backend& backend() { return *backend_; }
  uint64_t order = 0;  // of the launch, as the next two
  uint32_t lane_order = 0;
  uint64_t permuted_warps = 0;

 private:
  // Gone, too, where the module is refused.
  struct File {
    std::string path, cubin;
    ~File() {
      std::remove(path.c_str());
      if (!cubin.empty()) std::remove(cubin.c_str());
    }
  };
  File file_;
  std::unique_ptr<Backend> backend_;
};

// The kind of fault that loading and running gives; "" for none.
inline std::string fault_of(const std::string& text, uint32_t threads = 32,
                            BackendOptions options = {}, std::string* message = nullptr) {
  try {
    PtxRunner runner(text, options);
    runner.run(std::vector<uint32_t>(threads, 1), 1, threads);
  } catch (const KernelFault& fault) {
    if (message != nullptr) *message = fault.what();
    return fault.kind();
  }
  return "";
}

inline uint32_t bits(float value) {
  uint32_t out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}
inline float number(uint32_t value) {
  float out;
  std::memcpy(&out, &value, sizeof out);
  return out;
}

}  // namespace lockstep::emulator
