// SPDX-License-Identifier: Apache-2.0
#include "emulator/debug/line_tracer.h"

#include <algorithm>
#include <set>

#include "emulator/debug/values.h"
#include "emulator/memory/address_space.h"

namespace lockstep::emulator {
namespace {

constexpr size_t kMostColumns = 12;
constexpr size_t kMostLastLines = 5;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

constexpr int kNoLine = -1;

// By instruction: its line in the file, or 0 for another file's; kNoLine where the compiler made it
// of no line (.loc 1 0 0), as within a ?:.
std::vector<int> lines_in(const Program& program, const std::string& file) {
  std::vector<bool> is_file;
  for (const std::string& path : program.files) is_file.push_back(base_name(path) == file);
  std::vector<int> lines;
  for (const InstructionInfo& in : program.instructions) {
    const auto number = static_cast<size_t>(in.student.file);
    const int line = in.student.line == 0 ? kNoLine : in.student.line;
    lines.push_back(number < is_file.size() && is_file[number] ? line : 0);
  }
  return lines;
}

uint64_t linear(const uint32_t at[3], const Dim3& size) {
  return at[0] + uint64_t{size.x} * (at[1] + uint64_t{size.y} * at[2]);
}

// The function of the program that an instruction belongs to.
const FunctionInfo* function_of(const Program& program, size_t instruction) {
  const FunctionInfo* found = nullptr;
  for (const FunctionInfo& f : program.functions)
    if (f.first_instruction <= instruction &&
        (found == nullptr || f.first_instruction >= found->first_instruction))
      found = &f;
  return found;
}

// The address in local memory to which an access of the lane goes; false: elsewhere.
bool local_address(const Instr& in, const Warp& w, uint32_t lane, uint64_t* to) {
  constexpr int kAddress = 4;
  const bool narrow = (in.sub & 1) != 0;  // the address register has 32 bits
  if (in.o[kAddress] == kNoOperand) return false;
  Warp& warp = const_cast<Warp&>(w);  // at() has no twin for a Warp that is not changed
  uint64_t address =
      narrow ? at<uint32_t>(warp, in.o[kAddress])[lane] : at<uint64_t>(warp, in.o[kAddress])[lane];
  address += static_cast<uint64_t>(in.imm);
  if (narrow) address = static_cast<uint32_t>(address);
  const Space space = w.worker->program->accesses[in.aux].space;
  if (space == Space::kNone && window_of(address) == Window::kLocal)
    address -= window_begin(Window::kLocal);
  else if (space != Space::kLocal)
    return false;
  *to = address;
  return true;
}

}  // namespace

std::vector<int> lines_with_code(const Program& program, const std::string& file) {
  std::set<int> lines;
  for (const int line : lines_in(program, file))
    if (line > 0) lines.insert(line);
  return {lines.begin(), lines.end()};
}

LineTracer::LineTracer(const DebugInfo& info, const Module& module,
                       const std::vector<uint64_t>& addresses, const Program& program,
                       const Dim3& grid, const Dim3& block, TraceRequest request)
    : info_(info),
      module_(module),
      addresses_(addresses),
      program_(program),
      request_(std::move(request)),
      block_(linear(request_.block, grid)),
      lines_(lines_in(program, request_.file)),
      visited_(lines_.size(), 0) {
  const uint64_t thread = linear(request_.thread, block);
  warp_ = static_cast<uint32_t>(thread / 32);
  lane_ = static_cast<uint32_t>(thread % 32);
  choose_columns(request_);
}

// Of all variables that are in scope somewhere in the line and were declared by then.
std::vector<std::string> LineTracer::variables_of_line(bool of_functions) const {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const FunctionInfo* const f = function_of(program_, i);
    if (lines_[i] != request_.line || f == nullptr) continue;
    const auto at = static_cast<uint32_t>(i - f->first_instruction);
    for (const uint32_t e : info_.variables_at(f->function, at)) {
      if (of_functions && !info_.is_of_function(e)) continue;
      const int declared = info_.dwarf().entries[e].line;
      const std::string& name = info_.dwarf().name_of(e);
      if (declared <= request_.line && !name.empty() && seen.insert(name).second)
        names.push_back(name);
    }
  }
  return names;
}

bool LineTracer::can_show(const Expression& e, const std::vector<std::string>& in_scope) const {
  const std::vector<std::string> names = names_in(e);
  return !names.empty() && std::all_of(names.begin(), names.end(), [&](const std::string& name) {
    return std::find(in_scope.begin(), in_scope.end(), name) != in_scope.end();
  });
}

// Where an index is of other things than variables, what it is an index of is shown.
void LineTracer::choose_columns(const TraceRequest& request) {
  const std::vector<std::string> in_scope = variables_of_line(false);
  std::set<std::string> seen;
  const auto add = [&](const std::string& text) {
    Expression e;
    if (!parse_expression(text, &e) || !can_show(e, in_scope)) return false;
    if (columns_.size() < kMostColumns && seen.insert(text).second)
      columns_.push_back({text, std::move(e)});
    return true;
  };
  for (const std::string& text : request.expressions)
    if (!add(text)) add(text.substr(0, text.find_first_of("[.-")));
  if (columns_.empty())
    for (const std::string& name : variables_of_line(true)) add(name);
}

