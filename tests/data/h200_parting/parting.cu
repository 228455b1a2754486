extern "C" __global__ void m_switch(float* out, const float* in, int n) {
  int t = threadIdx.x, c = (t * (n & 31) + (n >> 5 & 31)) & 7;
  volatile float* o = out;
  switch (c) {
    case 0: o[t] = 1; o[t + 32] = in[t]; break;
    case 1: o[t] = 2; o[t + 64] = in[t] * 2; break;
    case 2: o[t] = 3; o[t + 96] = in[t] + 3; break;
    case 3: o[t] = 4; o[t + 128] = in[t] * in[t]; break;
    case 4: o[t] = 5; o[t + 160] = in[t] - 3; break;
    case 5: o[t] = 6; o[t + 192] = sqrtf(in[t]); break;
    case 6: o[t] = 7; o[t + 224] = in[t] / 3; break;
    default: o[t] = 8; o[t + 256] = in[t] * 7; break;
  }
  o[t + 288] = 9;
}
// nested ifs whose lanes all go to one end: a lanes leave first, then b of the rest, then c
extern "C" __global__ void m_nest(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63, b = n >> 6 & 63, c = n >> 12 & 63;
  volatile float* o = out;
  if (t >= a) {
    o[t] = 1;
    if (t >= b) {
      o[t + 32] = 2;
      if (t >= c) { o[t + 64] = 3; }
    }
  }
  o[t + 96] = 4;
}
extern "C" __global__ void m_nest_rev(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63, b = n >> 6 & 63, c = n >> 12 & 63;
  volatile float* o = out;
  if (t < a) {
    o[t] = 1;
    if (t < b) {
      o[t + 32] = 2;
      if (t < c) { o[t + 64] = 3; }
    }
  }
  o[t + 96] = 4;
}
// a loop that lanes leave one after another
extern "C" __global__ void m_loop(float* out, const float* in, int n) {
  int t = threadIdx.x, turns = (t * (n & 31) + (n >> 5 & 31)) % 11;
  volatile float* o = out;
  for (int i = 0; i < turns; ++i) o[t + 32 * i] = in[t + i];
  o[t + 1000] = 4;
}
// break out of two loops
extern "C" __global__ void m_break(float* out, const float* in, int n) {
  int t = threadIdx.x, limit = (t * (n & 31) + (n >> 5 & 31)) % 13;
  volatile float* o = out;
  int k = 0;
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (++k > limit) break;
      o[t + 32 * k] = in[t + k];
    }
    if (k > limit + 2) break;
    o[t + 2000 + 32 * i] = k;
  }
  o[t + 1000] = 4;
}
// some lanes end the kernel inside
extern "C" __global__ void m_exit(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63, b = n >> 6 & 63;
  volatile float* o = out;
  if (t < a) {
    o[t] = 1;
    if (t < b) return;
    o[t + 32] = 2;
  } else {
    o[t + 64] = in[t];
    o[t + 96] = 3;
  }
  o[t + 128] = 4;
}
extern "C" __global__ void m_andor(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63, b = n >> 6 & 63;
  volatile float* o = out;
  if (t < a && (t & 7) < b) { o[t] = sqrtf(in[t]); o[t + 32] = in[t] / 3; }
  o[t + 128] = 4;
}
__device__ __noinline__ float fun(float x, int k) { volatile float y = x; for (int i = 0; i < k; ++i) y = y * 1.5f; return y; }
extern "C" __global__ void m_calls(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63, b = n >> 6 & 63;
  volatile float* o = out;
  if (t < a) o[t] = fun(in[t], t & 3); else if (t < b) o[t + 32] = fun(in[t + 1], 2);
  o[t + 128] = 4;
}
extern "C" __global__ void m_sync(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63;
  float v = in[t];
  if (t < a) { v = __shfl_xor_sync((1u << a) - 1, v, 1); v += __shfl_down_sync((1u << a) - 1, v, 2); }
  else { v = __shfl_xor_sync(~((1u << a) - 1), v, 1) * 2; }
  __syncwarp();
  out[t] = v + __shfl_up_sync(~0u, v, 1);
}
