// SPDX-License-Identifier: Apache-2.0
// Blocks over SMs, SMs over host threads, for both executors. The i-th block of an order belongs to
// SM i mod their number. An SM runs its blocks one after the other; where one waits for another, or
// has had its turn, the next one starts, up to what the SM can hold, and then the next SM.
//
// A Machine executes blocks for one host thread:
//   Block, Sm                what it keeps of a block, and of an SM
//   begin(Sm&, number)       before the first block of an SM
//   start(Sm&, Block&, i)    the i-th block of the order; gives its number in the grid
//   run(Sm&, Block&)         until it is done (true), or waits or has had its turn (false)
//   end(Sm&, Block&)         behind a block; finish(Sm&): behind an SM's last one
// What these throw ends the launch; Stopped where another thread has ended it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace lockstep::emulator {

// Thrown where another thread has ended the launch.
struct Stopped {};

// Of a launch; its threads share it.
struct SmQueue {
  SmQueue(uint64_t blocks_, uint32_t sm_count_, uint32_t resident_)
      : blocks(blocks_),
        sm_count(sm_count_),
        resident(resident_),
        sms(static_cast<uint32_t>(std::min<uint64_t>(sm_count_, blocks_))) {}
  const uint64_t blocks;
  const uint32_t sm_count, resident;  // blocks that an SM holds
  const uint32_t sms;                 // that have blocks
  std::atomic<uint32_t> next{0};
  std::atomic<int> running{0};  // threads
  std::mutex mutex;
  std::exception_ptr failure;  // of the failed block with the lowest number
  uint64_t failed_block = ~uint64_t{0};
};

template <class Machine>
class SmRunner {
 public:
  SmRunner(SmQueue& queue, Machine& machine) : queue_(queue), machine_(machine) {}

  // Takes SMs until none is left. stop: is set where a block fails.
  void run(std::atomic<bool>* stop) {
    try {
      run_sms();
    } catch (const Stopped&) {
    } catch (...) {
      *stop = true;
      const std::lock_guard<std::mutex> lock(queue_.mutex);
      if (queue_.failure != nullptr && current_ >= queue_.failed_block) return;
      queue_.failure = std::current_exception();
      queue_.failed_block = current_;
    }
  }

 private:
  struct Resident {
    uint64_t number = 0;
    typename Machine::Block block;
  };
  struct Sm {
    uint64_t next = 0;  // place in the order of blocks
    typename Machine::Sm own;
    std::deque<std::unique_ptr<Resident>> live;
  };

  void run_sms() {
    std::deque<std::unique_ptr<Sm>> parked;
    size_t stalled = 0;
    for (;;) {
      std::unique_ptr<Sm> sm = take();
      if (sm == nullptr) {
        if (parked.empty()) return;
        sm = std::move(parked.front());
        parked.pop_front();
      }
      if (advance(*sm)) {
        stalled = 0;
        continue;
      }
      parked.push_back(std::move(sm));
      if (++stalled < parked.size()) continue;
      // All wait for blocks of other threads, if there are any, whose steps count, too: let these
      // run.
      if (queue_.running > 1) std::this_thread::yield();
      stalled = 0;
    }
  }

  std::unique_ptr<Sm> take() {
    const uint32_t number = queue_.next.fetch_add(1);
    if (number >= queue_.sms) return nullptr;
    auto sm = std::make_unique<Sm>();
    sm->next = number;
    machine_.begin(sm->own, number);
    return sm;
  }

  bool start_next(Sm& sm) {
    if (sm.next >= queue_.blocks || sm.live.size() >= queue_.resident) return false;
    std::unique_ptr<Resident> fresh;
    if (!idle_.empty()) {
      fresh = std::move(idle_.back());
      idle_.pop_back();
    } else {
      fresh = std::make_unique<Resident>();
    }
    current_ = fresh->number = machine_.start(sm.own, fresh->block, sm.next);
    sm.next += queue_.sm_count;
    sm.live.push_front(std::move(fresh));
    return true;
  }

  // True when the SM has run all of its blocks, false when it waits for other SMs.
  bool advance(Sm& sm) {
    size_t stalled = 0;
    for (;;) {
      if (sm.live.empty() && !start_next(sm)) break;
      current_ = sm.live.front()->number;
      if (machine_.run(sm.own, sm.live.front()->block)) {
        machine_.end(sm.own, sm.live.front()->block);
        idle_.push_back(std::move(sm.live.front()));
        sm.live.pop_front();
        stalled = 0;
        continue;
      }
      if (start_next(sm)) continue;  // the one that it waits for may be this
      sm.live.push_back(std::move(sm.live.front()));
      sm.live.pop_front();
      if (++stalled >= sm.live.size()) return false;
    }
    machine_.finish(sm.own);
    return true;
  }

  SmQueue& queue_;
  Machine& machine_;
  std::vector<std::unique_ptr<Resident>> idle_;
  uint64_t current_ = 0;  // block being run, for the order of faults
};

// On a thread for each machine, this one among them. What failed is in the queue.
template <class Machine>
void run_sms(SmQueue& queue, std::vector<Machine>& machines, std::atomic<bool>* stop) {
  const auto work = [&](Machine& machine) {
    ++queue.running;
    SmRunner<Machine>(queue, machine).run(stop);
    --queue.running;
  };
  std::vector<std::jthread> others;
  for (size_t i = 1; i < machines.size(); ++i)
    others.emplace_back([&work, &machines, i] { work(machines[i]); });
  work(machines[0]);
}

}  // namespace lockstep::emulator
