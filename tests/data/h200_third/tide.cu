#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <stdint.h>

namespace cg = cooperative_groups;

#define GLOBAL_ID() ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define GRID_THREADS() ((int)(gridDim.x * blockDim.x))

__device__ __forceinline__ unsigned warp_live()
{
    int left = (int)blockDim.x - (int)(threadIdx.x & ~31u);
    return left >= 32 ? 0xffffffffu : (1u << left) - 1u;
}

// my first kernel: y = a*x + y, one step at a time
extern "C" __global__ void saxpy_long_way(float* out, const float* in, int n)
{
    int threads_before_me = 0;
    int b = 0;
    while (b < (int)blockIdx.x) {
        threads_before_me = threads_before_me + (int)blockDim.x;
        b = b + 1;
    }
    int my_id = threads_before_me + (int)threadIdx.x;

    bool inside;
    if (my_id < n)
        inside = true;
    else
        inside = false;

    if (inside == true) {
        float a = 2.5f;
        float x = in[my_id];
        int partner = (n - 1) - my_id;
        float y = in[partner];
        float ax = a * x;
        float result = ax + y;
        out[my_id] = 0.0f;
        out[my_id] = out[my_id] + result;
        if (my_id % 2 == 0) {
            out[my_id] = out[my_id] * 1.0f;
        } else {
            out[my_id] = out[my_id] / 2.0f;
        }
    } else {
        return;
    }
}

// marks to grades, with a count of each grade for the block behind the grades
extern "C" __global__ void grade_ladder(float* out, const float* in, int n)
{
    __shared__ int count[8];
    if (threadIdx.x < 8) count[threadIdx.x] = 0;
    __syncthreads();

    int student = GLOBAL_ID();
    if (student < n) {
        float mark = in[student] * 100.0f;
        float bonus = in[(student + 17) % n] * 3.0f;
        mark = mark + bonus;
        int grade;
        if (mark >= 100.0f) { grade = 7; mark = 100.0f; }
        else if (mark >= 93.0f) grade = 6;
        else if (mark >= 85.0f) grade = 5;
        else if (mark >= 77.5f) grade = 4;
        else if (mark >= 70.0f) { grade = 3; mark += 0.25f; }
        else if (mark >= 60.0f) grade = 2;
        else if (mark >= 50.0f) {
            if (bonus > 2.0f) grade = 2;
            else if (bonus > 1.0f) grade = 1;
            else grade = 1, mark = mark - bonus;
        }
        else if (mark >= 45.0f && bonus > 1.5f) grade = 1;
        else grade = 0;
        atomicAdd(&count[grade], 1);
        out[student] = (float)grade * 1000.0f + mark;
    }
    __syncthreads();
    if (threadIdx.x < 8)
        out[n + blockIdx.x * 8 + threadIdx.x] = (float)count[threadIdx.x];
}

// temperature to colour
extern "C" __global__ void heat_ternary(float* out, const float* in, int n)
{
    uchar4* pixel = reinterpret_cast<uchar4*>(out);
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        float t = in[i];
        float r = t < 0.25f ? 0.0f : t < 0.5f ? 0.0f : t < 0.75f ? (t - 0.5f) * 4.0f : 1.0f;
        float g = t < 0.25f ? t * 4.0f : t < 0.75f ? 1.0f : (1.0f - t) * 4.0f;
        float bl = t < 0.25f ? 1.0f : t < 0.5f ? (0.5f - t) * 4.0f : 0.0f;
        int edge = i == 0 ? 1 : i == n - 1 ? 2 : in[i - 1] > t ? (in[i + 1] > t ? 3 : 4) : in[i + 1] > t ? 5 : 6;
        pixel[i] = make_uchar4((unsigned char)(r * 255.0f), (unsigned char)(g * 255.0f),
                               (unsigned char)(bl * 255.0f),
                               (unsigned char)(edge == 3 ? 255 : edge == 6 ? 200 : edge & 1 ? 100 + edge : edge));
    }
}

enum TokState { ST_BLANK, ST_WORD, ST_NUMBER, ST_FRACTION, ST_BROKEN };
__constant__ char kAlphabet[] = "abc d1e.2f 3g 4.hij5 6k7l 8.m9n 0";

// a hand-written scanner: one made-up line of 24 letters a thread
extern "C" __global__ void token_states(float* out, const float* in, int n)
{
    int line = GLOBAL_ID();
    if (line >= n) return;
    const int letters = (int)sizeof(kAlphabet) - 1;
    TokState st = ST_BLANK;
    int words = 0, numbers = 0, fractions = 0, broken = 0;
    int value = 0;
    for (int k = 0; k <= 24; ++k) {
        char c = ' ';
        if (k < 24) {
            int which = (int)(in[line * 24 + k] * letters);
            c = kAlphabet[which >= letters ? letters - 1 : which];
        }
        bool digit = c >= '0' && c <= '9';
        bool alpha = c >= 'a' && c <= 'z';
        switch (st) {
        case ST_BLANK:
            if (digit) { st = ST_NUMBER; value += c - '0'; }
            else if (alpha) st = ST_WORD;
            else if (c == '.') st = ST_BROKEN;
            break;
        case ST_WORD:
            if (c == ' ') { words++; st = ST_BLANK; }
            else if (c == '.') st = ST_BROKEN;
            break;
        case ST_NUMBER:
            if (digit) value = value * 10 + (c - '0');
            else if (c == '.') st = ST_FRACTION;
            else if (c == ' ') { numbers++; st = ST_BLANK; }
            else st = ST_BROKEN;
            break;
        case ST_FRACTION:
            if (digit) break;
            if (c == ' ') { fractions++; st = ST_BLANK; }
            else st = ST_BROKEN;
            break;
        case ST_BROKEN:
        default:
            if (c == ' ') { broken++; st = ST_BLANK; }
        }
        value &= 0xfffff;
    }
    reinterpret_cast<int4*>(out)[line] = make_int4(words | numbers << 8, fractions, broken, value);
}

// 3n+1 the old way
extern "C" __global__ void collatz_goto(float* out, const float* in, int n)
{
    unsigned long long v, peak;
    int steps = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) goto done;
    v = 1ull + (unsigned long long)(in[i] * 4000.0f);
    peak = v;
again:
    if (v == 1ull) goto store;
    if (steps >= 120) goto store;
    ++steps;
    if (v & 1ull) goto odd;
    v >>= 1;
    goto again;
odd:
    v = 3ull * v + 1ull;
    if (v > peak) peak = v;
    goto again;
store:
    out[i] = (float)steps;
    out[n + i] = (float)peak;
done:
    return;
}

