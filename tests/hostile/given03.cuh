// What hw03's starter gives, and the solution's bodies as device functions, for submissions that
// attack something else. tests/hostile/assemble puts it in the place of its #include.
__global__ void saxpy(float* y, const float* x, float a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

constexpr int kPicks = 100;

__device__ int pick(unsigned seed, int bound) {
  seed = (seed ^ seed >> 16) * 0x7feb352du;
  seed = (seed ^ seed >> 15) * 0x846ca68bu;
  return __umulhi(seed ^ seed >> 16, bound);
}

__global__ void gather_any(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += in[pick(i * kPicks + k, n)];
  out[i] = sum;
}

__global__ void gather_segment(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < kPicks; k++)
    sum += in[pick(i / 32 * kPicks + k, n / 32) * 32 + i % 32];
  out[i] = sum;
}

constexpr int kRepeats = 100;

__global__ void busy(float* out, const float* in, int turns, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float value = 0;
  for (int k = 0; k < turns; k++) value = 0.75f * value + in[i];
  out[i] = value;
}

constexpr int few_blocks(int n_threads) {
  return n_threads < 1024 ? n_threads : 1024;
}

__device__ __forceinline__ void solved_loop(float* y, const float* x, float a, int n) {
  const int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const int n_threads = blockDim.x * gridDim.x;
  for (int i = tid; i < n; i += n_threads) y[i] = a * x[i] + y[i];
}

__device__ __forceinline__ void solved_matrix(float* y, const float* x, float a, int n) {
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  const int col = threadIdx.x + blockIdx.x * blockDim.x;
  if (row < n && col < n) y[row * n + col] += a * x[row * n + col];
}

template <int n_segments>
__device__ __forceinline__ void solved_gather(float* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  constexpr int group_size = 32 * n_segments;
  const float* group = in + pick(i / 32, n / group_size) * group_size;
  float sum = 0;
  for (int k = 0; k < kPicks; k++) sum += group[pick(i * kPicks + k, group_size)];
  out[i] = sum;
}

__device__ __forceinline__ void solved_branches(float* out, const float* in, const float* by,
                                                int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int operation = i / 32 % 4;
  if (i >= n) return;
  float value = in[i];
  for (int k = 0; k < kRepeats; k++)
    if (operation == 0)
      value = value + by[i];
    else if (operation == 1)
      value = value - by[i];
    else if (operation == 2)
      value = value * by[i];
    else
      value = value / by[i];
  out[i] = value;
}

constexpr int solved_spread(int n_threads, int n_sms) {
  const int share = (n_threads + n_sms - 1) / n_sms;
  const int whole_warps = (share + 31) / 32 * 32;
  return whole_warps < 1024 ? whole_warps : 1024;
}
