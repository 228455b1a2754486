// SPDX-License-Identifier: Apache-2.0
// Which decoder an opcode goes to.
#include "emulator/code/decoder_state.h"
#include "emulator/code/modifiers.h"
#include "emulator/exec/memory_handlers.h"
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

// What execution in an order of its own has nothing to do for. What it costs: of membar and fence
// the metric fences, those of the block alone wait for nothing and are instructions; pmevent is
// one.
constexpr std::string_view kNothing[] = {"membar", "fence", "pmevent"};

}  // namespace

void Decoder::instruction(uint32_t index) {
  in_ = &f_->code[index];
  profile_ = first_instruction_ + index;
  const Opcode op(in_->opcode);
  const std::string_view root = op.root;
  if (root == "cp" && asynchronous(op)) return;
  for (const Family& family : kRefused)
    if (root == family.root)
      unsupported(std::string(family.name) + ", '" + shown(in_->opcode) + "'");
  for (std::string_view name : kNothing)
    if (root == name)
      return void(emit(fences_.empties_l1(op, in_->line) ? find_empty_l1() : find_nothing()));
  if (const std::string_view unknown = unknown_modifier(op); !unknown.empty())
    unsupported("modifier '" + shown(unknown) + "' of '" + shown(in_->opcode) + "'");
  if (root == "ld" || root == "ldu" || root == "st" || root == "atom" || root == "red")
    return memory_instruction(op);
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

// One that acquires empties L1 when it is done.
void Decoder::memory_instruction(const Opcode& op) {
  if (op.root == "atom" || op.root == "red") {
    atomic(op, op.root == "red");
  } else {
    load_store(op, op.root == "st");
  }
  if (!fences_.empties_l1(op, in_->line)) return;
  Instr& after = emit(find_empty_l1());
  after.sub = after.flags & kFlagGuarded;
  after.flags = 0;  // the access has counted its guard
}

}  // namespace lockstep::emulator
