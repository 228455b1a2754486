// SPDX-License-Identifier: Apache-2.0
// Kernels with one fault each, and the legal twin of each. A fault is on the line that says
// FAULT and its kind; the twin has none. Read by ../faults_test.cc.
#include <cassert>
#include <cstdint>

#define KERNEL extern "C" __global__ void

// ---- Bounds, alignment, initialization, read-only arrays, null pointers.

KERNEL bounds(float* out, const float* in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = in[t + 1];  // FAULT out_of_bounds
}
KERNEL bounds_ok(float* out, const float* in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = t + 1 < n ? in[t + 1] : 0;
}
KERNEL bounds_store(float* out, const float* in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t - 1] = in[t];  // FAULT out_of_bounds
}
KERNEL bounds_store_ok(float* out, const float* in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t > 0) out[t - 1] = in[t];
}
KERNEL far_away(float* out, const float* in, int n) {
  int t = threadIdx.x;
  out[t] = in[t * 100000000ll];  // FAULT out_of_bounds
}
KERNEL misaligned(float* out, const float* in, int n) {
  int t = threadIdx.x;
  float4 v = *reinterpret_cast<const float4*>(in + t);  // FAULT misaligned
  out[t] = v.x + v.y;
}
KERNEL misaligned_ok(float* out, const float* in, int n) {
  int t = threadIdx.x;
  float4 v = *reinterpret_cast<const float4*>(in + t / 4 * 4);
  out[t] = v.x + v.y;
}
KERNEL null(float* out, const float* in, int n) {
  const float* p = reinterpret_cast<const float*>(static_cast<size_t>(n - 256));
  out[threadIdx.x] = p[threadIdx.x];  // FAULT null_pointer
}
KERNEL read_only(float* out, float* in, int n) {
  int t = threadIdx.x;
  out[t] = 1;
  in[t] = 2;  // FAULT read_only
}
KERNEL unwritten(float* out, const float* in, int n) {
  int t = threadIdx.x;
  out[t] += in[t];  // FAULT uninitialized
}
KERNEL unwritten_ok(float* out, const float* in, int n) {
  int t = threadIdx.x;
  out[t] = in[t];
  out[t] += in[t];
}
KERNEL bytes_ok(float* out, const float* in, int n) {
  int t = threadIdx.x;
  unsigned char* bytes = reinterpret_cast<unsigned char*>(out);
  for (int i = 0; i < 4; ++i) bytes[i * blockDim.x + t] = t;
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < 4; ++i) sum += bytes[4 * t + i];
  __syncthreads();
  out[t] = sum;
}
KERNEL shared_bounds(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t + n];  // FAULT out_of_bounds
}
KERNEL shared_bounds_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[(t + n) & 255];
}
KERNEL shared_unwritten(float* out, const float* in, int n) {
  __shared__ float s[512];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[t + 1];  // FAULT uninitialized
}
KERNEL local_bounds(float* out, const float* in, int n) {
  float a[8];
  for (int i = 0; i < 8; ++i) a[i] = in[i + threadIdx.x];
  out[threadIdx.x] = a[n * 100];  // FAULT out_of_bounds
}

// ---- Races in shared memory.