// cube root by Newton in double
extern "C" __global__ void cube_root_do_while(float* out, const float* in, int n)
{
    double* res = (double*)out;
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        const double target = (double)in[i] * 30.0 + 0.125;
        double x = target > 1.0 ? target / 3.0 : 1.0, delta;
        int rounds = 0;
        do {
            double f = x * x * x - target;
            delta = f / (3.0 * x * x);
            x -= delta;
            rounds++;
        } while (fabs(delta) > 1e-12 * fabs(x) && rounds < 30);
        res[2 * i] = x;
        res[2 * i + 1] = (double)rounds + ((x * x * x < target) ? 0.5 : 0.25);
    }
}

__device__ __forceinline__ unsigned spread10(unsigned v)
{
    v &= 0x3ffu;
    v = (v | (v << 16)) & 0x030000ffu;
    v = (v | (v << 8)) & 0x0300f00fu;
    v = (v | (v << 4)) & 0x030c30c3u;
    return (v | (v << 2)) & 0x09249249u;
}

// bit tricks: Morton code, Gray code, next same-popcount number, branch-free min/abs
extern "C" __global__ void morton_bits(float* out, const float* __restrict__ in, int n)
{
    uint4* o = (uint4*)out;
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        unsigned x = (unsigned)(in[3 * i] * 1023.0f), y = (unsigned)(in[3 * i + 1] * 1023.0f),
                 z = (unsigned)(in[3 * i + 2] * 1023.0f);
        unsigned code = spread10(x) | spread10(y) << 1 | spread10(z) << 2;
        unsigned gray = code ^ (code >> 1);
        unsigned back = gray;
        back ^= back >> 16; back ^= back >> 8; back ^= back >> 4; back ^= back >> 2; back ^= back >> 1;
        unsigned w = code | 1u, low = w & -w, ripple = w + low;
        unsigned next = ripple | (((w ^ ripple) >> 2) >> (__ffs(low) - 1));
        int d = (int)x - (int)y, s = d >> 31;
        unsigned absd = (unsigned)((d ^ s) - s);
        unsigned mn = y ^ ((x ^ y) & -(unsigned)(x < y));
        unsigned p2 = 1u << (32 - __clz((int)(absd | 1u)));
        o[i] = make_uint4(back, next, __brev(gray) ^ mn << 3, (p2 << 8) | (__popc(code) << 1) | ((code * 0x9e3779b9u) >> 31));
    }
}

class Cplx {
public:
    float re, im;
    __device__ Cplx(float r = 0.0f, float i = 0.0f) : re(r), im(i) {}
    __device__ Cplx operator+(const Cplx& o) const { return Cplx(re + o.re, im + o.im); }
    __device__ Cplx operator*(const Cplx& o) const { return Cplx(re * o.re - im * o.im, re * o.im + im * o.re); }
    __device__ Cplx& operator+=(const Cplx& o) { *this = *this + o; return *this; }
    __device__ Cplx operator~() const { return Cplx(re, -im); }
    __device__ float norm2() const { return re * re + im * im; }
    __device__ explicit operator bool() const { return norm2() < 4.0f; }
};

// Julia set with a class and operators
extern "C" __global__ void julia_class(float* out, const float* in, int n)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= n || py >= n) return;
    Cplx z(3.0f * px / n - 1.5f, 3.0f * py / n - 1.5f);
    const Cplx c(-0.75f + 0.1f * in[py], 0.11f * in[px]);
    Cplx sum;
    int it = 0;
    while (z && it < 24) {
        z = z * z + c;
        sum += (it & 1) ? ~z : z;
        ++it;
    }
    out[py * n + px] = (float)it + 0.001f * sum.re + 0.0001f * fminf(z.norm2(), 50.0f);
}

struct __align__(16) BodyAoS { float px, py, pz, mass; float vx, vy, vz; int kind; };
struct BodySoA { float *x, *y, *z, *speed; int* kind; };

// array of structures in, structure of arrays out
extern "C" __global__ void aos_to_soa_bodies(float* out, const float* in, int n)
{
    const BodyAoS* bodies = reinterpret_cast<const BodyAoS*>(in);
    BodySoA soa;
    soa.x = out;
    soa.y = out + n;
    soa.z = soa.y + n;
    soa.speed = soa.z + n;
    soa.kind = (int*)(soa.speed + n);

    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= n) return;
    BodyAoS me = bodies[i];
    float ax = 0.f, ay = 0.f, az = 0.f;
    for (int off = -2; off <= 2; off++) {
        if (off == 0) continue;
        int j = i + off;
        if (j < 0) j += n;
        if (j >= n) j -= n;
        const BodyAoS& other = bodies[j];
        float dx = other.px - me.px, dy = other.py - me.py, dz = other.pz - me.pz;
        float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        float k = other.mass * inv * inv * inv;
        ax += k * dx; ay += k * dy; az += k * dz;
    }
    me.vx += 0.01f * ax; me.vy += 0.01f * ay; me.vz += 0.01f * az;
    soa.x[i] = me.px + 0.01f * me.vx;
    soa.y[i] = me.py + 0.01f * me.vy;
    soa.z[i] = me.pz + 0.01f * me.vz;
    soa.speed[i] = sqrtf(me.vx * me.vx + me.vy * me.vy + me.vz * me.vz);
    soa.kind[i] = (me.kind >> 23) - (me.mass > 0.5f);
}

union FloatParts {
    float f;
    unsigned u;
    int i;
    unsigned char byte[4];
    struct { unsigned frac : 23, expo : 8, sign : 1; } part;
};

// taking floats apart through a union
extern "C" __global__ void union_float_parts(float* out, const float* in, int n)
{
    for (int k = GLOBAL_ID(); k < n; k += GRID_THREADS()) {
        FloatParts a, b, c;
        a.f = in[k] + 0.001f;
        b = a;
        b.part.expo += 1;
        b.part.sign = k & 1;
        c.byte[0] = a.byte[3];
        c.byte[1] = a.byte[2];
        c.byte[2] = a.byte[1];
        c.byte[3] = a.byte[0];
        FloatParts guess;
        guess.i = 0x5f3759df - (a.i >> 1);
        guess.f *= 1.5f - 0.5f * a.f * guess.f * guess.f;
        guess.f *= 1.5f - 0.5f * a.f * guess.f * guess.f;
        a.u += 1;
        out[4 * k + 0] = b.f;
        ((unsigned*)out)[4 * k + 1] = c.u;
        out[4 * k + 2] = guess.f;
        out[4 * k + 3] = a.f * (float)c.part.frac;
    }
}

