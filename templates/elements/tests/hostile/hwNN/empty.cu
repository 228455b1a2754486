// SPDX-License-Identifier: Apache-2.0
// Attack: a kernel that does nothing and hopes for right answers left in memory.
// Expect: fail 0..0
__global__ void @KERNEL@(@TYPE@* out, const @TYPE@* in, int n) {}
