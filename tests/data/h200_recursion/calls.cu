// Recursions that note, each time that a lane comes to a place, which lanes were there with it and when:
// questions to a card, as in ../h200_parting.
#include <stdint.h>
typedef unsigned u32;
__device__ __forceinline__ u32 hash32(u32 x){x^=x>>16;x*=0x7feb352du;x^=x>>15;x*=0x846ca68bu;x^=x>>16;return x;}
__device__ __forceinline__ void note(u32* log, u32 tag){
  u32 m, c;
  asm volatile("activemask.b32 %0;" : "=r"(m));
  asm volatile("mov.u32 %0, %clock;" : "=r"(c));
  u32 p = log[0];
  if (p > 2700) p = 2700;
  log[0] = p + 1;
  log[1 + 3 * p] = tag; log[2 + 3 * p] = m; log[3 + 3 * p] = c;
}
// one call, or none
__device__ __noinline__ u32 one(u32* log, u32 d, u32 s) {
  note(log, d * 4);
  u32 r = s;
  if (d > 0 && (hash32(s + d) & 3) != 0) r += one(log, d - 1, hash32(s));
  note(log, d * 4 + 1);
  return r;
}
__device__ __noinline__ u32 two(u32* log, u32 d, u32 s) {
  note(log, d * 4);
  u32 r = s;
  if (d > 0 && (hash32(s + d) & 3) != 0) r += two(log, d - 1, hash32(s));
  note(log, d * 4 + 1);
  if (d > 0 && (hash32(s + 77 * d) & 1) != 0) r ^= two(log, d - 1, hash32(s + 5));
  note(log, d * 4 + 2);
  return r;
}
__device__ __noinline__ u32 loop(u32* log, u32 d, u32 s) {
  note(log, d * 4);
  if ((s & 7) == 0) return d;
  u32 r = s;
  u32 n = d == 0 ? 0 : hash32(s + 3) & 3;
  for (u32 i = 0; i < n; i++) {
    r += loop(log, d - 1, hash32(s + i));
    note(log, d * 4 + 1);
    if (r & 16) break;
  }
  note(log, d * 4 + 2);
  return r;
}
__device__ __noinline__ u32 early(u32* log, u32 d, u32 s) {
  note(log, d * 4);
  if (d == 0) return 1;
  if (s & 1) return early(log, d - 1, hash32(s)) + 1;
  if (s & 2) { u32 r = early(log, d - 1, hash32(s + 1)); note(log, d * 4 + 1); return r * early(log, d - 1, hash32(s + 9)); }
  note(log, d * 4 + 2);
  return s;
}
#define K(f) extern "C" __global__ void k_##f(float* out, const float* in, int n) { \
  u32* log = (u32*)out + threadIdx.x * 8192; \
  u32 r = f(log, 3 + n % 3, hash32(threadIdx.x % (4 + n) + 1000 * n)); \
  note(log, 1000); log[8191] = r; }
K(one) K(two) K(loop) K(early)
