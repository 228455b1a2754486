#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdint.h>

namespace cg = cooperative_groups;

__device__ __forceinline__ int bucket(float v, int k) {
    int b = (int)(v * (float)k);
    return b < k ? b : k - 1;
}

__device__ __forceinline__ uint32_t scramble(float v) {
    uint32_t x = __float_as_uint(v) * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ (x >> 13);
}

__device__ __forceinline__ uint32_t rotr(uint32_t x, int r) {
    return __funnelshift_r(x, x, r);
}

template <typename T>
__device__ __forceinline__ void order(T& a, T& b) {
    T lo = a < b ? a : b;
    T hi = a < b ? b : a;
    a = lo;
    b = hi;
}

__device__ __forceinline__ unsigned live_mask(int tid, int threads) {
    int left = threads - (tid & ~31);
    return left >= 32 ? 0xffffffffu : (1u << left) - 1u;
}

struct Span {
    float a, b, fa, fm, fb;
    int depth;
};

__device__ __forceinline__ float wiggle(float x, float k) {
    return __sinf(k * x) / (1.0f + x * x);
}

// Adaptive Simpson quadrature with an explicit stack of intervals.
extern "C" __global__ void simpson_stack(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float k = 1.0f + 9.0f * in[i];
    Span todo[12];
    int top = 0;
    Span first = {0.0f, 2.0f, wiggle(0.0f, k), wiggle(1.0f, k), wiggle(2.0f, k), 0};
    todo[top++] = first;
    float area = 0.0f;
    while (top > 0) {
        Span s = todo[--top];
        float m = 0.5f * (s.a + s.b);
        float h = s.b - s.a;
        float fl = wiggle(0.5f * (s.a + m), k);
        float fr = wiggle(0.5f * (m + s.b), k);
        float whole = h / 6.0f * (s.fa + 4.0f * s.fm + s.fb);
        float halves = h / 12.0f * (s.fa + 4.0f * fl + 2.0f * s.fm + 4.0f * fr + s.fb);
        if (s.depth >= 8 || fabsf(whole - halves) < 2e-4f) {
            area += halves;
            continue;
        }
        Span right = {m, s.b, s.fm, fr, s.fb, s.depth + 1};
        Span left = {s.a, m, s.fa, fl, s.fm, s.depth + 1};
        todo[top++] = right;
        todo[top++] = left;
    }
    out[i] = area;
}

struct Swing {
    float angle, speed;
};

__device__ __noinline__ Swing swing_rate(Swing s, float damping) {
    Swing d;
    d.angle = s.speed;
    d.speed = -9.81f * sinf(s.angle) - damping * s.speed;
    return d;
}

// Damped pendulum, Runge-Kutta 4, stops when the energy is small.
extern "C" __global__ void rk4_pendulum(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Swing s = {2.5f * in[2 * i], 0.0f};
    float damping = 0.2f + 2.0f * in[2 * i + 1];
    const float h = 0.05f;
    int steps = 0;
    for (; steps < 20; ++steps) {
        Swing k1 = swing_rate(s, damping);
        Swing t = {s.angle + 0.5f * h * k1.angle, s.speed + 0.5f * h * k1.speed};
        Swing k2 = swing_rate(t, damping);
        t = {s.angle + 0.5f * h * k2.angle, s.speed + 0.5f * h * k2.speed};
        Swing k3 = swing_rate(t, damping);
        t = {s.angle + h * k3.angle, s.speed + h * k3.speed};
        Swing k4 = swing_rate(t, damping);
        s.angle += h / 6.0f * (k1.angle + 2.0f * (k2.angle + k3.angle) + k4.angle);
        s.speed += h / 6.0f * (k1.speed + 2.0f * (k2.speed + k3.speed) + k4.speed);
        float energy = 0.5f * s.speed * s.speed + 9.81f * (1.0f - cosf(s.angle));
        if (energy < 0.05f) break;
    }
    out[2 * i] = s.angle;
    out[2 * i + 1] = (float)steps;
}

// Bitonic sort of n values a block, padded to a power of two in dynamic shared memory.
extern "C" __global__ void bitonic_tile(float* out, const float* in, int n) {
    extern __shared__ float keys[];
    int m = 1;
    while (m < n) m <<= 1;
    const float* src = in + blockIdx.x * n;
    for (int t = threadIdx.x; t < m; t += blockDim.x) keys[t] = t < n ? src[t] : 2.0f;
    __syncthreads();
    for (int size = 2; size <= m; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            for (int p = threadIdx.x; p < m / 2; p += blockDim.x) {
                int lo = 2 * p - (p & (stride - 1));
                int hi = lo + stride;
                bool up = (lo & size) == 0;
                float a = keys[lo], b = keys[hi];
                if ((a > b) == up) {
                    keys[lo] = b;
                    keys[hi] = a;
                }
            }
            __syncthreads();
        }
    }
    for (int t = threadIdx.x; t < n; t += blockDim.x) out[blockIdx.x * n + t] = keys[t];
}

// Each thread insertion-sorts a short local list and writes median, range and number of moves.
extern "C" __global__ void insertion_local(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float list[32];
    const float* src = in + i * 32;
    int m = 8 + bucket(src[0], 24);
    int moves = 0;
    for (int k = 0; k < m; ++k) {
        float v = src[k];
        int j = k;
        while (j > 0 && list[j - 1] > v) {
            list[j] = list[j - 1];
            --j;
            ++moves;
        }
        list[j] = v;
    }
    out[3 * i] = list[m / 2];
    out[3 * i + 1] = list[m - 1] - list[0];
    out[3 * i + 2] = (float)moves;
}

// Merge path: a binary search on the diagonal, then four merged items a thread.
extern "C" __global__ void merge_diagonals(float* out, const float* in, int n) {
    auto a = [&](int k) { return (float)k + in[k]; };
    auto b = [&](int k) { return 1.25f * (float)k + in[n + k]; };
    int diag = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (diag >= 2 * n) return;
    int lo = max(0, diag - n), hi = min(diag, n);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a(mid) <= b(diag - 1 - mid)) lo = mid + 1;
        else hi = mid;
    }
    int i = lo, j = diag - lo;
    for (int k = 0; k < 4 && diag + k < 2 * n; ++k) {
        bool take_a;
        if (i >= n) take_a = false;
        else if (j >= n) take_a = true;
        else take_a = a(i) <= b(j);
        out[diag + k] = take_a ? a(i++) : b(j++);
    }
}

