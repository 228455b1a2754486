// SPDX-License-Identifier: Apache-2.0
// ELF64 little-endian reader for cubins. All accesses to the file go through bytes_at(), which
// checks offset and size; names end at the string table's end at the latest.

#include "emulator/cubin/cubin.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "common/base/error.h"

namespace lockstep::emulator {
namespace {

constexpr uint64_t kMostBytes = uint64_t{256} << 20;
constexpr uint32_t kSymbolTable = 2, kRelocationsAddend = 4, kNoBits = 8, kRelocations = 9;
constexpr uint16_t kMachineCuda = 190;
constexpr uint8_t kSymbolSection = 3;  // symbol type
constexpr int64_t kReserved = 1024;    // shared memory of a block that the system keeps

// .nv.info attributes (EIATTR_*): format byte, attribute byte, then a 16-bit value or size.
constexpr uint8_t kFormatSized = 4;
constexpr uint8_t kAttrMaxThreads = 0x05, kAttrKernelParameter = 0x17;
constexpr uint8_t kAttrParameterSize = 0x19, kAttrFrameSize = 0x11, kAttrMinStackSize = 0x12;
constexpr uint8_t kAttrRegisterCount = 0x2f, kAttrMaxStackSize = 0x23;
constexpr uint8_t kAttrIndirectBranches = 0x34;

template <typename T>
T load(std::string_view bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// Walks the attributes of a .nv.info section; stops at the first that does not fit.
template <typename Visit>
void for_each_attribute(std::string_view info, Visit visit) {
  for (size_t at = 0; at + 4 <= info.size();) {
    const uint8_t format = info[at], attribute = info[at + 1];
    const uint16_t value = load<uint16_t>(info, at + 2);
    at += 4;
    if (format != kFormatSized) {
      visit(attribute, value, std::string_view{});
      continue;
    }
    if (value > info.size() - at) return;
    visit(attribute, value, info.substr(at, value));
    at += value;
  }
}

}  // namespace

Cubin Cubin::read(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Error(path + ": cannot be read; build the module first (make)");
  const std::streamoff size = file.tellg();
  if (size < 0 || uint64_t(size) > kMostBytes) {
    throw Error(path + ": not a cubin (its size is out of range)");
  }
  std::string bytes(size_t(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) throw Error(path + ": cannot be read to its end");
  return Cubin(path.substr(path.rfind('/') + 1), std::move(bytes));
}

Cubin::Cubin(std::string name, std::string bytes)
    : name_(std::move(name)), bytes_(std::make_shared<const std::string>(std::move(bytes))) {
  read_header();
  read_symbols();
  read_kernels();
}

void Cubin::fail(const std::string& what) const {
  throw Error(name_ + ": broken cubin: " + what + "; build the module again (make clean, make)");
}

std::string_view Cubin::bytes_at(uint64_t offset, uint64_t size, const char* what) const {
  if (offset > bytes_->size() || size > bytes_->size() - offset) {
    fail(std::string(what) + " lies outside the file");
  }
  return std::string_view(*bytes_).substr(offset, size);
}

std::string Cubin::name_at(std::string_view table, uint64_t offset) const {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

void Cubin::read_header() {
  const std::string_view header = bytes_at(0, std::min<uint64_t>(64, bytes_->size()), "header");
  if (header.size() < 64 || !starts_with(header, std::string_view("\x7f"
                                                                  "ELF\x02\x01",
                                                                  6))) {
    throw Error(name_ + ": not a cubin (no 64-bit ELF header)");
  }
  if (load<uint16_t>(header, 18) != kMachineCuda) {
    throw Error(name_ + ": an ELF file, but not for a GPU");
  }
  // The architecture lies in the second byte of the flags, on older toolkits in the first.
  const uint32_t flags = load<uint32_t>(header, 48);
  const uint8_t abi = header[7 + 1];
  sm_ = abi >= 8 ? int(flags >> 8 & 0xFF) : int(flags & 0xFF);
  if (sm_ == 0) sm_ = int(flags & 0xFF);

  const uint64_t table = load<uint64_t>(header, 40);
  const uint64_t count = load<uint16_t>(header, 60);
  const uint16_t entry = load<uint16_t>(header, 58), names = load<uint16_t>(header, 62);
  if (count == 0) fail("it has no sections");
  if (entry != 64) fail("its section headers have an unknown size");
  const std::string_view headers = bytes_at(table, count * 64, "section table");
  for (size_t i = 0; i < count; ++i) {
    const size_t at = i * 64;
    Section s;
    s.name_offset = load<uint32_t>(headers, at);
    s.type = load<uint32_t>(headers, at + 4);
    s.offset = load<uint64_t>(headers, at + 24);
    s.size = load<uint64_t>(headers, at + 32);
    s.link = load<uint32_t>(headers, at + 40);
    s.info = load<uint32_t>(headers, at + 44);
    s.entry_size = load<uint64_t>(headers, at + 56);
    if (s.type != kNoBits) bytes_at(s.offset, s.size, "a section");
    sections_.push_back(std::move(s));
  }
  if (names >= count) fail("its section names are missing");
  const std::string_view text = contents(sections_[names]);
  for (size_t i = 0; i < count; ++i) {
    sections_[i].name = name_at(text, sections_[i].name_offset);
    by_name_.emplace(sections_[i].name, i);
  }
}

std::string_view Cubin::contents(const Section& section) const {
  if (section.type == kNoBits) return {};
  return bytes_at(section.offset, section.size, "a section");
}

void Cubin::read_symbols() {
  for (const Section& s : sections_) {
    if (s.type != kSymbolTable) continue;
    if (s.link >= sections_.size()) fail("its symbol names are missing");
    const std::string_view table = contents(s), names = contents(sections_[s.link]);
    for (size_t at = 0; at + 24 <= table.size(); at += 24) {
      Symbol symbol;
      symbol.name = name_at(names, load<uint32_t>(table, at));
      symbol.info = table[at + 4];
      symbol.other = table[at + 5];
      symbol.section = load<uint16_t>(table, at + 6);
      symbol.value = load<uint64_t>(table, at + 8);
      symbol.size = load<uint64_t>(table, at + 16);
      symbols_.push_back(std::move(symbol));
    }
    break;
  }
}

void Cubin::read_kernels() {
  // A kernel is a function with a .nv.info.NAME section that describes parameters; device
  // functions that are called have one too on some toolkits, but no constant bank 0.
  for (const Section& s : sections_) {
    if (!starts_with(s.name, ".text.")) continue;
    const std::string function = s.name.substr(6);
    if (!by_name_.count(".nv.constant0." + function)) continue;
    CubinKernel kernel;
    kernel.name = function;
    kernel.code = contents(s);
    const auto shared = by_name_.find(".nv.shared." + function);
    if (shared != by_name_.end()) {
      kernel.shared_bytes = int64_t(std::min<uint64_t>(sections_[shared->second].size, kMostBytes));
      // From CC 9.0 on the section begins with what the system keeps of a block's share.
      if (sm_ >= 90) kernel.shared_bytes = std::max<int64_t>(kernel.shared_bytes - kReserved, 0);
    }
    read_parameters(section(".nv.info." + function), &kernel);
    kernels_.push_back(std::move(kernel));
  }
  read_resources();
}

void Cubin::read_parameters(std::string_view info, CubinKernel* kernel) const {
  std::vector<std::pair<uint32_t, uint32_t>> found;  // ordinal, (offset << 16 | size)
  for_each_attribute(info, [&](uint8_t attribute, uint16_t value, std::string_view data) {
    if (attribute == kAttrKernelParameter && data.size() >= 12) {
      const uint32_t ordinal = load<uint16_t>(data, 4), offset = load<uint16_t>(data, 6);
      const uint32_t size = load<uint32_t>(data, 8) >> 18;
      if (found.size() < 4096) found.emplace_back(ordinal, offset << 16 | size);
    } else if (attribute == kAttrParameterSize) {
      kernel->parameter_bytes_total = value;
    } else if (attribute == kAttrIndirectBranches) {
      read_indirect(data, kernel);
    } else if (attribute == kAttrMaxThreads && data.size() >= 12) {
      const uint64_t threads =
          uint64_t{load<uint32_t>(data, 0)} * load<uint32_t>(data, 4) * load<uint32_t>(data, 8);
      if (threads >= 1 && threads <= 1024) kernel->max_threads_per_block = int(threads);
    }
  });
  std::sort(found.begin(), found.end());
  for (const auto& [ordinal, where] : found) {
    kernel->parameter_bytes.push_back(where & 0xFFFF);
  }
}

// Records of (branch, two 16-bit zeros, count, targets...), byte offsets into the code.
void Cubin::read_indirect(std::string_view data, CubinKernel* kernel) {
  for (size_t at = 0; at + 12 <= data.size();) {
    const uint32_t branch = load<uint32_t>(data, at), count = load<uint32_t>(data, at + 8);
    at += 12;
    if (count > (data.size() - at) / 4) return;
    for (uint32_t i = 0; i < count; ++i, at += 4) {
      kernel->indirect.emplace_back(int(branch / 16), int(load<uint32_t>(data, at) / 16));
    }
  }
}

// Registers and stack of all functions stand in .nv.info, by symbol index.
void Cubin::read_resources() {
  const auto kernel_of = [this](uint32_t index) -> CubinKernel* {
    if (index >= symbols_.size()) return nullptr;
    for (CubinKernel& kernel : kernels_) {
      if (kernel.name == symbols_[index].name) return &kernel;
    }
    return nullptr;
  };
  for_each_attribute(section(".nv.info"), [&](uint8_t attribute, uint16_t, std::string_view data) {
    if (data.size() < 8) return;
    CubinKernel* kernel = kernel_of(load<uint32_t>(data, 0));
    if (!kernel) return;
    const uint32_t value = load<uint32_t>(data, 4);
    if (attribute == kAttrRegisterCount) kernel->registers = int(std::min<uint32_t>(value, 255));
    if (attribute == kAttrFrameSize || attribute == kAttrMinStackSize ||
        attribute == kAttrMaxStackSize) {
      kernel->local_bytes = std::max<int64_t>(kernel->local_bytes, value);
    }
  });
}

const CubinKernel* Cubin::find_kernel(const std::string& mangled) const {
  for (const CubinKernel& kernel : kernels_) {
    if (kernel.name == mangled) return &kernel;
  }
  return nullptr;
}

std::string_view Cubin::code(const std::string& function) const {
  return section(".text." + function);
}

std::vector<std::string> Cubin::functions() const {
  std::vector<std::string> names;
  for (const Section& section : sections_) {
    if (starts_with(section.name, ".text.")) names.push_back(section.name.substr(6));
  }
  return names;
}

std::string_view Cubin::section(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::string_view{} : contents(sections_[found->second]);
}

std::vector<Cubin::Relocation> Cubin::relocations(const std::string& section_name) const {
  std::vector<Relocation> result;
  for (const char* prefix : {".rela", ".rel"}) {
    const auto found = by_name_.find(prefix + section_name);
    if (found == by_name_.end()) continue;
    const Section& s = sections_[found->second];
    if (s.type != kRelocationsAddend && s.type != kRelocations) continue;
    const size_t step = s.type == kRelocationsAddend ? 24 : 16;
    const std::string_view table = contents(s);
    for (size_t at = 0; at + step <= table.size(); at += step) {
      Relocation r;
      r.offset = load<uint64_t>(table, at);
      const uint64_t info = load<uint64_t>(table, at + 8);
      r.type = uint32_t(info);
      if (step == 24) r.addend = load<int64_t>(table, at + 16);
      const uint64_t index = info >> 32;
      if (index >= symbols_.size()) fail("a relocation names no symbol");
      const Symbol& symbol = symbols_[index];
      r.symbol = symbol.name;
      r.addend = int64_t(uint64_t(r.addend) + symbol.value);  // may wrap: any value is harmless
      if ((symbol.info & 15) == kSymbolSection || symbol.name.empty()) {
        r.symbol = symbol.section < sections_.size() ? sections_[symbol.section].name : "";
      }
      if (starts_with(r.symbol, ".text.")) r.symbol = r.symbol.substr(6);
      result.push_back(std::move(r));
    }
    break;
  }
  return result;
}

std::string_view Cubin::variable_in(const std::string& section_name,
                                    const std::string& name) const {
  const auto found = by_name_.find(section_name);
  if (found == by_name_.end()) return {};
  const std::string_view bytes = contents(sections_[found->second]);
  for (const Symbol& symbol : symbols_)
    if ((symbol.info & 15) == 1 && symbol.section == found->second && symbol.name == name &&
        symbol.value <= bytes.size() && symbol.size <= bytes.size() - symbol.value)
      return bytes.substr(symbol.value, symbol.size);
  return {};
}

std::vector<std::pair<std::string, uint64_t>> Cubin::functions_in(
    const std::string& section_name) const {
  std::vector<std::pair<std::string, uint64_t>> result;
  const auto found = by_name_.find(section_name);
  if (found == by_name_.end()) return result;
  for (const Symbol& symbol : symbols_) {
    if ((symbol.info & 15) == 2 && symbol.section == found->second) {
      result.emplace_back(symbol.name, symbol.value);
    }
  }
  return result;
}

}  // namespace lockstep::emulator