// What the instruction is about to write. What a call finds in its registers and local memory is
// a former one's.
void LineTracer::note_written(const Instr& in, const Warp& w, size_t depth) {
  if (in.control == Control::kCall) {
    const auto end = std::min<size_t>(written_.local.size(), w.local_base / 4);
    std::fill_n(written_.local.begin(), end, false);
    if (written_.registers.size() > depth + 1) written_.registers.resize(depth + 1);
    return;
  }
  if (in.control != Control::kPlain && in.control != Control::kSync &&
      in.control != Control::kBarrier)
    return;
  if ((in.flags & kFlagGuarded) != 0) {
    const uint32_t truth = *reinterpret_cast<const uint32_t*>(w.frame + in.guard);
    if (((truth ^ in.guard_flip) >> lane_ & 1) == 0) return;
  }
  if (in.role == Role::kStore) return note_local(in, w);
  if (in.role == Role::kCompare || in.role == Role::kFence || in.role == Role::kNone) return;
  written_.set_register(depth, in.o[0], true);
  if (in.role == Role::kUnpack)
    for (const int k : {2, 3, 4}) written_.set_register(depth, in.o[k], true);
  for (uint8_t k = 1; in.role == Role::kLoad && k < in.count && k < 4; ++k)
    written_.set_register(depth, in.o[k], true);
}

void LineTracer::note_local(const Instr& in, const Warp& w) {
  uint64_t address = 0;
  if (!local_address(in, w, lane_, &address)) return;
  const uint64_t bytes = uint64_t{program_.accesses[in.aux].bytes} * std::max<int>(in.count, 1);
  if (!w.local.holds(address, bytes)) return;
  written_.local.resize(kLocalTop / 4);
  for (uint64_t word = address / 4; word < (address + bytes + 3) / 4; ++word)
    written_.local[word] = true;
}

void LineTracer::note_line(int line) {
  if (!last_lines_.empty() && last_lines_.back() == line) return;
  std::erase(last_lines_, line);
  last_lines_.push_back(line);
  if (last_lines_.size() > kMostLastLines) last_lines_.erase(last_lines_.begin());
}

void LineTracer::step(const Instr& in, Warp& w) {
  if (w.block->linear != block_ || w.index != warp_ || (w.active >> lane_ & 1) == 0) return;
  if (in.control == Control::kEnter || in.number >= lines_.size()) {
    entered_ = true;
    return;
  }
  const bool waits_again = &in == last_ && !entered_;  // for the lanes that it meets there
  last_ = &in;
  entered_ = false;
  if (waits_again) return;
  const int line = lines_[in.number];
  if (line > 0) note_line(line);
  const size_t depth = w.groups[static_cast<size_t>(w.current)].calls.size();
  const bool goes_on = line == kNoLine && visit_.open && depth == visit_.depth;
  visit(in, w, depth, line == request_.line || goes_on);
  note_written(in, w, depth);
}

// A turn ends where the thread leaves the line, and where it would execute an instruction of it
// again. What the line calls belongs to it.
void LineTracer::visit(const Instr& in, const Warp& w, size_t depth, bool on_line) {
  if (visit_.open && depth > visit_.depth) return;
  if (visit_.open && depth == visit_.depth) sample(in, w, on_line);
  if (visit_.open && (!on_line || depth < visit_.depth || visited_[in.number] == turns_))
    end_visit();
  if (!on_line) return;
  if (!visit_.open) begin_visit(in, w, depth);
  visited_[in.number] = turns_;
}

// A variable that the line declares, and that has its register to itself, begins anew: what the
// register holds is of the turn before.
void LineTracer::begin_visit(const Instr& in, const Warp& w, size_t depth) {
  const FunctionInfo& f = program_.functions[w.function];
  const uint32_t at = in.number - f.first_instruction;
  for (const uint32_t e : info_.variables_at(f.function, at)) {
    const Entry& variable = info_.dwarf().entries[e];
    if (variable.line != request_.line || variable.location_list) continue;
    const Home home = info_.home_of(e, f.function, at);
    if (home.kind == Home::Kind::kRegister && home.reg < f.registers.size())
      written_.set_register(depth, f.registers[home.reg], false);
  }
  visit_.open = true;
  visit_.depth = depth;
  visit_.values.assign(columns_.size(), {kNotKnown, kNotKnown});
  visit_.found.assign(columns_.size(), {});
  ++turns_;
  sample(in, w, true);
}

void LineTracer::sample(const Instr& in, const Warp& w, bool on_line) {
  const FunctionInfo& f = program_.functions[w.function];
  const LaneView lane(module_, addresses_, w, lane_, written_);
  const Scene scene{info_, lane, f.function, in.number - f.first_instruction};
  for (size_t k = 0; k < columns_.size(); ++k) {
    const Expression& expression = columns_[k].expression;
    Found now = evaluate(expression, scene);
    Found& first = visit_.found[k];
    LineTrace::Value& value = visit_.values[k];
    if (on_line && first.variable == kNoEntry) first.variable = now.variable;
    // Behind the line a name may be another variable's, or nobody's.
    if (now.variable == kNoEntry) continue;
    if (first.variable == kNoEntry ? info_.dwarf().entries[now.variable].line != request_.line
                                   : now.variable != first.variable)
      continue;
    // Of an array the element that was meant first, also when the index has gone on.
    const bool known = value.before != kNotKnown;
    const std::string text =
        text_of(known && expression.kind == Expression::Kind::kIndex ? first : now, scene);
    if (text == kNotKnown) continue;
    if (!known) {
      first = now;
      value.before = text;
    }
    value.after = text;
  }
}

void LineTracer::end_visit() {
  visit_.open = false;
  if (kept_.size() > request_.most) kept_.pop_back();
  kept_.push_back({turns_, std::move(visit_.values)});
}

void LineTracer::finish(LineTrace* out) {
  if (visit_.open) end_visit();
  for (const Column& column : columns_) out->columns.push_back(column.name);
  out->turns = std::move(kept_);
  out->all = turns_;
  out->last_lines = last_lines_;
}

}  // namespace lockstep::emulator