template <class F, class G>
__device__ auto then(F f, G g)
{
    return [=](auto v) { return g(f(v)); };
}
template <int Times, class F>
__device__ float repeat(F f, float v)
{
#pragma unroll
    for (int t = 0; t < Times; ++t) v = f(v);
    return v;
}

// lambdas glued together
extern "C" __global__ void lambda_pipeline(float* out, const float* in, int n)
{
    const float bias = (float)(n & 7) * 0.125f;
    auto twice = [](auto v) { return v + v; };
    auto shift = [bias](float v) { return v - bias; };
    auto wave = [](float v) { return v * (1.0f - fabsf(v) * 0.25f); };
    auto chain = then(then(twice, shift), wave);
    int calls = 0;
    auto counted = [&calls, &chain](float v) mutable { ++calls; return chain(v); };
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        float v = in[i];
        float r = v < 0.5f ? counted(v) : repeat<3>(wave, counted(counted(v)));
        out[i] = r + [=] { float s = 0.0f; for (int j = 0; j < (i & 3); ++j) s += v; return s; }() + (float)calls;
    }
}

template <typename T, int N> struct Poly {
    T coef[N + 1];
    template <int K = N> __device__ T at(T x) const
    {
        if constexpr (K == 0) return coef[N];
        else return at<K - 1>(x) * x + coef[N - K];
    }
    __device__ Poly<T, (N > 0 ? N - 1 : 0)> slope() const
    {
        Poly<T, (N > 0 ? N - 1 : 0)> d;
#pragma unroll
        for (int k = 0; k < N; ++k) d.coef[k] = coef[k + 1] * T(k + 1);
        return d;
    }
};
template <typename... Ts> __device__ float add_all(Ts... v) { return (0.0f + ... + (float)v); }

// polynomials by templates: values, slopes, fold expression
extern "C" __global__ void poly_templates(float* out, const float* in, int n)
{
    int i = GLOBAL_ID();
    if (i >= n) return;
    Poly<float, 5> p;
#pragma unroll
    for (int k = 0; k <= 5; ++k) p.coef[k] = in[(i + k * 3) % n] - 0.5f;
    auto d1 = p.slope();
    auto d2 = d1.slope();
    Poly<int, 3> q = {{1 + (i & 3), -2, 3, i % 5}};
    float x = in[i] * 2.0f - 1.0f;
    out[3 * i] = p.at(x);
    out[3 * i + 1] = d1.at(x) - d2.at(x) / (fabsf(d1.at(x)) + 0.1f);
    out[3 * i + 2] = add_all(q.at(i % 11), q.slope().at(2), x, (short)i, 1.5);
}

typedef float (*unary_op)(float, int);
__device__ float op_square(float v, int) { return v * v; }
__device__ float op_recip(float v, int k) { return 1.0f / (v + 1.0f + k); }
__device__ float op_power(float v, int k) { float r = 1.0f; for (int j = 0; j < k; ++j) r *= v; return r; }
__device__ float op_steps(float v, int k) { return floorf(v * (k + 2)) / (k + 2); }
__device__ float op_alt(float v, int k) { return (k & 1) ? -v : v * 0.5f; }
__device__ unary_op op_table[5] = {op_square, op_recip, op_power, op_steps, op_alt};

// functions picked from a table: one by the block, one by the data
extern "C" __global__ void fn_pointers_runtime(float* out, const float* in, int n)
{
    unary_op per_block = op_table[(blockIdx.x + n) % 5];
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        float v = in[i];
        int pick = (int)(in[n - 1 - i] * 5.0f);
        if (pick > 4) pick = 4;
        unary_op mine = op_table[pick];
        float a = per_block(v, i & 7);
        float b = (*mine)(a, pick + 1);
        if (mine == op_table[0]) b += 10.0f;
        out[i] = a + b;
    }
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual float edge() const { return 0.0f; }
};
struct Disc : Shape {
    float r;
    __device__ explicit Disc(float q) : r(q) {}
    __device__ float area() const override { return 3.14159265f * r * r; }
    __device__ float edge() const override { return 6.2831853f * r; }
};
struct Box : Shape {
    float w, h;
    __device__ Box(float a, float b) : w(a), h(b) {}
    __device__ float area() const override { return w * h; }
};
struct Frame final : Box {
    float rim;
    __device__ Frame(float a, float b, float c) : Box(a, b), rim(c) {}
    __device__ float area() const override { return Box::area() - (w - rim) * (h - rim); }
    __device__ float edge() const override { return 2.0f * (w + h); }
};
__device__ __noinline__ float paint(const Shape& s, float coat) { return s.area() * coat + s.edge(); }

// virtual functions on local objects
extern "C" __global__ void virtual_shapes(float* out, const float* in, int n)
{
    int i = GLOBAL_ID();
    if (i >= n) return;
    float a = in[i] + 0.5f, b = in[(i + 1) % n] + 0.5f;
    Disc d(a);
    Box x(a, b);
    Frame f(a, b, 0.25f * in[(i + 2) % n]);
    const Shape* list[3] = {&d, &x, &f};
    float total = 0.0f;
    for (int k = 0; k < 3; ++k)
        total += paint(*list[(i + k * (1 + (a > b))) % 3], 1.0f + 0.5f * k);
    out[i] = total;
}

// softmax over four neighbours with a tile of four lanes
extern "C" __global__ void tile4_softmax(float* out, const float* in, int n)
{
    auto block = cg::this_thread_block();
    auto quad = cg::tiled_partition<4>(block);
    int i = (int)(block.group_index().x * block.size() + block.thread_rank());
    float v = i < n ? in[i] * 4.0f : -1e30f;
    float top = cg::reduce(quad, v, cg::greater<float>());
    float e = i < n ? __expf(v - top) : 0.0f;
    float sum = e;
    for (int d = quad.size() / 2; d > 0; d /= 2) sum += quad.shfl_xor(sum, d);
    float next = quad.shfl(e, (quad.thread_rank() + 1) & 3);
    unsigned big = quad.ballot(e > 0.5f * sum);
    bool hot = quad.any(v > 3.9f);
    if (i < n) {
        out[i] = e / sum + 0.01f * next;
        if (quad.thread_rank() == 0) ((int*)out)[n + (i >> 2)] = __popc(big) * 16 + (hot ? 1 : 0);
    }
}

