// SPDX-License-Identifier: Apache-2.0
// Wording of memory faults.
#include "emulator/check/memory_faults.h"

#include <bit>

namespace lockstep::emulator {
namespace {

std::string count_of(uint64_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string verb(bool store, uint32_t bytes) {
  return std::string(store ? "writes " : "reads ") + count_of(bytes, "byte");
}

// "l_in[12]", in units of the access; negative indices are possible.
std::string element(const std::string& name, int64_t offset, uint32_t bytes) {
  const int64_t size = bytes;
  const int64_t index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  return name + "[" + std::to_string(index) + "]";
}

// What is followed by "of shared memory".
std::string shared_name(const Warp& w, uint64_t offset, uint32_t bytes) {
  const Program& program = *w.worker->program;
  for (const Program::SharedVariable& v : program.shared_variables)
    if (offset >= v.offset && offset < uint64_t{v.offset} + v.bytes)
      return element(v.name, static_cast<int64_t>(offset - v.offset), bytes);
  if (program.uses_dynamic_shared && offset >= program.static_shared_bytes)
    return "byte " + std::to_string(offset - program.static_shared_bytes) + " of the dynamic part";
  return "byte " + std::to_string(offset);
}

const char* kind_of(const Allocation& a) { return a.is_variable ? "variable " : "array "; }

}  // namespace

void bounds_fault(const Instr& in, const Warp& w, int lane, const Allocation& a, uint64_t address,
                  uint32_t bytes, bool store) {
  std::string how;
  const int64_t offset = static_cast<int64_t>(address - a.begin);
  if (address < a.begin) {
    how = count_of(a.begin - address, "byte") + " before the start of it";
  } else {
    const uint64_t beyond = address + bytes - a.end;
    how = beyond < bytes ? "the last " + count_of(beyond, "byte") + " of it past the end"
                         : count_of(address - a.end, "byte") + " past its end";
  }
  fault(w, in, lane, "out_of_bounds",
        verb(store, bytes) + " at " + element(a.name, offset, bytes) + ", " + how + ": " +
            kind_of(a) + a.name + " has " + count_of(a.bytes(), "byte") + " (" +
            count_of(a.bytes() / bytes, "element") + " of " + std::to_string(bytes) +
            "); check the index against the array's size");
}

void alignment_fault(const Instr& in, const Warp& w, int lane, const Allocation& a,
                     uint64_t address, uint32_t bytes, bool store) {
  fault(w, in, lane, "misaligned",
        verb(store, bytes) + " at byte " + std::to_string(address - a.begin) + " of " + a.name +
            ", which is not a multiple of " + std::to_string(bytes) +
            "; a vector access needs an address aligned to its whole size");
}

void read_only_fault(const Instr& in, const Warp& w, int lane, const Allocation& a,
                     uint64_t address, uint32_t bytes) {
  fault(w, in, lane, "read_only",
        "writes to " + element(a.name, static_cast<int64_t>(address - a.begin), bytes) + ", but " +
            kind_of(a) + a.name + (a.is_const ? " is __constant__" : " is an input") +
            "; write to the output array");
}

void undefined_fault(const Instr& in, const Warp& w, int lane, const Allocation& a, uint64_t offset,
                     uint32_t bytes) {
  const uint64_t first = a.defined->first_undefined(offset, bytes);
  (void)first;
  fault(w, in, lane, "uninitialized",
        "reads " + element(a.name, static_cast<int64_t>(offset), bytes) +
            ", which nothing has written yet; write it first, or initialize the array");
}

void no_array_fault(const Instr& in, const Warp& w, int lane, uint64_t address, uint32_t bytes,
                    bool store) {
  char hex[32];
  std::snprintf(hex, sizeof hex, "0x%llx", static_cast<unsigned long long>(address));
  if (address < (uint64_t{1} << 24))
    fault(w, in, lane, "null_pointer",
          verb(store, bytes) + " at address " + hex + ": the pointer is null");
  fault(w, in, lane, "out_of_bounds",
        verb(store, bytes) + " at address " + hex +
            ", which is in no array; check how the pointer was computed");
}

void shared_bounds_fault(const Instr& in, const Warp& w, int lane, uint64_t offset, uint32_t bytes,
                         bool store) {
  const uint32_t size = w.block->shared.bytes();
  const auto at = static_cast<int32_t>(static_cast<uint32_t>(offset));
  const std::string where =
      at < 0 ? count_of(static_cast<uint64_t>(-static_cast<int64_t>(at)), "byte") +
                   " before the start of shared memory"
             : count_of(offset + bytes - size, "byte") + " past the end of shared memory";
  fault(w, in, lane, "out_of_bounds",
        verb(store, bytes) + " " + where + ": the block has " + count_of(size, "byte") +
            (size == 0 ? " (dynamic shared memory needs a size at the launch)"
                       : "; check the index against the array's size"));
}

void shared_variable_fault(const Instr& in, const Warp& w, int lane,
                           const Program::SharedVariable& v, uint64_t offset, uint32_t bytes,
                           bool store) {
  fault(w, in, lane, "out_of_bounds",
        verb(store, bytes) + " at " +
            element(v.name, static_cast<int64_t>(offset) - static_cast<int64_t>(v.offset), bytes) +
            ": shared array " + v.name + " has " + count_of(v.bytes, "byte") + " (" +
            count_of(v.bytes / bytes, "element") + " of " + std::to_string(bytes) +
            "); check the index against the array's size");
}

void shared_alignment_fault(const Instr& in, const Warp& w, int lane, uint64_t offset,
                            uint32_t bytes, bool store) {
  fault(w, in, lane, "misaligned",
        verb(store, bytes) + " at byte " + std::to_string(offset) +
            " of shared memory, which is not a multiple of " + std::to_string(bytes) +
            "; a vector access needs an address aligned to its whole size");
}

void shared_race_fault(const Instr& in, const Warp& w, int lane, const SharedConflict& c,
                       bool store) {
  const int shift = w.block->shared.shift();
  const uint32_t unit = 1u << shift;
  const std::string what = shared_name(w, uint64_t{c.unit} << shift, unit);
  if (c.uninitialized) {
    // Those that came to the end without a barrier that others have passed: none of these where
    // all have done the same.
    uint64_t ended = 0;
    for (const Warp& other : w.block->warps)
      ended += static_cast<uint64_t>(std::popcount(other.left));
    const std::string gone =
        ended == 0 ? ""
                   : "; " + count_of(ended, "thread") +
                         " of the block ended before the last barrier: do they return "
                         "too early?";
    fault(w, in, lane, "uninitialized",
          "reads " + what +
              " of shared memory, which no thread of the block has written yet; "
              "write it first (and __syncthreads() before reading)" +
              gone);
  }
  const bool same_warp = c.other_warp == w.index && (!c.several || c.own_warp);
  const std::string other =
      c.several ? "another thread" : "thread " + thread_name(w, c.other_warp, c.other_lane);
  const std::string barrier =
      same_warp ? "put __syncwarp() between the two (__syncthreads() where other warps use it, too)"
                : "put __syncthreads() between the two";
  // Of two stores one is lost, and a barrier only says which.
  const std::string cure =
      "; " + (store && c.other_wrote ? "let one thread write it, or " + barrier : barrier);
  if (!store)
    fault(w, in, lane, "race",
          "reads " + what + " of shared memory while " + other + " writes it" + cure);
  fault(w, in, lane, "race",
        std::string("writes ") + what + " of shared memory while " + other +
            (c.other_wrote ? " writes another value to it" : " reads it") + cure);
}

void copy_fault(const Instr& in, const Warp& w, int lane, uint32_t unit, const Warp& other,
                const AsyncCopy& copy, bool store) {
  const int shift = w.block->shared.shift();
  const std::string begun = source_line(*w.worker->program, copy.begun->number).text();
  const bool own = other.index == w.index && copy.lane == lane;
  const std::string whose =
      own ? "its own asynchronous copy"
          : "the asynchronous copy of thread " + thread_name(w, other.index, copy.lane);
  fault(w, in, lane, "race",
        (store ? "writes " : "reads ") + shared_name(w, uint64_t{unit} << shift, 1u << shift) +
            " of shared memory while " + whose + (begun.empty() ? "" : " (" + begun + ")") +
            " to it is under way; " + (own ? "wait" : "let that thread wait") +
            " for the copy first (__pipeline_wait_prior, cp.async.wait_group), and put "
            "__syncthreads() after that before other threads use it");
}

void copy_source_fault(const Warp& w, const AsyncCopy& copy) {
  const Allocation& from = *copy.array;
  fault(w, *copy.begun, copy.lane, "race",
        "copies " + element(from.name, static_cast<int64_t>(copy.from - from.begin), copy.bytes) +
            " to shared memory asynchronously, but it was changed before the thread had waited "
            "for the copy; wait (__pipeline_wait_prior, cp.async.wait_group) before anything "
            "writes there");
}

void same_place_fault(const Instr& in, const Warp& w, int lane, int other, uint64_t offset) {
  fault(w, in, lane, "race",
        "changes " + shared_name(w, offset, 1u << w.block->shared.shift()) +
            " of shared memory at the same time as thread " +
            thread_name(w, static_cast<uint32_t>(other)) +
            ": both read it before, so one update is lost; let one thread write it, or use an "
            "atomic operation");
}

void local_fault(const Instr& in, const Warp& w, int lane, uint64_t address, uint32_t bytes,
                 bool store) {
  fault(w, in, lane, "out_of_bounds",
        verb(store, bytes) + " at byte " +
            std::to_string(static_cast<int32_t>(static_cast<uint32_t>(address - w.local.begin()))) +
            " of its local memory (the kernel's own arrays), which has " +
            count_of(w.local.size(), "byte") +
            ", or not at a multiple of the access; check the index against the array's size");
}

void parameter_fault(const Instr& in, const Warp& w, int lane, uint64_t offset, uint32_t bytes) {
  fault(w, in, lane, "out_of_bounds",
        verb(false, bytes) + " at byte " + std::to_string(offset) +
            " of the kernel's parameters, which have " +
            count_of(w.worker->launch->parameters.size(), "byte"));
}

}  // namespace lockstep::emulator
