// ember.cu -- a collection of course kernels: homework, model solutions, and a few show-off pieces.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

typedef unsigned long long ull;

// =====================================================================
//  Part A: homework
// =====================================================================

// n = number of Simpson panels
extern "C" __global__ void simpson(float* out, const float* in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double a = in[i];
    double b = a + 1.0 + in[i + 1];
    double h = (b - a) / (2 * n);
    double sum = 0;
    for (int k = 0; k <= 2 * n; k++) {
        double x = a + k * h;
        double fx = exp(-x * x) * sqrt(x + 1.0);
        if (k == 0 || k == 2 * n) {
            sum = sum + fx;
        } else if (k % 2 == 1) {
            sum = sum + 4.0 * fx;
        } else {
            sum = sum + 2.0 * fx;
        }
    }
    out[i] = sum * h / 3.0;
}

// n = number of students
struct Student {
    float hw[3];
    float midterm;
    float final_exam;
    float bonus;
};

extern "C" __global__ void grade_book(float* out, const float* in, int n)
{
    const Student* s = (const Student*)in;
    short* points_out = (short*)out;
    char* letters_out = (char*)(out + 500000);
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id < n) {
        double total = 0;
        for (int j = 0; j < 3; j++)
            total = total + s[id].hw[j] * 100 * 0.1;
        total = total + s[id].midterm * 100 * 0.3;
        total = total + s[id].final_exam * 100 * 0.4;
        if (s[id].bonus > 0.9) total = total + 5;
        else if (s[id].bonus > 0.5) total = total + 2;
        char letter;
        short points;
        if (total >= 75) { letter = 'A'; points = 400; }
        else if (total >= 60) { letter = 'B'; points = 300; }
        else if (total >= 48) { letter = 'C'; points = 200; }
        else if (total >= 35) { letter = 'D'; points = 100; }
        else { letter = 'F'; points = 0; }
        bool plus = false, minus = false;
        int last = (int)total % 10;
        if (last >= 7) plus = true;
        if (last <= 2) minus = true;
        if (plus && letter != 'F' && letter != 'A') points = points + 30;
        if (minus && letter != 'F') points = points - 30;
        points_out[id] = points;
        letters_out[id * 2] = letter;
        letters_out[id * 2 + 1] = plus ? '+' : (minus ? '-' : ' ');
    }
}

// n = largest start value
extern "C" __global__ void collatz_ll(float* out, const float* in, int n)
{
    int t = threadIdx.x + blockDim.x * blockIdx.x;
    long long v = (long long)(in[t] * n) + 1;
    long long peak = v;
    long long steps = 0;
    while (v != 1) {
        if (v % 2 == 0)
            v = v / 2;
        else
            v = 3 * v + 1;
        if (v > peak)
            peak = v;
        steps++;
    }
    out[2 * t] = steps;
    out[2 * t + 1] = log((double)peak);
}

// n = number of 4x4 systems; Gauss with row pivoting, all in a local array
extern "C" __global__ void gauss_solve(float* out, const float* in, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    double m[4][5];
    double x[4];
    bool singular = false;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 5; c++)
            m[r][c] = 1.0 * in[(id * 20 + r * 5 + c) % 1048576];
    for (int p = 0; p < 4; p++) {
        int best = p;
        for (int r = p + 1; r < 4; r++)
            if (fabs(m[r][p]) > fabs(m[best][p])) best = r;
        if (best != p) {
            for (int c = 0; c < 5; c++) {
                double tmp = m[p][c];
                m[p][c] = m[best][c];
                m[best][c] = tmp;
            }
        }
        if (fabs(m[p][p]) < 1e-3) { singular = true; break; }
        for (int r = p + 1; r < 4; r++) {
            double f = m[r][p] / m[p][p];
            for (int c = p; c < 5; c++)
                m[r][c] = m[r][c] - f * m[p][c];
        }
    }
    for (int r = 3; r >= 0; r--) {
        x[r] = 0;
        if (singular) continue;
        double s = m[r][4];
        for (int c = r + 1; c < 4; c++) s -= m[r][c] * x[c];
        x[r] = s / m[r][r];
    }
    for (int r = 0; r < 4; r++) out[id * 4 + r] = x[r];
}

// n = window length (3..15): sort it, drop the extremes, average the rest
extern "C" __global__ void bubble_trim(float* out, const float* in, int n)
{
    float w[16];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j, k;
    int swaps = 0;
    for (j = 0; j < n; j++) w[j] = in[i + j];
    for (j = 0; j < n - 1; j++) {
        bool done = true;
        for (k = 0; k < n - 1 - j; k++) {
            if (w[k] > w[k + 1]) {
                float t = w[k];
                w[k] = w[k + 1];
                w[k + 1] = t;
                swaps++;
                done = false;
            }
        }
        if (done) break;
    }
    float sum = 0;
    for (j = 1; j < n - 1; j++) sum += w[j];
    out[i * 2] = sum / (n - 2);
    out[i * 2 + 1] = swaps;
}

// n = time steps; one rod per block (at most 256 cells)
extern "C" __global__ void heat_rod(float* out, const float* in, int n)
{
    __shared__ float cur[256];
    __shared__ float nxt[256];
    cur[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x] * 100;
    nxt[threadIdx.x] = 0;
    __syncthreads();
    for (int s = 0; s < n; s++) {
        __syncthreads();   // just to be safe
        if (threadIdx.x == 0) {
            nxt[threadIdx.x] = cur[threadIdx.x];
        } else if (threadIdx.x == blockDim.x - 1) {
            nxt[threadIdx.x] = cur[threadIdx.x];
        } else {
            nxt[threadIdx.x] = cur[threadIdx.x]
                + 0.1 * (cur[threadIdx.x - 1] - 2 * cur[threadIdx.x] + cur[threadIdx.x + 1]);
        }
        __syncthreads();
        cur[threadIdx.x] = nxt[threadIdx.x];
        __syncthreads();   // just to be safe
    }
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = cur[threadIdx.x];
}

