__global__ void saxpy(double* y, const double* x, double a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void copy_simple(float* out, const float* in, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}

__global__ void transpose_simple(float* out, const float* in, int rows,
                                 int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}

template <int pad>
__global__ void copy_tile(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  if (x < cols && y < rows) tile[j][i] = in[y * cols + x];
  __syncthreads();
  if (x < cols && y < rows) out[y * cols + x] = tile[j][i];
}

#ifndef OWN_TILE
template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows,
                               int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  if (left + i < cols && top + j < rows)
    tile[j][i] = in[(top + j) * cols + left + i];
  __syncthreads();
  if (top + i < rows && left + j < cols)
    out[(left + j) * rows + top + i] = tile[i][j];
}
#endif

template <int pad>
__global__ void copy_several(float* out, const float* in, int rows, int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (x < cols && top + j + k < rows)
      tile[j + k][i] = in[(top + j + k) * cols + x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    if (x < cols && top + j + k < rows)
      out[(top + j + k) * cols + x] = tile[j + k][i];
}

#ifndef OWN_SEVERAL
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows,
                                  int cols) {
  __shared__ float tile[32][32 + pad];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      tile[j + k][i] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[i][j + k];
}
#endif

#ifndef OWN_SWIZZLED
__global__ void transpose_swizzled(float* out, const float* in, int rows,
                                   int cols) {
  __shared__ float tile[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int k = 0; k < 32; k += 8)
    if (left + i < cols && top + j + k < rows)
      tile[j + k][i ^ (j + k)] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[i][(j + k) ^ i];
}
#endif

#ifndef OWN_COPY
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  constexpr int in_flight = 4, threads = 256;
  const int n = rows * cols, n4 = n / 4;
  const float4* const in4 = reinterpret_cast<const float4*>(in);
  float4* const out4 = reinterpret_cast<float4*>(out);
  const int step = gridDim.x * threads * in_flight;
  int i = blockIdx.x * threads * in_flight + threadIdx.x;
  for (; i + (in_flight - 1) * threads < n4; i += step) {
    float4 v[in_flight];
    for (int j = 0; j < in_flight; j++) v[j] = in4[i + j * threads];
    for (int j = 0; j < in_flight; j++) out4[i + j * threads] = v[j];
  }
  for (int j = 0; j < in_flight - 1; j++)
    if (i + j * threads < n4) out4[i + j * threads] = in4[i + j * threads];
  const int last = 4 * n4 + threadIdx.x;
  if (blockIdx.x == 0 && last < n) out[last] = in[last];
}
#endif

#ifndef OWN_TRANSPOSE
constexpr int best_tile = 64, best_threads = 256;

__global__ void transpose_best(float* out, const float* in, int rows,
                               int cols) {
  constexpr int dim = best_tile;
  __shared__ float tile[dim][dim + 1];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  if (rows % 4 == 0 && cols % 4 == 0) {
    const int i = warp % 2 * 32 + lane % 8 * 4, j = warp / 2 * 4 + lane / 8;
    float4 v[4];
    for (int k = 0; k < 4; k++)
      if (left + i < cols && top + j + 16 * k < rows)
        v[k] = *reinterpret_cast<const float4*>(
            &in[(top + j + 16 * k) * cols + left + i]);
    for (int k = 0; k < 4; k++) {
      tile[i][j + 16 * k] = v[k].x;
      tile[i + 1][j + 16 * k] = v[k].y;
      tile[i + 2][j + 16 * k] = v[k].z;
      tile[i + 3][j + 16 * k] = v[k].w;
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
      const float* const t = &tile[j + 16 * k][i];
      if (top + i < rows && left + j + 16 * k < cols)
        *reinterpret_cast<float4*>(
            &out[(left + j + 16 * k) * rows + top + i]) =
            make_float4(t[0], t[1], t[2], t[3]);
    }
    return;
  }
  const int i = warp % 2 * 32 + lane, j = warp / 2;
  for (int k = 0; k < dim; k += 4)
    if (left + i < cols && top + j + k < rows)
      tile[i][j + k] = in[(top + j + k) * cols + left + i];
  __syncthreads();
  for (int k = 0; k < dim; k += 4)
    if (top + i < rows && left + j + k < cols)
      out[(left + j + k) * rows + top + i] = tile[j + k][i];
}
#endif

template <typename T>
__global__ void product_naive(T* c, const T* a, const T* b, int N, int R,
                              int M) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 32 + threadIdx.y;
  if (x >= M || y >= N) return;
  T sum = 0;
  for (int k = 0; k < R; k++) sum += a[y * R + k] * b[k * M + x];
  c[y * M + x] = sum;
}

#ifndef OWN_TILED
template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R,
                              int M) {
  __shared__ T sa[32][32], sb[32][32];
  const int i = threadIdx.x, j = threadIdx.y;
  const int x = blockIdx.x * 32 + i, y = blockIdx.y * 32 + j;
  T sum = 0;
  for (int first = 0; first < R; first += 32) {
    sa[j][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
    sb[j][i] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) sum += sa[j][k] * sb[k][i];
    __syncthreads();
  }
  if (x < M && y < N) c[y * M + x] = sum;
}
#endif

