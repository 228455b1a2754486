// SPDX-License-Identifier: Apache-2.0
// Executing a kernel with a small change of its code.
#include <unordered_set>

#include "common/base/error.h"
#include "emulator/decode/decoder.h"
#include "emulator/emulator_backend.h"
#include "emulator/mutate/mutations.h"

namespace lockstep::emulator {

size_t EmulatorBackend::find_mutations(const std::string& kernel, const std::string& file) {
  const size_t k = find_kernel(kernel);
  mutate(kernel, std::nullopt);
  std::vector<uint32_t> functions;
  for (const FunctionInfo& f : module().programs[k].functions) functions.push_back(f.function);
  mutations_ = std::make_unique<Mutations>(module().ptx, functions, file);
  mutations_of_ = kernel;
  return mutations_->size();
}

CodeMutation EmulatorBackend::mutation(size_t which) {
  CodeMutation told = mutations_->words(which);
  told.kernel = mutations_of_;
  return told;
}

// Functions that others call are decoded with each kernel, so no other kernel has the change.
void EmulatorBackend::mutate(const std::string& kernel, std::optional<size_t> which) {
  const size_t k = find_kernel(kernel);
  LoadedModule& m = *module_;
  const auto decode = [&] {
    m.programs[k] = decode_kernel(m.ptx, m.kernel_functions[k], m.addresses);
  };
  if (!which) {
    if (mutated_ == kernel) decode();
    mutated_.clear();
    return;
  }
  mutations_->exchange(*which, &m.ptx);
  mutated_ = kernel;
  try {
    decode();
  } catch (...) {
    mutations_->exchange(*which, &m.ptx);
    throw;
  }
  mutations_->exchange(*which, &m.ptx);
}

WatchedWork EmulatorBackend::watched_work(const std::string& file) {
  WatchedWork work;
  if (!values_) return work;
  work.whole = values_->is_whole();
  std::unordered_set<uint32_t> storing;
  const Program* program = nullptr;
  std::vector<bool> own;  // whether the program's file of that number is the one
  for (uint32_t n = 1; n <= values_->last(); ++n) {
    const ValueNode& node = (*values_)[n];
    if (program != values_->launch_of(node).program) {
      program = values_->launch_of(node).program;
      own.clear();
      for (const std::string& path : program->files)
        own.push_back(path.substr(path.rfind('/') + 1) == file);
    }
    const SourcePlace& at = program->instructions[node.instruction].student;
    const auto number = static_cast<size_t>(at.file);
    const int line = at.line > 0 && number < own.size() && own[number] ? at.line : 0;
    if (line > 0) work.lines.insert(line);
    if (node.kind == ValueNode::Kind::kStore && node.address != 0) {
      storing.insert(node.thread);
      ++work.stores;
      ++work.stores_of_line[line];
    }
  }
  work.storing_threads = storing.size();
  work.passed_alone = values_->passed_alone();
  return work;
}

}  // namespace lockstep::emulator
