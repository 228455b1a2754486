// SPDX-License-Identifier: Apache-2.0
// Style: a test for the host with much of Thrust, which takes the compiler half of its time, and
// notes whose lines begin with hashes.
// Expect: pass 100..100
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/unique.h>
#include "../../hostile/given.cuh"

constexpr char kNotes[] = R"(
# Results
## d_l 8
unrolling by 4 takes 17 us, not 62
)";

template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}

struct Noise {
  __host__ __device__ float operator()(int i) const {
    thrust::default_random_engine engine(17);
    engine.discard(i);
    return thrust::uniform_real_distribution<float>(-1, 1)(engine);
  }
};
bool self_test(int n_l) {
  thrust::device_vector<float> in(n_l * 8), out(n_l * 8);
  thrust::tabulate(in.begin(), in.end(), Noise{});
  const float largest = thrust::inner_product(in.begin(), in.end(), out.begin(), 0.0f,
                                              thrust::maximum<float>(), thrust::minus<float>());
  thrust::device_vector<int> place(n_l * 8);
  thrust::sort_by_key(out.begin(), out.end(), place.begin());
  thrust::inclusive_scan(in.begin(), in.end(), in.begin());
  in.erase(thrust::unique(in.begin(), in.end()), in.end());
  thrust::sort(place.begin(), place.end());
  norm_group_u<8, 8, 4><<<4, 128>>>(out.data().get(), in.data().get(), n_l);
  return largest < 2 && thrust::reduce(out.begin(), out.end()) == 0;
}
