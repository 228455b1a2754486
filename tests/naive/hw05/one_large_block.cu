// SPDX-License-Identifier: Apache-2.0
// Style: the largest blocks, and one for each batch, whatever its length.
// Expect: partial 68..86
#define OWN_SHAPE
constexpr int kThreads = 1024;
constexpr int kBlocks = 1;
#include "../../hostile/given05.cuh"
