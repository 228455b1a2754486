// SPDX-License-Identifier: Apache-2.0
// Sections and symbols of an ELF file: see variable_symbols.h.
#include "common/cuda/variable_symbols.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "common/base/error.h"

namespace lockstep::cuda {
namespace {

class Elf {
 public:
  Elf(const std::string& bytes, const std::string& file) : bytes_(bytes), file_(file) {
    header_ = load<Elf64_Ehdr>(0);
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 ||
        header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_shentsize != sizeof(Elf64_Shdr))
      fail();
    for (uint64_t i = 0; i < header_.e_shnum; ++i)
      sections_.push_back(load<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr)));
  }

  const std::vector<Elf64_Shdr>& sections() const { return sections_; }
  const Elf64_Shdr& section(uint64_t index) const {
    if (index >= sections_.size()) fail();
    return sections_[index];
  }
  std::string name(const Elf64_Shdr& section) const {
    return text(this->section(header_.e_shstrndx), section.sh_name);
  }
  std::string text(const Elf64_Shdr& table, uint64_t offset) const {
    if (table.sh_offset > bytes_.size() || table.sh_size > bytes_.size() - table.sh_offset ||
        offset >= table.sh_size)
      fail();
    const size_t first = table.sh_offset + offset, end = table.sh_offset + table.sh_size;
    return bytes_.substr(first, std::min(bytes_.find('\0', first), end) - first);
  }
  template <typename T>
  T load(uint64_t offset) const {
    T value;
    if (offset > bytes_.size() || sizeof value > bytes_.size() - offset) fail();
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  [[noreturn]] void fail() const {
    throw Error(file_ + ": broken cubin: its variables cannot be found; build the module again");
  }

 private:
  const std::string& bytes_;
  const std::string& file_;
  Elf64_Ehdr header_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace

std::vector<VariableSymbol> variable_symbols(const std::string& cubin, const std::string& file) {
  const Elf elf(cubin, file);
  std::vector<VariableSymbol> found;
  for (const Elf64_Shdr& table : elf.sections()) {
    if (table.sh_type != SHT_SYMTAB) continue;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = elf.load<Elf64_Sym>(table.sh_offset + at);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF) continue;
      const Elf64_Shdr& section = elf.section(symbol.st_shndx);
      const std::string name = elf.name(section);
      // Others hold shared memory, which has no address until a block runs.
      if (name.rfind(".nv.global", 0) != 0 && name.rfind(".nv.constant", 0) != 0) continue;
      if (symbol.st_value > section.sh_size || symbol.st_size > section.sh_size - symbol.st_value)
        elf.fail();
      found.push_back({elf.text(elf.section(table.sh_link), symbol.st_name), name, symbol.st_value,
                       symbol.st_size, section.sh_type == SHT_NOBITS});
    }
  }
  std::sort(found.begin(), found.end(), [](const VariableSymbol& a, const VariableSymbol& b) {
    return std::tie(a.section, a.offset, a.name) < std::tie(b.section, b.offset, b.name);
  });
  return found;
}

}  // namespace lockstep::cuda