// eight lanes own a row: running sums, then the last one turned back
extern "C" __global__ void tile8_scan_rows(float* out, const float* in, int n)
{
    cg::thread_block cta = cg::this_thread_block();
    cg::thread_block_tile<8> oct = cg::tiled_partition<8>(cta);
    const int rows_here = blockDim.x / 8;
    const int cols = 21;
    for (int row = blockIdx.x * rows_here + threadIdx.x / 8; row < n; row += gridDim.x * rows_here) {
        int carry = 0;
        for (int c0 = 0; c0 < cols; c0 += 8) {
            int c = c0 + (int)oct.thread_rank();
            int v = c < cols ? (int)(in[row * cols + c] * 1000.0f) : 0;
            int before = cg::exclusive_scan(oct, v, cg::plus<int>());
            int upto = before + v;
            if (c < cols) ((int*)out)[row * cols + c] = carry + before - (v & 1);
            carry += oct.shfl(upto, 7);
        }
        int big = oct.all(carry > 9000);
        oct.sync();
        if (oct.thread_rank() == (unsigned)(row & 7)) ((int*)out)[n * cols + row] = big ? -carry : carry;
    }
}

struct ArgMax { float v; int where; };
__device__ ArgMax better(const ArgMax& a, const ArgMax& b)
{
    return (b.v > a.v || (b.v == a.v && b.where < a.where)) ? b : a;
}

// where is the greatest value: sixteen lanes stride over a row
extern "C" __global__ void tile16_argmax(float* out, const float* in, int n)
{
    auto team = cg::tiled_partition<16>(cg::this_thread_block());
    int rows = 3 * (int)gridDim.x;
    for (int row = (int)(blockIdx.x * team.meta_group_size() + team.meta_group_rank()); row < rows;
         row += (int)(gridDim.x * team.meta_group_size())) {
        ArgMax best{-1.0f, -1};
        for (int c = team.thread_rank(); c < n; c += 16) best = better(best, ArgMax{in[row * n + c], c});
        for (unsigned d = 8; d; d >>= 1) {
            ArgMax o;
            o.v = team.shfl_down(best.v, d);
            o.where = team.shfl_down(best.where, d);
            best = better(best, o);
        }
        best.where = team.shfl(best.where, 0);
        best.v = team.shfl(best.v, 0);
        unsigned near = team.ballot((int)team.thread_rank() < n && in[row * n + team.thread_rank()] > 0.9f * best.v);
        switch (team.thread_rank()) {
        case 0: out[row * 3] = best.v; break;
        case 5: out[row * 3 + 1] = (float)best.where; break;
        case 9: out[row * 3 + 2] = (float)near; break;
        }
    }
}

// shuffles and votes inside branches, each with the mask of who is there
extern "C" __global__ void partial_mask_votes(float* out, const float* in, int n)
{
    const unsigned here = warp_live();
    const int lane = threadIdx.x & 31;
    const int i = GLOBAL_ID();
    const float v = i < n ? in[i] : 0.0f;
    const unsigned high = __ballot_sync(here, v > 0.6f);
    const unsigned low = here & ~high;
    float r;
    if (v > 0.6f) {
        float first = __shfl_sync(high, v, __ffs(high) - 1);
        float last = __shfl_sync(high, v, 31 - __clz(high));
        int some = __any_sync(high, v > 0.95f);
        r = first * 2.0f + last + (some ? 100.0f : 0.0f);
    } else {
        int order = __popc(low & ((1u << lane) - 1u));
        int prev = order == 0 ? lane : 31 - __clz(low & ((1u << lane) - 1u));
        float before = __shfl_sync(low, v, prev);
        int none = __all_sync(low, v < 0.55f);
        r = before - v + (float)order + (none ? -100.0f : 0.0f);
        if (order & 1) r = -r;
    }
    __syncwarp(here);
    unsigned even = here & 0x55555555u;
    if ((lane & 1) == 0) {
        unsigned pos = __ballot_sync(even, r > 0.0f);
        r += (float)__popc(pos);
    }
    if (i < n) out[i] = r;
}

// lanes with the same key find each other
extern "C" __global__ void match_reduce_keys(float* out, const float* in, int n)
{
    unsigned here = warp_live();
    unsigned lane = threadIdx.x % 32u;
    int i = GLOBAL_ID();
    float v = i < n ? in[i] : -1.0f;
    int key = (int)(v * 6.0f);
    unsigned peers = __match_any_sync(here, key);
    int leader = __ffs(peers) - 1;
    unsigned rank = __popc(peers & ((1u << lane) - 1u));
    int lead_id = __shfl_sync(here, i, leader);
    int all_same = 0;
    unsigned who = __match_all_sync(here, key / 6, &all_same);
    unsigned weight = (unsigned)(fabsf(v) * 4096.0f);
    unsigned total = __reduce_add_sync(here, weight);
    int hi = __reduce_max_sync(here, key * 32 + (int)lane);
    unsigned lo = __reduce_min_sync(here, weight ^ 5u);
    unsigned mine = __reduce_add_sync(peers, weight);
    unsigned bits = __reduce_or_sync(here, 1u << (key & 15)) ^ __reduce_xor_sync(here, weight);
    if (i < n)
        reinterpret_cast<int4*>(out)[i] =
            make_int4(lead_id * 32 + (int)rank, (int)(total - lo), hi + (int)mine, (int)(bits + (all_same ? who : 0u)));
}

// half2 blending: compare masks, min/max, fma, scalar halves at the end
extern "C" __global__ void half2_blend(float* out, const float* __restrict__ in, int n)
{
    __half2* o = reinterpret_cast<__half2*>(out);
    const float2* in2 = reinterpret_cast<const float2*>(in);
    const __half2 third = __float2half2_rn(0.3333f);
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        __half2 a = __float22half2_rn(in2[i]);
        float2 other = __ldg(&in2[(i + 1) % n]);
        __half2 b = __floats2half2_rn(other.y, other.x);
        __half2 m = __hgt2(a, b);
        __half2 mix = __hfma2(__hsub2(b, a), third, a);
        __half2 top = __hmax2(a, b), bottom = __hmin2(a, b);
        __half2 r = __hadd2_sat(__hmul2(m, mix), __hmul2(top, bottom));
        r = __hfma2_sat(r, third, __hneg2(__hmul2(third, bottom)) + top);
        __half s = __hadd(__low2half(r), __high2half(mix));
        if (__hlt(s, __float2half(0.75f))) s = hsqrt(s);
        else s = __hdiv(s, __float2half_rn(1.5f));
        o[i] = i & 1 ? __halves2half2(s, __low2half(mix)) : __lowhigh2highlow(__half2{__high2half(r), s});
    }
}

