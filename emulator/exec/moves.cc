// SPDX-License-Identifier: Apache-2.0
// Moves between registers, parameters and addresses.
#include "emulator/exec/moves.h"

#include <bit>
#include <chrono>
#include <cstring>

#include "emulator/exec/interpreter.h"
#include "emulator/launch/launch.h"

namespace lockstep::emulator {
namespace {

template <class D, class S, int N>
struct Pack {
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const S* a = at<S>(w, in.o[1]);
    const S* b = at<S>(w, in.o[2]);
    if constexpr (N == 2) {
      each_lane(
          at<D>(w, in.o[0]), mask, [&](int i) __attribute__((always_inline)) {
            return static_cast<D>(a[i]) | static_cast<D>(b[i]) << (8 * sizeof(S));
          });
    } else {
      const S* c = at<S>(w, in.o[3]);
      const S* d = at<S>(w, in.o[4]);
      each_lane(
          at<D>(w, in.o[0]), mask, [&](int i) __attribute__((always_inline)) {
            return static_cast<D>(a[i]) | static_cast<D>(b[i]) << 16 | static_cast<D>(c[i]) << 32 |
                   static_cast<D>(d[i]) << 48;
          });
    }
  }
};

template <class D, class S, int N>
struct Unpack {
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    constexpr int kPlace[] = {0, 2, 3, 4};
    const S* s = at<S>(w, in.o[1]);
    for (int k = 0; k < N; ++k) {
      if (in.o[kPlace[k]] == kNoOperand) continue;
      each_lane(
          at<D>(w, in.o[kPlace[k]]), mask, [&](int i) __attribute__((always_inline)) {
            return static_cast<D>(s[i] >> (8 * sizeof(D) * static_cast<size_t>(k)));
          });
    }
  }
};

// R: register; M: width of the piece, inside one word (or two, for 8 bytes).
template <class M, class R>
void store_word(const Instr& in, Warp& w, uint32_t mask) {
  const R* s = at<R>(w, in.o[1]);
  uint32_t* d = at<uint32_t>(w, in.o[0]);
  if constexpr (sizeof(M) == 8) {
    each_lane(d, mask, [&](int i) { return static_cast<uint32_t>(s[i]); });
    each_lane(d + 32, mask, [&](int i) { return static_cast<uint32_t>(s[i] >> 32); });
  } else {
    constexpr uint32_t kOnes = static_cast<uint32_t>((uint64_t{1} << (8 * sizeof(M))) - 1);
    const auto shift = static_cast<uint32_t>(in.imm) * 8;
    each_lane(d, mask, [&](int i) {
      return (d[i] & ~(kOnes << shift)) | (static_cast<uint32_t>(s[i]) & kOnes) << shift;
    });
  }
}

template <class M, class R>
void load_word(const Instr& in, Warp& w, uint32_t mask) {
  const uint32_t* s = at<uint32_t>(w, in.o[1]);
  R* d = at<R>(w, in.o[0]);
  if constexpr (sizeof(M) == 8) {
    each_lane(d, mask, [&](int i) { return static_cast<R>(s[i] | uint64_t{s[i + 32]} << 32); });
  } else {
    const auto shift = static_cast<uint32_t>(in.imm) * 8;
    each_lane(d, mask, [&](int i) { return static_cast<R>(static_cast<M>(s[i] >> shift)); });
  }
}

template <class M, class R>
struct LoadParameter {
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    M value;
    std::memcpy(&value, w.worker->launch->parameters.data() + in.imm, sizeof value);
    const R bits = static_cast<R>(value);
    each_lane(
        at<R>(w, in.o[0]), mask, [&](int) __attribute__((always_inline)) { return bits; });
  }
};

template <class R>
void local_address(const Instr& in, Warp& w, uint32_t mask) {
  const R value = static_cast<R>(w.local_base + static_cast<uint64_t>(in.imm));
  each_lane(at<R>(w, in.o[0]), mask, [&](int) { return value; });
}

struct OrAddress {
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const uint64_t* s = at<uint64_t>(w, in.o[1]);
    each_lane(
        at<uint64_t>(w, in.o[0]), mask, [&](int i) __attribute__((always_inline)) {
          return s[i] | static_cast<uint64_t>(in.imm);
        });
  }
};
struct AndAddress {
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    const uint64_t* s = at<uint64_t>(w, in.o[1]);
    each_lane(
        at<uint64_t>(w, in.o[0]), mask, [&](int i) __attribute__((always_inline)) {
          return s[i] & static_cast<uint64_t>(in.imm);
        });
  }
};

void is_space(const Instr& in, Warp& w, uint32_t mask) {
  const uint64_t* s = at<uint64_t>(w, in.o[1]);
  const auto window = static_cast<Window>(in.imm);
  set_predicate(w, in.o[0], lanes_where([&](int i) { return window_of(s[i]) == window; }), mask);
}

// One tick a warp instruction; the timer follows the host's clock.
uint64_t host_nanoseconds() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count());
}

template <class R>
void clock_value(const Instr& in, Warp& w, uint32_t mask) {
  Worker& worker = *w.worker;
  uint64_t value = 0;
  switch (in.sub) {
    case 0:
    case 1:
      value = worker.clock + static_cast<uint64_t>(w.given - w.slice);
      break;
    case 2:
      value = worker.clock >> 32;
      break;
    case 3:
      value = host_nanoseconds();
      break;
    case 4:
      value = worker.sm;
      break;
    default:
      value = host_nanoseconds() >> 32;
      break;
  }
  const R bits = static_cast<R>(value);
  each_lane(at<R>(w, in.o[0]), mask, [&](int) { return bits; });
}