// Edit distance of two short strings over four letters, one pair a thread.
extern "C" __global__ void edit_distance(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* s = in + i * 40;
    const float* t = s + 20;
    int ls = 4 + bucket(s[19], 12), lt = 4 + bucket(t[19], 12);
    uint8_t row[20];
    for (int j = 0; j <= lt; ++j) row[j] = (uint8_t)j;
    for (int a = 1; a <= ls; ++a) {
        int c = bucket(s[a - 1], 4);
        int diag = row[0];
        row[0] = (uint8_t)a;
        for (int b = 1; b <= lt; ++b) {
            int up = row[b];
            int cost = diag + (c != bucket(t[b - 1], 4));
            cost = min(cost, min(up, (int)row[b - 1]) + 1);
            row[b] = (uint8_t)cost;
            diag = up;
        }
    }
    out[i] = (float)row[lt] / (float)max(ls, lt);
}

// Longest common subsequence by antidiagonals, one pair of strings a block.
extern "C" __global__ void lcs_wavefront(float* out, const float* in, int n) {
    extern __shared__ int wave[];
    const float* s = in + blockIdx.x * 2 * n;
    const float* t = s + n;
    int row = n + 1;
    for (int k = threadIdx.x; k < 3 * row; k += blockDim.x) wave[k] = 0;
    __syncthreads();
    for (int d = 2; d <= 2 * n; ++d) {
        int* cur = wave + (d % 3) * row;
        const int* one = wave + ((d + 2) % 3) * row;
        const int* two = wave + ((d + 1) % 3) * row;
        int from = max(1, d - n), to = min(n, d - 1);
        for (int i = from + threadIdx.x; i <= to; i += blockDim.x) {
            int j = d - i;
            if (bucket(s[i - 1], 3) == bucket(t[j - 1], 3)) cur[i] = two[i - 1] + 1;
            else cur[i] = max(one[i - 1], one[i]);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = (float)wave[((2 * n) % 3) * row + n];
}

// 0/1 knapsack of capacity n with two rows in dynamic shared memory.
extern "C" __global__ void knapsack_rows(float* out, const float* in, int n) {
    extern __shared__ int best[];
    int* cur = best;
    int* nxt = best + n + 1;
    for (int c = threadIdx.x; c <= n; c += blockDim.x) cur[c] = 0;
    __syncthreads();
    const float* items = in + blockIdx.x * 32;
    for (int k = 0; k < 16; ++k) {
        int weight = 1 + bucket(items[2 * k], 30);
        int value = 1 + bucket(items[2 * k + 1], 100);
        for (int c = threadIdx.x; c <= n; c += blockDim.x) {
            int keep = cur[c];
            if (c >= weight) keep = max(keep, cur[c - weight] + value);
            nxt[c] = keep;
        }
        __syncthreads();
        int* swap = cur;
        cur = nxt;
        nxt = swap;
    }
    for (int c = threadIdx.x; c <= n; c += blockDim.x) out[blockIdx.x * (n + 1) + c] = (float)cur[c];
}

// Knuth-Morris-Pratt on a two-letter text, a pattern a block, 24 start places a thread.
extern "C" __global__ void kmp_count(float* out, const float* in, int n) {
    __shared__ int pattern[5], fail[5];
    const int len = 5;
    if (threadIdx.x == 0) {
        for (int j = 0; j < len; ++j) pattern[j] = in[blockIdx.x * 8 + j] > 0.5f;
        fail[0] = 0;
        int q = 0;
        for (int j = 1; j < len; ++j) {
            while (q > 0 && pattern[q] != pattern[j]) q = fail[q - 1];
            if (pattern[q] == pattern[j]) ++q;
            fail[j] = q;
        }
    }
    __syncthreads();
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    int start = g * 24;
    if (start >= n) return;
    int end = min(start + 24 + len - 1, n);
    int q = 0, hits = 0;
    for (int p = start; p < end; ++p) {
        int c = in[p] > 0.5f;
        while (q > 0 && pattern[q] != c) q = fail[q - 1];
        if (pattern[q] == c) ++q;
        if (q == len) {
            ++hits;
            q = fail[len - 1];
        }
    }
    out[g] = (float)hits;
}

__constant__ char lex_alphabet[17] = "0123456789+-. 07";

// State machine that reads decimal numbers out of 40 random characters a thread.
extern "C" __global__ void lexer_numbers(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* text = in + i * 40;
    enum { BLANK, SIGN, WHOLE, FRACTION };
    int state = BLANK, sign = 1, tokens = 0, bad = 0;
    long long whole = 0;
    double fraction = 0.0, place = 0.1, sum = 0.0;
    for (int k = 0; k <= 40; ++k) {
        char c = k < 40 ? lex_alphabet[bucket(text[k], 16)] : ' ';
        bool digit = c >= '0' && c <= '9';
        if (!digit && c != '.' && state >= WHOLE) {
            sum += sign * ((double)whole + fraction);
            ++tokens;
            state = BLANK;
        }
        switch (c) {
        case ' ':
            if (state == SIGN) ++bad;
            state = BLANK;
            break;
        case '+':
        case '-':
            if (state == SIGN) ++bad;
            sign = c == '-' ? -1 : 1;
            state = SIGN;
            break;
        case '.':
            if (state != WHOLE) {
                ++bad;
                state = BLANK;
                sign = 1;
            } else {
                state = FRACTION;
                fraction = 0.0;
                place = 0.1;
            }
            break;
        default:
            if (state == FRACTION) {
                fraction += (c - '0') * place;
                place *= 0.1;
            } else {
                if (state == BLANK) sign = 1;
                if (state != WHOLE) whole = 0, fraction = 0.0;
                whole = whole * 10 + (c - '0');
                if (whole > 1000000000000LL) whole %= 1000000007LL;
                state = WHOLE;
            }
        }
    }
    double* pairs = (double*)out;
    pairs[2 * i] = sum;
    pairs[2 * i + 1] = (double)(tokens * 100 + bad);
}

// LZ77 search: longest earlier match in a window of 32 symbols for every text position.
extern "C" __global__ void lz_longest(float* out, const float* in, int n) {
    extern __shared__ unsigned char text[];
    for (int t = threadIdx.x; t < n; t += blockDim.x) text[t] = (unsigned char)('a' + bucket(in[blockIdx.x * n + t], 3));
    __syncthreads();
    unsigned short* tokens = (unsigned short*)out + blockIdx.x * n;
    for (int p = threadIdx.x; p < n; p += blockDim.x) {
        int best = 0, offset = 0;
        int limit = min(16, n - p);
        for (int q = p - 1; q >= 0 && q >= p - 32; --q) {
            if (best > 0 && best < limit && text[q + best] != text[p + best]) continue;
            int len = 0;
            while (len < limit && text[q + len] == text[p + len]) ++len;
            if (len > best) {
                best = len;
                offset = p - q;
                if (best == limit) break;
            }
        }
        tokens[p] = (unsigned short)(best >= 2 ? offset << 8 | best : text[p]);
    }
}

__constant__ signed char huff_child[5][2] = {{-1, 1}, {2, 3}, {-2, 4}, {-3, -4}, {-5, -6}};

// Walks a small Huffman tree bit by bit through four words and sums the symbols.
extern "C" __global__ void huffman_walk(float* out, const float* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned char count[6] = {0, 0, 0, 0, 0, 0};
        int node = 0, symbols = 0;
        unsigned check = 0;
        for (int w = 0; w < 4; ++w) {
            uint32_t bits = scramble(in[i * 4 + w]);
            for (int b = 0; b < 32; ++b, bits >>= 1) {
                int next = huff_child[node][bits & 1];
                if (next >= 0) {
                    node = next;
                    continue;
                }
                int symbol = -next - 1;
                ++count[symbol];
                check = check * 31u + symbol;
                node = 0;
                if (++symbols == 48) break;
            }
            if (symbols == 48) break;
        }
        int top = 0;
        for (int s = 1; s < 6; ++s)
            if (count[s] > count[top]) top = s;
        ((unsigned*)out)[i] = (check << 8) | (unsigned)(top << 6) | (unsigned)symbols;
    }
}

// A stack machine: every thread interprets its own program of 20 instructions.
extern "C" __global__ void stack_machine(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float stack[8];
    int sp = 1;
    stack[0] = 1.0f + in[i];
    const float* code = in + i * 20;
    for (int pc = 0; pc < 20; ++pc) {
        int op = bucket(code[pc], 9);
        if (sp < 2 && op >= 1 && op <= 4) op = 5;
        if (sp == 8 && (op == 0 || op == 5)) op = 1;
        float a, b;
        switch (op) {
        case 0:
            stack[sp++] = 4.0f * code[pc] + 0.5f;
            break;
        case 1:
            b = stack[--sp];
            stack[sp - 1] += b;
            break;
        case 2:
            b = stack[--sp];
            stack[sp - 1] = fminf(stack[sp - 1] * b, 1e6f);
            break;
        case 3:
            a = stack[sp - 1];
            stack[sp - 1] = stack[sp - 2];
            stack[sp - 2] = a;
            break;
        case 4:
            b = stack[--sp];
            stack[sp - 1] = fmodf(stack[sp - 1], fabsf(b) + 0.25f);
            break;
        case 5:
            stack[sp] = stack[sp - 1];
            ++sp;
            break;
        case 6:
            stack[sp - 1] = sqrtf(fabsf(stack[sp - 1]));
            break;
        case 7:
            if (stack[sp - 1] < 1.0f) pc += 2;
            break;
        default:
            stack[sp - 1] = stack[sp - 1] > 2.0f ? 1.0f / stack[sp - 1] : stack[sp - 1] + 0.125f;
        }
    }
    float sum = 0.0f;
    while (sp > 0) sum = sum * 0.5f + stack[--sp];
    out[i] = sum;
}

__constant__ uint32_t sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// SHA-256 compression of one 16-word message a thread, schedule kept in a ring.
extern "C" __global__ void sha_compress(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t w[16];
    for (int k = 0; k < 16; ++k) w[k] = __float_as_uint(in[i * 16 + k]);
    const uint32_t init[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint32_t a = init[0], b = init[1], c = init[2], d = init[3];
    uint32_t e = init[4], f = init[5], g = init[6], h = init[7];
#pragma unroll 4
    for (int r = 0; r < 64; ++r) {
        uint32_t word = w[r & 15];
        if (r >= 16) {
            uint32_t x = w[(r + 1) & 15], y = w[(r + 14) & 15];
            uint32_t s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
            uint32_t s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10);
            word += s0 + w[(r + 9) & 15] + s1;
            w[r & 15] = word;
        }
        uint32_t t1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + sha_k[r] + word;
        uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    uint4* digest = (uint4*)out;
    digest[2 * i] = make_uint4(a + init[0], b + init[1], c + init[2], d + init[3]);
    digest[2 * i + 1] = make_uint4(e + init[4], f + init[5], g + init[6], h + init[7]);
}

// CRC-32 with the table built by the block in shared memory.
extern "C" __global__ void crc_table(float* out, const float* in, int n) {
    __shared__ uint32_t table[256];
    for (int t = threadIdx.x; t < 256; t += blockDim.x) {
        uint32_t c = t;
        for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[t] = c;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned char* bytes = (const unsigned char*)(in + i * 8);
    int len = 16 + (bytes[0] & 15);
    uint32_t crc = 0xffffffffu;
    for (int k = 0; k < len; ++k) crc = table[(crc ^ bytes[k]) & 0xff] ^ (crc >> 8);
    ((uint32_t*)out)[i] = ~crc;
}

__device__ __forceinline__ uint4 philox_round(uint4 c, uint2 key) {
    uint32_t hi0 = __umulhi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
    uint32_t hi1 = __umulhi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
    return make_uint4(hi1 ^ c.y ^ key.x, lo1, hi0 ^ c.w ^ key.y, lo0);
}

// Philox 4x32-10 counters turned into four normal deviates by Box-Muller.
extern "C" __global__ void philox_gauss(float* out, const float* in, int n) {
    uint2 seed = make_uint2(__float_as_uint(in[0]), __float_as_uint(in[1]));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 c = make_uint4(i, 0, blockDim.x, 7);
        uint2 key = seed;
        for (int r = 0; r < 10; ++r) {
            c = philox_round(c, key);
            key.x += 0x9E3779B9u;
            key.y += 0xBB67AE85u;
        }
        const float scale = 2.3283064e-10f;
        float r0 = sqrtf(-2.0f * logf(fmaf((float)c.x, scale, 1e-9f)));
        float r1 = sqrtf(-2.0f * logf(fmaf((float)c.z, scale, 1e-9f)));
        r0 = r0 == r0 ? r0 : 0.0f;
        r1 = r1 == r1 ? r1 : 0.0f;
        float4 v;
        sincospif(2.0f * scale * (float)c.y, &v.x, &v.y);
        sincospif(2.0f * scale * (float)c.w, &v.z, &v.w);
        ((float4*)out)[i] = make_float4(r0 * v.x, r0 * v.y, r1 * v.z, r1 * v.w);
    }
}

__device__ __noinline__ uint64_t power_mod(uint64_t base, uint64_t e, uint64_t m) {
    uint64_t r = 1;
    base %= m;
    while (e) {
        if (e & 1) r = r * base % m;
        base = base * base % m;
        e >>= 1;
    }
    return r;
}

// Miller-Rabin test of one odd number a thread with the bases 2, 3 and 5.
extern "C" __global__ void miller_rabin(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t m = 1001u + 2u * (unsigned)bucket(in[i], 500000);
    uint64_t odd = m - 1;
    int twos = __ffsll((long long)odd) - 1;
    odd >>= twos;
    int verdict = 1;
    const int bases[3] = {2, 3, 5};
    for (int b = 0; b < 3 && verdict; ++b) {
        uint64_t x = power_mod(bases[b], odd, m);
        if (x == 1 || x == m - 1) continue;
        verdict = 0;
        for (int k = 1; k < twos; ++k) {
            x = x * x % m;
            if (x == m - 1) {
                verdict = 1;
                break;
            }
        }
    }
    ((int*)out)[i] = verdict ? (int)m : -(int)m;
}

__device__ __forceinline__ float normal_cdf(float x) {
    return 0.5f * (1.0f + erff(x * 0.70710678f));
}

// Black-Scholes: price, delta, gamma or vega, by the option's number.
extern "C" __global__ void option_greeks(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 q = ((const float4*)in)[i];
    float spot = 50.0f + 100.0f * q.x, strike = 50.0f + 100.0f * q.y;
    float vol = 0.05f + 0.5f * q.z, years = 0.1f + 2.0f * q.w;
    const float rate = 0.03f;
    float root = vol * sqrtf(years);
    float d1 = (logf(spot / strike) + (rate + 0.5f * vol * vol) * years) / root;
    float d2 = d1 - root;
    float density = 0.39894228f * expf(-0.5f * d1 * d1);
    float answer;
    switch (i % 4) {
    case 0:
        answer = spot * normal_cdf(d1) - strike * expf(-rate * years) * normal_cdf(d2);
        break;
    case 1:
        answer = normal_cdf(d1);
        break;
    case 2:
        answer = density / (spot * root);
        break;
    default:
        answer = spot * density * sqrtf(years);
    }
    out[i] = answer;
}

// American put on a binomial tree of n steps, one option a block.
extern "C" __global__ void binomial_tree(float* out, const float* in, int n) {
    extern __shared__ float level[];
    float* cur = level;
    float* nxt = level + n + 1;
    float spot = 80.0f + 40.0f * in[blockIdx.x];
    float vol = 0.1f + 0.4f * in[blockIdx.x + gridDim.x];
    float dt = 1.0f / (float)n;
    float up = expf(vol * sqrtf(dt)), down = 1.0f / up;
    float p = (expf(0.02f * dt) - down) / (up - down);
    float discount = expf(-0.02f * dt);
    float log_up = __log2f(up);
    for (int j = threadIdx.x; j <= n; j += blockDim.x)
        cur[j] = fmaxf(100.0f - spot * exp2f(log_up * (float)(2 * j - n)), 0.0f);
    __syncthreads();
    for (int step = n - 1; step >= 0; --step) {
        for (int j = threadIdx.x; j <= step; j += blockDim.x) {
            float hold = discount * (p * cur[j + 1] + (1.0f - p) * cur[j]);
            float exercise = 100.0f - spot * exp2f(log_up * (float)(2 * j - step));
            nxt[j] = fmaxf(hold, exercise);
        }
        __syncthreads();
        float* swap = cur;
        cur = nxt;
        nxt = swap;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = cur[0];
}

// Arithmetic Asian option by xorshift paths in double, Kahan-summed mean.
extern "C" __global__ void asian_walk(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint64_t s = ((uint64_t)scramble(in[i]) << 32) | (uint32_t)(i * 747796405u + 1u);
    double price = 100.0, sum = 0.0, carry = 0.0;
    const int days = 8 + i % 5;
    for (int d = 0; d < days; ++d) {
        s ^= s >> 12;
        s ^= s << 25;
        s ^= s >> 27;
        uint64_t r = s * 2685821657736338717ull;
        double u = (double)(r >> 11) * 1.1102230246251565e-16;
        price *= exp(0.001 + 0.04 * (u - 0.5));
        if (price < 95.0) break;
        double y = price - carry;
        double t = sum + y;
        carry = (t - sum) - y;
        sum = t;
    }
    double mean = sum / (double)days;
    ((double*)out)[i] = mean > 100.0 ? mean - 100.0 : 0.0;
}

// Sobel gradient of an n by n image through a shared tile with a halo of one.
extern "C" __global__ void sobel_halo(float* out, const float* in, int n) {
    extern __shared__ float tile[];
    int w = blockDim.x + 2, h = blockDim.y + 2;
    int x0 = blockIdx.x * blockDim.x - 1, y0 = blockIdx.y * blockDim.y - 1;
    for (int t = threadIdx.y * blockDim.x + threadIdx.x; t < w * h; t += blockDim.x * blockDim.y) {
        int x = min(max(x0 + t % w, 0), n - 1);
        int y = min(max(y0 + t / w, 0), n - 1);
        tile[t] = in[y * n + x];
    }
    __syncthreads();
    int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x >= n || y >= n) return;
    const float* c = tile + (threadIdx.y + 1) * w + threadIdx.x + 1;
    float gx = c[1 - w] + 2.0f * c[1] + c[1 + w] - c[-1 - w] - 2.0f * c[-1] - c[-1 + w];
    float gy = c[w - 1] + 2.0f * c[w] + c[w + 1] - c[-w - 1] - 2.0f * c[-w] - c[-w + 1];
    out[y * n + x] = __fsqrt_rn(gx * gx + gy * gy);
}

// Median of nine pixels by a sorting network, 8-bit grey values.
extern "C" __global__ void median_network(float* out, const float* in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    int p[9];
#pragma unroll
    for (int k = 0; k < 9; ++k) {
        int xx = min(max(x + k % 3 - 1, 0), n - 1);
        int yy = min(max(y + k / 3 - 1, 0), n - 1);
        p[k] = (int)(255.0f * in[yy * n + xx]);
    }
    order(p[1], p[2]); order(p[4], p[5]); order(p[7], p[8]);
    order(p[0], p[1]); order(p[3], p[4]); order(p[6], p[7]);
    order(p[1], p[2]); order(p[4], p[5]); order(p[7], p[8]);
    order(p[0], p[3]); order(p[5], p[8]); order(p[4], p[7]);
    order(p[3], p[6]); order(p[1], p[4]); order(p[2], p[5]);
    order(p[4], p[7]); order(p[4], p[2]); order(p[6], p[4]);
    order(p[4], p[2]);
    ((unsigned char*)out)[y * n + x] = (unsigned char)p[4];
}

// Histogram equalisation of n pixels a block: shared atomics, a warp scan, a lookup.
extern "C" __global__ void equalize_tile(float* out, const float* in, int n) {
    __shared__ unsigned hist[64];
    const float* src = in + blockIdx.x * n;
    for (int t = threadIdx.x; t < 64; t += blockDim.x) hist[t] = 0;
    __syncthreads();
    for (int t = threadIdx.x; t < n; t += blockDim.x) atomicAdd(&hist[bucket(src[t] * src[t], 64)], 1u);
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned a = hist[2 * threadIdx.x], b = hist[2 * threadIdx.x + 1];
        unsigned sum = a + b;
        for (int d = 1; d < 32; d <<= 1) {
            unsigned up = __shfl_up_sync(0xffffffffu, sum, d);
            if (threadIdx.x >= d) sum += up;
        }
        hist[2 * threadIdx.x] = sum - b;
        hist[2 * threadIdx.x + 1] = sum;
    }
    __syncthreads();
    for (int t = threadIdx.x; t < n; t += blockDim.x) {
        float level = (float)hist[bucket(src[t] * src[t], 64)] / (float)n;
        out[blockIdx.x * n + t] = powf(level, 0.4545f);
    }
}

__device__ __forceinline__ void full_add(uint32_t a, uint32_t b, uint32_t c, uint32_t& lo, uint32_t& hi) {
    lo = a ^ b ^ c;
    hi = (a & b) | (c & (a ^ b));
}

// Game of Life on a torus of n by 32 n cells, 32 cells a word, bit-sliced neighbour sums.
extern "C" __global__ void life_bits(float* out, const float* in, int n) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= n || r >= n) return;
    uint32_t lo[3], hi[3], self = 0, side_lo = 0, side_hi = 0;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
        int row = (r + d - 1 + n) % n;
        uint32_t mid = scramble(in[row * n + c]);
        uint32_t left = __funnelshift_l(scramble(in[row * n + (c + n - 1) % n]), mid, 1);
        uint32_t right = __funnelshift_r(mid, scramble(in[row * n + (c + 1) % n]), 1);
        if (d == 1) {
            self = mid;
            side_lo = left ^ right;
            side_hi = left & right;
        }
        full_add(left, mid, right, lo[d], hi[d]);
    }
    uint32_t ones, twos_a, twos_b, fours_a, twos, fours_b;
    full_add(lo[0], side_lo, lo[2], ones, twos_a);
    full_add(hi[0], side_hi, hi[2], twos_b, fours_a);
    twos = twos_a ^ twos_b;
    fours_b = twos_a & twos_b;
    ((uint32_t*)out)[r * n + c] = twos & ~(fours_a | fours_b) & (ones | self);
}