KERNEL race_read(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  out[t] = s[255 - t];  // FAULT race uninitialized
}
KERNEL race_read_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[255 - t];
}
KERNEL race_write(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float v = s[255 - t];  // FAULT race
  s[t] = v + 1;
  __syncthreads();
  out[t] = s[t];
}
KERNEL race_write_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float v = s[255 - t];
  __syncthreads();
  s[t] = v + 1;
  __syncthreads();
  out[t] = s[t];
}
KERNEL race_both_write(float* out, const float* in, int n) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t & 31] = t;  // FAULT race
  __syncthreads();
  out[t] = s[t & 31];
}
KERNEL same_value_ok(float* out, const float* in, int n) {
  __shared__ int found;
  int t = threadIdx.x;
  if (t == 0) found = 0;
  __syncthreads();
  if (in[t] >= 0) found = 1;
  __syncthreads();
  out[t] = found;
}
KERNEL race_sum(float* out, const float* in, int n) {
  __shared__ float sum;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  sum += in[t];  // FAULT race
  __syncthreads();
  out[t] = sum;
}
KERNEL race_sum_ok(float* out, const float* in, int n) {
  __shared__ float sum;
  int t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[t]);
  __syncthreads();
  out[t] = sum;
}
KERNEL race_atomic(float* out, const float* in, int n) {
  __shared__ int count[32];
  int t = threadIdx.x;
  if (t < 32) count[t] = 0;  // no barrier before the atomic operations
  atomicAdd(&count[t & 31], 1);  // FAULT race uninitialized
  __syncthreads();
  out[t] = count[t & 31];
}
KERNEL race_loop(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];  // FAULT race
  }
  out[t] = s[t & 31];
}
KERNEL bytes_shared_ok(float* out, const float* in, int n) {
  __shared__ unsigned char s[256];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  out[t] = s[255 - t];
}
KERNEL halves_shared_ok(float* out, const float* in, int n) {
  __shared__ unsigned short s[256];
  int t = threadIdx.x;
  s[(t * 33) & 255] = t;  // neighbours in a word are written by different warps
  __syncthreads();
  out[t] = s[255 - t];
}
KERNEL named_barrier_ok(float* out, const float* in, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= 64 && t < 192) {
    if (t < 128) s[t - 64] = in[t];
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (t >= 128) out[t] = s[t - 128];
  }
}
KERNEL flag_ok(float* out, const float* in, int n) {
  __shared__ volatile int ready;
  __shared__ float value;
  int t = threadIdx.x;
  if (t == 0) ready = 0;
  __syncthreads();
  if (t == 255) {
    value = in[0];
    __threadfence_block();
    ready = 1;
  }
  if (t == 0) {
    while (ready == 0) {
    }
    out[0] = value;
  }
}
KERNEL lanes_race(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  if (t < 16) {
    s[t] = in[t];
  } else {
    out[t] = s[31 - t];  // FAULT race uninitialized
  }
}
// Right by lockstep alone: in any order it is a race.
KERNEL missing_syncwarp(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  s[t] = s[t] + 1;
  out[t] = s[t ^ 1];  // FAULT race
}
KERNEL missing_syncwarp_ok(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  s[t] = s[t] + 1;
  __syncwarp();
  out[t] = s[t ^ 1];
}
KERNEL missing_before_store(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp();
  float v = s[t ^ 1];
  s[t] = v + 1;  // FAULT race
  out[t] = s[t];
}
KERNEL missing_after_all_read(float* out, const float* in, int n) {
  __shared__ float s[1];
  int t = threadIdx.x;
  if (t == 0) s[0] = in[5];
  __syncwarp();
  out[t] = s[0];
  if (t == 31) s[0] = 1;  // FAULT race
}
KERNEL missing_after_branch(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  if (t < n) s[t] = in[t];
  if (in[t] > 7) out[t + 32] = in[t] * in[t] / 3;
  out[t] = s[31 - t];  // FAULT race
}
KERNEL missing_other_half(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  out[t] = s[t ^ 1];
  out[t + 32] = s[t ^ 16];  // FAULT race
}
KERNEL missing_nothing_ok(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  float v = s[t ^ 1];
  __syncwarp((t & 8) != 0 ? 0xff00ff00 : 0x00ff00ff);
  out[t] = v + s[t ^ 16] + s[31 - t ^ 8];  // by way of a third lane, too
}
KERNEL lanes_one_value_ok(float* out, const float* in, int n) {
  __shared__ int found[1];
  found[0] = 0;
  __syncwarp();
  if (in[threadIdx.x] > 3) found[0] = 1;
  __syncwarp();
  out[threadIdx.x] = found[0];
}
// Volatile accesses are in no race, so only another order of the lanes shows what is missing.
KERNEL lanes_volatile(float* out, const float* in, int n) {
  __shared__ float s[32];
  int t = threadIdx.x;
  volatile float* v = s;
  v[t] = in[t];
  out[t] = v[t ^ 1];  // FAULT_ORDER uninitialized
}

// ---- Barriers and masks.

KERNEL divergent_barrier(float* out, const float* in, int n) {
  int t = threadIdx.x;
  if (t < 40) {
    __syncthreads();  // FAULT divergent_barrier
    out[t] = in[t];
  }
  out[t + 256] = 1;
}
KERNEL barrier_exit_ok(float* out, const float* in, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  __syncthreads();
  out[t] = in[t];
}
KERNEL barrier_deadlock(float* out, const float* in, int n) {
  int t = threadIdx.x;
  if (t < 64)
    asm volatile("bar.sync 1, 128;" ::: "memory");  // FAULT deadlock
  else
    asm volatile("bar.sync 2, 256;" ::: "memory");
  out[t] = in[t];
}
KERNEL mask_without_self(float* out, const float* in, int n) {
  int t = threadIdx.x;
  out[t] = __shfl_xor_sync(0xffff, in[t], 1);  // FAULT bad_mask
}
KERNEL mask_absent(float* out, const float* in, int n) {
  int t = threadIdx.x;
  if (t & 1) {
    out[t] = __shfl_xor_sync(0xffffffffu, in[t], 2);  // FAULT bad_mask
  } else {
    out[t] = __ballot_sync(0xffffffffu, in[t] > 0);
  }
}
KERNEL mask_branch_ok(float* out, const float* in, int n) {
  int t = threadIdx.x;
  unsigned mask = __ballot_sync(0xffffffffu, t & 1);
  if (t & 1)
    out[t] = __shfl_xor_sync(mask, in[t], 2);
  else
    out[t] = __shfl_xor_sync(~mask, in[t], 2);
}
KERNEL mask_two_places_ok(float* out, const float* in, int n) {
  int t = threadIdx.x;
  float v;
  if (t & 1)
    v = __shfl_xor_sync(0xffffffffu, in[t], 1);
  else
    v = __shfl_xor_sync(0xffffffffu, in[t] + 1, 1);
  out[t] = v;
}