// bfloat16 rows: products in bf16, running sum in float
extern "C" __global__ void bf16_rows(float* out, const float* in, int n)
{
    int row = GLOBAL_ID();
    if (row >= n) return;
    float sum = 0.0f;
    __nv_bfloat162 acc = __floats2bfloat162_rn(0.0f, 0.0f);
    __nv_bfloat16 worst = __float2bfloat16(0.0f);
#pragma unroll 4
    for (int k = 0; k < 18; k += 2) {
        float2 f = make_float2(in[row * 18 + k], in[row * 18 + k + 1]);
        __nv_bfloat162 x = __float22bfloat162_rn(f);
        __nv_bfloat162 w = __float2bfloat162_rn(1.0f - 0.0625f * k);
        __nv_bfloat162 p = __hmul2(x, w);
        acc = __hfma2(x, x, acc);
        sum += __low2float(p) + __high2float(p);
        worst = __hmax(worst, __habs(__hsub(__low2bfloat16(x), __high2bfloat16(x))));
    }
    unsigned short raw = __bfloat16_as_ushort(worst);
    out[row] = sum;
    reinterpret_cast<__nv_bfloat162*>(out)[n + row] = acc;
    ((unsigned*)out)[2 * n + row] = (unsigned)raw << 16 | (unsigned)(unsigned short)__bfloat162short_rn(__float2bfloat16_rz(sum * 10.0f));
}

// Simpson in double, one strip a thread, tree sum for any block size
extern "C" __global__ void double_quadrature(float* out, const float* in, int n)
{
    __shared__ double part[256];
    int t = threadIdx.x;
    double a = (double)in[blockIdx.x], width = (2.0 - a) / (double)n;
    double mine = 0.0;
    for (int s = t; s < n; s += blockDim.x) {
        double x0 = a + s * width, x1 = x0 + 0.5 * width, x2 = x0 + width;
        auto f = [](double x) { return 1.0 / (1.0 + x * x) + x * (x - 0.5); };
        mine = fma(width / 6.0, f(x0) + 4.0 * f(x1) + f(x2), mine);
    }
    part[t] = mine;
    __syncthreads();
    for (int live = blockDim.x; live > 1;) {
        int half = (live + 1) / 2;
        if (t + half < live) part[t] += part[t + half];
        __syncthreads();
        live = half;
    }
    if (t == 0) ((double*)out)[blockIdx.x] = part[0];
    if (t == 1) ((double*)out)[gridDim.x + blockIdx.x] = __dsqrt_rn(fabs(part[0])) + trunc(part[0] * 8.0);
}

// modular powers with 64-bit integers, plus high halves of wide products
extern "C" __global__ void modpow_u64(float* out, const float* in, int n)
{
    typedef unsigned long long u64;
    const int i = GLOBAL_ID();
    if (i >= n) return;
    const u64 mod = 4294967291ull;
    u64 base = (u64)(in[i] * 1.0e9) + 2, e = (u64)(in[n + i] * 4095.0f), r = 1;
    while (e) {
        if (e & 1) r = r * base % mod;
        base = base * base % mod;
        e >>= 1;
    }
    u64 wide = r * 0x9e3779b97f4a7c15ull;
    long long sgn = (long long)wide;
    u64 top = __umul64hi(wide, base | 1ull << 63);
    long long stop = __mul64hi(sgn, -12345678901LL);
    int bits = __popcll(top) + __clzll(sgn) - __ffsll((long long)(wide | 1ull << 40));
    ulonglong2 pack = make_ulonglong2(r ^ __brevll(top), (u64)(stop / 1000003 + sgn % 97) + (u64)(long long)bits);
    reinterpret_cast<ulonglong2*>(out)[i] = pack;
}

// four bytes at a time
extern "C" __global__ void packed_bytes_mix(float* out, const float* in, int n)
{
    unsigned* o = (unsigned*)out;
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        float4 f = reinterpret_cast<const float4*>(in)[i];
        float4 g = reinterpret_cast<const float4*>(in)[n - 1 - i];
        unsigned a = (unsigned)(f.x * 255.f) | (unsigned)(f.y * 255.f) << 8 | (unsigned)(f.z * 255.f) << 16 | (unsigned)(f.w * 255.f) << 24;
        unsigned b = 0;
        b = __byte_perm((unsigned)(g.x * 255.f), (unsigned)(g.y * 255.f), 0x5140);
        b = __byte_perm(b, __byte_perm((unsigned)(g.z * 255.f), (unsigned)(g.w * 255.f), 0x0040), 0x5410);
        unsigned sum = __vadd4(a, b), sat = __vaddus4(a, b), avg = __vavgu4(a, b);
        unsigned dist = __vabsdiffu4(a, b), sad = __vsadu4(a, b);
        unsigned pick = __vcmpgtu4(a, b);
        unsigned sel = (a & pick) | (b & ~pick);
        unsigned h = __vmaxs2(__vsub2(a, b), 0x00100010u);
        o[3 * i] = sum ^ __byte_perm(sat, avg, 0x3715);
        o[3 * i + 1] = __vsubus4(sel, __vminu4(dist, 0x40404040u)) + (__vsetleu4(a, b) << 1);
        o[3 * i + 2] = (sad << 16) ^ __vabsss4(h) ^ __vhaddu4(dist, avg);
    }
}

// int8 dot products, row times shared vector
extern "C" __global__ void dp4a_rows(float* out, const float* in, int n)
{
    __shared__ int vec[12];
    auto quant = [](float v) { return (int)(v * 254.0f) - 127; };
    auto pack4 = [&](const float* p) {
        return (quant(p[0]) & 255) | (quant(p[1]) & 255) << 8 | (quant(p[2]) & 255) << 16 | (int)((unsigned)quant(p[3]) << 24);
    };
    for (int k = threadIdx.x; k < 12; k += blockDim.x) vec[k] = pack4(in + 4 * k);
    __syncthreads();
    int row = GLOBAL_ID();
    if (row >= n) return;
    const float* r = in + 48 * row;
    int acc = 0;
    unsigned uacc = 7u;
#pragma unroll 3
    for (int k = 0; k < 12; ++k) {
        int p = pack4(r + 4 * k);
        acc = __dp4a(p, vec[k], acc);
        uacc = __dp4a((unsigned)p, (unsigned)vec[k] & 0x0f0f0f0fu, uacc);
        acc = __dp2a_lo(vec[k], p, acc);
    }
    out[2 * row] = (float)acc / (127.0f * 127.0f);
    ((unsigned*)out)[2 * row + 1] = uacc + (unsigned)__dp2a_hi(make_short2((short)row, -3), make_char4(1, 2, 3, (signed char)(row & 63)), acc);
}

__constant__ unsigned crc_nibble[16] = {
    0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu, 0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
    0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu, 0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};

