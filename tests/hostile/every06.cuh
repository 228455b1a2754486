// What the student's kernels do is two functions of the sample's: move() and sum_of_products(), for any
// grid. Included before given06.cuh, which leaves these kernels out then.
#define OWN_TILE
#define OWN_SEVERAL
#define OWN_SWIZZLED
#define OWN_COPY
#define OWN_TRANSPOSE
#define OWN_TILED
#define OWN_REGISTERS
#define OWN_BEST

constexpr int best_tile = 32, best_threads = 256;

__device__ int own_number() {
  const int block = blockIdx.y * gridDim.x + blockIdx.x, thread = threadIdx.y * blockDim.x + threadIdx.x;
  return block * (blockDim.x * blockDim.y) + thread;
}
__device__ int all_threads() { return gridDim.x * gridDim.y * blockDim.x * blockDim.y; }

// Writes out[i], i < rows * cols; `from` is where its element is in `in`.
__device__ void move(float* out, const float* in, int i, int from, int n);
// Writes c[i].
template <typename T>
__device__ void product(T* c, const T* a, const T* b, int i, int N, int R, int M);

__device__ void transpose(float* out, const float* in, int rows, int cols) {
  for (int i = own_number(); i < rows * cols; i += all_threads())
    move(out, in, i, i % rows * cols + i / rows, rows * cols);
}
template <typename T>
__device__ void products(T* c, const T* a, const T* b, int N, int R, int M) {
  for (int i = own_number(); i < N * M; i += all_threads()) product(c, a, b, i, N, R, M);
}

template <int pad>
__global__ void transpose_tile(float* out, const float* in, int rows, int cols) {
  transpose(out, in, rows, cols);
}
template <int pad>
__global__ void transpose_several(float* out, const float* in, int rows, int cols) {
  transpose(out, in, rows, cols);
}
__global__ void transpose_swizzled(float* out, const float* in, int rows, int cols) {
  transpose(out, in, rows, cols);
}
__global__ void transpose_best(float* out, const float* in, int rows, int cols) {
  transpose(out, in, rows, cols);
}
__global__ void copy_best(float* out, const float* in, int rows, int cols) {
  for (int i = own_number(); i < rows * cols; i += all_threads()) move(out, in, i, i, rows * cols);
}
template <typename T>
__global__ void product_tiled(T* c, const T* a, const T* b, int N, int R, int M) {
  products(c, a, b, N, R, M);
}
template <typename T>
__global__ void product_registers(T* c, const T* a, const T* b, int N, int R, int M) {
  products(c, a, b, N, R, M);
}
template <typename T, int each>
__global__ void product_best(T* c, const T* a, const T* b, int N, int R, int M) {
  products(c, a, b, N, R, M);
}