// n = bytes per thread; Caesar cipher with a running key, and the commonest letter
extern "C" __global__ void caesar_count(float* out, const float* in, int n)
{
    const unsigned char* text = (const unsigned char*)in;
    char* coded = (char*)out;
    unsigned short count[26];
    for (int j = 0; j < 26; j++) count[j] = 0;
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    short key = 3;
    for (int j = 0; j < n; j++) {
        char c = 'a' + text[id * n + j] % 26;
        char e = c + key;
        if (e > 'z' || e < 'a') e = e - 26;
        coded[id * n + j] = e;
        count[e - 'a']++;
        if (c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u')
            key = (key + 1) % 5;
    }
    int best = 0;
    for (int j = 1; j < 26; j++)
        if (count[j] > count[best]) best = j;
    out[524288 + id] = best + count[best] / 1000.0;
}

// n = most time steps of the flight
extern "C" __global__ void cannon(float* out, const float* in, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    double angle = 0.2 + in[id];
    double speed = 8.0 + in[id + 5000] * 30.0;
    double x = 0, y = 0.001;
    double vx = speed * cos(angle);
    double vy = speed * sin(angle);
    double top = 0;
    int step = 0;
    while (y > 0) {
        double v = sqrt(vx * vx + vy * vy);
        double drag = 0.02 * pow(v, 1.3) / (v + 0.001);
        vx = vx - drag * vx * 0.05;
        vy = vy - (9.81 + drag * vy) * 0.05;
        x = x + vx * 0.05;
        y = y + vy * 0.05;
        if (y > top) top = y;
        step++;
        if (step >= n) break;
    }
    out[id * 3] = x;
    out[id * 3 + 1] = top;
    out[id * 3 + 2] = step;
}

// n = time steps; structure of arrays, one particle per thread
extern "C" __global__ void bouncing_soa(float* out, const float* in, int n)
{
    int N = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* px = in;
    const float* py = in + N;
    const float* pvx = in + 2 * N;
    const float* pvy = in + 3 * N;
    float x = px[i], y = py[i];
    float vx = pvx[i] - 0.5, vy = pvy[i] - 0.5;
    int hits = 0;
    bool stuck = false;
    for (int t = 0; t < n; t++) {
        bool left = false, right = false, floor_hit = false;
        x = x + vx * 0.05f;
        y = y + vy * 0.05f;
        if (x < 0) left = true;
        if (x > 1) right = true;
        if (y < 0) floor_hit = true;
        if (left == true) { x = -x; vx = -vx * 0.9; hits = hits + 1; }
        if (right == true) { x = 2 - x; vx = -vx * 0.9; hits = hits + 1; }
        if (floor_hit == true) { y = -y; vy = -vy * 0.8; hits = hits + 1; }
        else { vy = vy - 0.02; }
        if (floor_hit && fabs(vy) < 0.005) { stuck = true; break; }
    }
    out[i] = x;
    out[N + i] = y;
    out[2 * N + i] = hits;
    out[3 * N + i] = stuck ? 1 : 0;
}

// n = iteration limit; two-dimensional grid
extern "C" __global__ void mandel_goto(float* out, const float* in, int n)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    int w = gridDim.x * blockDim.x;
    int h = gridDim.y * blockDim.y;
    float best = 1e30f;
    int it = 0;
    for (int sy = 0; sy < 2; sy++) {
        for (int sx = 0; sx < 2; sx++) {
            float cr = -2.2f + 3.0f * (px + 0.5f * sx) / w + 0.02f * in[py * w + px];
            float ci = -1.2f + 2.4f * (py + 0.5f * sy) / h;
            float zr = 0, zi = 0;
            for (it = 0; it < n; it++) {
                float t = zr * zr - zi * zi + cr;
                zi = 2 * zr * zi + ci;
                zr = t;
                float d = zr * zr + zi * zi;
                if (d < best && it > 2) best = d;
                if (d > 4) goto escaped;
            }
        }
    }
    it = -1;
escaped:
    out[py * w + px] = it < 0 ? -sqrtf(best) : it + best;
}

// n = span of days since 1970
extern "C" __global__ void calendar_switch(float* out, const float* in, int n)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    int day = (int)(in[id] * n);
    int weekday = (day + 4) % 7;
    int year = 1970;
    bool leap;
    while (1) {
        leap = (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
        int len = leap ? 366 : 365;
        if (day < len) break;
        day -= len;
        year++;
    }
    int month = 0;
    for (;;) {
        int ml;
        switch (month) {
        case 1: ml = leap ? 29 : 28; break;
        case 3: case 5: case 8: case 10: ml = 30; break;
        default: ml = 31;
        }
        if (day < ml) break;
        day -= ml;
        month++;
    }
    int doy = day + 1;
    switch (month) {   // back again
    case 11: doy += 30; [[fallthrough]];
    case 10: doy += 31; [[fallthrough]];
    case 9: doy += 30; [[fallthrough]];
    case 8: doy += 31; [[fallthrough]];
    case 7: doy += 31; [[fallthrough]];
    case 6: doy += 30; [[fallthrough]];
    case 5: doy += 31; [[fallthrough]];
    case 4: doy += 30; [[fallthrough]];
    case 3: doy += 31; [[fallthrough]];
    case 2: doy += leap ? 29 : 28; [[fallthrough]];
    case 1: doy += 31;
    }
    int* res = (int*)out;
    res[2 * id] = year * 10000 + (month + 1) * 100 + day + 1;
    res[2 * id + 1] = weekday * 1000 + doy;
}

// n = row length; every thread walks along its own row
extern "C" __global__ void row_stats(float* out, const float* in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float mean = 0;
    for (int j = 0; j < n; j++)
        mean = mean + in[row * n + j];
    mean = mean / n;
    float var = 0, skew = 0;
    int outliers = 0;
    for (int j = 0; j < n; j++) {
        var = var + pow(in[row * n + j] - mean, 2);
        skew = skew + pow(1.0 * in[row * n + j] - mean, 3);
    }
    var = var / (n - 1.0);
    for (int j = 0; j < n; j++) {
        if (in[row * n + j] > mean + 1.5 * sqrt(var)) outliers++;
        if (in[row * n + j] < mean - 1.5 * sqrt(var)) outliers++;
    }
    out[row * 4 + 0] = mean;
    out[row * 4 + 1] = sqrt(var);
    out[row * 4 + 2] = skew / n / (pow(sqrt(var), 3) + 1e-6);
    out[row * 4 + 3] = outliers;
}

// =====================================================================
//  Part B: second term
// =====================================================================

template <int T>
struct TilePair {
    float a[T][T + 1];
    float b[T][T + 1];
};

template <int T>
__device__ __forceinline__ float tile_dot(const TilePair<T>& s, int ty, int tx, float acc)
{
#pragma unroll
    for (int k = 0; k < T; ++k) acc += s.a[ty][k] * s.b[k][tx];
    return acc;
}

// n = inner dimension; block 16x16
extern "C" __global__ void gemm_tile(float* __restrict__ out, const float* __restrict__ in, int n)
{
    __shared__ TilePair<16> tile;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    const int width = gridDim.x * 16;
    const float* A = in;
    const float* B = in + (1 << 19);
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 16) {
        const int ka = k0 + tx, kb = k0 + ty;
        tile.a[ty][tx] = ka < n ? A[row * n + ka] : 0.0f;
        tile.b[ty][tx] = kb < n ? B[kb * width + col] : 0.0f;
        __syncthreads();
        acc = tile_dot(tile, ty, tx, acc);
        __syncthreads();
    }
    out[row * width + col] = acc;
}

__constant__ float c_taps[9] = { 0.004f, 0.012f, 0.029f, 0.055f, 0.083f, 0.106f, 0.121f, 0.128f, 0.0645f };

// n = segments per block; symmetric 17-tap filter; block at most 256
extern "C" __global__ void fir_const(float* __restrict__ out, const float* __restrict__ in, int n)
{
    __shared__ float s[256 + 16];
    const int t = threadIdx.x;
    for (int seg = 0; seg < n; ++seg) {
        const int base = (blockIdx.x * n + seg) * blockDim.x;
        for (int k = t; k < blockDim.x + 16; k += blockDim.x)
            s[k] = in[base + k];
        __syncthreads();
        float acc = c_taps[8] * s[t + 8];
#pragma unroll 4
        for (int k = 0; k < 8; ++k)
            acc += c_taps[k] * (s[t + k] + s[t + 16 - k]);
        __syncthreads();
        out[base + t] = acc;
    }
}

// n = number of float4 elements
extern "C" __global__ void __launch_bounds__(256, 2)
saxpy_vec4(float* __restrict__ out, const float* __restrict__ in, int n)
{
    const float4* __restrict__ x = reinterpret_cast<const float4*>(in);
    const float4* __restrict__ y = reinterpret_cast<const float4*>(in + (1 << 19));
    float4* __restrict__ z = reinterpret_cast<float4*>(out);
    const float a = 1.75f;
    const int stride = gridDim.x * blockDim.x;
#pragma unroll 2
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const float4 p = x[i], q = y[i];
        float4 r;
        r.x = fminf(fmaxf(a * p.x + q.x, 0.25f), 2.0f);
        r.y = fminf(fmaxf(a * p.y - q.y, 0.25f), 2.0f);
        r.z = p.z > q.z ? a * p.z : q.z;
        r.w = fabsf(p.w - q.w) * a;
        z[i] = r;
    }
}

union Pixel565 {
    unsigned short raw;
    struct { unsigned short b : 5, g : 6, r : 5; } c;
    unsigned char byte[2];
};

