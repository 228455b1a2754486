// SPDX-License-Identifier: Apache-2.0
// Loading: variables and their initial values, kernels, what the cubin knows about them.
#include "emulator/module/loaded_module.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "emulator/code/locations.h"
#include "emulator/cubin/line_table.h"
#include "emulator/decode/decoder.h"
#include "emulator/ptx/lexer.h"
#include "emulator/ptx/parser.h"
#include "emulator/ptx/width_questions.h"

namespace lockstep::emulator {
namespace {

constexpr uint64_t kMostVariableBytesInAll = 4ull << 30;

void allocate_variables(LoadedModule& m) {
  uint64_t all = 0;
  std::vector<AddressSpace::OfModule> wanted;
  std::vector<size_t> which;
  for (size_t i = 0; i < m.ptx.variables.size(); ++i) {
    const Variable& v = m.ptx.variables[i];
    if (v.space != Space::kGlobal && v.space != Space::kConst) continue;
    if (v.is_extern) continue;  // a kernel that uses it is refused
    if ((all += v.bytes) > kMostVariableBytesInAll)
      throw Error(m.ptx.name + ": more than 4 GiB of global variables");
    wanted.push_back({demangled_variable(v.name), v.bytes, v.alignment, v.space == Space::kConst});
    which.push_back(i);
  }
  m.variables.assign(m.ptx.variables.size(), nullptr);
  m.addresses.assign(m.ptx.variables.size(), 0);
  const std::vector<Allocation*> made = m.memory->allocate_variables(wanted);
  for (size_t i = 0; i < made.size(); ++i) {
    made[i]->is_variable = true;
    made[i]->is_const = wanted[i].is_const;
    m.variables[which[i]] = made[i];
    m.addresses[which[i]] = made[i]->begin;
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

std::unique_ptr<sass::Code> load_code(const LoadedModule& m, const std::string& kernel) {
  const auto resolve = [&](const std::string& symbol) -> std::optional<uint64_t> {
    const auto at = m.ptx.variable_index.find(symbol);
    if (at == m.ptx.variable_index.end() || m.addresses[at->second] == 0) return std::nullopt;
    return m.addresses[at->second];
  };
  return sass::make_code(*m.cubin, kernel, resolve);
}

// The source lines of machine code, by way of the PTX that it came from. ptx: by instruction.
void find_lines(const Program& program, const std::vector<uint32_t>& ptx, sass::Code* code) {
  std::unordered_map<uint32_t, size_t> by_line;
  for (size_t i = 0; i < program.instructions.size(); ++i)
    by_line.emplace(static_cast<uint32_t>(program.instructions[i].ptx_line), i);
  const auto name = [&](int file) {
    const auto number = static_cast<size_t>(file);
    return file > 0 && number < program.files.size() ? program.files[number] : std::string();
  };
  std::map<int, std::string> seen;  // by file: it takes long to tell
  const auto seen_name = [&](int file) {
    const auto [at, fresh] = seen.try_emplace(file);
    if (fresh) at->second = seen_from_here(name(file));
    return at->second;
  };
  code->places.resize(code->instructions.size());
  code->lines.resize(code->instructions.size());
  for (size_t i = 0; i < ptx.size() && i < code->places.size(); ++i) {
    const auto at = by_line.find(ptx[i]);
    if (at == by_line.end()) continue;
    const InstructionInfo& from = program.instructions[at->second];
    code->places[i] = {seen_name(from.student.file), from.student.line};
    const SourcePlace& place = from.student.line > 0 ? from.student : from.source;
    code->lines[i] = {name(place.file), place.line};
  }
}

KernelInfo describe(const LoadedModule& m, const Function& f, const Program& program) {
  KernelInfo info;
  info.mangled = std::string(f.name);
  info.name = kernel_name(info.mangled);
  info.signature = kernel_signature(info.mangled);
  info.shared_bytes = program.static_shared_bytes;
  info.max_threads_per_block = static_cast<int>(most_threads(f));
  info.array_bytes = 0;
  for (const auto& function : program.functions) info.array_bytes += function.local_bytes;
  std::set<int> lines;
  for (const InstructionInfo& in : program.instructions)
    if (in.opcode.starts_with("ld.local") || in.opcode.starts_with("st.local"))
      lines.insert(in.student.line);
  lines.erase(0);
  info.array_lines.assign(lines.begin(), lines.end());
  info.wanted_blocks = static_cast<int>(std::min<uint32_t>(f.least_blocks, 1024));
  info.place = place_of(m.ptx, f);
  for (const uint32_t p : f.parameters)
    info.parameter_bytes.push_back(static_cast<uint32_t>(f.variables[p].bytes));
  const CubinKernel* sass = m.cubin ? m.cubin->find_kernel(info.mangled) : nullptr;
  if (sass != nullptr) {
    info.registers = sass->registers;
    info.shared_bytes = sass->shared_bytes;
    info.local_bytes = sass->local_bytes;
    info.max_threads_per_block = std::min(info.max_threads_per_block, sass->max_threads_per_block);
  }
  return info;
}

// Bytes a thread that ptxas spilled, stores plus loads: the local accesses that no local access of
// the PTX asks for. -1: not known.
int64_t spill_bytes(const KernelInfo& info, const sass::Code& code,
                    const std::vector<uint32_t>& lines, const Program& program) {
  if (info.local_bytes == 0) return 0;
  if (lines.empty() || program.instructions.empty()) return -1;
  std::unordered_set<uint32_t> programmed;
  for (const InstructionInfo& in : program.instructions)
    if (in.opcode.starts_with("ld.local") || in.opcode.starts_with("st.local"))
      programmed.insert(static_cast<uint32_t>(in.ptx_line));
  int64_t bytes = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const sass::Instruction& in = code.instructions[i];
    if (in.row == nullptr || (in.name != "LDL" && in.name != "STL")) continue;
    if (!programmed.contains(lines[i])) bytes += in.has("128") ? 16 : in.has("64") ? 8 : 4;
  }
  return bytes;
}

// The next kernel of the module: its machine code, and its PTX as that has it.
void load_kernel(LoadedModule& m, uint32_t function, const std::optional<LineTable>& table,
                 const std::unordered_set<uint32_t>& of_width) {
  const Function& f = m.ptx.functions[function];
  std::unique_ptr<sass::Code> code;
  std::vector<uint32_t> lines;  // of the PTX, by machine instruction
  if (m.cubin) {
    code = load_code(m, std::string(f.name));
    lines = table->lines(std::string(f.name), code->instructions.size());
  }
  m.kernel_functions.push_back(function);
  m.refusals.emplace_back();
  try {
    const SassArithmetic arithmetic =
        code ? SassArithmetic(code->instructions, lines) : SassArithmetic();
    m.programs.push_back(decode_kernel(m.ptx, function, m.addresses, arithmetic));
  } catch (const KernelFault& refusal) {
    m.refusals.back() = refusal;
    m.programs.emplace_back().kernel = std::string(f.name);
  }
  m.kernels.push_back(describe(m, f, m.programs.back()));
  if (code) {
    find_lines(m.programs.back(), lines, code.get());
    for (const uint32_t line : lines) code->asks_width.push_back(of_width.contains(line));
    code->asks_width.resize(code->instructions.size());
    m.kernels.back().spill_bytes = spill_bytes(m.kernels.back(), *code, lines, m.programs.back());
  }
  m.codes.push_back(std::move(code));
}

}  // namespace

LoadedModule::~LoadedModule() {
  for (Allocation* a : variables)
    if (a != nullptr) memory->release(a);
}

void LoadedModule::restore_variables() {
  for (size_t i = 0; i < variables.size(); ++i) {
    Allocation* a = variables[i];
    if (a == nullptr) continue;
    const bool before = std::exchange(a->changed_before, false);
    if (!a->changed.exchange(false) && !before) continue;
    std::fill(a->data, a->data + a->bytes(), std::byte{0});
    std::copy(initial[i].begin(), initial[i].end(), a->data);
  }
}

void LoadedModule::set_function_tables(bool of_machine_code) {
  for (size_t i = 0; i < variables.size(); ++i) {
    const Variable& v = ptx.variables[i];
    const bool table = std::any_of(
        v.initial.begin(), v.initial.end(),
        [&](const Initializer& init) { return ptx.function_index.contains(init.symbol); });
    if (!table || variables[i] == nullptr || variables[i]->changed || variables[i]->changed_before)
      continue;
    if (!of_machine_code) {
      std::copy(initial[i].begin(), initial[i].end(), variables[i]->data);
      continue;
    }
    if (!cubin) continue;
    const char* section = v.space == Space::kConst ? ".nv.constant3" : ".nv.global.init";
    const std::string_view bytes = cubin->variable_in(section, std::string(v.name));
    std::copy_n(bytes.data(), std::min<size_t>(bytes.size(), variables[i]->bytes()),
                reinterpret_cast<char*>(variables[i]->data));
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
  std::optional<LineTable> table;
  if (m->cubin) table.emplace(*m->cubin, ".nv_debug_line_sass");
  const std::unordered_set<uint32_t> of_width = width_questions(m->ptx);
  for (uint32_t i = 0; i < m->ptx.functions.size(); ++i) {
    const Function& f = m->ptx.functions[i];
    if (!f.is_entry || !f.has_body) continue;
    load_kernel(*m, i, table, of_width);
  }
  return m;
}

}  // namespace lockstep::emulator
