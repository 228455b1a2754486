// SPDX-License-Identifier: Apache-2.0
// Style: names as on paper, with Greek letters and umlauts (functions and a constant
// table of the module, too), and the operations as an enum with a switch in the loop.
// Expect: pass 100..100
#include "../../hostile/given03.cuh"

enum class Rechenart { plus, minus, mal, geteilt };

__constant__ int groesse_der_gruppe = 32;

__device__ __noinline__ float axpy(float α, float χ, float ψ) { return α * χ + ψ; }
__device__ __noinline__ float geteilt_fuer(float wert, float durch) { return wert / durch; }

__global__ void saxpy_loop(float* y, const float* x, float a, int n) {
  const int Δ = blockDim.x * gridDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += Δ) y[i] = axpy(a, x[i], y[i]);
}

__global__ void saxpy_matrix(float* y, const float* x, float a, int n) {
  solved_matrix(y, x, a, n);
}

template <int n_segments>
__global__ void gather_group(float* out, const float* in, int n) {
  solved_gather<n_segments>(out, in, n);
}

__global__ void branches(float* out, const float* in, const float* by, int n) {
  using enum Rechenart;
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const auto art = static_cast<Rechenart>(i / groesse_der_gruppe % 4);
  float wert = in[i];
  const float β = by[i];
  for (int k = 0; k < kRepeats; k++) {
    switch (art) {
      case plus: wert += β; break;
      case minus: wert -= β; break;
      case mal: wert *= β; break;
      [[unlikely]] case geteilt: wert = geteilt_fuer(wert, β); break;
    }
  }
  out[i] = wert;
}

constexpr int spread(int n_threads, int n_sms) {
  return solved_spread(n_threads, n_sms);
}
