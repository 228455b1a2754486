// SPDX-License-Identifier: Apache-2.0
// Where a module's variables are, and their initial values: see module_variables.h.
#include "common/cuda/module_variables.h"

#if LOCKSTEP_HAS_CUDA

#include <algorithm>
#include <map>

#include "common/cuda/variable_symbols.h"

namespace lockstep::cuda {
namespace {

CUdeviceptr address_of(const VariableSymbol& variable, const std::string& file, CUlibrary library) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  const CUresult result =
      driver().cuLibraryGetGlobal(&address, &bytes, library, variable.name.c_str());
  if (result == CUDA_SUCCESS && bytes == variable.bytes) return address;
  throw Error(file + ": the driver does not tell where variable " + variable.name + " is (" +
              cu_error_text(result) +
              "), so it cannot be given its initial value before each launch; leave it away");
}

}  // namespace

ModuleVariables::ModuleVariables(const std::string& cubin, const std::string& file,
                                 CUlibrary library) {
  // By section and the address that it has, as far as this variable tells.
  std::map<std::pair<std::string, CUdeviceptr>, Span> spans;
  for (const VariableSymbol& variable : variable_symbols(cubin, file)) {
    if (variable.bytes == 0) continue;
    const CUdeviceptr begin = address_of(variable, file, library);
    const CUdeviceptr end = begin + variable.bytes;
    auto [at, fresh] = spans.try_emplace({variable.section, begin - variable.offset});
    Span& span = at->second;
    span.zero = variable.zero;
    span.begin = fresh ? begin : std::min(span.begin, begin);
    span.end = std::max(span.end, end);
  }
  for (auto& [key, span] : spans) {
    if (!span.zero) {
      span.initial.resize(span.end - span.begin);
      LOCKSTEP_CU(cuMemcpyDtoH, span.initial.data(), span.begin, span.initial.size());
    }
    spans_.push_back(std::move(span));
  }
}

void ModuleVariables::restore() const {
  for (const Span& span : spans_) {
    if (span.zero)
      LOCKSTEP_CU(cuMemsetD8, span.begin, 0, span.end - span.begin);
    else
      LOCKSTEP_CU(cuMemcpyHtoD, span.begin, span.initial.data(), span.initial.size());
  }
}

}  // namespace lockstep::cuda

#endif  // LOCKSTEP_HAS_CUDA
