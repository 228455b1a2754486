__device__ __forceinline__ int bucket(float v, int m) { int k = (int)(v * (float)m); return k < m ? k : m - 1; }
#define KERNEL(NAME, BODY) \
extern "C" __global__ void NAME(float* out, const float* in, int q) { \
    __shared__ unsigned hist[64]; \
    const int n = q & 0xffff, step = q >> 16; \
    const float* src = in + blockIdx.x * n; \
    for (int t = threadIdx.x; t < 64; t += blockDim.x) hist[t] = 0; \
    __syncthreads(); \
    for (int t = threadIdx.x; t < n; t += step) BODY \
    __syncthreads(); \
    if (threadIdx.x < 32) { \
        unsigned a = hist[2 * threadIdx.x], b = hist[2 * threadIdx.x + 1]; \
        unsigned sum = a + b; \
        for (int d = 1; d < 32; d <<= 1) { \
            unsigned up = __shfl_up_sync(0xffffffffu, sum, d); \
            if (threadIdx.x >= d) sum += up; \
        } \
        hist[2 * threadIdx.x] = sum - b; \
        hist[2 * threadIdx.x + 1] = sum; \
    } \
    __syncthreads(); \
    for (int t = threadIdx.x; t < n; t += blockDim.x) { \
        float level = (float)hist[bucket(src[t] * src[t], 64)] / (float)n; \
        out[blockIdx.x * n + t] = powf(level, 0.4545f); \
    } \
}
KERNEL(turns_a, atomicAdd(&hist[bucket(src[t] * src[t], 64)], 1u);)
KERNEL(turns_b, { atomicAdd(&hist[bucket(src[t] * src[t], 64)], 1u); if (src[t] > 0.7f) atomicMax(&hist[t & 63], 2u); })
KERNEL(turns_c, atomicAdd(&hist[t & 63], 1u);)
