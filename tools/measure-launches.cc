// SPDX-License-Identifier: Apache-2.0
// measure-launches: runs every launch of a list in one process and writes what a card, or the
// emulator, counts and computes. Kernels take (float* out, const float* in, int n), 4 MiB each:
// `in` is rand() / (float)RAND_MAX from srand(1), `out` is zeroed before every execution.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "common/backend/backend.h"
#include "common/backend/metric_names.h"
#include "common/base/error.h"

namespace {

using namespace lockstep;

constexpr char kUsage[] =
    "usage: measure-launches gpu|emulator LAUNCHES.tsv MODULES OUT\n"
    "LAUNCHES.tsv: a heading, then module, kernel, grid, block, shared bytes, n, between tabs. "
    "MODULES has\n"
    "MODULE.ptx and MODULE.cubin; OUT, a folder, gets counters.tsv and outputs.tsv (64-bit FNV-1a "
    "of the\n"
    "output's bytes). A launch that fails is said on the standard error, and left out.\n";
constexpr size_t kElements = size_t{1} << 20;

Dim3 shape(const std::string& text) {
  Dim3 d;
  char x = 0;
  std::istringstream in(text);
  in >> d.x >> x >> d.y;
  if (uint32_t z = 0; in >> x >> z) d.z = z;
  return d;
}

std::unique_ptr<Backend> open(const std::string& kind) {
  BackendOptions options;
  options.profile = "h200";
  options.lines = false;
  if (kind == "emulator") return make_emulator_backend(options);
  std::string why;
  std::unique_ptr<Backend> backend = make_cuda_backend(options, &why);
  if (backend == nullptr) throw Error("no GPU: " + why);
  return backend;
}

std::string hash_of(const std::vector<uint8_t>& bytes) {
  uint64_t hash = 1469598103934665603ull;
  for (const uint8_t byte : bytes) hash = (hash ^ byte) * 1099511628211ull;
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

const std::vector<std::string>& columns() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names = standard_metrics();
    names.insert(names.end(), further_metrics().begin(), further_metrics().end());
    std::erase_if(names, [](const std::string& name) { return name == metric::kTimeUs; });
    return names;
  }();
  return all;
}

class Runner {
 public:
  Runner(const std::string& kind, std::string modules)
      : backend_(open(kind)), modules_(std::move(modules)) {
    std::vector<float> input(kElements);
    std::srand(1);
    for (float& x : input) x = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX);
    out_ = backend_->allocate({"out", kElements * 4, 4096, false});
    in_ = backend_->allocate({"in", kElements * 4, 4096, false});
    backend_->write(in_, 0, input.data(), kElements * 4);
  }

  Counts count(const std::string& module, const Launch& launch, std::string* hash) {
    if (module != loaded_) {
      backend_->load_module({modules_ + "/" + module + ".ptx", modules_ + "/" + module + ".cubin"});
      loaded_ = module;
    }
    PassHooks hooks;
    hooks.before = [this] { backend_->fill(out_, 0, kElements * 4, 0); };
    Counts counts = backend_->count(launch, columns(), hooks);
    std::vector<uint8_t> bytes(kElements * 4);
    backend_->read(out_, 0, bytes.data(), bytes.size());
    *hash = hash_of(bytes);
    return counts;
  }

  std::vector<Argument> arguments(int n) const {
    return {Argument::of_buffer(out_), Argument::of_buffer(in_), Argument::of(n)};
  }

 private:
  std::unique_ptr<Backend> backend_;
  std::string modules_, loaded_;
  BufferId out_ = 0, in_ = 0;
};

std::string cell(const Counts& counts, const std::string& name) {
  const Count* count = counts.find(name);
  if (count == nullptr) return "";
  std::ostringstream out;
  out.precision(12);
  out << count->value;
  return out.str();
}

int measure(const std::string& kind, const std::string& list, const std::string& modules,
            const std::string& folder) {
  std::ifstream launches(list);
  std::ofstream counters(folder + "/counters.tsv"), outputs(folder + "/outputs.tsv");
  if (!launches) throw Error(list + ": cannot be read");
  if (!counters || !outputs) throw Error(folder + ": cannot be written to");
  std::string line;
  std::getline(launches, line);
  counters << line;
  for (const std::string& name : columns()) counters << '\t' << name;
  counters << '\n';
  outputs << line << "\thash\n";
  Runner runner(kind, modules);
  int failed = 0;
  while (std::getline(launches, line)) {
    std::istringstream in(line);
    std::string module, kernel, grid, block;
    Launch launch;
    int n = 0;
    in >> module >> kernel >> grid >> block >> launch.dynamic_shared_bytes >> n;
    launch.kernel = kernel;
    launch.grid = shape(grid);
    launch.block = shape(block);
    launch.arguments = runner.arguments(n);
    try {
      std::string hash;
      const Counts counts = runner.count(module, launch, &hash);
      counters << line;
      for (const std::string& name : columns()) counters << '\t' << cell(counts, name);
      counters << '\n';
      outputs << line << '\t' << hash << '\n';
    } catch (const KernelFault& fault) {
      ++failed;
      std::cerr << line << ": " << fault.what() << '\n';
    }
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 || (std::string(argv[1]) != "gpu" && std::string(argv[1]) != "emulator")) {
    std::cerr << kUsage;
    return 2;
  }
  try {
    return measure(argv[1], argv[2], argv[3], argv[4]);
  } catch (const std::exception& error) {
    std::cerr << "measure-launches: " << error.what() << '\n';
    return 2;
  }
}
