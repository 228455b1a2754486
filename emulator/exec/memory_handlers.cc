// SPDX-License-Identifier: Apache-2.0
// Handlers of ld and st: one for every state space and pair of widths.
#include "emulator/exec/memory_handlers.h"

#include "emulator/check/memory_faults.h"

namespace lockstep::emulator {
namespace {

// M: type in memory, signed where a load extends the sign; R: the register's unsigned type.
template <class M, class R>
struct Moves {
  using U = Bits<M>;
  LOCKSTEP_INLINE static R widen(M value) {
    return static_cast<R>(
        static_cast<std::conditional_t<std::is_signed_v<M>, std::make_signed_t<R>, R>>(value));
  }
  static void load_run(const Instr& in, Warp& w, const Lanes& l, const std::byte* from) {
    const M* data = reinterpret_cast<const M*>(from);
    if (in.count == 1) {
      R* d = at<R>(w, in.o[0]) + l.first;
      if constexpr (sizeof(M) == sizeof(R)) {
        if (l.active == 32)
          std::memcpy(at<R>(w, in.o[0]), data, 32 * sizeof(M));
        else
          std::memcpy(d, data, static_cast<size_t>(l.active) * sizeof(M));
      } else {
        for (int i = 0; i < l.active; ++i) d[i] = widen(read(data + i));
      }
      return;
    }
    for (int k = 0; k < in.count; ++k) {
      R* d = at<R>(w, in.o[k]) + l.first;
      for (int i = 0; i < l.active; ++i) d[i] = widen(read(data + i * in.count + k));
    }
  }
  static void store_run(const Instr& in, Warp& w, const Lanes& l, std::byte* to) {
    if (in.count == 1) {
      const R* s = at<R>(w, in.o[0]) + l.first;
      if constexpr (sizeof(M) == sizeof(R)) {
        if (l.active == 32)
          std::memcpy(to, at<R>(w, in.o[0]), 32 * sizeof(M));
        else
          std::memcpy(to, s, static_cast<size_t>(l.active) * sizeof(M));
      } else {
        for (int i = 0; i < l.active; ++i) write(to + static_cast<size_t>(i) * sizeof(M), s[i]);
      }
      return;
    }
    for (int k = 0; k < in.count; ++k) {
      const R* s = at<R>(w, in.o[k]) + l.first;
      for (int i = 0; i < l.active; ++i)
        write(to + static_cast<size_t>(i * in.count + k) * sizeof(M), s[i]);
    }
  }
  static void load_lanes(const Instr& in, Warp& w, const Lanes& l, uintptr_t origin) {
    for (int k = 0; k < in.count; ++k) {
      R* d = at<R>(w, in.o[k]);
      const uintptr_t from = origin + static_cast<size_t>(k) * sizeof(M);
      if (l.mask == ~0u) {
        for (int i = 0; i < 32; ++i)
          d[i] = widen(read_at_once(reinterpret_cast<const M*>(from + l.address[i])));
        continue;
      }
      for (uint32_t rest = l.mask; rest != 0; rest &= rest - 1) {
        const int i = std::countr_zero(rest);
        d[i] = widen(read_at_once(reinterpret_cast<const M*>(from + l.address[i])));
      }
    }
  }
  static void store_lanes(const Instr& in, Warp& w, const Lanes& l, uintptr_t origin) {
    const auto place = [&](int lane) {
      return reinterpret_cast<std::byte*>(origin + l.address[lane]);
    };
    if (in.count == 1 && sizeof(M) <= 4) {
      const R* s = at<R>(w, in.o[0]);
      in_store_order(
          l.mask, sizeof(M), [&](int lane) { write_at_once(place(lane), s[lane]); },
          stores_otherwise(w));
      return;
    }
    in_store_order(
        l.mask, static_cast<uint32_t>(sizeof(M)) * in.count,
        [&](int lane) { store_lane(in, w, lane, place(lane)); }, stores_otherwise(w));
  }
  static void load_lane(const Instr& in, Warp& w, int lane, const std::byte* from) {
    for (int k = 0; k < in.count; ++k)
      at<R>(w, in.o[k])[lane] = widen(read_at_once(reinterpret_cast<const M*>(from) + k));
  }
  static void store_lane(const Instr& in, Warp& w, int lane, std::byte* to) {
    for (int k = 0; k < in.count; ++k)
      write_at_once(to + static_cast<size_t>(k) * sizeof(M), at<R>(w, in.o[k])[lane]);
  }
  LOCKSTEP_INLINE static M read(const M* from) {
    M value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  LOCKSTEP_INLINE static void write(std::byte* to, R value) {
    const auto bits = static_cast<U>(value);
    std::memcpy(to, &bits, sizeof bits);
  }
  // As blocks on other threads see it, which may wait for it.
  LOCKSTEP_INLINE static M read_at_once(const M* from) {
    return static_cast<M>(__atomic_load_n(reinterpret_cast<const U*>(from), __ATOMIC_ACQUIRE));
  }
  LOCKSTEP_INLINE static void write_at_once(std::byte* to, R value) {
    __atomic_store_n(reinterpret_cast<U*>(to), static_cast<U>(value), __ATOMIC_RELEASE);
  }
  static constexpr ElementMove kMove = {&load_run,    &store_run, &load_lanes,
                                        &store_lanes, &load_lane, &store_lane};
};

using Access = void (*)(const Instr&, Warp&, Lanes&, const ElementMove&, uint32_t);

// Lanes may be in different state spaces: one part at a time.
template <Access Global, Access Shared, Access Local>
void generic(const Instr& in, Warp& w, Lanes& l, const ElementMove& move, uint32_t bytes) {
  uint32_t rest = l.mask;
  if (l.run && window_of(l.address[l.first]) == Window::kNone) return Global(in, w, l, move, bytes);
  while (rest != 0) {
    const Window window = window_of(l.address[std::countr_zero(rest)]);
    uint32_t part = 0;
    for (uint32_t m = rest; m != 0; m &= m - 1)
      if (window_of(l.address[std::countr_zero(m)]) == window) part |= m & (0 - m);
    rest &= ~part;
    Lanes some = l;
    if (part != l.mask) find_shape(some, part, bytes);
    if (window != Window::kNone)
      for (uint64_t& address : some.address) address -= window_begin(window);
    switch (window) {
      case Window::kShared:
        Shared(in, w, some, move, bytes);
        break;
      case Window::kLocal:
        Local(in, w, some, move, bytes);
        break;
      case Window::kParam:
        load_param(in, w, some, move, bytes);
        break;
      default:
        Global(in, w, some, move, bytes);
        break;
    }
  }
}

template <class M, class R, Access A>
struct Body {
  LOCKSTEP_INLINE static void run(const Instr& in, Warp& w, uint32_t mask) {
    Lanes l;
    find_addresses(in, w, l);
    const uint32_t bytes = sizeof(M) * in.count;
    find_shape(l, mask, bytes);
    A(in, w, l, Moves<M, R>::kMove, bytes);
  }
};

template <class M, class R>
Handler by_space(Space space, bool store) {
  constexpr Access kLoad = &generic<&load_global, &load_shared, &load_local>;
  constexpr Access kStore = &generic<&store_global, &store_shared, &store_local>;
  switch (space) {
    case Space::kGlobal:
      return store ? pick<Body<M, R, &store_global>>() : pick<Body<M, R, &load_global>>();
    case Space::kShared:
      return store ? pick<Body<M, R, &store_shared>>() : pick<Body<M, R, &load_shared>>();
    case Space::kLocal:
      return store ? pick<Body<M, R, &store_local>>() : pick<Body<M, R, &load_local>>();
    case Space::kParam:
      return store ? nullptr : pick<Body<M, R, &load_param>>();
    case Space::kConst:
      return store ? nullptr : pick<Body<M, R, &load_const>>();
    case Space::kNone:
      return store ? pick<Body<M, R, kStore>>() : pick<Body<M, R, kLoad>>();
    default:
      return nullptr;
  }
}

template <class M>
Handler by_register(const MemoryOp& op) {
  switch (op.register_bytes) {
    case 2:
      if constexpr (sizeof(M) <= 2)
        return by_space<M, uint16_t>(op.space, op.store);
      else
        return nullptr;
    case 4:
      if constexpr (sizeof(M) <= 4)
        return by_space<M, uint32_t>(op.space, op.store);
      else
        return nullptr;
    case 8:
      return by_space<M, uint64_t>(op.space, op.store);
    default:
      return nullptr;
  }
}

}  // namespace

Handler find_memory(const MemoryOp& op) {
  const bool extend = op.sign && !op.store && op.register_bytes > op.bytes;
  switch (op.bytes) {
    case 1:
      return extend ? by_register<int8_t>(op) : by_register<uint8_t>(op);
    case 2:
      return extend ? by_register<int16_t>(op) : by_register<uint16_t>(op);
    case 4:
      return extend ? by_register<int32_t>(op) : by_register<uint32_t>(op);
    case 8:
      return by_register<uint64_t>(op);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::emulator