// crc by nibbles from a constant table, then funnel-shift stirring
extern "C" __global__ void crc_funnel(float* out, const float* in, int n)
{
    int i = GLOBAL_ID();
    if (i >= n) return;
    const unsigned* words = (const unsigned*)in;
    unsigned crc = ~0u, prev = 0u;
    for (int w = 0; w < 3; ++w) {
        unsigned cur = words[3 * i + w];
        unsigned x = cur;
        for (int nib = 0; nib < 8; nib++) {
            crc = crc_nibble[(crc ^ x) & 15u] ^ (crc >> 4);
            x >>= 4;
        }
        prev = __funnelshift_l(prev, cur, cur >> 27) + __funnelshift_rc(cur, prev, 40 - w);
    }
    crc = ~crc;
    unsigned spin = __funnelshift_r(crc, crc, prev & 31u);
    spin = spin ^ __funnelshift_lc(spin, prev, 7);
    ((uint2*)out)[i] = make_uint2(crc, spin);
}

struct Interval {
    float lo, hi;
    __device__ friend Interval operator+(Interval a, Interval b) { return {__fadd_rd(a.lo, b.lo), __fadd_ru(a.hi, b.hi)}; }
    __device__ friend Interval operator-(Interval a, Interval b) { return {__fsub_rd(a.lo, b.hi), __fsub_ru(a.hi, b.lo)}; }
    __device__ friend Interval operator*(Interval a, Interval b)
    {
        return {fminf(fminf(__fmul_rd(a.lo, b.lo), __fmul_rd(a.lo, b.hi)), fminf(__fmul_rd(a.hi, b.lo), __fmul_rd(a.hi, b.hi))),
                fmaxf(fmaxf(__fmul_ru(a.lo, b.lo), __fmul_ru(a.lo, b.hi)), fmaxf(__fmul_ru(a.hi, b.lo), __fmul_ru(a.hi, b.hi)))};
    }
};

// interval arithmetic with directed rounding
extern "C" __global__ void rounding_interval(float* out, const float* in, int n)
{
    int i = GLOBAL_ID();
    if (i >= n) return;
    Interval x{in[i], __fadd_ru(in[i], 1e-6f)}, y{in[(i * 7 + 1) % n], 1.0f};
    if (y.lo > y.hi) { float t = y.lo; y.lo = y.hi; y.hi = t; }
    Interval acc{0.0f, 0.0f};
    for (int k = 0; k < 5; ++k) {
        acc = acc * x + y - x * y;
        if (k == 2) acc.lo = __fmaf_rz(acc.lo, 0.999f, -1e-7f);
    }
    float w = __fsub_ru(acc.hi, acc.lo);
    float q = __fdiv_rd(x.lo, __fadd_rn(y.hi, 0.5f));
    float s = __fsqrt_ru(q) - __fsqrt_rd(q);
    float sat = __saturatef(acc.hi * 1.5f - 0.25f);
    double dd = __dadd_ru((double)w, __dmul_rd((double)s, 0.1)) - __ddiv_rz(1.0, 3.0 + (double)sat);
    reinterpret_cast<float4*>(out)[i] = make_float4(w, __frcp_rz(q + 1.0f), sat, __double2float_ru(dd));
}

// every conversion I could find
extern "C" __global__ void conversion_zoo(float* out, const float* in, int n)
{
    int i = GLOBAL_ID();
    if (i >= n) return;
    float v = in[i] * 200.0f - 100.0f, p = in[i] * 250.0f;
    unsigned h = 2166136261u;
    auto eat = [&h](unsigned w) { h = (h ^ w) * 16777619u; };
    eat(__float2int_rn(v)); eat(__float2int_rz(v)); eat(__float2int_ru(v)); eat(__float2int_rd(v));
    eat(__float2uint_rn(p)); eat(__float2uint_ru(p));
    signed char c = (signed char)v;
    unsigned char uc = (unsigned char)p;
    short s = (short)(v * 300.0f);
    unsigned short us = (unsigned short)(p * 250.0f);
    eat((unsigned)c); eat(uc); eat((unsigned)s); eat(us);
    eat(__float_as_uint(__int2float_rz((int)h))); eat(__float_as_uint(__uint2float_ru(h)));
    long long big = __float2ll_rd(v * 1.0e10f);
    unsigned long long ubig = __float2ull_rn(p * 1.0e12f);
    eat((unsigned)(big >> 7)); eat((unsigned)(ubig >> 13));
    double d = __ll2double_rz(big ^ (long long)ubig) * 0.37 + (double)s;
    eat(__double2hiint(d)); eat(__double2loint(d));
    eat(__float_as_uint(__double2float_rz(d))); eat((unsigned)__double2int_ru(d * 1e-12));
    eat(__float_as_uint(__ull2float_rd(ubig))); eat(__float_as_uint((float)big));
    double glued = __hiloint2double(0x3ff00000 | (int)(h >> 12), (int)h);
    eat((unsigned)__double2ll_rn(glued * 1.0e9)); eat((unsigned)(unsigned long long)(glued * 3.0e9));
    __half hf = __float2half_rd(v), hr = __ushort2half_rn(us & 2047);
    eat((unsigned)__half2short_rn(hf)); eat(__half_as_ushort(hr)); eat((unsigned)__half2int_ru(hf));
    eat(__bfloat16_as_ushort(__double2bfloat16(d)));
    bool flag = v > 0.0f;
    char3 tri = make_char3((char)flag, (char)(c / 2), (char)!flag);
    eat((unsigned)(tri.x + tri.y * 3 - tri.z));
    ((unsigned*)out)[i] = h;
    ((double*)out)[n + i] = glued + rint(d) * 1e-6;
}

#define TP 32
// transpose through a padded tile
extern "C" __global__ void transpose_padded(float* out, const float* in, int n)
{
    __shared__ float tile[TP][TP + 1];
    int x = blockIdx.x * TP + threadIdx.x;
    int y = blockIdx.y * TP + threadIdx.y;
    for (int j = 0; j < TP; j += blockDim.y)
        if (threadIdx.y + j < TP && x < n && y + j < n) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * TP + threadIdx.x;
    y = blockIdx.x * TP + threadIdx.y;
    for (int j = 0; j < TP; j += blockDim.y)
        if (threadIdx.y + j < TP && x < n && y + j < n) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

// transpose of float2 pairs without padding: columns xored with the row
extern "C" __global__ void transpose_swizzled(float* out, const float* in, int n)
{
    __shared__ float2 tile[16 * 16];
    const int high = n / 2 + 1;
    const float2* src = (const float2*)in;
    float2* dst = (float2*)out;
    const int bx = blockIdx.x * 16, by = blockIdx.y * 16;
    for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < 256; k += blockDim.x * blockDim.y) {
        int r = k >> 4, c = k & 15;
        float2 v = {0.0f, 0.0f};
        if (by + r < high && bx + c < n) v = src[(by + r) * n + bx + c];
        tile[r * 16 + (c ^ r)] = v;
    }
    __syncthreads();
    for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < 256; k += blockDim.x * blockDim.y) {
        int r = k >> 4, c = k & 15;
        if (bx + r < n && by + c < high) {
            float2 v = tile[c * 16 + (r ^ c)];
            dst[(bx + r) * high + by + c] = make_float2(v.y, v.x);
        }
    }
}