// A ring of 32-cell words in one warp runs n generations of an elementary rule.
extern "C" __global__ void rule_ring(float* out, const float* in, int n) {
    unsigned mask = live_mask(threadIdx.x, blockDim.x);
    int lanes = __popc(mask), lane = threadIdx.x & 31;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t cells = scramble(in[i]);
    int rule = 30 + 20 * ((blockIdx.x + threadIdx.x / 32) % 5);
    int left_lane = (lane + lanes - 1) % lanes, right_lane = (lane + 1) % lanes;
    for (int g = 0; g < n; ++g) {
        uint32_t lw = __shfl_sync(mask, cells, left_lane);
        uint32_t rw = __shfl_sync(mask, cells, right_lane);
        uint32_t l = __funnelshift_l(lw, cells, 1), r = __funnelshift_r(cells, rw, 1);
        uint32_t next = 0;
        for (int k = 0; k < 8; ++k) {
            if (!((rule >> k) & 1)) continue;
            next |= ((k & 4) ? l : ~l) & ((k & 2) ? cells : ~cells) & ((k & 1) ? r : ~r);
        }
        bool same = next == cells;
        cells = next;
        if (__all_sync(mask, same)) break;
    }
    ((uint32_t*)out)[i] = cells;
}

// Breadth-first levels of a random graph with n nodes (at most 256), one graph a block.
extern "C" __global__ void bfs_levels(float* out, const float* in, int n) {
    __shared__ short dist[2][256];
    const float* edges = in + blockIdx.x * n * 3;
    for (int v = threadIdx.x; v < n; v += blockDim.x) dist[0][v] = v == 0 ? 0 : -1;
    __syncthreads();
    int cur = 0;
    for (int level = 0; level < n; ++level) {
        int found = 0;
        for (int v = threadIdx.x; v < n; v += blockDim.x) {
            int d = dist[cur][v];
            for (int k = 0; k < 3 && d < 0; ++k) {
                int u = bucket(edges[v * 3 + k], n);
                if (dist[cur][u] == level) {
                    d = level + 1;
                    found = 1;
                }
            }
            dist[cur ^ 1][v] = (short)d;
        }
        cur ^= 1;
        if (!__syncthreads_or(found)) break;
    }
    for (int v = threadIdx.x; v < n; v += blockDim.x) ((int*)out)[blockIdx.x * n + v] = dist[cur][v];
}