// n = blend weight 0..256; two packed pixels per word
extern "C" __global__ void rgb565_bits(float* out, const float* in, int n)
{
    const unsigned short* src = reinterpret_cast<const unsigned short*>(in);
    unsigned short* dst = reinterpret_cast<unsigned short*>(out);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pixel565 p, q, r;
    p.raw = src[4 * i];
    q.raw = src[4 * i + 2];
    r.raw = 0;
    r.c.r = (p.c.r * n + q.c.r * (256 - n)) >> 8;
    r.c.g = (p.c.g * n + q.c.g * (256 - n)) >> 8;
    r.c.b = (p.c.b * n + q.c.b * (256 - n)) >> 8;
    const int luma = r.c.r * 2 * 77 + r.c.g * 151 + r.c.b * 2 * 28;
    if (luma > 6000) {          // invert the bright ones
        r.c.r = ~r.c.r;
        r.c.b = ~r.c.b;
    } else if (luma < 1500 && (r.byte[0] & 1)) {
        r.c.g = min(63, r.c.g + 9);
    }
    dst[2 * i] = r.raw;
    dst[2 * i + 1] = (unsigned short)luma;
}

enum class CsvState : unsigned char { Start, Int, Frac, Quote, Err };
enum CharClass { DIGIT, DOT, COMMA, QUOTE, OTHER };

__constant__ unsigned char c_next[5][5] = {
    { 1, 2, 0, 3, 4 },
    { 1, 2, 0, 4, 4 },
    { 2, 4, 0, 4, 4 },
    { 3, 3, 3, 0, 3 },
    { 4, 4, 0, 4, 4 },
};

__device__ CharClass classify(float x)
{
    if (x < 0.5f) return DIGIT;
    if (x < 0.6f) return DOT;
    if (x < 0.85f) return COMMA;
    return x < 0.92f ? QUOTE : OTHER;
}

// n = characters per thread
extern "C" __global__ void csv_fsm(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    CsvState st = CsvState::Start;
    int ints = 0, fracs = 0, errors = 0;
    float value = 0, scale = 1, total = 0;
    for (int i = 0; i < n; ++i) {
        const float x = in[id + i * 2048];
        const CharClass cc = classify(x);
        if (cc == COMMA) {
            switch (st) {
            case CsvState::Int: ++ints; total += value; break;
            case CsvState::Frac: ++fracs; total += value * scale; break;
            case CsvState::Err: ++errors; break;
            default: break;
            }
        }
        const CsvState nx = static_cast<CsvState>(c_next[(int)st][cc]);
        if (nx == CsvState::Start) { value = 0; scale = 1; }
        else if (cc == DIGIT && (nx == CsvState::Int || nx == CsvState::Frac)) {
            value = value * 10 + min(9, (int)(x * 20));
            if (nx == CsvState::Frac) scale *= 0.1f;
        }
        st = nx;
    }
    float4 r = make_float4(total, ints, fracs, errors + 0.125f * (int)st);
    reinterpret_cast<float4*>(out)[id] = r;
}

template <class F, class G>
struct Composed {
    F f; G g;
    __device__ float operator()(float x) const { return g(f(x)); }
};
template <class F, class G>
__device__ Composed<F, G> and_then(F f, G g) { return Composed<F, G>{ f, g }; }

template <int K>
struct ScaleBy { __device__ float operator()(float x) const { return x * K; } };

// n = phase of the shift
extern "C" __global__ void compose_lambda(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const float bias = 0.01f * n;
    auto shift = [bias](float x) { return x + bias; };
    auto wrap = [](float x) { return x - floorf(x); };
    auto tent = [](float x) { return x < 0.5f ? 2.0f * x : 2.0f - 2.0f * x; };
    auto chain = and_then(and_then(shift, wrap), and_then(tent, ScaleBy<3>{}));
    auto fold = [&](auto op, float init) {
        float acc = init;
        for (int j = 0; j < 8; ++j) acc = op(acc, chain(in[id * 8 + j]));
        return acc;
    };
    const float sum = fold([](float a, float b) { return a + b; }, 0.0f);
    const float top = fold([](float a, float b) { return a > b ? a : b; }, -1.0f);
    const float norm = sqrtf(fold([](float a, float b) { return a + b * b; }, 0.0f));
    const int big = (int)fold([=](float a, float b) { return b > 0.5f * top ? a + 1.0f : a; }, 0.0f);
    out[id * 4] = sum;
    out[id * 4 + 1] = top;
    out[id * 4 + 2] = norm;
    out[id * 4 + 3] = big;
}

struct Cplx {
    float re, im;
    __device__ Cplx() {}
    __device__ Cplx(float r, float i = 0.0f) : re(r), im(i) {}
    __device__ Cplx operator+(const Cplx& o) const { return Cplx(re + o.re, im + o.im); }
    __device__ Cplx operator-(const Cplx& o) const { return Cplx(re - o.re, im - o.im); }
    __device__ Cplx operator*(const Cplx& o) const { return Cplx(re * o.re - im * o.im, re * o.im + im * o.re); }
    __device__ Cplx& operator*=(float s) { re *= s; im *= s; return *this; }
    __device__ float norm2() const { return re * re + im * im; }
};

template <int SPAN>
__device__ __forceinline__ void fft_dif(Cplx* v)
{
#pragma unroll
    for (int i = 0; i < SPAN / 2; ++i) {
        const Cplx a = v[i], b = v[i + SPAN / 2];
        float s, c;
        sincospif(-2.0f * i / SPAN, &s, &c);
        v[i] = a + b;
        v[i + SPAN / 2] = (a - b) * Cplx(c, s);
    }
    if constexpr (SPAN > 2) {
        fft_dif<SPAN / 2>(v);
        fft_dif<SPAN / 2>(v + SPAN / 2);
    }
}

// n = number of filter rounds
extern "C" __global__ void fft8_ops(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    Cplx v[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = Cplx(in[id * 16 + 2 * i], in[id * 16 + 2 * i + 1] - 0.5f);
    for (int round = 0; round < n; ++round) {
        fft_dif<8>(v);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if (v[i].norm2() < 0.4f) v[i] = Cplx(0.0f);
            v[i] *= 0.35355339f;
        }
    }
    float energy = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        out[id * 16 + 2 * i] = v[i].re;
        out[id * 16 + 2 * i + 1] = v[i].im;
        energy += v[i].norm2();
    }
    out[786432 + id] = energy;
}

template <typename T>
__device__ T horner(T, T c0) { return c0; }
template <typename T, typename... Rest>
__device__ T horner(T x, T c0, Rest... rest) { return c0 + x * horner(x, static_cast<T>(rest)...); }

template <int N>
__device__ float chebyshev(float x)
{
    if constexpr (N == 0) return 1.0f;
    else if constexpr (N == 1) return x;
    else return 2.0f * x * chebyshev<N - 1>(x) - chebyshev<N - 2>(x);
}

template <typename T>
__device__ T squash(T v)
{
    if constexpr (sizeof(T) == 8) return v / (1.0 + fabs(v));
    else return v * rsqrtf(1.0f + v * v);
}

template <typename... Ts>
__device__ float mean_of(Ts... v) { return (static_cast<float>(v) + ...) / sizeof...(v); }

// n = number of rounds
extern "C" __global__ void horner_pack(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 2.0f * in[id] - 1.0f;
    double d = x;
    float acc = 0;
    for (int i = 0; i < n; ++i) {
        const float p = horner(x, 0.5f, -1.0f, 0.25f, 2, 0.125f);
        d = horner(d, 0.1, 0.9, -0.3, 0.05);
        acc += mean_of(p, chebyshev<5>(x), d, i & 3);
        x = squash(p);
        if (fabs(d) > 1.0) d = squash(d);
    }
    out[id] = acc;
    reinterpret_cast<double*>(out)[262144 + id] = d;
}

struct CrcTable {
    unsigned v[256];
    constexpr CrcTable() : v()
    {
        for (unsigned i = 0; i < 256; ++i) {
            unsigned c = i;
            for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xEDB88320u ^ (c >> 1) : c >> 1;
            v[i] = c;
        }
    }
};
__constant__ constexpr CrcTable c_crc{};

