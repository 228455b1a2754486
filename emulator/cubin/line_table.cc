// SPDX-License-Identifier: Apache-2.0
// DWARF-2 line programs, as ptxas writes them: one unit, one sequence a function; the address of
// a sequence is a relocation against the function. NVIDIA's extended opcode 0x90 (inlined
// functions) is skipped by its length: rows already carry the innermost line.

#include "emulator/cubin/line_table.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "common/base/error.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostRows = size_t{1} << 22;
constexpr size_t kMostFiles = 65536;

constexpr size_t kMostNameBytes = size_t{16} << 20;  // of all files of a table

// A checked cursor over bytes, which are all that it can read.
class Reader {
 public:
  // base: where the bytes lie in the section.
  Reader(std::string_view bytes, size_t base, const std::string& name)
      : bytes_(bytes), base_(base), name_(&name) {}

  bool empty() const { return at_ == bytes_.size(); }
  size_t offset() const { return base_ + at_; }  // in the section
  // A reader of the next bytes alone, which this one passes.
  Reader part(uint64_t size) {
    if (size > bytes_.size() - at_) fail();
    const Reader out(bytes_.substr(at_, size), offset(), *name_);
    at_ += size;
    return out;
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
  std::string_view text() {
    const std::string_view rest = bytes_.substr(at_);
    const size_t end = rest.find('\0');
    if (end == std::string_view::npos) fail();
    at_ += end + 1;
    return rest.substr(0, end);
  }
  [[noreturn]] void fail() const {
    throw Error(*name_ + ": its line table is broken; build the module again with -lineinfo");
  }

 private:
  std::string_view bytes_;
  size_t base_;
  const std::string* name_;
  size_t at_ = 0;
};

struct UnitHeader {
  uint8_t step = 1;  // bytes an address unit
  int8_t line_base = 0;
  uint8_t line_range = 1, opcode_base = 1;
  std::vector<uint8_t> lengths;  // operands of standard opcodes
};

}  // namespace

// One section, unit by unit: every unit, header and extended opcode has a reader of its own bytes.
class LineTable::Builder {
 public:
  Builder(LineTable* table, const std::vector<Cubin::Relocation>& relocations) : table_(*table) {
    for (const Cubin::Relocation& r : relocations) addresses_[r.offset] = &r;
  }

  void read(Reader section) {
    while (!section.empty()) unit(section.part(section.get<uint32_t>()));
  }

  // Rows of a function in the order of their addresses.
  void finish() {
    for (auto& [name, rows] : found_) {
      if (rows.empty()) continue;
      std::stable_sort(rows.begin(), rows.end(),
                       [](const LineRow& a, const LineRow& b) { return a.address < b.address; });
      table_.functions_.push_back({std::string(name), std::move(rows)});
    }
  }

 private:
  void unit(Reader in) {
    const uint16_t version = in.get<uint16_t>();
    if (version < 2 || version > 3) in.fail();
    const UnitHeader unit = header(in.part(in.get<uint32_t>()));
    row_ = {0, 1, 1};
    rows_ = &found_[""];
    while (!in.empty()) {
      const uint8_t op = in.get<uint8_t>();
      if (op >= unit.opcode_base) {
        const int special = op - unit.opcode_base;
        row_.address += uint64_t(special / unit.line_range) * unit.step;
        row_.line += uint32_t(unit.line_base + special % unit.line_range);
        emit(in);
      } else if (op == 0) {
        extended(in.part(in.uleb()));
      } else {
        standard(op, unit, &in);
      }
    }
  }

  UnitHeader header(Reader in) {
    UnitHeader unit;
    unit.step = in.get<uint8_t>();
    in.get<uint8_t>();  // default_is_stmt
    unit.line_base = in.get<int8_t>();
    unit.line_range = in.get<uint8_t>();
    unit.opcode_base = in.get<uint8_t>();
    if (unit.line_range == 0 || unit.opcode_base == 0) in.fail();
    for (int i = 1; i < unit.opcode_base; ++i) unit.lengths.push_back(in.get<uint8_t>());
    std::vector<std::string_view> folders{""};
    for (std::string_view name = in.text(); !name.empty(); name = in.text()) {
      if (folders.size() > kMostFiles) in.fail();
      folders.push_back(name);
    }
    for (std::string_view name = in.text(); !name.empty(); name = in.text()) {
      const uint64_t folder = in.uleb();
      in.uleb();
      in.uleb();
      const bool relative = name[0] != '/' && folder < folders.size() && !folders[folder].empty();
      name_bytes_ += name.size() + (relative ? folders[folder].size() : 0);
      if (table_.files_.size() > kMostFiles || name_bytes_ > kMostNameBytes) in.fail();
      std::string& whole = table_.files_.emplace_back(relative ? folders[folder] : "");
      if (relative) whole += '/';
      whole += name;
    }
    return unit;
  }

  void extended(Reader in) {
    const uint8_t op = in.get<uint8_t>();
    if (op == 1) {
      row_ = {0, 1, 1};
    } else if (op == 2) {
      const auto where = addresses_.find(in.offset());
      row_.address = in.get<uint64_t>();
      if (where == addresses_.end()) {
        rows_ = &found_[""];
        return;
      }
      rows_ = &found_[where->second->symbol];
      row_.address += uint64_t(where->second->addend);
    }
  }

  void standard(uint8_t op, const UnitHeader& unit, Reader* in) {
    if (op == 1) {
      emit(*in);
    } else if (op == 2) {
      row_.address += in->uleb() * unit.step;
    } else if (op == 3) {
      row_.line += uint32_t(in->sleb());
    } else if (op == 4) {
      row_.file = uint32_t(in->uleb());
    } else if (op == 8) {
      row_.address += uint64_t((255 - unit.opcode_base) / unit.line_range) * unit.step;
    } else if (op == 9) {
      row_.address += in->get<uint16_t>();
    } else {
      for (int i = 0; i < unit.lengths[op - 1u]; ++i) in->uleb();
    }
  }

  void emit(const Reader& in) {
    if (++total_ > kMostRows) in.fail();
    rows_->push_back(row_);
  }

  LineTable& table_;
  std::map<uint64_t, const Cubin::Relocation*> addresses_;
  std::map<std::string_view, std::vector<LineRow>> found_;  // by function
  std::vector<LineRow>* rows_ = nullptr;                    // of the function at hand
  LineRow row_;
  size_t total_ = 0, name_bytes_ = 0;
};

LineTable::LineTable(const Cubin& cubin, const std::string& section)
    : LineTable(cubin.section(section), cubin.relocations(section), cubin.name()) {}

LineTable::LineTable(std::string_view bytes, const std::vector<Cubin::Relocation>& relocations,
                     const std::string& name) {
  Builder builder(this, relocations);
  builder.read(Reader(bytes, 0, name));
  builder.finish();
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