// Floyd-Warshall on n by n distances (n at most 24) in shared memory.
extern "C" __global__ void floyd_tile(float* out, const float* in, int n) {
    __shared__ float d[24][25];
    int t0 = threadIdx.y * blockDim.x + threadIdx.x, step = blockDim.x * blockDim.y;
    int base = blockIdx.x * n * n;
    for (int t = t0; t < n * n; t += step) {
        int i = t / n, j = t % n;
        float w = in[base + t];
        d[i][j] = i == j ? 0.0f : (w < 0.6f ? 10.0f * w + 0.1f : 1e9f);
    }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        for (int i = threadIdx.y; i < n; i += blockDim.y) {
            float ik = d[i][k];
            if (ik >= 1e9f) continue;
            for (int j = threadIdx.x; j < n; j += blockDim.x) {
                if (i == k || j == k) continue;
                float via = ik + d[k][j];
                if (via < d[i][j]) d[i][j] = via;
            }
        }
        __syncthreads();
    }
    for (int t = t0; t < n * n; t += step) out[base + t] = d[t / n][t % n];
}

// Connected blobs inside a tile: the smallest label spreads until nothing changes.
extern "C" __global__ void blob_labels(float* out, const float* in, int n) {
    __shared__ int label[2][18 * 18];
    int w = blockDim.x + 2, cells = w * (blockDim.y + 2);
    for (int t = threadIdx.y * blockDim.x + threadIdx.x; t < cells; t += blockDim.x * blockDim.y)
        label[0][t] = label[1][t] = 1 << 30;
    __syncthreads();
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int c = (threadIdx.y + 1) * w + threadIdx.x + 1;
    bool inside = x < n && y < n;
    bool on = inside && in[y * n + x] < 0.55f;
    if (on) label[0][c] = y * n + x;
    __syncthreads();
    int cur = 0, changed;
    do {
        int best = label[cur][c], old = best;
        if (on) {
            best = min(best, min(label[cur][c - 1], label[cur][c + 1]));
            best = min(best, min(label[cur][c - w], label[cur][c + w]));
        }
        label[cur ^ 1][c] = best;
        changed = __syncthreads_or(best != old);
        cur ^= 1;
    } while (changed);
    if (inside) ((int*)out)[y * n + x] = on ? label[cur][c] : -1;
}

