// SPDX-License-Identifier: Apache-2.0
// The lanes that take part in access n and the elements that they name, drawn from n.
__device__ unsigned mix(unsigned x) {
  x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; x ^= x >> 16;
  return x;
}
__device__ bool active(unsigned n, unsigned lane) {
  const unsigned h = mix(n * 97 + 13), r = mix(n * 131 + lane * 7919 + 5);
  switch (n & 7) {
    case 0: return true;
    case 1: return r & 1;
    case 2: return lane < h % 33;
    case 3: return lane >= h % 32;
    case 4: return (r & 7) != 0;
    case 5: return (lane & 1) == (h & 1);
    case 6: return (lane >> 1 & 1) == (h & 1);
    default: return (r & 7) == 0;
  }
}
__device__ unsigned place(unsigned n, unsigned lane) {
  const unsigned h = mix(n * 57 + 3), r = mix(n * 211 + lane * 31 + 11);
  switch (n >> 3 & 15) {
    case 0: return h & 63;
    case 1: return lane >> 1;
    case 2: return lane & ~2u;
    case 3: return lane >> 2;
    case 4: return r & 1;
    case 5: return (r & 3) * 16;
    case 6: return r & 15;
    case 7: return (lane >> 1) * 3 & 63;
    case 8: return (lane & ~2u) * 5 & 63;
    case 9: return (lane ^ (h & 31)) >> 1;
    case 10: return lane / 3;
    case 11: return lane * 33 & 63;
    case 12: return mix(n + (lane >> 1)) & 63;
    case 13: return mix(n + (lane & ~2u)) & 63;
    case 14: return lane < 16 ? lane >> 1 : mix(n + (lane & ~2u)) & 63;
    default: return lane * ((h & 7) + 1) & 63;
  }
}