// n = words per thread
extern "C" __global__ void crc_table(float* out, const float* in, int n)
{
    const unsigned* words = reinterpret_cast<const unsigned*>(in);
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned crc = 0xFFFFFFFFu, adler_a = 1, adler_b = 0;
    for (int i = 0; i < n; ++i) {
        unsigned w = words[id * n + i];
#pragma unroll
        for (int b = 0; b < 4; ++b, w >>= 8) {
            crc = c_crc.v[(crc ^ w) & 0xFF] ^ (crc >> 8);
            adler_a = (adler_a + (w & 0xFF)) % 65521u;
            adler_b = (adler_b + adler_a) % 65521u;
        }
    }
    reinterpret_cast<uint2*>(out)[id] = make_uint2(~crc, adler_b << 16 | adler_a);
}

// n = generations; block at most 16x16; dead cells around each tile
extern "C" __global__ void life_tile(float* out, const float* in, int n)
{
    __shared__ unsigned char g[2][18][18];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
    const int w = gridDim.x * blockDim.x;
    unsigned char* flat = &g[0][0][0];
    for (int k = ty * blockDim.x + tx; k < 2 * 18 * 18; k += blockDim.x * blockDim.y) flat[k] = 0;
    __syncthreads();
    g[0][ty + 1][tx + 1] = in[y * w + x] < 0.4f;
    __syncthreads();
    int age = 0, cur = 0;
    for (int gen = 0; gen < n; ++gen, cur ^= 1) {
        int near = 0;
#pragma unroll
        for (int dy = 0; dy < 3; ++dy)
#pragma unroll
            for (int dx = 0; dx < 3; ++dx)
                if (dx != 1 || dy != 1) near += g[cur][ty + dy][tx + dx];
        const bool was = g[cur][ty + 1][tx + 1];
        const bool now = near == 3 || (was && near == 2);
        age = now ? (was ? age + 1 : 1) : 0;
        g[cur ^ 1][ty + 1][tx + 1] = now;
        __syncthreads();
    }
    out[y * w + x] = g[cur][ty + 1][tx + 1] + 0.001f * age;
}

// n = matrix order (at most 24); one matrix per block, any block size
extern "C" __global__ void cholesky_small(float* out, const float* in, int n)
{
    __shared__ float L[24][25];
    const int t = threadIdx.x;
    const float* B = in + blockIdx.x * n * n;
    for (int idx = t; idx < n * n; idx += blockDim.x) {
        const int i = idx / n, j = idx % n;
        float s = i == j ? 0.5f * n : 0.0f;
        for (int k = 0; k < n; ++k) s += B[i * n + k] * B[j * n + k];
        L[i][j] = s;
    }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (t == 0) L[k][k] = sqrtf(L[k][k]);
        __syncthreads();
        for (int i = k + 1 + t; i < n; i += blockDim.x) L[i][k] /= L[k][k];
        __syncthreads();
        for (int i = k + 1 + t; i < n; i += blockDim.x)
            for (int j = k + 1; j <= i; ++j)
                L[i][j] -= L[i][k] * L[j][k];
        __syncthreads();
    }
    for (int idx = t; idx < n * n; idx += blockDim.x) {
        const int i = idx / n, j = idx % n;
        out[blockIdx.x * n * n + idx] = j <= i ? L[i][j] : 0.0f;
    }
}

// n = number of planes; block at most 32x16; planes marched through registers
extern "C" __global__ void stencil_plane(float* out, const float* in, int n)
{
    __shared__ float s[18][34];
    const int tx = threadIdx.x, ty = threadIdx.y, bx = blockDim.x, by = blockDim.y;
    const int gx = blockIdx.x * bx + tx, gy = blockIdx.y * by + ty;
    const int nx = gridDim.x * bx, ny = gridDim.y * by, plane = nx * ny;
    const int at = gy * nx + gx;
    float behind = 0.0f, here = in[at], ahead = n > 1 ? in[at + plane] : 0.0f;
    for (int z = 0; z < n; ++z) {
        const float* p = in + z * plane + at;
        s[ty + 1][tx + 1] = here;
        if (tx == 0) s[ty + 1][0] = gx > 0 ? p[-1] : 0.0f;
        if (tx == bx - 1) s[ty + 1][bx + 1] = gx < nx - 1 ? p[1] : 0.0f;
        if (ty == 0) s[0][tx + 1] = gy > 0 ? p[-nx] : 0.0f;
        if (ty == by - 1) s[by + 1][tx + 1] = gy < ny - 1 ? p[nx] : 0.0f;
        __syncthreads();
        const float around = s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] + s[ty + 2][tx + 1];
        out[z * plane + at] = 0.4f * here + 0.1f * (around + behind + ahead);
        __syncthreads();
        behind = here;
        here = ahead;
        ahead = z + 2 < n ? in[at + (z + 2) * plane] : 0.0f;
    }
}

class Interval {
    float lo_, hi_;
public:
    __device__ Interval(float v) : lo_(v), hi_(v) {}
    __device__ Interval(float l, float h) : lo_(l), hi_(h) {}
    __device__ float lo() const { return lo_; }
    __device__ float hi() const { return hi_; }
    __device__ float width() const { return __fsub_ru(hi_, lo_); }
    __device__ float mid() const { return 0.5f * (lo_ + hi_); }
    friend __device__ Interval operator+(Interval a, Interval b)
    {
        return Interval(__fadd_rd(a.lo_, b.lo_), __fadd_ru(a.hi_, b.hi_));
    }
    friend __device__ Interval operator-(Interval a, Interval b)
    {
        return Interval(__fsub_rd(a.lo_, b.hi_), __fsub_ru(a.hi_, b.lo_));
    }
    friend __device__ Interval operator*(Interval a, Interval b)
    {
        return Interval(fminf(fminf(__fmul_rd(a.lo_, b.lo_), __fmul_rd(a.lo_, b.hi_)),
                              fminf(__fmul_rd(a.hi_, b.lo_), __fmul_rd(a.hi_, b.hi_))),
                        fmaxf(fmaxf(__fmul_ru(a.lo_, b.lo_), __fmul_ru(a.lo_, b.hi_)),
                              fmaxf(__fmul_ru(a.hi_, b.lo_), __fmul_ru(a.hi_, b.hi_))));
    }
    __device__ Interval inverse() const { return Interval(__frcp_rd(hi_), __frcp_ru(lo_)); }
    __device__ Interval meet(Interval o) const { return Interval(fmaxf(lo_, o.lo_), fminf(hi_, o.hi_)); }
};

// n = most iterations; encloses the root of x^3 + x = c
extern "C" __global__ void interval_newton(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const Interval c(0.5f + in[id]);
    Interval x(0.0f, 1.5f);
    int it = 0;
    while (it < n) {
        const Interval m(x.mid());
        const Interval f = m * m * m + m - c;
        const Interval slope = Interval(3.0f) * x * x + Interval(1.0f);
        const Interval y = x.meet(m - f * slope.inverse());
        const bool stalled = y.width() >= 0.9f * x.width();
        x = y;
        ++it;
        if (stalled || x.width() < 1e-6f) break;
    }
    out[3 * id] = x.lo();
    out[3 * id + 1] = x.hi();
    out[3 * id + 2] = it;
}

