// SPDX-License-Identifier: Apache-2.0
// Style: blocks of one warp. An SM holds 32 blocks, so half of its threads are missing.
// Expect: partial 86..86
#define OWN_SHAPE
constexpr int kThreads = 32;
constexpr int kBlocks = 0;
#include "../../hostile/given05.cuh"