void active_mask(const Instr& in, Warp& w, uint32_t mask) {
  each_lane(at<uint32_t>(w, in.o[0]), mask, [&](int) { return mask; });
}

void nothing(const Instr&, Warp&, uint32_t) {}

void combine(const Instr& in, Warp& w, uint32_t mask) {
  const uint32_t p = predicate(w, in.o[1]);
  const uint32_t q =
      in.o[2] == kNoOperand ? 0 : predicate(w, in.o[2]) ^ static_cast<uint32_t>(in.imm);
  auto with = [&](uint32_t x) {
    switch (in.sub) {
      case 0:
        return x & q;
      case 1:
        return x | q;
      case 2:
        return x ^ q;
      default:
        return x;
    }
  };
  if (in.o[0] != kNoOperand) set_predicate(w, in.o[0], with(p), mask);
  if (in.o[3] != kNoOperand) set_predicate(w, in.o[3], with(~p), mask);
}

template <class M>
Handler store_by_register(int bytes) {
  return bytes == 2   ? &store_word<M, uint16_t>
         : bytes == 4 ? &store_word<M, uint32_t>
                      : &store_word<M, uint64_t>;
}

template <class M>
Handler load_by_register(int bytes) {
  return bytes == 2   ? &load_word<M, uint16_t>
         : bytes == 4 ? &load_word<M, uint32_t>
                      : &load_word<M, uint64_t>;
}

template <class M>
Handler parameter_by_register(int bytes) {
  return bytes == 2   ? pick<LoadParameter<M, uint16_t>>()
         : bytes == 4 ? pick<LoadParameter<M, uint32_t>>()
                      : pick<LoadParameter<M, uint64_t>>();
}

}  // namespace

Handler find_pack(int bytes, int pieces) {
  if (bytes == 8 && pieces == 2) return pick<Pack<uint64_t, uint32_t, 2>>();
  if (bytes == 8 && pieces == 4) return pick<Pack<uint64_t, uint16_t, 4>>();
  if (bytes == 4 && pieces == 2) return pick<Pack<uint32_t, uint16_t, 2>>();
  return nullptr;
}

Handler find_unpack(int bytes, int pieces) {
  if (bytes == 8 && pieces == 2) return pick<Unpack<uint32_t, uint64_t, 2>>();
  if (bytes == 8 && pieces == 4) return pick<Unpack<uint16_t, uint64_t, 4>>();
  if (bytes == 4 && pieces == 2) return pick<Unpack<uint16_t, uint32_t, 2>>();
  return nullptr;
}

Handler find_store_word(int bytes, int register_bytes) {
  switch (bytes) {
    case 1:
      return store_by_register<uint8_t>(register_bytes);
    case 2:
      return store_by_register<uint16_t>(register_bytes);
    case 4:
      return register_bytes < 4 ? nullptr : store_by_register<uint32_t>(register_bytes);
    case 8:
      return register_bytes < 8 ? nullptr : &store_word<uint64_t, uint64_t>;
    default:
      return nullptr;
  }
}

Handler find_load_word(int bytes, int register_bytes, bool sign) {
  switch (bytes) {
    case 1:
      return sign ? load_by_register<int8_t>(register_bytes)
                  : load_by_register<uint8_t>(register_bytes);
    case 2:
      return sign ? load_by_register<int16_t>(register_bytes)
                  : load_by_register<uint16_t>(register_bytes);
    case 4:
      if (register_bytes < 4) return nullptr;
      return sign ? load_by_register<int32_t>(register_bytes)
                  : load_by_register<uint32_t>(register_bytes);
    case 8:
      return register_bytes < 8 ? nullptr : &load_word<uint64_t, uint64_t>;
    default:
      return nullptr;
  }
}

Handler find_load_parameter(int bytes, int register_bytes, bool sign) {
  if (register_bytes < bytes) return nullptr;
  switch (bytes) {
    case 1:
      return sign ? parameter_by_register<int8_t>(register_bytes)
                  : parameter_by_register<uint8_t>(register_bytes);
    case 2:
      return sign ? parameter_by_register<int16_t>(register_bytes)
                  : parameter_by_register<uint16_t>(register_bytes);
    case 4:
      return sign ? parameter_by_register<int32_t>(register_bytes)
                  : parameter_by_register<uint32_t>(register_bytes);
    case 8:
      return parameter_by_register<uint64_t>(register_bytes);
    default:
      return nullptr;
  }
}

Handler find_local_address(int bytes) {
  return bytes == 4 ? &local_address<uint32_t> : &local_address<uint64_t>;
}
Handler find_or_address() { return pick<OrAddress>(); }
Handler find_and_address() { return pick<AndAddress>(); }
Handler find_is_space() { return &is_space; }
Handler find_clock(int bytes) {
  return bytes == 4 ? &clock_value<uint32_t> : &clock_value<uint64_t>;
}
Handler find_active_mask() { return &active_mask; }
Handler find_nothing() { return &nothing; }
Handler find_combine() { return &combine; }

}  // namespace lockstep::emulator
