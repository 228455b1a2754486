// SPDX-License-Identifier: Apache-2.0
// Kernels whose threads race for a place in global memory, and their legal twins (_ok). The two
// accesses are in the lines that say RACE; where one does, both are in it. Read by
// ../global_races_test.cc.
#include <cooperative_groups.h>

#include <cuda/atomic>

#define KERNEL extern "C" __global__ void

// ---- Updates.

KERNEL blocks_add(float* out, const float* in, int n) {
  if (threadIdx.x == 0) out[0] += in[blockIdx.x];  // RACE
}
KERNEL blocks_add_ok(float* out, const float* in, int n) {
  if (threadIdx.x == 0) atomicAdd(out, in[blockIdx.x]);
}
__device__ float total;
KERNEL blocks_add_variable(float* out, const float* in, int n) {
  if (threadIdx.x == 0) total = total + in[blockIdx.x];  // RACE
}
KERNEL lanes_add(float* out, const float* in, int n) {
  out[blockIdx.x] += in[threadIdx.x];  // RACE
}
KERNEL warps_add(float* out, const float* in, int n) {
  if (threadIdx.x % 32 == 0) out[blockIdx.x] += in[threadIdx.x];  // RACE
}
KERNEL bins(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 5) out[int(in[i % n]) % 2]++;  // RACE
}
KERNEL bins_ok(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&out[int(in[i % n]) % 7], 1.0f);
}
// Who tries to swap reads the place first.
KERNEL swap_ok(float* out, const float* in, int n) {
  int* place = reinterpret_cast<int*>(out);
  int old = *place, seen;
  do {
    seen = old;
    old = atomicCAS(place, seen, __float_as_int(__int_as_float(seen) + 1));
  } while (old != seen);
}
KERNEL atomics_of_a_block(float* out, const float* in, int n) {
  if (threadIdx.x == 0) atomicAdd_block(out, 1.0f);  // RACE
}
KERNEL atomics_of_a_block_ok(float* out, const float* in, int n) {
  atomicAdd_block(&out[blockIdx.x], 1.0f);
}
KERNEL set_beside_atomics(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 3) out[0] = 77;                // RACE
  if (blockIdx.x == 1) atomicAdd(out, in[1] + 1);  // RACE
}

// ---- Stores.

KERNEL stores(float* out, const float* in, int n) {
  if (threadIdx.x == 0) out[0] = in[blockIdx.x] + 1;  // RACE
}
KERNEL stores_one_value_ok(float* out, const float* in, int n) {
  out[threadIdx.x] = 7 + threadIdx.x;
  out[64] = 3;
  __syncthreads();
  // Whatever the order, that is what a block of those reads that have stored it.
  if (out[threadIdx.x ^ 63] != 7 + (threadIdx.x ^ 63)) out[65] = 1;
}
KERNEL reads_anothers_value(float* out, const float* in, int n) {
  if (blockIdx.x < 2) out[threadIdx.x] = 7;                        // RACE
  if (blockIdx.x == 4) out[100 + threadIdx.x] = out[threadIdx.x];  // RACE
}
KERNEL in_place(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float next = out[i + 1];  // RACE
  out[i] = 1 + next;        // RACE
}
KERNEL in_place_ok(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = out[i];
  out[i] = 1 + own + in[i % n];
}
KERNEL bytes(float* out, const float* in, int n) {
  unsigned char* to = reinterpret_cast<unsigned char*>(out);
  to[blockIdx.x / 2 * 64 + threadIdx.x] = blockIdx.x + 1;  // RACE
}
KERNEL bytes_ok(float* out, const float* in, int n) {
  unsigned char* to = reinterpret_cast<unsigned char*>(out);
  to[threadIdx.x * gridDim.x + blockIdx.x] = blockIdx.x + 1;
}
KERNEL halves_ok(float* out, const float* in, int n) {
  unsigned short* to = reinterpret_cast<unsigned short*>(out);
  to[threadIdx.x * gridDim.x + blockIdx.x] = blockIdx.x + 1;
}
KERNEL vectors_ok(float* out, const float* in, int n) {
  float4* to = reinterpret_cast<float4*>(out);
  if (threadIdx.x < 16) to[threadIdx.x * gridDim.x + blockIdx.x] = float4{1, 2, 3, 4};
}

