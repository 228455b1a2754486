// What each of rmse_1 to rmse_4 does is one function of the sample's, add_batch(), and what view_cheap does
// add_view(). Included before given05.cuh, which leaves them out then.
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#define OWN_VIEW

__device__ void add_batch(float* sums, const float* a, const float* b, const long long* starts);
__device__ void add_view(float* sums, const float* a, const float* b, int height, int width, int pitch);

__device__ void add_fast(float* sums, const float* a, const float* b, const long long* starts) {
  add_batch(sums, a, b, starts);
}
__global__ void rmse_1(float* sums, const float* a, const float* b, const long long* starts) {
  add_batch(sums, a, b, starts);
}
__global__ void rmse_2(float* sums, const float* a, const float* b, const long long* starts) {
  add_batch(sums, a, b, starts);
}
__global__ void rmse_3(float* sums, const float* a, const float* b, const long long* starts) {
  add_batch(sums, a, b, starts);
}
__global__ void view_cheap(float* sums, const float* a, const float* b, int height, int width, int pitch) {
  add_view(sums, a, b, height, width, pitch);
}
