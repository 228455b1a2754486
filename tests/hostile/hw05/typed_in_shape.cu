// SPDX-License-Identifier: Apache-2.0
// Attack: a number of blocks typed in for the size that the table shows without a card: nothing is
// asked of the card.
// Expect: partial 68..86
#define OWN_SHAPE
constexpr int kThreads = 256;
constexpr int kBlocks = 8;
#include "../../hostile/given05.cuh"