// ---- Within a block, and within a warp.

KERNEL no_barrier(float* out, const float* in, int n) {
  float* own = out + blockIdx.x * 64;
  own[threadIdx.x] = in[threadIdx.x] + 1;  // RACE
  float other = own[threadIdx.x ^ 32];     // RACE
  __syncthreads();
  own[threadIdx.x] = other;
}
KERNEL no_barrier_ok(float* out, const float* in, int n) {
  float* own = out + blockIdx.x * 64;
  own[threadIdx.x] = in[threadIdx.x] + 1;
  __syncthreads();
  float other = own[threadIdx.x ^ 32];
  __syncthreads();
  own[threadIdx.x] = other;
}
KERNEL no_second_barrier(float* out, const float* in, int n) {
  float* own = out + blockIdx.x * 64;
  own[threadIdx.x] = in[threadIdx.x] + 1;
  __syncthreads();
  float other = own[threadIdx.x ^ 32];  // RACE
  own[threadIdx.x] = other + 100;       // RACE
}
KERNEL no_syncwarp(float* out, const float* in, int n) {
  float* own = out + blockIdx.x * 64;
  own[threadIdx.x] = in[threadIdx.x] + 1;  // RACE
  float other = own[threadIdx.x ^ 1];      // RACE
  out[400] = other == -1;
}
KERNEL no_syncwarp_ok(float* out, const float* in, int n) {
  float* own = out + blockIdx.x * 64;
  own[threadIdx.x] = in[threadIdx.x] + 1;
  __syncwarp();
  float other = own[threadIdx.x ^ 1];
  out[400] = other == -1;
}
KERNEL part_barrier_ok(float* out, const float* in, int n) {
  float* own = out + blockIdx.x * 64;
  if (threadIdx.x < 32) own[threadIdx.x] = in[threadIdx.x];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  if (threadIdx.x >= 32) own[threadIdx.x] = own[threadIdx.x - 32];
}

// ---- The last block.

