// SPDX-License-Identifier: Apache-2.0
// Writes the table as one PTX module, and gathers the families into the table.
#include <map>

#include "tests/numerics/op_table.h"

namespace lockstep::emulator::num {
namespace {

std::string register_of(int width, char operand) {
  const char* const prefix = width == 2 ? "%h" : width == 4 ? "%r" : "%l";
  return std::string(prefix) + "_" + operand;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::string type_of(int width) { return ".b" + std::to_string(8 * width); }

// Address of element %index of the array in parameter `name`, into %address.
std::string address_code(const std::string& name, int width) {
  return "  ld.param.u64 %address, [" + name + "];\n  mad.wide.u32 %address, %index, " +
         std::to_string(width) + ", %address;\n";
}

std::string kernel_text(const Op& op, int number) {
  const std::string name = "op_" + std::to_string(number);
  std::string text = "// " + op.name + "\n.visible .entry " + name + "(.param .u64 " + name +
                     "_a, .param .u64 " + name + "_b, .param .u64 " + name + "_c, .param .u64 " +
                     name + "_d, .param .u32 " + name + "_n) {\n";
  text +=
      "  .reg .pred %p, %q, %done;\n  .reg .b32 %index, %x, %y, %z, %t0, %t1;\n"
      "  .reg .b64 %address, %u0;\n  .reg .b16 %h0, %h1;\n";
  text +=
      "  mov.u32 %x, %ctaid.x;\n  mov.u32 %y, %ntid.x;\n  mov.u32 %z, %tid.x;\n"
      "  mad.lo.u32 %index, %x, %y, %z;\n";
  text += "  ld.param.u32 %x, [" + name +
          "_n];\n  setp.ge.u32 %done, %index, %x;\n"
          "  @%done ret;\n";
  std::string code = op.code;
  for (int position = 0; position < op.arity(); ++position) {
    const int width = width_of(op.kind(position));
    const char letter = static_cast<char>('a' + position);
    const std::string reg = register_of(width, letter);
    text += "  .reg " + type_of(width) + " " + reg + ";\n";
    text += address_code(name + "_" + letter, width);
    text += "  ld.global" + type_of(width) + " " + reg + ", [%address];\n";
    replace_all(code, std::string("%") + letter, reg);
  }
  const int width = width_of(op.d);
  const std::string result = register_of(width, 'd');
  replace_all(code, "%d", result);
  replace_all(code, "; ", ";\n  ");
  text += "  .reg " + type_of(width) + " " + result + ";\n  " + code + "\n";
  text += address_code(name + "_d", width);
  return text + "  st.global" + type_of(width) + " [%address], " + result + ";\n  ret;\n}\n\n";
}

}  // namespace

std::string write_ptx(const std::vector<Op>& ops) {
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n\n";
  for (size_t i = 0; i < ops.size(); ++i) text += kernel_text(ops[i], static_cast<int>(i));
  return text;
}

const std::vector<Op>& all_ops() {
  static const std::vector<Op> kOps = [] {
    std::vector<Op> ops;
    add_float32_ops(ops);
    add_float64_ops(ops);
    add_half_ops(ops);
    add_compare_ops(ops);
    add_approx_ops(ops);
    add_integer_ops(ops);
    add_bit_ops(ops);
    add_convert_ops(ops);
    add_carry_ops(ops);
    return ops;
  }();
  return kOps;
}

}  // namespace lockstep::emulator::num
