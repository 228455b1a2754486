// lanes leave a chain of ifs one level after another
extern "C" __global__ void m_chain(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63, b = n >> 6 & 63, c = n >> 12 & 63, d = n >> 18 & 63;
  volatile float* o = out;
  if (t >= a) {
    o[t] = 1;
    if (t >= b) {
      o[t + 32] = 2;
      if (t >= c) {
        o[t + 64] = 3;
        if (t >= d) { o[t + 96] = 4; o[t + 128] = in[t]; o[t + 160] = in[t + 1]; o[t + 192] = in[t + 5]; o[t + 224] = 1; }
      }
    }
  }
  o[t + 256] = 4;
}
extern "C" __global__ void m_leave(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63;
  volatile float* o = out;
  if (t < a) {
    o[t] = 1;
    o[t + 64] = in[t];
    return;
  } else {
    o[t + 64] = in[t];
    o[t + 96] = 3;
  }
  o[t + 128] = 4;
}
// the same with three parts: a lanes return, b store, the others store otherwise
extern "C" __global__ void m_three(float* out, const float* in, int n) {
  int t = threadIdx.x, a = n & 63, b = n >> 6 & 63;
  volatile float* o = out;
  if (t < a) { o[t] = 1; o[t + 64] = in[t]; return; }
  if (t < b) { o[t] = 2; o[t + 64] = in[t + 1]; }
  else { o[t] = 3; o[t + 96] = in[t + 2]; o[t + 128] = in[t + 4]; }
  o[t + 128] = 4;
}
extern "C" __global__ void m_brx(float* out, const float* in, int n) {
  int t = threadIdx.x, c;
  int a = n & 63, b = n >> 6 & 63, d = n >> 12 & 63, e = n >> 18 & 63;
  c = t < a ? 0 : t < b ? 1 : t < d ? 2 : t < e ? 3 : 4;
  volatile float* o = out;
  switch (c) {
    case 0: o[t] = 1; o[t + 32] = in[t]; break;
    case 1: o[t] = 2; o[t + 64] = in[t] * 2; o[t + 164] = in[t] * 2; break;
    case 2: o[t] = 3; o[t + 96] = in[t] + 3; break;
    case 3: o[t] = 4; o[t + 128] = in[t] * in[t]; o[t + 328] = in[t] * in[t]; break;
    case 4: o[t] = 5; o[t + 160] = in[t] - 3; break;
    default: __builtin_unreachable();
  }
  o[t + 288] = 9;
}