template <int N>
__device__ float pivot_elimination(const float* src) {
    float a[N][N + 1];
    for (int r = 0; r < N; ++r)
        for (int c = 0; c <= N; ++c) a[r][c] = src[r * (N + 1) + c] - 0.5f;
    float det = 1.0f;
    for (int k = 0; k < N; ++k) {
        int p = k;
        for (int r = k + 1; r < N; ++r)
            if (fabsf(a[r][k]) > fabsf(a[p][k])) p = r;
        if (fabsf(a[p][k]) < 1e-6f) return 0.0f;
        if (p != k) {
            det = -det;
            for (int c = k; c <= N; ++c) {
                float t = a[k][c];
                a[k][c] = a[p][c];
                a[p][c] = t;
            }
        }
        det *= a[k][k];
        for (int r = k + 1; r < N; ++r) {
            float f = __fdividef(a[r][k], a[k][k]);
            for (int c = k; c <= N; ++c) a[r][c] -= f * a[k][c];
        }
    }
    float norm = 0.0f;
    for (int r = N - 1; r >= 0; --r) {
        float x = a[r][N];
        for (int c = r + 1; c < N; ++c) x -= a[r][c] * a[c][N];
        a[r][N] = x / a[r][r];
        norm += a[r][N] * a[r][N];
    }
    return det > 0.0f ? sqrtf(norm) : -sqrtf(norm);
}

