// What each of reduce_1 to reduce_8 does is one function of the sample's, block_part(). Included before
// given04.cuh, which leaves them out then.
#define OWN_1
#define OWN_2
#define OWN_3
#define OWN_4
#define OWN_5
#define OWN_6
#define OWN_7
#define OWN_8

__device__ void block_part(unsigned* parts, const unsigned* in, int n);

__global__ void reduce_1(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
__global__ void reduce_2(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
__global__ void reduce_3(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
__global__ void reduce_4(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
template <int threads>
__global__ void reduce_5(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
template <int threads>
__global__ void reduce_6(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
template <int threads>
__global__ void reduce_7(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
template <int threads>
__global__ void reduce_8(unsigned* parts, const unsigned* in, int n) { block_part(parts, in, n); }