struct XorShift {
    unsigned s;
    __device__ explicit XorShift(unsigned seed) : s(seed | 1u) {}
    __device__ unsigned next() { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
};
struct Pcg {
    ull s;
    __device__ explicit Pcg(unsigned seed) : s(seed * 2654435761ull + 11) {}
    __device__ unsigned next()
    {
        const ull o = s;
        s = o * 6364136223846793005ull + 1442695040888963407ull;
        const unsigned x = (unsigned)(((o >> 18) ^ o) >> 27), r = (unsigned)(o >> 59);
        return (x >> r) | (x << ((32 - r) & 31));
    }
};

template <class Rng, int BOX>
__device__ int wander(unsigned seed, int steps, ull& seen)
{
    Rng rng(seed);
    int x = BOX / 2, y = BOX / 2, home = 0;
    for (int i = 0; i < steps; ++i) {
        switch (rng.next() >> 30) {
        case 0: x = min(x + 1, BOX - 1); break;
        case 1: x = max(x - 1, 0); break;
        case 2: y = y == BOX - 1 ? 0 : y + 1; break;
        default: y = y == 0 ? BOX - 1 : y - 1;
        }
        seen |= 1ull << (y * BOX + x);
        if (x == BOX / 2 && y == BOX / 2) ++home;
        if (seen == ~0ull) break;
    }
    return home;
}

// n = steps of each walk
extern "C" __global__ void walk_policy(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned seed = __float_as_uint(in[id]) + 77u * id;
    ull seen = 0;
    int home;
    if (in[id] < 0.5f) home = wander<XorShift, 8>(seed, n, seen);
    else home = wander<Pcg, 7>(seed, n, seen);
    int cells = 0;
    for (ull m = seen; m; m &= m - 1) ++cells;
    out[2 * id] = home;
    out[2 * id + 1] = cells;
}

enum Op : unsigned char { LDX, LDC, DUP, ADD, SUB, MUL, SQRT, ABS, JLT, SWAP, HALT };
__constant__ unsigned char c_program[] = {
    LDX,              //  0
    DUP, MUL,         //  1
    LDC, 0, ADD,      //  3
    DUP, LDC, 1,      //  6
    JLT, 1,           //  9  back to 1 while below the limit
    SQRT, LDC, 2,     // 11
    SWAP, SUB, ABS,   // 14
    HALT              // 17
};

// n = most instructions
extern "C" __global__ void stack_vm(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    float st[8];
    for (int k = 0; k < 8; ++k) st[k] = 0.0f;
    const float consts[3] = { 0.1f + 0.4f * in[id + 1], 4.0f + in[id + 2], 3.0f };
    int pc = 0, sp = 0, steps = 0;
    bool running = true;
    while (running && steps < n) {
        ++steps;
        switch (c_program[pc++]) {
        case LDX: st[sp++] = in[id]; break;
        case LDC: st[sp++] = consts[c_program[pc++]]; break;
        case DUP: st[sp] = st[sp - 1]; ++sp; break;
        case SUB: st[sp - 1] = -st[sp - 1]; [[fallthrough]];
        case ADD: --sp; st[sp - 1] += st[sp]; break;
        case MUL: --sp; st[sp - 1] *= st[sp]; break;
        case SQRT: st[sp - 1] = sqrtf(st[sp - 1]); [[fallthrough]];
        case ABS: st[sp - 1] = fabsf(st[sp - 1]); break;
        case SWAP: { const float t = st[sp - 1]; st[sp - 1] = st[sp - 2]; st[sp - 2] = t; break; }
        case JLT: sp -= 2; pc = st[sp] < st[sp + 1] ? c_program[pc] : pc + 1; break;
        case HALT: running = false;
        }
    }
    out[2 * id] = st[0];
    out[2 * id + 1] = steps;
}

struct Frac {
    long long p, q;
    __device__ Frac(long long p_ = 0, long long q_ = 1) : p(p_), q(q_)
    {
        long long a = p < 0 ? -p : p, b = q;
        while (b) { const long long t = a % b; a = b; b = t; }
        if (a > 1) { p /= a; q /= a; }
    }
    __device__ Frac operator+(const Frac& o) const { return Frac(p * o.q + o.p * q, q * o.q); }
    __device__ Frac operator-(const Frac& o) const { return Frac(p * o.q - o.p * q, q * o.q); }
    __device__ bool operator<(const Frac& o) const { return p * o.q < o.p * q; }
};

// n = number of terms
extern "C" __global__ void frac_gcd(float* out, const float* in, int n)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    Frac total;
    int rounded = 0;
    for (int k = 0; k < n; ++k) {
        const Frac term((int)(in[id + k * 1024] * 20) + 1, k % 7 + 2);
        total = term < total ? total - term : total + term;
        if (total.q > 100) {
            total = Frac(total.p * 12 / total.q, 12);
            ++rounded;
        }
    }
    int* o = reinterpret_cast<int*>(out);
    o[4 * id] = (int)total.p;
    o[4 * id + 1] = (int)total.q;
    o[4 * id + 2] = rounded;
    out[4 * id + 3] = (float)total.p / (float)total.q;
}

// =====================================================================
//  Part C: the instructors
// =====================================================================

template <int ITEMS>
struct BlockScan {
    int* warp_totals;
    __device__ int exclusive(int (&v)[ITEMS], int& block_total) const
    {
        const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
        const int warps = (blockDim.x + 31) >> 5;
        const int alive = min(32, (int)blockDim.x - warp * 32);
        const unsigned mask = alive == 32 ? 0xFFFFFFFFu : (1u << alive) - 1;
        int mine = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) mine += v[i];
        int incl = mine;
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            const int up = __shfl_up_sync(mask, incl, d);
            if (lane >= d) incl += up;
        }
        if (lane == alive - 1) warp_totals[warp] = incl;
        __syncthreads();
        int before = 0;
        block_total = 0;
        for (int w = 0; w < warps; ++w) {
            const int c = warp_totals[w];
            if (w < warp) before += c;
            block_total += c;
        }
        return before + incl - mine;
    }
};

// n = scale of the quantised values; dynamic shared: 32 ints; 4 items per thread
extern "C" __global__ void block_scan(float* out, const float* in, int n)
{
    extern __shared__ int dyn_ints[];
    const int base = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int v[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) v[i] = (int)(in[base + i] * n);
    int total;
    int run = BlockScan<4>{ dyn_ints }.exclusive(v, total);
    int4 r;
    r.x = run; run += v[0];
    r.y = run; run += v[1];
    r.z = run; run += v[2];
    r.w = total - run;
    reinterpret_cast<int4*>(out)[base / 4] = r;
}

