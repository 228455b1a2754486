// SPDX-License-Identifier: Apache-2.0
// Style: the solution's.
// Expect: pass 100..100
#include "../../hostile/given06.cuh"
