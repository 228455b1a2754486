// SPDX-License-Identifier: Apache-2.0
// What best kernels are held against on a card: the library's sum (CUB) and a copy by the card
// itself, on the same bytes. bench/best-vs-card.sh builds and runs it.
// library_sum MIB...: a line for each size with microseconds, the shortest of many.
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_reduce.cuh>

namespace {

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "library_sum: %s\n", cudaGetErrorString(error));
  std::exit(error == cudaErrorNoDevice ? 77 : 110);
}

// Device time of one run of `work`, in microseconds: the shortest of 20. Before each, as in the
// homework programs, the input is copied from elsewhere and the output filled: so as much of either
// is in the L2 cache as there, and the stream is busy until the events are in it.
template <typename Work>
float shortest_us(const Work& work, void* in, const void* pristine, void* out, size_t bytes) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  float best = 1e30f;
  for (int i = 0; i < 20; i++) {
    check(cudaMemsetAsync(out, i, bytes));
    check(cudaMemcpyAsync(in, pristine, bytes, cudaMemcpyDeviceToDevice));
    check(cudaEventRecord(start));
    work();
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop));
    if (ms * 1000 < best) best = ms * 1000;
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    const size_t bytes = size_t(std::atoll(argv[i])) << 20;
    const int n = static_cast<int>(bytes / 4);
    unsigned *in = nullptr, *out = nullptr, *pristine = nullptr;
    unsigned* result = nullptr;
    void* temporary = nullptr;
    size_t temporary_bytes = 0;
    check(cudaMalloc(&in, bytes));
    check(cudaMalloc(&out, bytes));
    check(cudaMalloc(&pristine, bytes));
    check(cudaMemset(pristine, 1, bytes));
    check(cudaMalloc(&result, sizeof *result));
    check(cub::DeviceReduce::Sum(nullptr, temporary_bytes, in, result, n));
    check(cudaMalloc(&temporary, temporary_bytes));
    const float sum = shortest_us(
        [&] { check(cub::DeviceReduce::Sum(temporary, temporary_bytes, in, result, n)); }, in,
        pristine, result, sizeof *result);
    const float copy = shortest_us(
        [&] { check(cudaMemcpyAsync(out, in, bytes, cudaMemcpyDeviceToDevice)); }, in, pristine,
        out, bytes);
    std::printf("%s %.2f %.2f\n", argv[i], sum, copy);
    check(cudaFree(temporary));
    check(cudaFree(result));
    check(cudaFree(pristine));
    check(cudaFree(out));
    check(cudaFree(in));
  }
}