// one dynamic buffer cut into doubles, floats with a halo, and shorts
extern "C" __global__ void dyn_shared_three_arrays(float* out, const float* in, int n)
{
    extern __shared__ __align__(16) unsigned char pool[];
    const int T = blockDim.x, t = threadIdx.x;
    double* sums = reinterpret_cast<double*>(pool);
    float* halo = reinterpret_cast<float*>(sums + T);
    short* order = reinterpret_cast<short*>(halo + T + 2);
    const int i = blockIdx.x * T + t;

    halo[t + 1] = i < n ? in[i] : 0.0f;
    if (t == 0) halo[0] = i > 0 && i - 1 < n ? in[i - 1] : 0.0f;
    if (t == T - 1) halo[T + 1] = i + 1 < n ? in[i + 1] : 0.0f;
    order[t] = (short)((t * 5 + 3) % T);
    __syncthreads();

    sums[t] = (double)halo[t] + 2.0 * halo[t + 1] + (double)halo[t + 2];
    __syncthreads();

    short far = order[order[t]];
    float r = (float)(sums[t] - 0.25 * sums[far]);
    if (i < n) out[i] = r + 0.001f * far;
}

// forty numbers a thread, sorted in a local array
extern "C" __global__ void local_shell_sort(float* out, const float* in, int n)
{
    const int len = 40;
    int id = GLOBAL_ID();
    if (id >= n) return;
    float a[len];
    for (int k = 0; k < len; k++) a[k] = in[id * len + k];
    int gap = 13;
    while (gap > 0) {
        for (int k = gap; k < len; k++) {
            float v = a[k];
            int j = k;
            while (j >= gap && a[j - gap] > v) {
                a[j] = a[j - gap];
                j -= gap;
            }
            a[j] = v;
        }
        gap = gap / 3;
    }
    int pick = (int)(in[id] * 39.0f);
    out[4 * id] = a[0];
    out[4 * id + 1] = a[len / 2];
    out[4 * id + 2] = a[pick];
    out[4 * id + 3] = a[len - 1] - a[len - 1 - pick];
}

class GridRange {
    int first_, last_, step_;
public:
    struct Iter {
        int at, step;
        __device__ int operator*() const { return at; }
        __device__ Iter& operator++() { at += step; return *this; }
        __device__ bool operator!=(const Iter& end) const { return at < end.at; }
    };
    __device__ explicit GridRange(int last) : first_(GLOBAL_ID()), last_(last), step_(GRID_THREADS()) {}
    __device__ Iter begin() const { return {first_, step_}; }
    __device__ Iter end() const { return {last_, step_}; }
};

// range-for over the grid, four statistics a thread
extern "C" __global__ void range_for_stats(float* out, const float* in, int n)
{
    float lo = 2.0f, hi = -1.0f, sum = 0.0f, sq = 0.0f;
    int seen = 0;
    for (int i : GridRange(n)) {
        float v = __ldg(in + i);
        lo = fminf(lo, v);
        hi = fmaxf(hi, v);
        sum += v;
        sq = fmaf(v, v, sq);
        ++seen;
    }
    const int t = GLOBAL_ID(), all = GRID_THREADS();
    float mean = seen ? sum / seen : 0.0f;
    out[t] = lo;
    out[all + t] = hi;
    out[2 * all + t] = mean;
    out[3 * all + t] = seen > 1 ? sqrtf(fmaxf(0.0f, (sq - sum * mean) / (seen - 1))) : -1.0f;
}

#define AT(x, y, z) (((z) * n + (y)) * n + (x))
// seven points in a cube, clamped at the faces
extern "C" __global__ void stencil3d_box(float* __restrict__ out, const float* __restrict__ in, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < n && y < n && z < n) {
        float c = in[AT(x, y, z)];
        float s = in[AT(max(x - 1, 0), y, z)] + in[AT(min(x + 1, n - 1), y, z)];
        s += in[AT(x, max(y - 1, 0), z)] + in[AT(x, min(y + 1, n - 1), z)];
        s += in[AT(x, y, z == 0 ? 0 : z - 1)] + in[AT(x, y, z == n - 1 ? z : z + 1)];
        int faces = (x == 0) + (x == n - 1) + (y == 0) + (y == n - 1) + (z == 0) + (z == n - 1);
        out[AT(x, y, z)] = faces >= 2 ? c : c + 0.1f * (s - 6.0f * c) + 0.01f * faces;
    }
}
#undef AT

// whole blocks leave early; the rest meet at every barrier and then thin out
extern "C" __global__ void early_exit_blocks(float* out, const float* in, int n)
{
    __shared__ float box[192];
    __shared__ bool lively;
    const int base = blockIdx.x * blockDim.x;
    if (base >= n) return;
    const int t = threadIdx.x;
    const bool valid = base + t < n;
    box[t] = valid ? in[base + t] : 0.0f;
    int high = __syncthreads_count(valid && box[t] > 0.5f);
    if (high == 0) {
        if (valid) out[base + t] = -1.0f;
        return;
    }
    if (t == 0) lively = high > (int)blockDim.x / 2;
    int any = __syncthreads_or(box[t] > 0.97f);
    float near = box[t == 0 ? blockDim.x - 1 : t - 1];
    int full = __syncthreads_and(valid);
    if (!valid) return;
    if (t & 1) {
        out[base + t] = near + high;
        return;
    }
    float v = box[t];
    if (lively) v *= 2.0f;
    if (any) v += 3.0f;
    if (!full && v > 4.0f) return;
    out[base + t] = v - near;
}