// Small dense systems of three sizes with partial pivoting, one a thread.
extern "C" __global__ void pivot_solve(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float* src = in + i * 30;
    float norm;
    switch ((i / 8) % 3) {
    case 0:
        norm = pivot_elimination<3>(src);
        break;
    case 1:
        norm = pivot_elimination<4>(src);
        break;
    default:
        norm = pivot_elimination<5>(src);
    }
    out[i] = norm;
}

// Cholesky factor of an n by n matrix (n at most 16), one a block.
extern "C" __global__ void cholesky_tile(float* out, const float* in, int n) {
    __shared__ float a[16][17];
    const float* b = in + blockIdx.x * n * n;
    for (int t = threadIdx.x; t < n * n; t += blockDim.x) {
        int i = t / n, j = t % n;
        float s = i == j ? 1.0f : 0.0f;
        for (int k = 0; k < n; ++k) s += b[i * n + k] * b[j * n + k];
        a[i][j] = s;
    }
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (threadIdx.x == 0) a[k][k] = sqrtf(a[k][k]);
        __syncthreads();
        for (int r = k + 1 + threadIdx.x; r < n; r += blockDim.x) a[r][k] /= a[k][k];
        __syncthreads();
        int w = n - k - 1;
        for (int t = threadIdx.x; t < w * w; t += blockDim.x) {
            int i = k + 1 + t / w, j = k + 1 + t % w;
            if (j <= i) a[i][j] -= a[i][k] * a[j][k];
        }
        __syncthreads();
    }
    for (int t = threadIdx.x; t < n * n; t += blockDim.x) {
        int i = t / n, j = t % n;
        out[blockIdx.x * n * n + t] = j <= i ? a[i][j] : 0.0f;
    }
}

// Thomas algorithm in double for tridiagonal systems of different sizes.
extern "C" __global__ void thomas_sweep(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double c[16], d[16];
    const float* src = in + i * 16;
    int m = 5 + bucket(src[0], 12);
    c[0] = 1.0 / 3.0;
    d[0] = (double)src[0] / 3.0;
    for (int k = 1; k < m; ++k) {
        double lower = -(double)src[k];
        double pivot = 3.0 - lower * c[k - 1];
        c[k] = 1.0 / pivot;
        d[k] = ((double)src[m - 1 - k] - lower * d[k - 1]) / pivot;
    }
    double x = d[m - 1], sum = x;
    for (int k = m - 2; k >= 0; --k) {
        x = d[k] - c[k] * x;
        sum += x * x;
    }
    ((double*)out)[i] = sqrt(sum);
}

