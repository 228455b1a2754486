// SPDX-License-Identifier: Apache-2.0
// Wording.
#include "emulator/sass/fault.h"

#include "common/base/error.h"

namespace lockstep::emulator::sass {
namespace {

std::string triple(const uint32_t v[3]) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

void thread_index(const Warp& w, int lane, uint32_t out[3]) {
  const Dim3& d = w.worker->launch->block;
  const uint32_t linear = w.index * 32 + static_cast<uint32_t>(lane);
  out[0] = linear % d.x;
  out[1] = linear / d.x % d.y;
  out[2] = linear / d.x / d.y;
}

std::string access(bool store, uint32_t bytes) {
  return std::string(store ? "writes " : "reads ") + std::to_string(bytes) +
         (bytes == 1 ? " byte" : " bytes");
}

}  // namespace

std::string thread_name(const Warp& w, int lane) {
  uint32_t index[3];
  thread_index(w, lane, index);
  return triple(index);
}
std::string block_name(const Block& b) { return triple(b.index); }

void launch_fault(const Warp& w, int lane, const char* kind, const std::string& sentence) {
  const Code& code = *w.worker->code;
  FaultPlace place;
  const auto at = static_cast<size_t>(w.at);
  if (at < code.places.size() && code.places[at].line > 0) {
    place.file = code.places[at].file;
    place.line = code.places[at].line;
  }
  place.kernel = kernel_name(code.kernel);
  for (int i = 0; i < 3; ++i) place.block[i] = w.block->index[i];
  place.has_thread = lane >= 0;
  if (lane >= 0) thread_index(w, lane, place.thread);
  const std::string prefix =
      place.line > 0 ? place.file + ":" + std::to_string(place.line) + ": " : std::string();
  throw KernelFault(kind, std::move(place), prefix + sentence);
}

void fault(const Warp& w, int lane, const char* kind, const std::string& sentence) {
  const std::string block = "block " + block_name(*w.block);
  launch_fault(
      w, lane, kind,
      (lane >= 0 ? "thread " + thread_name(w, lane) + " of " + block + " " : "in " + block + ", ") +
          sentence);
}

void global_fault(const Warp& w, int lane, uint64_t address, uint32_t bytes, bool store) {
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(address));
  const Allocation* a = w.worker->launch->memory->owner(address);
  if (a == nullptr)
    fault(w, lane, address < (uint64_t{1} << 24) ? "null_pointer" : "out_of_bounds",
          access(store, bytes) + " at address " + hex +
              ", which is in no array; check how the pointer was computed");
  const bool inside = address >= a->begin && address + bytes <= a->end;
  const std::string where = access(store, bytes) + " at byte " +
                            std::to_string(static_cast<int64_t>(address - a->begin)) + " of " +
                            a->name;
  if (inside && (address & (bytes - 1)) != 0)
    fault(w, lane, "misaligned", where + ", which is not a multiple of " + std::to_string(bytes));
  if (inside)
    fault(w, lane, "read_only", where + ", which is read only; write to the output array");
  fault(w, lane, "out_of_bounds",
        where + ", which has " + std::to_string(a->bytes()) +
            " bytes; check the index against the array's size");
}

void shared_fault(const Warp& w, int lane, uint64_t offset, uint32_t bytes, bool store) {
  const bool askew = offset + bytes <= w.block->shared.size();
  fault(
      w, lane, askew ? "misaligned" : "out_of_bounds",
      access(store, bytes) + " at byte " + std::to_string(static_cast<int64_t>(offset)) +
          " of shared memory, " +
          (askew ? "which is not a multiple of " + std::to_string(bytes)
                 : "of which the block has " + std::to_string(w.block->shared.size()) + " bytes"));
}

void local_fault(const Warp& w, int lane, uint64_t offset, uint32_t bytes, bool store) {
  fault(w, lane, "out_of_bounds",
        access(store, bytes) + " at " + std::to_string(static_cast<int64_t>(offset)) +
            " of its local memory (the kernel's own arrays), which is outside of them or askew");
}

void stack_fault(const Warp& w, int lane) {
  fault(w, lane, "illegal_address",
        "needs more than the " + std::to_string(4 * w.worker->launch->local_words) +
            " bytes of stack that a thread has, on a card, too: a function calls itself too often, "
            "or an index is far outside of an array of the kernel's own");
}

}  // namespace lockstep::emulator::sass