// warp 0 fetches the next tile while the other warps work on this one
extern "C" __global__ void warp_roles_pipeline(float* out, const float* in, int n)
{
    enum Role { FETCH, WORK };
    __shared__ float buf[2][64];
    const int tiles = (n + 63) / 64;
    const Role role = threadIdx.x < 32 ? FETCH : WORK;
    auto fetch = [&](int tile, int slot) {
        for (int e = threadIdx.x; e < 64; e += 32) {
            int g = tile * 64 + e;
            buf[slot][e] = g < n ? in[g] * 1.5f : 0.0f;
        }
    };
    int slot = 0;
    if (role == FETCH && (int)blockIdx.x < tiles) fetch(blockIdx.x, 0);
    __syncthreads();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        if (role == FETCH) {
            if (tile + (int)gridDim.x < tiles) fetch(tile + gridDim.x, slot ^ 1);
        } else {
            int count = min(64, n - tile * 64);
            for (int e = (int)threadIdx.x - 32; e < count; e += (int)blockDim.x - 32) {
                float l = buf[slot][(e + count - 1) % count], m = buf[slot][e], r = buf[slot][(e + 1) % count];
                out[tile * 64 + e] = fmaxf(fminf(l, m), fminf(fmaxf(l, m), r));
            }
        }
        __syncthreads();
        slot ^= 1;
    }
}

// indices of large values, appended in whatever order (coalesced group, one atomic each)
extern "C" __global__ void append_hits_fa(float* out, const float* in, int n)
{
    unsigned* counter = (unsigned*)out;
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        float v = in[i];
        if (v > 0.8f) {
            cg::coalesced_group g = cg::coalesced_threads();
            unsigned start = 0;
            if (g.thread_rank() == 0) start = atomicAdd(counter, g.size());
            start = g.shfl(start, 0);
            out[1 + start + g.thread_rank()] = (float)i + v;
        }
    }
}

// float sums by bin: shared first, then one global add a bin
extern "C" __global__ void float_bins_fa(float* out, const float* in, int n)
{
    __shared__ float bin[24];
    for (int k = threadIdx.x; k < 24; k += blockDim.x) bin[k] = 0.0f;
    __syncthreads();
    for (int i = GLOBAL_ID(); i < n; i += GRID_THREADS()) {
        float v = in[i];
        int k = min(23, (int)(v * v * 24.0f));
        atomicAdd(&bin[k], v);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 24; k += blockDim.x)
        if (bin[k] != 0.0f) atomicAdd(out + k, bin[k]);
}

// 32x32 output tile, 16x16 threads, 2x2 results each
extern "C" __global__ void __launch_bounds__(256, 4)
matmul_2x2_bounds(float* __restrict__ out, const float* __restrict__ in, int n)
{
    __shared__ __align__(8) float A[16][34];
    __shared__ float B[16][32];
    const float* a = in;
    const float* b = in + n * n;
    const int tx = threadIdx.x, ty = threadIdx.y, id = ty * 16 + tx;
    const int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    float c[2][2] = {{0.f, 0.f}, {0.f, 0.f}};
    for (int k0 = 0; k0 < n; k0 += 16) {
#pragma unroll
        for (int part = 0; part < 2; ++part) {
            int e = id + part * 256;
            int ar = e / 16, ak = e % 16;
            A[ak][ar] = (row0 + ar < n && k0 + ak < n) ? a[(row0 + ar) * n + k0 + ak] : 0.0f;
            int bk = e / 32, bc = e % 32;
            B[bk][bc] = (k0 + bk < n && col0 + bc < n) ? b[(k0 + bk) * n + col0 + bc] : 0.0f;
        }
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 16; ++k) {
            float2 av = *reinterpret_cast<const float2*>(&A[k][2 * ty]);
            float b0 = B[k][tx], b1 = B[k][tx + 16];
            c[0][0] += av.x * b0; c[0][1] += av.x * b1;
            c[1][0] += av.y * b0; c[1][1] += av.y * b1;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 2; ++r)
        for (int s = 0; s < 2; ++s) {
            int row = row0 + 2 * ty + r, col = col0 + tx + 16 * s;
            if (row < n && col < n) out[row * n + col] = c[r][s];
        }
}

// warp scan in volatile shared memory with a zero margin before each warp
extern "C" __global__ void volatile_warp_scan(float* out, const float* in, int n)
{
    __shared__ volatile int cell[8][48];
    const unsigned live = warp_live();
    const int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const int i = GLOBAL_ID();
    volatile int* mine = &cell[w][16 + lane];
    for (int k = lane; k < 16; k += __popc(live)) cell[w][k] = 0;
    int v = i < n ? (int)(in[i] * 512.0f) : 0;
    *mine = v;
    __syncwarp(live);
    for (int d = 1; d <= 16; d <<= 1) {
        int add = mine[-d];
        __syncwarp(live);
        *mine = *mine + add;
        __syncwarp(live);
    }
    int upto = *mine;
    int last = cell[w][16 + 31 - __clz(live)];
    if (i < n) {
        ((int*)out)[2 * i] = upto;
        ((int*)out)[2 * i + 1] = last - upto + v;
    }
}

// Duff's device, eight at a time
extern "C" __global__ void duff_scale(float* out, const float* in, int n)
{
    const int each = 19;
    int start = GLOBAL_ID() * each;
    if (start >= n) return;
    int count = n - start < each ? n - start : each;
    const float* from = in + start;
    float* to = out + start;
    float k = 1.0f;
    int rounds = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++ * k; [[fallthrough]];
    case 7:      *to++ = *from++ + k; [[fallthrough]];
    case 6:      *to++ = *from++ * k; [[fallthrough]];
    case 5:      *to++ = *from++ - k; [[fallthrough]];
    case 4:      *to++ = *from++ * k; [[fallthrough]];
    case 3:      *to++ = k - *from++; [[fallthrough]];
    case 2:      *to++ = *from++ * k; [[fallthrough]];
    case 1:      *to++ = *from++;
                 k += 0.5f;
            } while (--rounds > 0);
    }
}

// game of life on a torus, 32 cells a word, neighbours counted by bit adders
extern "C" __global__ void life_words(float* out, const float* in, int n)
{
    const unsigned* src = (const unsigned*)in;
    unsigned* dst = (unsigned*)out;
    const int wide = 5;
    int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    if (x >= wide || y >= n) return;
    auto word = [=](int cx, int cy) {
        int at = ((cy + n) % n) * wide + (cx + wide) % wide;
        return src[at] * 2654435761u ^ (src[at] << 7);
    };
    unsigned ones = 0, twos = 0, fours = 0, self = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        unsigned l = word(x - 1, y + dy), m = word(x, y + dy), r = word(x + 1, y + dy);
        unsigned west = __funnelshift_l(l, m, 1), east = __funnelshift_r(m, r, 1);
        unsigned put[3] = {west, east, dy ? m : 0u};
        if (!dy) self = m;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            unsigned c1 = ones & put[k];
            ones ^= put[k];
            unsigned c2 = twos & c1;
            twos ^= c1;
            fours |= c2;
        }
    }
    dst[y * wide + x] = twos & ~fours & (ones | self);
}
