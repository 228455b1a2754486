// SPDX-License-Identifier: Apache-2.0
// The same, built with -G (the name's end says so): each function has a section of its own.
#include "calls.cu"