__device__ unsigned count;
__device__ bool is_last(int blocks) {
  __shared__ bool last;
  if (threadIdx.x == 0) last = atomicAdd(&count, 1u) == blocks - 1;
  __syncthreads();
  return last;
}
KERNEL last_block(float* out, const float* in, int n) {
  if (threadIdx.x == 0) out[1 + blockIdx.x] = in[blockIdx.x] + 1;  // RACE
  if (!is_last(gridDim.x) || threadIdx.x != 0) return;
  for (int b = 0; b < gridDim.x; ++b) out[0] += out[1 + b];  // RACE
  count = 0;
}
KERNEL last_block_ok(float* out, const float* in, int n) {
  if (threadIdx.x == 0) out[1 + blockIdx.x] = in[blockIdx.x] + 1;
  if (threadIdx.x == 0) __threadfence();
  if (!is_last(gridDim.x) || threadIdx.x != 0) return;
  for (int b = 0; b < gridDim.x; ++b) out[0] += out[1 + b];
  count = 0;
}
// The loads that need not see what their kernel writes.
KERNEL last_block_ldg(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  out[blockIdx.x + 1] = in[blockIdx.x] + 1;  // RACE
  __threadfence();
  if (atomicAdd(&count, 1) + 1 != gridDim.x) return;
  __threadfence();
  float sum = 0;
  for (int i = 0; i < gridDim.x; i++) sum += __ldg(&out[i + 1]);  // RACE
  out[0] = sum;
}
KERNEL last_block_all_fence_ok(float* out, const float* in, int n) {
  out[64 + blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x] + 1;
  __threadfence();
  __syncthreads();
  if (!is_last(gridDim.x)) return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += out[64 + b * 64 + (threadIdx.x ^ 33)];
  out[threadIdx.x] = sum;
  if (threadIdx.x == 7) count = 0;
}
KERNEL last_block_one_fences_ok(float* out, const float* in, int n) {
  out[64 + blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x] + 1;
  __syncthreads();
  if (threadIdx.x == 0) __threadfence();
  if (!is_last(gridDim.x)) return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += out[64 + b * 64 + (threadIdx.x ^ 33)];
  out[threadIdx.x] = sum;
}
// The fence does nothing for the other threads' stores.
KERNEL last_block_fence_too_early(float* out, const float* in, int n) {
  out[64 + blockIdx.x * 64 + threadIdx.x] = in[threadIdx.x] + 1;  // RACE
  if (threadIdx.x == 0) __threadfence();
  __syncthreads();
  if (!is_last(gridDim.x)) return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; ++b) sum += out[64 + b * 64 + (threadIdx.x ^ 33)];  // RACE
  out[threadIdx.x] = sum;
}
KERNEL last_block_fence_of_block(float* out, const float* in, int n) {
  if (threadIdx.x == 0) out[1 + blockIdx.x] = in[blockIdx.x] + 1;  // RACE
  if (threadIdx.x == 0) __threadfence_block();
  if (!is_last(gridDim.x) || threadIdx.x != 0) return;
  for (int b = 0; b < gridDim.x; ++b) out[0] += out[1 + b];  // RACE
}
KERNEL last_block_cuda_atomic_ok(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  out[1 + blockIdx.x] = in[blockIdx.x] + 1;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(count);
  if (done.fetch_add(1, cuda::memory_order_acq_rel) != gridDim.x - 1) return;
  for (int b = 0; b < gridDim.x; ++b) out[0] += out[1 + b];
}
KERNEL last_block_cuda_atomic_relaxed(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  out[1 + blockIdx.x] = in[blockIdx.x] + 1;  // RACE
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(count);
  if (done.fetch_add(1, cuda::memory_order_relaxed) != gridDim.x - 1) return;
  for (int b = 0; b < gridDim.x; ++b) out[0] += out[1 + b];  // RACE
}

// ---- Flags and locks.

__device__ volatile int flag;
KERNEL flag_no_fence(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = in[0] + 7;  // RACE
    flag = 1;
  } else {
    while (flag == 0) {
    }
    __threadfence();
    out[blockIdx.x] = out[0];  // RACE
  }
}
KERNEL flag_ok(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = in[0] + 7;
    __threadfence();
    flag = 1;
  } else {
    while (flag == 0) {
    }
    __threadfence();
    out[blockIdx.x] = out[0];
  }
}
KERNEL flag_fence_of_one_side(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    out[0] = in[0] + 7;  // RACE
    __threadfence();
    flag = 1;
  } else {
    while (flag == 0) {
    }
    out[blockIdx.x] = out[0];  // RACE
  }
}
KERNEL flag_cuda_atomic_ok(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> told(count);
  if (blockIdx.x == 0) {
    out[0] = in[0] + 7;
    told.store(1, cuda::memory_order_release);
  } else {
    while (told.load(cuda::memory_order_acquire) == 0) {
    }
    out[blockIdx.x] = out[0];
  }
}
// What one block hands to the next by a chain of them.
KERNEL chain_ok(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  while (flag != blockIdx.x) {
  }
  __threadfence();
  out[0] += in[blockIdx.x];
  __threadfence();
  flag = blockIdx.x + 1;
}
__device__ int lock;
KERNEL lock_ok(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  out[0] += in[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}
KERNEL lock_no_fence(float* out, const float* in, int n) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  out[0] += in[blockIdx.x];  // RACE
  atomicExch(&lock, 0);
}
