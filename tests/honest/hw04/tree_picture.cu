// SPDX-License-Identifier: Apache-2.0
// Style: draws the tree of additions in a raw string, for --help of a program of its own; branches
// that fall are backslashes, some of them at the end of a line.
// Expect: pass 100..100
#include "../../hostile/given04.cuh"

[[maybe_unused]] constexpr const char* kTree = R"tree(
        s[0]
       /    \
    s[0]    s[2]
   /   \    /   \
 s[0] s[1] s[2] s[3]
   \    \    \    \
)tree";
