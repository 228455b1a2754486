// SPDX-License-Identifier: Apache-2.0
// Style: the intended answer.
// Expect: pass 100..100
#include "../../hostile/given05.cuh"
