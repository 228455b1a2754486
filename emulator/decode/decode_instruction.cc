// SPDX-License-Identifier: Apache-2.0
// Which decoder an opcode goes to.
#include "emulator/code/modifiers.h"
#include "emulator/decode/decoder_state.h"
#include "emulator/exec/moves.h"
#include "emulator/ptx/lexer.h"

namespace lockstep::emulator {
namespace {

// Families that are refused, with the name that people know them by.
struct Family {
  std::string_view root;
  const char* name;
};
constexpr Family kRefused[] = {
    {"wmma", "tensor cores"},
    {"mma", "tensor cores"},
    {"wgmma", "tensor cores"},
    {"tcgen05", "tensor cores"},
    {"ldmatrix", "tensor cores"},
    {"stmatrix", "tensor cores"},
    {"movmatrix", "tensor cores"},
    {"tex", "textures"},
    {"tld4", "textures"},
    {"txq", "textures"},
    {"suld", "surfaces"},
    {"sust", "surfaces"},
    {"sured", "surfaces"},
    {"suq", "surfaces"},
    {"cp", "asynchronous copies"},
    {"mbarrier", "asynchronous barriers"},
    {"mapa", "clusters"},
    {"getctarank", "clusters"},
    {"clusterlaunchcontrol", "clusters"},
    {"griddepcontrol", "dependent launches"},
    {"multimem", "multicast memory"},
    {"tensormap", "tensor maps"},
    {"setmaxnreg", "register reallocation"},
    {"alloca", "dynamic stack allocation"},
    {"discard", "memory that is given up"},
    {"stacksave", "dynamic stack allocation"},
    {"stackrestore", "dynamic stack allocation"},
};

}  // namespace

void Decoder::instruction(uint32_t index) {
  in_ = &f_->code[index];
  number_ = first_instruction_ + index;
  const Opcode op(in_->opcode);
  const std::string_view root = op.root;
  if (root == "cp" && asynchronous(op)) return;
  for (const Family& family : kRefused)
    if (root == family.root)
      unsupported(std::string(family.name) + ", '" + shown(in_->opcode) + "'");
  if (root == "pmevent") return void(emit(find_nothing()));
  if (root == "membar" || root == "fence") return fence(op);
  if (const std::string_view unknown = unknown_modifier(op); !unknown.empty())
    unsupported("modifier '" + shown(unknown) + "' of '" + shown(in_->opcode) + "'");
  if (root == "ld" || root == "ldu" || root == "st") return load_store(op, root == "st");
  if (root == "atom" || root == "red") return atomic(op, root == "red");
  if (root == "prefetch" || root == "prefetchu" || root == "applypriority") return prefetch(op);
  if (root == "mov") return move(op);
  if (root == "cvt") return convert(op);
  if (root == "cvta") return address_conversion(op);
  if (root == "isspacep") return is_space(op);
  if (root == "setp") return compare(op);
  if (root == "set") return set_instruction(op);
  if (root == "lop3") return lop3(op);
  if (root == "bra") return branch();
  if (root == "brx") return table_branch();
  if (root == "call") return call();
  if (root == "ret" || root == "exit") return end_of_function(root == "ret");
  if (root == "trap" || root == "brkpt") return void(emit(Control::kTrap));
  if (root == "nanosleep") return void(emit(Control::kYield));
  if ((root == "bar" || root == "barrier") && !op.has("warp")) return barrier(op);
  if (root == "bar" || root == "barrier" || root == "shfl" || root == "vote" || root == "match" ||
      root == "redux" || root == "elect")
    return synchronized(op);
  if (root == "activemask") {
    const uint32_t target = destination(operand(0), 4);
    emit(find_active_mask()).o[0] = target;
    return;
  }
  arithmetic(op);
}

}  // namespace lockstep::emulator