// ---- Hangs, assertions, traps.

KERNEL endless(float* out, volatile float* in, int n) {
  while (in[0] >= 0) {  // FAULT too_slow
  }
  out[0] = 1;
}
KERNEL spin_lock_ok(float* out, const float* in, int n) {
  __shared__ int lock, sum;
  int t = threadIdx.x;
  if (t == 0) lock = sum = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      sum = sum + t;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (t == 0) out[0] = sum;
}
KERNEL naive_lock_ok(float* out, const float* in, int n) {
  __shared__ int lock, sum;
  int t = threadIdx.x;
  if (t == 0) lock = sum = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  sum = sum + t;
  __threadfence_block();
  atomicExch(&lock, 0);
  __syncthreads();
  if (t == 0) out[0] = sum;
}
__device__ int g_lock, g_sum, g_done;
KERNEL block_lock_ok(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&g_lock, 0, 1) != 0) {
  }
  volatile int* sum = &g_sum;
  *sum = *sum + 1;
  __threadfence();
  atomicExch(&g_lock, 0);
  if (atomicAdd(&g_done, 1) == gridDim.x - 1) {
    out[0] = g_sum;
    g_done = g_sum = 0;
  }
}
__device__ volatile int g_turn;
KERNEL block_chain_ok(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  int b = gridDim.x - 1 - blockIdx.x;  // the last block goes first
  while (g_turn != b) {
  }
  out[b] = b;
  __threadfence();
  g_turn = b + 1 == gridDim.x ? 0 : b + 1;
}
KERNEL assertion(float* out, const float* in, int n) {
  assert(threadIdx.x < 7);  // FAULT assert
  out[threadIdx.x] = 1;
}
KERNEL trapped(float* out, const float* in, int n) {
  if (threadIdx.x == 3) __trap();  // FAULT trap
  out[threadIdx.x] = 1;
}

// ---- Masks once more: lanes meet by mask and kind of operation, wherever they stand.

KERNEL mask_loop_ok(float* out, const float* in, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, lane = t % 32, *mine = s + (t - lane);
  unsigned v = lane * 7 + 1, r, low = __ballot_sync(0xffffffffu, lane < 20);
  if (lane < 20) {
    for (int i = 0; i < 5; ++i) {
      v += __shfl_sync(low, v, (lane + i) % 20);
      mine[lane] = v;
      __syncwarp(low);
      v += mine[(lane + 1) % 20];
      __syncwarp(low);
    }
    if (lane < 7)
      r = __ballot_sync(0x7f, v & 1);
    else
      r = __ballot_sync(low & ~0x7f, v & 2);
  } else {
    mine[lane] = lane;
    r = __ballot_sync(~low, lane & 1);
  }
  __syncwarp();
  out[t] = (v + r + mine[31 - lane]) % 65536;
}
KERNEL mask_apart_ok(float* out, const float* in, int n) {
  int t = threadIdx.x, lane = t % 32;
  unsigned two = __ballot_sync(0xffffffffu, t & 2), mask = (t & 2) ? two : ~two, sum = 0;
  if (lane < 16) {
    sum = __reduce_add_sync(mask, lane);  // with two masks, which are met one after the other
  } else {
    if (t & 2) sum = __reduce_add_sync(mask, lane);
    __syncwarp(0xffff0000u);
    if (!(t & 2)) sum = __reduce_add_sync(mask, lane);
  }
  out[t] = sum;
}
KERNEL mask_other(float* out, const float* in, int n) {
  int t = threadIdx.x;
  out[t] = __shfl_xor_sync((t & 1) ? 0xffffffffu : 0x7fffffffu, in[t], 1);  // FAULT bad_mask
}
KERNEL overrun(float* out, const float* in, int n) {
  __shared__ float first[256], second[256];
  int t = threadIdx.x;
  first[t] = second[t] = in[t];
  __syncthreads();
  first[t + 1] = 0;  // FAULT out_of_bounds
  __syncthreads();
  out[t] = first[t] + second[t];
}
KERNEL overrun_ok(float* out, const float* in, int n) {
  __shared__ float first[256], second[256];
  int t = threadIdx.x;
  first[t] = second[t] = in[t];
  __syncthreads();
  if (t < 255) first[t + 1] = 0;
  __syncthreads();
  out[t] = first[t] + second[t];
}
KERNEL shuffle_is_no_fence(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  float x = __shfl_xor_sync(0xffffffffu, in[t], 1);
  out[t] = x + s[t ^ 31];  // FAULT race
}
KERNEL shuffle_is_no_fence_ok(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  float x = __shfl_xor_sync(0xffffffffu, in[t], 1);
  __syncwarp();
  out[t] = x + s[t ^ 31];
}
