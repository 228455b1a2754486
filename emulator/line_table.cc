// SPDX-License-Identifier: Apache-2.0
// DWARF-2 line programs, as ptxas writes them: one unit, one sequence a function; the address of
// a sequence is a relocation against the function. NVIDIA's extended opcode 0x90 (inlined
// functions) is skipped by its length: rows already carry the innermost line.

#include "emulator/line_table.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "common/error.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostRows = size_t{1} << 22;
constexpr size_t kMostFiles = 65536;

// A checked cursor over bytes.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  size_t at() const { return at_; }
  size_t size() const { return bytes_.size(); }
  void seek(size_t at) {
    if (at > bytes_.size()) fail();
    at_ = at;
  }
  template <typename T>
  T get() {
    if (bytes_.size() - at_ < sizeof(T)) fail();
    T value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  uint64_t uleb() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const uint8_t byte = get<uint8_t>();
      if (shift < 64) value |= uint64_t(byte & 0x7F) << shift;
      if (!(byte & 0x80)) return value;
      if (shift > 70) fail();
    }
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (int shift = 0;;) {
      const uint8_t byte = get<uint8_t>();
      if (shift < 64) value |= uint64_t(byte & 0x7F) << shift;
      shift += 7;
      if (!(byte & 0x80)) {
        if ((byte & 0x40) && shift < 64) value |= ~uint64_t{0} << shift;
        return int64_t(value);
      }
      if (shift > 70) fail();
    }
  }
  std::string text() {
    const std::string_view rest = bytes_.substr(at_);
    const size_t end = rest.find('\0');
    if (end == std::string_view::npos) fail();
    at_ += end + 1;
    return std::string(rest.substr(0, end));
  }
  [[noreturn]] void fail() const {
    throw Error(name_ + ": its line table is broken; build the module again with -lineinfo");
  }

 private:
  std::string_view bytes_;
  std::string name_;
  size_t at_ = 0;
};

struct UnitHeader {
  uint8_t step = 1;  // bytes an address unit
  int8_t line_base = 0;
  uint8_t line_range = 1, opcode_base = 1;
  std::vector<uint8_t> lengths;  // operands of standard opcodes
  size_t program = 0, end = 0;
};

UnitHeader read_unit(Reader* in, std::vector<std::string>* files) {
  UnitHeader unit;
  const size_t start = in->at();
  const uint32_t length = in->get<uint32_t>();
  unit.end = start + 4 + size_t{length};
  if (unit.end > in->size()) in->fail();
  const uint16_t version = in->get<uint16_t>();
  if (version < 2 || version > 3) in->fail();
  const uint32_t header_length = in->get<uint32_t>();
  unit.program = in->at() + size_t{header_length};
  if (unit.program > unit.end) in->fail();
  unit.step = in->get<uint8_t>();
  in->get<uint8_t>();  // default_is_stmt
  unit.line_base = in->get<int8_t>();
  unit.line_range = in->get<uint8_t>();
  unit.opcode_base = in->get<uint8_t>();
  if (unit.line_range == 0 || unit.opcode_base == 0) in->fail();
  for (int i = 1; i < unit.opcode_base; ++i) unit.lengths.push_back(in->get<uint8_t>());
  std::vector<std::string> folders{""};
  for (std::string name = in->text(); !name.empty(); name = in->text()) {
    if (folders.size() > kMostFiles) in->fail();
    folders.push_back(std::move(name));
  }
  for (std::string name = in->text(); !name.empty(); name = in->text()) {
    const uint64_t folder = in->uleb();
    in->uleb();
    in->uleb();
    if (files->size() > kMostFiles) in->fail();
    const bool relative = name[0] != '/' && folder < folders.size() && !folders[folder].empty();
    files->push_back(relative ? folders[folder] + "/" + name : name);
  }
  in->seek(unit.program);
  return unit;
}

}  // namespace

LineTable::LineTable(const Cubin& cubin, const std::string& section) {
  std::map<uint64_t, Cubin::Relocation> addresses;
  for (Cubin::Relocation& r : cubin.relocations(section)) addresses[r.offset] = std::move(r);
  Reader in(cubin.section(section), cubin.name());
  std::map<std::string, std::vector<LineRow>> found;
  size_t total = 0;
  while (in.at() < in.size()) {
    const UnitHeader unit = read_unit(&in, &files_);
    LineRow row{0, 1, 1};
    std::string function;
    const auto emit = [&] {
      if (++total > kMostRows) in.fail();
      found[function].push_back(row);
    };
    while (in.at() < unit.end) {
      const uint8_t op = in.get<uint8_t>();
      if (op >= unit.opcode_base) {
        const int special = op - unit.opcode_base;
        row.address += uint64_t(special / unit.line_range) * unit.step;
        row.line += unit.line_base + special % unit.line_range;
        emit();
      } else if (op == 0) {
        const uint64_t length = in.uleb();
        const size_t start = in.at();
        if (length == 0 || length > unit.end - start) in.fail();
        const uint8_t extended = in.get<uint8_t>();
        if (extended == 1) {
          row = {0, 1, 1};
        } else if (extended == 2 && length == 9) {
          const auto where = addresses.find(in.at());
          row.address = in.get<uint64_t>();
          function.clear();
          if (where != addresses.end()) {
            function = where->second.symbol;
            row.address += uint64_t(where->second.addend);
          }
        }
        in.seek(start + length);
      } else if (op == 1) {
        emit();
      } else if (op == 2) {
        row.address += in.uleb() * unit.step;
      } else if (op == 3) {
        row.line += uint32_t(in.sleb());
      } else if (op == 4) {
        row.file = uint32_t(in.uleb());
      } else if (op == 8) {
        row.address += uint64_t((255 - unit.opcode_base) / unit.line_range) * unit.step;
      } else if (op == 9) {
        row.address += in.get<uint16_t>();
      } else {
        for (int i = 0; i < unit.lengths[op - 1]; ++i) in.uleb();
      }
    }
    in.seek(unit.end);
  }
  for (auto& [name, rows] : found) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const LineRow& a, const LineRow& b) { return a.address < b.address; });
    functions_.push_back({name, std::move(rows)});
  }
}

const LineTable::Function* LineTable::find(const std::string& function) const {
  for (const Function& f : functions_) {
    if (f.name == function) return &f;
  }
  return nullptr;
}

std::vector<LineRow> LineTable::rows(const std::string& function, size_t count) const {
  const Function* f = find(function);
  if (!f) return {};
  std::vector<LineRow> result(count);
  size_t next = 0;
  LineRow current;
  for (size_t i = 0; i < count; ++i) {
    while (next < f->rows.size() && f->rows[next].address <= i * 16) current = f->rows[next++];
    result[i] = current;
    result[i].address = i * 16;
  }
  return result;
}

std::vector<uint32_t> LineTable::lines(const std::string& function, size_t count) const {
  std::vector<uint32_t> result;
  for (const LineRow& row : rows(function, count)) result.push_back(row.line);
  return result;
}

}  // namespace lockstep::emulator