// n = tiles per block; full warps only
extern "C" __global__ void compact_ballot(float* out, const float* in, int n)
{
    __shared__ int warp_count[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    float* dst = out + blockIdx.x * (n + 1) * blockDim.x;
    int base = 0;
    for (int tile = 0; tile < n; ++tile) {
        const float v = in[(blockIdx.x * n + tile) * blockDim.x + threadIdx.x];
        const bool keep = v > 0.3f && v < 0.8f;
        const unsigned votes = __ballot_sync(0xFFFFFFFFu, keep);
        if (lane == 0) warp_count[warp] = __popc(votes);
        __syncthreads();
        int before = 0, total = 0;
        for (int w = 0; w < warps; ++w) {
            const int c = warp_count[w];
            before += w < warp ? c : 0;
            total += c;
        }
        if (keep) dst[base + before + __popc(votes & ((1u << lane) - 1))] = v;
        base += total;
        __syncthreads();
    }
    if (threadIdx.x == 0) dst[n * blockDim.x] = base;
}

// n = rounds; full warps only
extern "C" __global__ void match_reduce(float* out, const float* in, int n)
{
    const unsigned FULL = 0xFFFFFFFFu;
    const int gid = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    unsigned acc = 0, same = 0;
    for (int r = 0; r < n; ++r) {
        const float x = in[gid + r * 8192];
        const int key = (int)(x * 6.0f) * (r % 4 != 3);
        const unsigned val = (unsigned)(x * 1000.0f);
        const unsigned peers = __match_any_sync(FULL, key);
        const int leader = __ffs(peers) - 1;
        const int rank = __popc(peers & ((1u << lane) - 1));
        const unsigned sum = __reduce_add_sync(peers, val);
        const unsigned top = __reduce_max_sync(peers, val);
        const unsigned bits = __reduce_or_sync(peers, 1u << (val & 31));
        const unsigned first = __shfl_sync(FULL, val, leader);
        int all_equal;
        __match_all_sync(FULL, key, &all_equal);
        same += all_equal;
        if (rank == 0) acc += sum;
        else if (val == top) acc ^= bits;
        else acc += first * rank;
    }
    reinterpret_cast<uint2*>(out)[gid] = make_uint2(acc, same);
}

__device__ __forceinline__ unsigned spread16(unsigned v)
{
    v &= 0xFFFF;
    v = (v | v << 8) & 0x00FF00FFu;
    v = (v | v << 4) & 0x0F0F0F0Fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}

// n = mixing rounds
extern "C" __global__ void bit_zoo(float* out, const float* in, int n)
{
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = __float_as_uint(in[gid]), y = __float_as_uint(in[gid ^ 1]), acc = 0, majority;
    for (int i = 0; i < n; ++i) {
        const unsigned morton = spread16(x) | spread16(y >> 7) << 1;
        const unsigned gray = morton ^ morton >> 1;
        const int lead = __clz(gray | 1), low = __ffs(gray);
        acc = __funnelshift_l(acc, gray, lead) + __popc(morton & y);
        x = __byte_perm(x, y, 0x2541) ^ __brev(acc);
        if ((int)acc < 0) y = __funnelshift_rc(y, x, low);
        else y += __popcll((ull)x << 32 | acc) * 0x9E3779B9u;
        asm("lop3.b32 %0, %1, %2, %3, 0xE8;" : "=r"(majority) : "r"(x), "r"(y), "r"(acc));
        int walk = 0;
        for (unsigned m = majority & 0x00FF0FF0u; m; m &= m - 1) {
            if (__clz(m) == 12) break;
            walk += __ffs(m) & 3;
        }
        acc += walk;
    }
    reinterpret_cast<uint4*>(out)[gid] = make_uint4(x, y, acc, __clzll((ull)acc << 7 | 1));
}

// n = samples; packed halves and bfloat16
extern "C" __global__ void half_mix(float* out, const float* in, int n)
{
    const float2* src = reinterpret_cast<const float2*>(in);
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    __half2 acc = __float2half2_rn(0.0f);
    __nv_bfloat162 slow = __float2bfloat162_rn(1.0f);
    const __half2 k = __floats2half2_rn(0.75f, -0.5f);
    const __half2 lim = __float2half2_rn(4.0f), mid = __float2half2_rn(0.4f);
    for (int i = 0; i < n; ++i) {
        const __half2 v = __float22half2_rn(src[(gid + i * 131) & 0x7FFFF]);
        acc = __hfma2(v, k, acc);
        acc = __hmax2(__hmin2(acc, lim), __hneg2(lim));
        if (__hbgt2(v, mid)) acc = __lowhigh2highlow(acc);
        const __nv_bfloat162 b = __floats2bfloat162_rn(__low2float(v), __high2float(acc));
        slow = __hfma2(b, __float2bfloat162_rn(0.25f), __hmul2(slow, __float2bfloat162_rn(0.5f)));
    }
    const __half s = __hadd(__low2half(acc), __high2half(acc));
    const __half root = __hgt(s, __float2half(0.0f)) ? hsqrt(s) : hexp(s);
    const __nv_bfloat16 mix = __hsub(__low2bfloat16(slow), __float2bfloat16(0.125f));
    reinterpret_cast<__half2*>(out)[gid] = __halves2half2(root, __hdiv(s, __float2half(3.0f)));
    out[524288 + gid] = __bfloat162float(mix) + __high2float(slow);
}

// n = rows of the search window; 4x4 byte blocks, one per thread, pitch 256 words
extern "C" __global__ void sad_simd(float* out, const float* in, int n)
{
    const unsigned* img = reinterpret_cast<const unsigned*>(in);
    const int bx = 2 + blockIdx.x * blockDim.x + threadIdx.x, by = blockIdx.y;
    unsigned cur[4], best = 0xFFFFFFFFu;
    int where = 0, energy = 0;
    unsigned glow = 0x10203040u;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        cur[r] = img[(by * 4 + r) * 256 + bx];
        energy = __dp4a((int)cur[r], (int)__vavgu4(cur[r], glow), energy);
        glow = __vaddus4(glow, __vminu4(cur[r], 0x3F3F3F3Fu));
    }
    for (int dy = 0; dy < n; ++dy) {
        for (int dx = -4; dx <= 4; ++dx) {
            const int word = dx >> 2, sh = dx & 3;
            unsigned sad = 0;
            for (int r = 0; r < 4; ++r) {
                const int i = (512 + by * 4 + r + dy) * 256 + bx + word;
                const unsigned ref = __byte_perm(img[i], img[i + 1], 0x3210 + 0x1111 * sh);
                sad += __vsadu4(cur[r], ref);
                if (sad >= best) break;
            }
            if (sad < best) { best = sad; where = dy << 8 | (dx + 4); }
        }
    }
    int4* o = reinterpret_cast<int4*>(out);
    o[by * 256 + bx] = make_int4(best, where, energy, (int)__vsub4(glow, cur[0]));
}

struct Mont {
    ull p, inv, one, r2;
    __device__ explicit Mont(ull m) : p(m), inv(m)
    {
        for (int i = 0; i < 5; ++i) inv *= 2 - m * inv;
        one = (0ull - m) % m;
        r2 = one;
        for (int i = 0; i < 64; ++i) r2 = r2 >= p - r2 ? r2 - (p - r2) : r2 + r2;
    }
    __device__ ull redc(ull hi, ull lo) const
    {
        const ull h = __umul64hi(lo * inv, p);
        return hi >= h ? hi - h : hi + p - h;
    }
    __device__ ull mul(ull a, ull b) const { return redc(__umul64hi(a, b), a * b); }
};

// n = number of bases tried (Fermat test)
extern "C" __global__ void montgomery64(float* out, const float* in, int n)
{
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned hi = __float_as_uint(in[gid]), lo = __float_as_uint(in[gid + 1]);
    const ull p = ((ull)hi << 32 | __umul24(lo, 2 * gid + 1)) >> (16 + (gid & 15)) | 0x100001ull;
    const Mont M(p);
    int passed = 0;
    ull last = 0;
    for (int b = 0; b < n; ++b) {
        ull a = M.mul(2 + b + __umulhi(lo, 1000u), M.r2), r = M.one;
        for (ull e = p - 1; e; e >>= 1) {
            if (e & 1) r = M.mul(r, a);
            a = M.mul(a, a);
        }
        last = M.redc(0, r);
        if (last != 1) break;
        ++passed;
    }
    reinterpret_cast<ull*>(out)[gid] = last;
    reinterpret_cast<int*>(out)[524288 + gid] = passed + __mul24(gid, 10) + __mulhi((int)hi, -77);
}

// n = samples per thread; order-independent integer atomics only
extern "C" __global__ void atom_bits(float* out, const float* in, int n)
{
    __shared__ int lo8[8], hi8[8];
    __shared__ unsigned any_bit, all_bits, parity, wrapped;
    __shared__ ull squares, tallest;
    const int t = threadIdx.x, gid = blockIdx.x * blockDim.x + t;
    if (t < 8) { lo8[t] = 65536; hi8[t] = -1; }
    if (t == 8) { any_bit = 0; all_bits = 0xFFFFFFFFu; parity = 0; wrapped = 0; squares = 0; tallest = 0; }
    __syncthreads();
    int q = 0;
    for (int k = 0; k < n; ++k) {
        q = (int)(in[gid + k * 4096] * 65535.0f);
        atomicMin(&lo8[q & 7], q);
        atomicMax(&hi8[q & 7], q);
        if (q & 16) atomicOr(&any_bit, 1u << (q >> 11));
        else atomicXor(&parity, 1u << ((q >> 5) & 31));
        if (q < 300) atomicAnd(&all_bits, ~(1u << (q & 31)));
        atomicInc(&wrapped, 999u);
        atomicAdd(&squares, (ull)q * q);
        atomicMax(&tallest, (ull)q << 32 | gid);
    }
    __syncthreads();
    int* g = reinterpret_cast<int*>(out);
    unsigned* u = reinterpret_cast<unsigned*>(out);
    if (t < 8) { atomicAdd(&g[t], lo8[t]); atomicMax(&g[8 + t], hi8[t]); atomicMin(&g[16 + t], -hi8[t]); }
    if (t == 8) { atomicOr(&u[24], any_bit); atomicXor(&u[25], parity); atomicSub(&g[26], (int)wrapped); }
    if (t == 9) { atomicAdd((ull*)(g + 32), squares); atomicMax((ull*)(g + 34), tallest); atomicXor((ull*)(g + 36), squares); }
    if (t == 10) g[64 + blockIdx.x] = (int)all_bits;
    const int old = atomicExch(&g[1024 + gid], q);   // our own slot
    g[524288 + gid] = old - q;
}

