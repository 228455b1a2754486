// SPDX-License-Identifier: Apache-2.0
// Reads a cubin (an ELF file for one GPU architecture) without trusting it: sections, symbols,
// and each kernel's resources, code bytes and line tables. Every offset and size is checked
// against the file; a broken file throws Error with the file's name and what is wrong.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::emulator {

struct CubinKernel {
  std::string name;          // mangled
  int registers = -1;        // a thread; -1: not recorded
  int64_t shared_bytes = 0;  // static, a block
  int64_t local_bytes = 0;   // a thread: stack and spills
  int max_threads_per_block = 1024;
  int64_t parameter_bytes_total = 0;
  std::vector<uint32_t> parameter_bytes;  // in order
  std::string_view code;                  // .text bytes, 16 an instruction
  // Indirect branches and where they may go, as instruction indices.
  std::vector<std::pair<int, int>> indirect;
};

class Cubin {
 public:
  // Reads the file, at most 256 MiB.
  static Cubin read(const std::string& path);
  // Takes the bytes; name is for messages.
  Cubin(std::string name, std::string bytes);
  Cubin(Cubin&&) = default;
  Cubin& operator=(Cubin&&) = default;
  Cubin(const Cubin&) = delete;
  Cubin& operator=(const Cubin&) = delete;

  const std::string& name() const { return name_; }
  int sm() const { return sm_; }  // 90 for sm_90; 0: not recorded
  const std::vector<CubinKernel>& kernels() const { return kernels_; }
  const CubinKernel* find_kernel(const std::string& mangled) const;  // nullptr: not there
  // Code of any function (.text.NAME), kernels included; empty: not there.
  std::string_view code(const std::string& function) const;
  // The functions that have code of their own (.text.NAME), in the file's order.
  std::vector<std::string> functions() const;
  // Contents of a section; empty: not there.
  std::string_view section(const std::string& name) const;

  struct Relocation {
    uint64_t offset = 0;
    uint32_t type = 0;
    std::string symbol;  // a section symbol gives the section's name without ".text."
    int64_t addend = 0;
  };
  // Relocations of a section (by the name of the section that they change).
  std::vector<Relocation> relocations(const std::string& section) const;
  // The bytes of a variable that lies in a section (".nv.global.init"); empty: it does not.
  std::string_view variable_in(const std::string& section, const std::string& name) const;
  // Functions that lie in a section, with their offsets: a kernel's .text also holds the device
  // functions that it alone calls.
  std::vector<std::pair<std::string, uint64_t>> functions_in(const std::string& section) const;

 private:
  struct Section {
    std::string name;
    uint32_t name_offset = 0, type = 0;
    uint64_t offset = 0, size = 0, entry_size = 0;
    uint32_t link = 0, info = 0;
  };
  struct Symbol {
    std::string name;
    uint8_t info = 0, other = 0;
    uint16_t section = 0;
    uint64_t value = 0, size = 0;
  };
  [[noreturn]] void fail(const std::string& what) const;
  std::string_view bytes_at(uint64_t offset, uint64_t size, const char* what) const;
  std::string name_at(std::string_view table, uint64_t offset) const;
  std::string_view contents(const Section& section) const;
  void read_header();
  void read_symbols();
  void read_kernels();
  void read_parameters(std::string_view info, CubinKernel* kernel) const;
  static void read_indirect(std::string_view data, CubinKernel* kernel);
  void read_resources();

  std::string name_;
  std::shared_ptr<const std::string> bytes_;  // shared, so that views outlive a move
  int sm_ = 0;
  std::vector<Section> sections_;
  std::map<std::string, size_t> by_name_;
  std::vector<Symbol> symbols_;
  std::vector<CubinKernel> kernels_;
};

}  // namespace lockstep::emulator
