// SPDX-License-Identifier: Apache-2.0
// Loading: variables and their initial values, kernels, what the cubin knows about them.
#include "emulator/loaded_module.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "emulator/access_width.h"
#include "emulator/code/decoder.h"
#include "emulator/code/locations.h"
#include "emulator/ptx/lexer.h"
#include "emulator/ptx/parser.h"

namespace lockstep::emulator {
namespace {

constexpr uint64_t kMostVariableBytesInAll = 4ull << 30;

void allocate_variables(LoadedModule& m) {
  uint64_t all = 0;
  for (const Variable& v : m.ptx.variables) {
    m.variables.push_back(nullptr);
    m.addresses.push_back(0);
    if (v.space != Space::kGlobal && v.space != Space::kConst) continue;
    if (v.is_extern) continue;  // a kernel that uses it is refused
    if ((all += v.bytes) > kMostVariableBytesInAll)
      throw Error(m.ptx.name + ": more than 4 GiB of global variables");
    Allocation* a = m.memory->allocate(demangled_variable(v.name), v.bytes, true);
    a->is_variable = true;
    a->is_const = v.space == Space::kConst;
    m.variables.back() = a;
    m.addresses.back() = a->begin;
  }
}

// Nothing where the symbol has no address.
std::optional<uint64_t> symbol_value(const LoadedModule& m, const Initializer& init) {
  uint64_t address = 0;
  if (const auto at = m.ptx.variable_index.find(init.symbol); at != m.ptx.variable_index.end()) {
    address = m.addresses[at->second];
    if (address == 0) return std::nullopt;
  } else if (const auto f = m.ptx.function_index.find(init.symbol);
             f != m.ptx.function_index.end()) {
    address = window_begin(Window::kFunction) + uint64_t{16} * f->second;
  } else {
    return std::nullopt;
  }
  address += init.value;
  return init.masked ? address >> init.shift & 0xff : address;
}

void initialize_variables(LoadedModule& m) {
  m.initial.resize(m.ptx.variables.size());
  for (size_t i = 0; i < m.ptx.variables.size(); ++i) {
    const Variable& v = m.ptx.variables[i];
    if (m.variables[i] == nullptr) continue;
    const auto size = static_cast<size_t>(type_bytes(v.type));
    for (size_t k = 0; k < v.initial.size() && (k + 1) * size <= v.bytes; ++k) {
      const Initializer& init = v.initial[k];
      const std::optional<uint64_t> bits = init.symbol.empty() ? init.value : symbol_value(m, init);
      if (!bits) {  // a kernel that uses the variable is refused
        m.addresses[i] = 0;
        break;
      }
      std::memcpy(m.variables[i]->data + k * size, &*bits, std::min<size_t>(size, 8));
    }
    const std::byte* first = m.variables[i]->data;
    m.initial[i].assign(first, first + std::min<uint64_t>(v.initial.size() * size, v.bytes));
  }
}

// Of a block, as the kernel's own attributes have it; 1024: they have nothing.
uint32_t most_threads(const Function& f) {
  const LaunchAttribute& a = f.threads.given() ? f.threads : f.most_threads;
  if (!a.given()) return 1024;
  return static_cast<uint32_t>(std::min<uint64_t>(1024, a.count()));
}

// Where ptxas widened accesses, shared memory is counted by the wide ones.
void note_widths(const LoadedModule& m, Program& program) {
  if (!m.cubin) return;
  const std::unordered_map<int, int> widths = access_widths(*m.cubin, program.kernel);
  for (size_t slot = 0; slot < program.memory_slot_of.size(); ++slot) {
    const auto at = widths.find(program.instructions[program.memory_slot_of[slot]].ptx_line);
    if (at != widths.end() && at->second > 0 && at->second <= 16)
      program.sass_widths[slot] = static_cast<uint8_t>(at->second);
  }
}

KernelInfo describe(const LoadedModule& m, const Function& f, const Program& program) {
  KernelInfo info;
  info.mangled = std::string(f.name);
  info.name = kernel_name(info.mangled);
  info.signature = kernel_signature(info.mangled);
  info.shared_bytes = program.static_shared_bytes;
  info.max_threads_per_block = static_cast<int>(most_threads(f));
  for (const uint32_t p : f.parameters)
    info.parameter_bytes.push_back(static_cast<uint32_t>(f.variables[p].bytes));
  const CubinKernel* sass = m.cubin ? m.cubin->find_kernel(info.mangled) : nullptr;
  if (sass != nullptr) {
    info.registers = sass->registers;
    info.shared_bytes = sass->shared_bytes;
    info.local_bytes = sass->local_bytes;
    info.spill_bytes = spill_bytes(*m.cubin, info.mangled);
    info.max_threads_per_block = std::min(info.max_threads_per_block, sass->max_threads_per_block);
  }
  return info;
}

}  // namespace

LoadedModule::~LoadedModule() {
  for (Allocation* a : variables)
    if (a != nullptr) memory->release(a);
}

void LoadedModule::restore_variables() {
  for (size_t i = 0; i < variables.size(); ++i) {
    Allocation* a = variables[i];
    if (a == nullptr || (a->changes == 0 && !a->changed_before)) continue;
    a->changed_before = false;
    a->changes = 0;
    std::fill(a->data, a->data + a->bytes(), std::byte{0});
    std::copy(initial[i].begin(), initial[i].end(), a->data);
  }
}

std::unique_ptr<LoadedModule> load_module_files(const ModuleFiles& files, AddressSpace& memory) {
  if (files.ptx.empty())
    throw Error(files.cubin +
                ": the emulator needs the module's PTX as well (NAME.ptx beside "
                "NAME.cubin); make it with nvcc -ptx -lineinfo");
  auto m = std::make_unique<LoadedModule>();
  m->memory = &memory;
  m->ptx = read_ptx_file(files.ptx);
  if (!files.cubin.empty()) m->cubin.emplace(Cubin::read(files.cubin));
  allocate_variables(*m);
  initialize_variables(*m);
  PtxFunctions functions;
  for (const Function& f : m->ptx.functions)
    if (f.has_body) functions.emplace(f.name);
  for (uint32_t i = 0; i < m->ptx.functions.size(); ++i) {
    const Function& f = m->ptx.functions[i];
    if (!f.is_entry || !f.has_body) continue;
    SassHints sass;
    const std::string name(f.name);
    if (m->cubin)
      sass = {{*m->cubin, name}, {*m->cubin, name, functions}, {*m->cubin, name, functions}};
    m->kernel_functions.push_back(i);
    m->refusals.emplace_back();
    try {
      m->programs.push_back(decode_kernel(m->ptx, i, m->addresses, sass));
    } catch (const KernelFault& refusal) {
      m->refusals.back() = refusal;
      m->programs.emplace_back().kernel = std::string(f.name);
    }
    note_widths(*m, m->programs.back());
    m->kernels.push_back(describe(*m, f, m->programs.back()));
  }
  return m;
}

}  // namespace lockstep::emulator