// n = keys per thread; open addressing in shared memory, places depend on the order
extern "C" __global__ void hash_cas_fa(float* out, const float* in, int n)
{
    __shared__ int keys[512];
    __shared__ int counts[512];
    for (int k = threadIdx.x; k < 512; k += blockDim.x) { keys[k] = -1; counts[k] = 0; }
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        const int key = (int)(in[(blockIdx.x * n + i) * blockDim.x + threadIdx.x] * 300.0f);
        unsigned slot = (key * 2654435761u) >> 23;
        for (;;) {
            const int seen = atomicCAS(&keys[slot], -1, key);
            if (seen == -1 || seen == key) {
                atomicAdd(&counts[slot], 1);
                break;
            }
            slot = (slot + 1) & 511;
        }
    }
    __syncthreads();
    int2* dst = reinterpret_cast<int2*>(out) + blockIdx.x * 512;
    for (int k = threadIdx.x; k < 512; k += blockDim.x) dst[k] = make_int2(keys[k], counts[k]);
}

// n = rounds; full warps only
extern "C" __global__ void cg_partition(float* out, const float* in, int n)
{
    __shared__ int hot;
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    if (block.thread_rank() == 0) hot = 0;
    block.sync();
    const int gid = block.group_index().x * block.size() + block.thread_rank();
    int acc = 0;
    for (int r = 0; r < n; ++r) {
        const int q = (int)(in[gid + r * 4096] * 1000.0f);
        const int sum = cg::reduce(tile, q, cg::plus<int>());
        const int before = cg::exclusive_scan(tile, q, cg::plus<int>());
        auto mates = cg::labeled_partition(tile, q % 3);
        const int top = cg::reduce(mates, q, cg::greater<int>());
        acc += sum / 16 - before % 7 + (top == q ? mates.size() : mates.thread_rank());
        if (q > 700) {
            cg::coalesced_group g = cg::coalesced_threads();
            if (g.thread_rank() == 0) atomicAdd(&hot, (int)g.size());
        }
        tile.sync();
        acc ^= tile.shfl_down(acc, 1) & 0xFF;
    }
    block.sync();
    reinterpret_cast<int*>(out)[gid] = acc + hot;
}

__device__ __forceinline__ void bar_sync_id(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
__device__ __forceinline__ void bar_arrive_id(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}

// n = tiles; warp 0 produces, the other warps consume; at least two full warps
extern "C" __global__ void ws_named_bar(float* out, const float* in, int n)
{
    __shared__ float buf[2][64];
    const int lane = threadIdx.x & 31, all = blockDim.x;
    if (threadIdx.x < 32) {
        for (int it = 0; it < n; ++it) {
            const int s = it & 1;
            const float2 v = reinterpret_cast<const float2*>(in)[(blockIdx.x * n + it) * 32 + lane];
            if (it >= 2) bar_sync_id(3 + s, all);        // wait until the buffer is empty
            buf[s][lane] = v.x - v.y;
            buf[s][lane + 32] = v.x > 0.5f ? v.x * v.y : v.y;
            __threadfence_block();
            __syncwarp();
            bar_arrive_id(1 + s, all);                   // full
        }
        return;
    }
    const int who = threadIdx.x - 32;
    float acc = 0.0f;
    for (int it = 0; it < n; ++it) {
        const int s = it & 1;
        bar_sync_id(1 + s, all);
        for (int k = 0; k < 8; ++k) {
            const float w = buf[s][(who * 5 + k * 9) & 63];
            acc = w < 0.0f ? acc * 0.99f : acc + w;
        }
        __syncwarp();
        if (it + 2 < n) bar_arrive_id(3 + s, all);       // empty
    }
    out[blockIdx.x * all + who] = acc;
}

// n = tiles; three overlapping stages; dynamic shared: 4 floats per thread
extern "C" __global__ void ring_stages(float* out, const float* in, int n)
{
    extern __shared__ float dyn_floats[];
    const int t = threadIdx.x, B = blockDim.x;
    float* const raw[2] = { dyn_floats, dyn_floats + B };
    float* const edge[2] = { dyn_floats + 2 * B, dyn_floats + 3 * B };
    const float* src = in + blockIdx.x * n * B;
    float next = n > 0 ? src[t] : 0.0f, sum = 0.0f;
    int peaks = 0;
    for (int step = 0; step < n + 2; ++step) {
        if (step < n) {                                  // stage 1: fetch
            raw[step & 1][t] = next;
            if (step + 1 < n) next = src[(step + 1) * B + t];
        }
        if (step >= 1 && step - 1 < n) {                 // stage 2: gradient
            const float* r = raw[(step - 1) & 1];
            edge[(step - 1) & 1][t] = r[t == B - 1 ? 0 : t + 1] - r[t == 0 ? B - 1 : t - 1];
        }
        if (step >= 2) {                                 // stage 3: consume
            const float* e = edge[step & 1];
            const float here = e[t], far = e[(t + B / 2) % B];
            sum += here * far;
            if (here > 0.5f && far < 0.0f) ++peaks;
        }
        __syncthreads();
    }
    reinterpret_cast<float2*>(out)[blockIdx.x * B + t] = make_float2(sum, peaks);
}

// n = offset into the data; block 32..512, a power of two; one sort per block
extern "C" __global__ void bitonic_mix(float* out, const float* in, int n)
{
    __shared__ unsigned s[512];
    const unsigned t = threadIdx.x;
    const int gid = blockIdx.x * blockDim.x + t;
    unsigned v = __float_as_uint(in[gid + n]) & ~0x3FFu | t;     // key with its place
    for (unsigned k = 2; k <= blockDim.x; k <<= 1) {
        for (unsigned j = k >> 1; j; j >>= 1) {
            unsigned other;
            if (j >= 32) {
                __syncthreads();
                s[t] = v;
                __syncthreads();
                other = s[t ^ j];
            } else {
                other = __shfl_xor_sync(0xFFFFFFFFu, v, j);
            }
            const bool small = ((t & k) == 0) == ((t & j) == 0);
            v = small ? min(v, other) : max(v, other);
        }
    }
    out[2 * gid] = __uint_as_float(v & ~0x3FFu);
    out[2 * gid + 1] = v & 0x3FFu;
}

__device__ __forceinline__ float scene(float x, float y, float z)
{
    x -= floorf(x) + 0.5f;
    y -= floorf(y) + 0.5f;
    z -= floorf(z) + 0.5f;
    const float d2 = __fmaf_rn(x, x, __fmaf_rn(y, y, z * z)) + 1e-6f;
    return d2 * rsqrtf(d2) - 0.27f;
}

// n = march steps; lanes leave at different times; full warps only
extern "C" __global__ void ray_exit(float* out, const float* in, int n)
{
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const float u = in[gid] - 0.5f, v = in[gid + 65536] - 0.5f;
    const float inv = rsqrtf(u * u + v * v + 1.0f);
    const float dx = u * inv, dy = v * inv, dz = inv;
    float t = 0.0f;
    int status = 0;
    for (int step = 0; step < n; ++step) {
        if (!__any_sync(0xFFFFFFFFu, status == 0)) break;
        if (status) continue;
        const float d = scene(dx * t, dy * t, dz * t);
        if (d < 2e-3f) status = 1;
        else if (t > 12.0f) status = 2;
        else t = __fmaf_rn(d, 0.9f, t);
    }
    if (status == 2) { out[gid] = -1.0f; return; }
    if (status == 0) { out[gid] = -__saturatef(t * 0.1f); return; }
    float light = 0.1f;
    for (int l = 0; l < 3; ++l) {
        const float lx = __sinf(1.0f + 2.1f * l), ly = __cosf(1.0f + 2.1f * l);
        float reach = 0.02f;
        for (int s = 0; s < 8; ++s) {
            const float d = scene(dx * t + lx * reach, dy * t + ly * reach, dz * t - reach);
            if (d < 0.0f) { reach = 0.0f; break; }
            reach += d;
            if (d < 0.05f) continue;
            light = __fmaf_rn(d, __fdividef(0.2f, 1.0f + reach), light);
        }
        if (reach > 1.5f && light > 0.8f) { out[gid] = light; return; }
    }
    out[gid] = light * __expf(-0.2f * t) * __frcp_rn(1.0f + t);
}

// n = bits per field (3..17); 32 zigzag deltas per thread, packed without gaps
extern "C" __global__ void unpack_delta(float* out, const float* in, int n)
{
    const unsigned* packed = reinterpret_cast<const unsigned*>(in);
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned* p = packed + gid * n;
    const unsigned field = (1u << n) - 1;
    unsigned lo = p[0], hi = p[1];
    int word = 0, value = 0, low = 0, high = 0, turns = 0;
    bool up = true;
    for (int k = 0; k < 32; ++k) {
        const int bit = k * n;
        if (bit >> 5 != word) {
            word = bit >> 5;
            lo = hi;
            hi = p[word + 1];
        }
        const unsigned z = __funnelshift_r(lo, hi, bit & 31) & field;
        const int delta = (int)(z >> 1) ^ -(int)(z & 1);
        value += delta;
        low = min(low, value);
        high = max(high, value);
        if (delta != 0 && (delta > 0) != up) { up = !up; ++turns; }
    }
    reinterpret_cast<int4*>(out)[gid] = make_int4(value, low, high, turns);
}

__device__ __forceinline__ void transpose8(float (&r)[8], int lane)
{
#pragma unroll
    for (int s = 1; s < 8; s <<= 1) {
        const bool upper = lane & s;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if (i & s) continue;
            const float send = upper ? r[i] : r[i | s];
            const float got = __shfl_xor_sync(0xFFFFFFFFu, send, s);
            if (upper) r[i] = got;
            else r[i | s] = got;
        }
    }
}
__device__ __forceinline__ void hadamard8(float (&r)[8])
{
#pragma unroll
    for (int s = 1; s < 8; s <<= 1)
#pragma unroll
        for (int i = 0; i < 8; ++i)
            if (!(i & s)) {
                const float a = r[i], b = r[i | s];
                r[i] = a + b;
                r[i | s] = a - b;
            }
}

