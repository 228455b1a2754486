// SPDX-License-Identifier: Apache-2.0
// Asks a card's multi-function unit for its answers to stretches of operands:
//   nvcc -O2 -std=c++20 -arch=sm_90 -o ask tools/measure/multifunction.cu && ./ask FOLDER
// prints what tests/data/numerics_h200/multifunction.tsv holds, and writes
// FOLDER/NAME.FIRST.DISTANCE, the answers as words, for tools/measure/fit_multifunction.py.
#include <cuda_runtime.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

#define FLOAT(name, op)                                                                     \
  __global__ void name(uint32_t* out, uint32_t first, uint32_t distance, uint32_t number) { \
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < number;                    \
         i += gridDim.x * blockDim.x)                                                       \
      asm volatile("{ .reg .f32 a; mov.b32 a, %1; " op " a, a; mov.b32 %0, a; }"            \
                   : "=r"(out[i])                                                           \
                   : "r"(first + i * distance));                                            \
  }
#define UPPER(name, op)                                                                     \
  __global__ void name(uint32_t* out, uint32_t first, uint32_t distance, uint32_t number) { \
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < number;                    \
         i += gridDim.x * blockDim.x)                                                       \
      asm volatile("{ .reg .f64 a; .reg .b32 l; mov.b64 a, {0, %1}; " op                    \
                   " a, a; mov.b64 {l, %0}, a; }"                                           \
                   : "=r"(out[i])                                                           \
                   : "r"(first + i * distance));                                            \
  }
FLOAT(reciprocal, "rcp.approx.ftz.f32")
FLOAT(inverse_root, "rsqrt.approx.ftz.f32")
FLOAT(root, "sqrt.approx.ftz.f32")
FLOAT(power, "ex2.approx.ftz.f32")
FLOAT(logarithm, "lg2.approx.ftz.f32")
FLOAT(sine, "sin.approx.ftz.f32")
FLOAT(cosine, "cos.approx.ftz.f32")
FLOAT(tangent, "tanh.approx.f32")
UPPER(reciprocal64, "rcp.approx.ftz.f64")
UPPER(inverse_root64, "rsqrt.approx.ftz.f64")

struct Range {
  uint32_t first, distance, number;
};
constexpr uint32_t kOctave = 1u << 23, kSome = 1u << 20, kMost = 1u << 24;
Range octave(int exponent, uint32_t distance = 1, uint32_t sign = 0) {
  return {sign << 31 | static_cast<uint32_t>(exponent + 127) << 23, distance, kOctave / distance};
}

class Asker {
 public:
  explicit Asker(std::string folder) : folder_(std::move(folder)), answers_(kMost) {
    check(cudaMalloc(&on_card_, sizeof(uint32_t) * kMost));
  }
  template <class Kernel>
  void ask(const char* op, Kernel kernel, const std::vector<Range>& ranges) {
    for (const Range& r : ranges) {
      kernel<<<1024, 256>>>(on_card_, r.first, r.distance, r.number);
      check(cudaMemcpy(answers_.data(), on_card_, sizeof(uint32_t) * r.number,
                       cudaMemcpyDeviceToHost));
      uint64_t sum = 0xcbf29ce484222325u;
      for (uint32_t i = 0; i < r.number; ++i) sum = (sum ^ answers_[i]) * 0x100000001b3u;
      std::printf("%s\t%08" PRIx32 "\t%" PRIu32 "\t%" PRIu32 "\t%016" PRIx64 "\n", op, r.first,
                  r.distance, r.number, sum);
      keep(op, r);
    }
  }

 private:
  static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(3);
  }
  void keep(const std::string& op, const Range& r) const {
    char name[64];
    std::snprintf(name, sizeof name, "/%s.%08" PRIx32 ".%" PRIu32, op.c_str(), r.first, r.distance);
    std::FILE* file = std::fopen((folder_ + name).c_str(), "wb");
    const bool whole =
        file != nullptr && std::fwrite(answers_.data(), 4, r.number, file) == r.number;
    if (!whole || std::fclose(file) != 0) {
      std::fprintf(stderr, "%s%s: cannot be written\n", folder_.c_str(), name);
      std::exit(3);
    }
  }

  std::string folder_;
  std::vector<uint32_t> answers_;
  uint32_t* on_card_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: ask FOLDER\n");
    return 2;
  }
  Asker asker(argv[1]);
  const Range anywhere = {0, 2053, kSome}, everywhere = {0, 4099, kSome};
  const Range roots = {0x3f800000, 1, 2 * kOctave}, upper = {0x3ff00000, 1, kSome * 2},
              large = {0x7f000000, 17, kSome};
  asker.ask("rcp.approx.ftz.f32", reciprocal, {octave(0), anywhere, {0x7e000000, 31, kSome}});
  asker.ask("rsqrt.approx.ftz.f32", inverse_root, {roots, anywhere});
  asker.ask("sqrt.approx.ftz.f32", root, {roots, anywhere});
  asker.ask("ex2.approx.ftz.f32", power,
            {octave(-1), octave(-2), octave(-1, 1, 1), octave(0), everywhere});
  asker.ask("lg2.approx.ftz.f32", logarithm,
            {octave(0), octave(-1), octave(1), octave(2), everywhere});
  const std::vector<Range> turns = {octave(-1), octave(0), octave(1), octave(2), everywhere};
  asker.ask("sin.approx.ftz.f32", sine, turns);
  asker.ask("cos.approx.ftz.f32", cosine, turns);
  std::vector<Range> tangents = {octave(-1), octave(0), everywhere};
  for (const int e : {-8, -7, -6, -5, -4, -3, -2, 1, 2}) tangents.push_back(octave(e, 8));
  asker.ask("tanh.approx.f32", tangent, tangents);
  asker.ask("rcp.approx.ftz.f64", reciprocal64, {upper, anywhere, large});
  asker.ask("rsqrt.approx.ftz.f64", inverse_root64, {upper, anywhere, large});
  return 0;
}