// Sparse matrix times vector, eight lanes a row, rows of very different lengths.
extern "C" __global__ void spmv_tiles(float* out, const float* in, int n) {
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int tiles = gridDim.x * (blockDim.x / 8);
    for (int row = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8; row < n; row += tiles) {
        float u = in[row];
        int len = 1 + (int)(60.0f * u * u * u);
        float sum = 0.0f;
        for (int k = tile.thread_rank(); k < len; k += tile.size()) {
            int at = row * 64 + k;
            int col = bucket(in[at], n);
            sum += in[at + 1] * in[n + col];
        }
        sum = cg::reduce(tile, sum, cg::plus<float>());
        if (tile.thread_rank() == 0) out[row] = sum;
    }
}

// One step of n bodies, positions and masses through a shared tile.
extern "C" __global__ void nbody_step(float* out, const float* in, int n) {
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4* body = (const float4*)in;
    float4 me = i < n ? body[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int base = 0; base < n; base += blockDim.x) {
        int j = base + threadIdx.x;
        tile[threadIdx.x] = j < n ? body[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        __syncthreads();
        int count = min((int)blockDim.x, n - base);
#pragma unroll 2
        for (int k = 0; k < count; ++k) {
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float f = tile[k].w * inv * inv * inv;
            ax = fmaf(f, dx, ax);
            ay = fmaf(f, dy, ay);
            az = fmaf(f, dz, az);
        }
        __syncthreads();
    }
    if (i < n) {
        out[3 * i] = me.x + 0.001f * ax;
        out[3 * i + 1] = me.y + 0.001f * ay;
        out[3 * i + 2] = me.z + 0.001f * az;
    }
}

struct Moments {
    float count, mean, m2;
};

__device__ Moments join(Moments a, Moments b) {
    float total = a.count + b.count;
    if (total == 0.0f) return a;
    float delta = b.mean - a.mean;
    Moments r;
    r.count = total;
    r.mean = a.mean + delta * b.count / total;
    r.m2 = a.m2 + b.m2 + delta * delta * a.count * b.count / total;
    return r;
}

// Welford mean and variance of a row of n values, partial results joined in a shared tree.
extern "C" __global__ void welford_rows(float* out, const float* in, int n) {
    __shared__ Moments part[256];
    const float* row = in + blockIdx.x * n;
    Moments m = {0.0f, 0.0f, 0.0f};
    for (int t = threadIdx.x; t < n; t += blockDim.x) {
        float x = row[t];
        if (x < 0.02f) continue;
        m.count += 1.0f;
        float delta = x - m.mean;
        m.mean += delta / m.count;
        m.m2 += delta * (x - m.mean);
    }
    part[threadIdx.x] = m;
    __syncthreads();
    for (int live = blockDim.x; live > 1;) {
        int half = (live + 1) / 2;
        if ((int)threadIdx.x < live - half) part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + half]);
        __syncthreads();
        live = half;
    }
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = part[0].mean;
        out[2 * blockIdx.x + 1] = part[0].count > 1.0f ? part[0].m2 / (part[0].count - 1.0f) : 0.0f;
    }
}

// Counts keys by warp votes and integer atomics; every value also gets its rank among equal keys.
extern "C" __global__ void vote_groups(float* out, const float* in, int n) {
    unsigned* result = (unsigned*)out;
    unsigned exist = live_mask(threadIdx.x, blockDim.x);
    int lane = threadIdx.x & 31;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(exist, i < n);
    if (i >= n) return;
    int key = bucket(in[i], 10);
    unsigned peers = __match_any_sync(mask, key);
    unsigned rank = __popc(peers & ((1u << lane) - 1u));
    if (rank == 0) atomicAdd(&result[key], __popc(peers));
    unsigned largest = __reduce_max_sync(mask, __float_as_uint(in[i]));
    if (lane == __ffs(mask) - 1) atomicMax(&result[16], largest);
    result[32 + i] = rank;
}

__device__ __forceinline__ unsigned long long spread3(unsigned v) {
    unsigned long long x = v & 0x1fffffu;
    x = (x | x << 32) & 0x001f00000000ffffull;
    x = (x | x << 16) & 0x001f0000ff0000ffull;
    x = (x | x << 8) & 0x100f00f00f00f00full;
    x = (x | x << 4) & 0x10c30c30c30c30c3ull;
    return (x | x << 2) & 0x1249249249249249ull;
}

// 64-bit Morton codes of jittered points on an n by n by n lattice.
extern "C" __global__ void morton_cells(float* out, const float* in, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= n || y >= n || z >= n) return;
    int cell = (z * n + y) * n + x;
    unsigned jitter = (unsigned)(1023.0f * in[cell]);
    unsigned long long code = spread3(x * 1024u + jitter) | spread3(y * 1024u + (jitter ^ 0x155u)) << 1;
    code |= spread3(z * 1024u + (__brev(jitter) >> 22)) << 2;
    ((unsigned long long*)out)[cell] = code;
}

__constant__ float poly_x[10] = {0.1f, 0.5f, 0.9f, 0.7f, 0.95f, 0.6f, 0.5f, 0.3f, 0.05f, 0.3f};
__constant__ float poly_y[10] = {0.1f, 0.3f, 0.05f, 0.5f, 0.9f, 0.7f, 0.95f, 0.65f, 0.9f, 0.5f};

// Winding number of points in a star polygon and the nearest edge of those inside.
extern "C" __global__ void polygon_winding(float* out, const float* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 p = ((const float2*)in)[i];
        int winding = 0;
        for (int k = 0; k < 10; ++k) {
            int j = k == 9 ? 0 : k + 1;
            float side = (poly_x[j] - poly_x[k]) * (p.y - poly_y[k]) - (p.x - poly_x[k]) * (poly_y[j] - poly_y[k]);
            if (poly_y[k] <= p.y) {
                if (poly_y[j] > p.y && side > 0.0f) ++winding;
            } else if (poly_y[j] <= p.y && side < 0.0f) {
                --winding;
            }
        }
        if (winding == 0) {
            out[i] = -1.0f;
            continue;
        }
        float nearest = 10.0f;
        for (int k = 0; k < 10; ++k) {
            int j = (k + 1) % 10;
            float ex = poly_x[j] - poly_x[k], ey = poly_y[j] - poly_y[k];
            float px = p.x - poly_x[k], py = p.y - poly_y[k];
            float t = __saturatef((px * ex + py * ey) / (ex * ex + ey * ey));
            nearest = fminf(nearest, hypotf(px - t * ex, py - t * ey));
        }
        out[i] = nearest;
    }
}