// n = threshold in hundredths; eight lanes hold one 8x8 tile; full warps only
extern "C" __global__ void reg_transpose(float* out, const float* in, int n)
{
    const int gid = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    const float4* src = reinterpret_cast<const float4*>(in) + gid * 2;
    const float4 a = src[0], b = src[1];
    float r[8] = { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w };
    const float cut = 0.01f * n;
    int kept = 0;
    hadamard8(r);
    transpose8(r, lane);
    hadamard8(r);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        if (fabsf(r[i]) < cut) r[i] = 0.0f;
        else ++kept;
    }
    hadamard8(r);
    transpose8(r, lane);
    hadamard8(r);
    kept += __shfl_xor_sync(0xFFFFFFFFu, kept, 4);
    kept += __shfl_xor_sync(0xFFFFFFFFu, kept, 2);
    kept += __shfl_xor_sync(0xFFFFFFFFu, kept, 1);
    float4* dst = reinterpret_cast<float4*>(out) + gid * 2;
    const float k = 1.0f / 64.0f;
    dst[0] = make_float4(r[0] * k, r[1] * k, r[2] * k, r[3] * k);
    dst[1] = make_float4(r[4] * k, r[5] * k, r[6] * k, (lane & 7) == 7 ? (float)kept : r[7] * k);
}

struct Moments {
    double mean, m2;
    int count;
    __device__ void push(double x) { ++count; const double d = x - mean; mean += d / count; m2 += d * (x - mean); }
    __device__ void merge(const Moments& o)
    {
        if (o.count == 0) return;
        const int total = count + o.count;
        const double d = o.mean - mean;
        mean += d * o.count / total;
        m2 += o.m2 + d * d * ((double)count * o.count / total);
        count = total;
    }
};

// n = number of tiles; resident blocks stride over them; full warps only
extern "C" __global__ void welford_shfl(float* out, const float* in, int n)
{
    __shared__ Moments part[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    for (int tile = blockIdx.x; tile < n; tile += gridDim.x) {
        Moments m;
        m.mean = m.m2 = 0.0;
        m.count = 0;
        const float4 v = reinterpret_cast<const float4*>(in)[tile * blockDim.x + threadIdx.x];
        const float e[4] = { v.x, v.y, v.z, v.w };
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if (e[i] > 0.05f) m.push(e[i]);
#pragma unroll 1
        for (int d = 16; d; d >>= 1) {
            Moments o;
            o.mean = __shfl_down_sync(0xFFFFFFFFu, m.mean, d);
            o.m2 = __shfl_down_sync(0xFFFFFFFFu, m.m2, d);
            o.count = __shfl_down_sync(0xFFFFFFFFu, m.count, d);
            if (lane < d) m.merge(o);
        }
        if (lane == 0) part[warp] = m;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int w = 1; w < warps; ++w) m.merge(part[w]);
            double* o = reinterpret_cast<double*>(out) + tile * 2;
            o[0] = m.mean;
            o[1] = m.count > 1 ? sqrt(m.m2 / (m.count - 1)) : 0.0;
        }
        __syncthreads();
    }
}

// n = length of the second word; one edit distance per block, along the anti-diagonals
// dynamic shared: 4 * blockDim + 3 ints
extern "C" __global__ void edit_wave(float* out, const float* in, int n)
{
    extern __shared__ int dyn_ints[];
    const int L = blockDim.x, t = threadIdx.x;
    int* diag[3] = { dyn_ints, dyn_ints + (L + 1), dyn_ints + 2 * (L + 1) };
    int* word = dyn_ints + 3 * (L + 1);
    word[t] = min(3, (int)(in[blockIdx.x * L + t] * 4));
    for (int k = t; k < 3 * (L + 1); k += L) dyn_ints[k] = 0;
    __syncthreads();
    const float* other = in + 500000 + blockIdx.x * n;
    int lowest = L + n;
    for (int d = 0; d < L + n - 1; ++d) {
        const int j = d - t;
        if (j >= 0 && j < n) {
            const int* prev = diag[(d + 2) % 3];
            const int* prev2 = diag[(d + 1) % 3];
            const int up = t == 0 ? j + 1 : prev[t];
            const int left = j == 0 ? t + 1 : prev[t + 1];
            const int corner = t == 0 ? j : j == 0 ? t : prev2[t];
            const int c = min(3, (int)(other[j] * 4));
            int cost = corner;
            if (c != word[t]) cost = min(min(up, left), corner) + 1;
            diag[d % 3][t + 1] = cost;
            lowest = min(lowest, cost + abs(L - t - n + j));
            if (t == L - 1 && j == n - 1) out[blockIdx.x] = cost;
        }
        __syncthreads();
    }
    out[1024 + blockIdx.x * L + t] = lowest;
}
