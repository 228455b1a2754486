// SPDX-License-Identifier: Apache-2.0
// The CUDA toolkit's headers, where the machine that builds has them. LOCKSTEP_HAS_CUDA is 1
// when cuda.h and the CUPTI headers of CUDA 12.6 or later are there; else this folder compiles to
// a backend that says so. Only headers: libcuda and libcupti are opened at run time.
#pragma once

#if defined(__has_include) && __has_include(<cuda.h>) && \
    __has_include(<cupti_range_profiler.h>) && __has_include(<cupti_profiler_host.h>)
#include <cuda.h>
#if CUDA_VERSION >= 12060
#define LOCKSTEP_HAS_CUDA 1
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>
#endif
#endif

#ifndef LOCKSTEP_HAS_CUDA
#define LOCKSTEP_HAS_CUDA 0
#endif