__constant__ int conv_weight[4][4] = {{0x01ff02fe, 0x03fd0102, 0x00010203, 0x7f808001},
                                      {0x10203040, 0x0ff0e0d0, 0x05060708, 0x01010101},
                                      {-0x01020304, 0x11213141, -0x0a0b0c0d, 0x00ff00ff},
                                      {0x22114433, -0x33221100, 0x12345678, 0x07f90af6}};

// Strided 1-D convolution in int8 with dp4a, four output channels, scaled ReLU.
extern "C" __global__ void conv_int8(float* out, const float* in, int n) {
    __shared__ int tile[128 + 3];
    int first = blockIdx.x * blockDim.x;
    for (int t = threadIdx.x; t < (int)blockDim.x + 3; t += blockDim.x) {
        int g = first + t, packed = 0;
        if (g < n + 3) {
            float4 v = ((const float4*)in)[g];
            char4 q = make_char4((char)__float2int_rn(254.0f * v.x - 127.0f), (char)__float2int_rn(254.0f * v.y - 127.0f),
                                 (char)__float2int_rn(254.0f * v.z - 127.0f), (char)__float2int_rn(254.0f * v.w - 127.0f));
            packed = (q.x & 0xff) | (q.y & 0xff) << 8 | (q.z & 0xff) << 16 | (int)((unsigned)(q.w & 0xff) << 24);
        }
        tile[t] = packed;
    }
    __syncthreads();
    int i = first + threadIdx.x;
    if (i >= n) return;
    for (int ch = 0; ch < 4; ++ch) {
        int acc = ch * 100 - 150;
        for (int k = 0; k < 4; ++k) acc = __dp4a(tile[threadIdx.x + k], conv_weight[ch][k], acc);
        int q = max(acc, 0) >> 6;
        ((int8_t*)out)[ch * n + i] = (int8_t)min(q, 127);
    }
}

__device__ float block_total(float v, float* slots) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) == 0) slots[threadIdx.x >> 5] = v;
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < (int)blockDim.x / 32; ++w) sum += slots[w];
    __syncthreads();
    return sum;
}

// Layer normalisation of rows of n values in bfloat16; whole warps only.
extern "C" __global__ void layernorm_bf16(float* out, const float* in, int n) {
    __shared__ float slots[32];
    const float* row = in + blockIdx.x * n;
    float sum = 0.0f;
    for (int t = threadIdx.x; t < n; t += blockDim.x) sum += __bfloat162float(__float2bfloat16(row[t]));
    float mean = block_total(sum, slots) / (float)n;
    sum = 0.0f;
    for (int t = threadIdx.x; t < n; t += blockDim.x) {
        float d = __bfloat162float(__float2bfloat16(row[t])) - mean;
        sum += d * d;
    }
    float scale = rsqrtf(block_total(sum, slots) / (float)n + 1e-5f);
    __nv_bfloat16* dst = (__nv_bfloat16*)out + blockIdx.x * n;
    for (int t = threadIdx.x; t < n; t += blockDim.x) {
        float gain = 1.0f + 0.01f * (float)(t % 7);
        dst[t] = __float2bfloat16(gain * (row[t] - mean) * scale);
    }
}

__device__ __forceinline__ __half2 squash(__half2 x) {
    __half2 one = __float2half2_rn(1.0f);
    return __h2div(one, __hadd2(one, h2exp(__hneg2(x))));
}

// Gated recurrent cell for two channels a thread in half2, run-time sequence lengths.
extern "C" __global__ void gru_half(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half2 h = __float2half2_rn(0.0f), one = __float2half2_rn(1.0f), two = __float2half2_rn(2.0f);
    __half2 wz = __float22half2_rn(((const float2*)in)[2 * i]);
    __half2 wr = __float22half2_rn(((const float2*)in)[2 * i + 1]);
    int len = 3 + i % 8;
    for (int t = 0; t < len; ++t) {
        float2 f = ((const float2*)in)[t * n + i];
        __half2 x = __float22half2_rn(make_float2(2.0f * f.x - 1.0f, 2.0f * f.y - 1.0f));
        __half2 z = squash(__hfma2(wz, x, h));
        __half2 r = squash(__hfma2(wr, h, x));
        __half2 s = squash(__hmul2(two, __hfma2(r, h, x)));
        __half2 fresh = __hsub2(__hmul2(two, s), one);
        h = __hfma2(z, __hsub2(fresh, h), h);
        if (__hbgt2(h, __float2half2_rn(0.75f))) break;
    }
    ((__half2*)out)[i] = h;
}

// Spreads particles bilinearly over a 32 by 32 density grid with float atomics.
extern "C" __global__ void splat_density_fa(float* out, const float* in, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float x = 30.0f * in[2 * i], y = 30.0f * in[2 * i + 1];
        int cx = (int)floorf(x), cy = (int)floorf(y);
        float fx = x - cx, fy = y - cy;
        float* cell = out + cy * 32 + cx;
        atomicAdd(cell, (1.0f - fx) * (1.0f - fy));
        atomicAdd(cell + 1, fx * (1.0f - fy));
        atomicAdd(cell + 32, (1.0f - fx) * fy);
        atomicAdd(cell + 33, fx * fy);
    }
}

// Appends the pairs of near points, one counter addition for each group of active threads.
extern "C" __global__ void close_pairs_fa(float* out, const float* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* counter = (int*)out;
    int2* pairs = (int2*)out + 1;
    const float2* point = (const float2*)in;
    float2 p = point[i];
    for (int j = i + 1; j < min(i + 65, n); ++j) {
        float2 q = point[j];
        float dx = p.x - q.x;
        if (fabsf(dx) > 0.05f) continue;
        float dy = p.y - q.y;
        if (dx * dx + dy * dy > 0.0025f) continue;
        cg::coalesced_group g = cg::coalesced_threads();
        int base = 0;
        if (g.thread_rank() == 0) base = atomicAdd(counter, (int)g.size());
        base = g.shfl(base, 0);
        pairs[base + g.thread_rank()] = make_int2(i, j);
    }
}
