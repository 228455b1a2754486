// SPDX-License-Identifier: Apache-2.0
// What run-kernel prints: text for a person, or one JSON object.
#pragma once

#include <string>

#include "common/base/error.h"
#include "tools/run_kernel/session.h"

namespace lockstep::run_kernel {

std::string text_report(const Options& options, const Result& result);
// kernel, backend, device, counts, unavailable, lines, and more beside them: docs/run-kernel.md.
std::string json_report(const Options& options, const Result& result);
// The same object for a kernel that failed: "fault" instead of counts.
std::string json_fault(const Options& options, const Backend& backend, const KernelFault& fault,
                       const std::string& printed);

// FNV-1a, 64 bits, over the bytes; sixteen hexadecimal digits.
std::string hash_text(const std::vector<uint8_t>& bytes);

}  // namespace lockstep::run_kernel
