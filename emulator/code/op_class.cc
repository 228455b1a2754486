// SPDX-License-Identifier: Apache-2.0
// Classes of opcodes.
#include "emulator/code/op_class.h"

#include "emulator/code/opcode.h"

namespace lockstep::emulator {
namespace {

bool shared(const Opcode& op) {
  return op.has("shared") || op.has("shared::cta") || op.has("shared::cluster");
}

OpClass load_class(const Opcode& op) {
  if (op.has("global")) return OpClass::kGlobalLoad;
  if (shared(op)) return OpClass::kSharedLoad;
  if (op.has("local")) return OpClass::kLocalLoad;
  if (op.has("const")) return OpClass::kConstLoad;
  if (op.has("param") || op.has("param::entry") || op.has("param::func"))
    return OpClass::kParamLoad;
  return OpClass::kGenericLoad;
}

OpClass store_class(const Opcode& op) {
  if (op.has("global")) return OpClass::kGlobalStore;
  if (shared(op)) return OpClass::kSharedStore;
  if (op.has("local")) return OpClass::kLocalStore;
  if (op.has("param") || op.has("param::func")) return OpClass::kOther;
  return OpClass::kGenericStore;
}

OpClass atomic_class(const Opcode& op) {
  if (op.has("global")) return OpClass::kGlobalAtomic;
  if (shared(op)) return OpClass::kSharedAtomic;
  return OpClass::kGenericAtomic;
}

}  // namespace

OpClass op_class(std::string_view opcode) {
  const Opcode op(opcode);
  if (op.root == "ld" || op.root == "ldu") return load_class(op);
  if (op.root == "st") return store_class(op);
  if (op.root == "atom" || op.root == "red") return atomic_class(op);
  if (op.root == "prefetch" || op.root == "prefetchu" || op.root == "applypriority")
    return OpClass::kPrefetch;
  if (is_async_copy(op)) return OpClass::kAsyncCopy;
  if (op.root == "bar" || op.root == "barrier")
    return op.has("warp") ? OpClass::kVote : OpClass::kBarrier;
  if (op.root == "shfl") return OpClass::kShuffle;
  if (op.root == "vote" || op.root == "match" || op.root == "redux") return OpClass::kVote;
  if (op.root == "bra" || op.root == "brx") return OpClass::kBranch;
  if (op.root == "call") return OpClass::kCall;
  if (op.root == "ret") return OpClass::kReturn;
  if (op.root == "exit" || op.root == "trap") return OpClass::kExit;
  return OpClass::kOther;
}

}  // namespace lockstep::emulator