#ifndef OWN_REGISTERS
template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R,
                                  int M) {
  constexpr int depth = 16, each = 4, dim = 16 * each;
  __shared__ T sa[dim][depth + 1], sb[depth][dim];
  const int i = threadIdx.x, j = threadIdx.y;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;
  T sum[each][each] = {};
  for (int first = 0; first < R; first += depth) {
    for (int p = 0; p < each; p++) {
      const int y = top + j + 16 * p, x = left + i + 16 * p;
      sa[j + 16 * p][i] = y < N && first + i < R ? a[y * R + first + i] : 0;
      sb[j][i + 16 * p] = x < M && first + j < R ? b[(first + j) * M + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k < depth; k++) {
      T ra[each], rb[each];
      for (int p = 0; p < each; p++) ra[p] = sa[j + 16 * p][k];
      for (int q = 0; q < each; q++) rb[q] = sb[k][i + 16 * q];
      for (int p = 0; p < each; p++)
        for (int q = 0; q < each; q++) sum[p][q] += ra[p] * rb[q];
    }
    __syncthreads();
  }
  for (int p = 0; p < each; p++)
    for (int q = 0; q < each; q++) {
      const int y = top + j + 16 * p, x = left + i + 16 * q;
      if (y < N && x < M) c[y * M + x] = sum[p][q];
    }
}
#endif

#ifndef OWN_BEST
template <typename T, int size>
struct alignas(size * sizeof(T)) Vector {
  T x[size];
};

template <bool whole, typename T, int size>
__device__ void load(Vector<T, size>* v, const T* p, int n) {
  if constexpr (whole) {
    if (n > 0) *v = *reinterpret_cast<const Vector<T, size>*>(p);
  } else {
    for (int i = 0; i < size; i++) v->x[i] = i < n ? p[i] : 0;
  }
}

template <typename T, int each>
struct Parts {
  static constexpr int dim = 16 * each, depth = 512 / (each * sizeof(T));
  alignas(16) T a[2][depth][dim + 4], b[2][depth][dim + 4];
};

#ifndef OWN_MULTIPLY
template <bool whole, typename T, int each>
__device__ void multiply(Parts<T, each>& s, T* c, const T* a, const T* b, int N,
                         int R, int M) {
  constexpr int dim = s.dim, depth = s.depth;
  constexpr int wide = 16 / sizeof(T);
  constexpr int part = each < wide ? each : wide;
  constexpr int parts = each / part;
  using Part = Vector<T, part>;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int left = blockIdx.x * dim, top = blockIdx.y * dim;

  const int a_y = warp % each * 16 + lane / 2;
  const int a_k = (warp / each * 2 + lane % 2) * wide;
  const int b_x = threadIdx.x % (dim / wide) * wide;
  const int b_k = threadIdx.x / (dim / wide);
  const T* const from_a = a + (top + a_y) * static_cast<long long>(R) + a_k;
  const T* const from_b = b + b_k * static_cast<long long>(M) + left + b_x;
  const int a_left = top + a_y < N ? R - a_k : 0, b_left = M - left - b_x;

  const int lane_y = lane / 2 % 2 + lane / 8 % 2 * 2;
  const int lane_x = lane % 2 + lane / 4 % 2 * 2 + lane / 16 * 4;
  const int c_y = warp / 2 * 4 * each + lane_y * part;
  const int c_x = warp % 2 * 8 * each + lane_x * part;
  T sum[each][each] = {};

  for (int first = 0, half = 0; first < R + depth; first += depth) {
    Vector<T, wide> va[2] = {}, vb[2] = {};
    for (int h = 0; h < 2; h++) {
      const int k = first + h * depth / 2;
      load<whole>(&va[h], from_a + k, a_left - k);
      load<whole>(&vb[h], from_b + k * static_cast<long long>(M),
                  b_k + k < R ? b_left : 0);
    }
    if (first > 0) {
#pragma unroll
      for (int k = 0; k < depth; k++) {
        Part ra[parts], rb[parts];
        for (int p = 0; p < parts; p++) {
          ra[p] = *reinterpret_cast<Part*>(&s.a[half][k][c_y + p * 4 * part]);
          rb[p] = *reinterpret_cast<Part*>(&s.b[half][k][c_x + p * 8 * part]);
        }
        for (int i = 0; i < each; i++)
          for (int j = 0; j < each; j++)
            sum[i][j] += ra[i / part].x[i % part] * rb[j / part].x[j % part];
      }
    }
    half = 1 - half;
    for (int h = 0; h < 2; h++) {
      const int k = h * depth / 2;
      for (int i = 0; i < wide; i++) s.a[half][a_k + k + i][a_y] = va[h].x[i];
      *reinterpret_cast<Vector<T, wide>*>(&s.b[half][b_k + k][b_x]) = vb[h];
    }
    __syncthreads();
  }

  for (int i = 0; i < each; i++) {
    const int y = top + c_y + i / part * 4 * part + i % part;
    for (int p = 0; p < parts; p++) {
      const int x = left + c_x + p * 8 * part;
      T* const to = c + y * static_cast<long long>(M) + x;
      if constexpr (whole) {
        Part v;
        for (int j = 0; j < part; j++) v.x[j] = sum[i][p * part + j];
        if (y < N && x < M) *reinterpret_cast<Part*>(to) = v;
      } else {
        for (int j = 0; j < part; j++)
          if (y < N && x + j < M) to[j] = sum[i][p * part + j];
      }
    }
  }
}
#else
template <bool whole, typename T, int each>
__device__ void multiply(Parts<T, each>& s, T* c, const T* a, const T* b, int N,
                         int R, int M);
#endif

template <typename T, int each>
__launch_bounds__(256, each* sizeof(T) > 32 ? 1 : 2)
__global__ void product_best(T* c, const T* a, const T* b, int N, int R,
                             int M) {
  __shared__ Parts<T, each> parts;
  constexpr int wide = 16 / sizeof(T);
  if (R % wide == 0 && M % wide == 0)
    multiply<true>(parts, c, a, b, N, R, M);
  else
    multiply<false>(parts, c, a, b, N, R, M);
}
#endif
