// SPDX-License-Identifier: Apache-2.0
// How an element of an array came to hold what it holds, as an execution tells that was watched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/base/error.h"

namespace lockstep {

struct ValueStory {
  struct Line {
    std::string file;
    int line = 0;
    auto operator<=>(const Line&) const = default;
  };
  struct Comparison {
    Line line;
    std::string how;   // "<", "==" ... as it held
    std::string a, b;  // numbers
    // Of a loop: how often it came out so in a row with the same two numbers, and what they were
    // when that was last otherwise ("": never, or not known).
    uint64_t same = 1;
    std::string a_before, b_before;
    std::vector<Line> made_of;  // the lines in which these came about
    bool of_ended = false;      // of a thread that had ended when the fault came
  };
  bool whole = true;          // false: the execution was too long to be remembered as a whole
  bool raced = false;         // several threads stored to it, not by atomic operations
  std::optional<Line> unset;  // where a value comes in that nothing has set
  int64_t stores = 0;         // to the element; 0: none, and the rest is empty but for test_lines
  FaultPlace stored;          // line, block and thread of the last one
  // What the array of a buffer held before the launch, and was read for this value.
  struct Read {
    uint32_t buffer = 0;  // BufferId
    size_t offset = 0;    // bytes
    Line line;
    std::vector<Line> index_lines;  // that made its address
    bool compared = false;          // by a thread that made the value, and no more
    int times = 1;                  // so many loads of it, on the value's way
    Line again;                     // of the last of these
    double ways = 1;                // in so many ways it came in: added to itself, in two
    FaultPlace by, again_by;        // who loaded it first, and last
  };
  std::vector<uint64_t> threads;   // that had a part in it, as threads_reading(); ascending
  std::vector<Read> reads;         // by buffer and offset
  std::vector<Read> reads_of_all;  // where it raced: of all of the stores
  std::vector<Line> lines;         // on the value's way to the store, as they were executed first
  std::vector<Line> index_lines;   // that made the store's address
  std::vector<Line> test_lines;    // where threads compare that made it; without a store, all
  std::optional<Comparison> compared;  // without a store: what the first thread compared last
  // Of `lines`, where a thread took what another had; where the one that stored did.
  std::vector<Line> exchange_lines, own_exchange_lines;
  // A shuffle on the way that read a lane which took no part.
  struct AbsentLane {
    FaultPlace place;  // of the one that read
    uint32_t lane = 0;
    Line compared;  // where that lane's thread compared last before; line 0: nowhere
  };
  std::optional<AbsentLane> absent;
  // Where a part of a value was lost on the way, by line, as they were executed first.
  struct Loss {
    enum class Kind {
      kFraction,    // made a whole number: "0.64" became "0"
      kRemainder,   // divided as whole numbers: "7 / 2" is "3"
      kShiftedOut,  // "5 >> 1" is "2"
      kCut,         // put into fewer bits: "300" became "44"
      kNarrowed,    // a double made a float
      kCancelled,   // "100.25 - 100.125" is "0.125": small beside what was rounded
      kRounded      // another sum or product that was rounded; without words
    };
    Line line;
    Kind kind = Kind::kFraction;
    std::string from, to;
    double share = 0;    // kCancelled: of the sum, what one rounding of the larger operand is
    double rounded = 0;  // all that was taken in that line where sums and products were rounded
  };
  std::vector<Loss> losses;
  // How something came to a thread that had not read it.
  struct Taken {
    FaultPlace by, from;            // the one that took it, where; and the one that had it
    bool shuffle = false;           // else through memory
    std::vector<Line> index_lines;  // that made the address there
  };
  // Where two values were added that something is in that was read once.
  struct Doubled {
    FaultPlace sum;
    // Where it was taken for the one, and for the other alone.
    std::vector<FaultPlace> taken;
    bool before_call = false;  // both were there before the function was called in which that is
  };
  // A store, and how often what made its address stands in which line.
  struct Store {
    FaultPlace by;
    std::map<Line, int> index_lines;
  };
};

// A place in a buffer, in bytes.
struct BufferPlace {
  uint32_t buffer = 0;  // BufferId
  size_t offset = 0;
};

// What an execution did that was watched.
struct WatchedWork {
  bool whole = true;    // false: there was too much of it, and the rest is of a part
  std::set<int> lines;  // of the file that was asked for, that were executed
  uint64_t stores = 0, storing_threads = 0;  // to global memory
  std::map<int, uint64_t> stores_of_line;    // of that file; 0: of others
  uint64_t passed_alone = 0;                 // barriers, while threads of the block had ended
};

// Where it comes from what a line does.
struct LineOrigins {
  std::vector<ValueStory::Line> index_lines;  // that made the addresses of its accesses
  // Of these, those that made them differ between the threads of a warp.
  std::vector<ValueStory::Line> spread_lines;
  // Other lines, that made what differs between these threads and was taken there.
  std::vector<ValueStory::Line> differing_lines;
  // Two accesses of its to one element of global memory, by different threads if there are such.
  std::vector<FaultPlace> same_element;
  // Where the threads of a warp that come to it had parted before, and what made what they compare.
  std::vector<ValueStory::Line> parting_lines, parting_made_of;
  struct Array {
    std::string name;
    int line = 0;  // where it is declared; 0: not known
    bool operator==(const Array&) const = default;
  };
  std::vector<Array> shared_arrays;  // of shared memory, that it comes to
  // Where the doubles that it computes with came about: of constants, or of what is none.
  std::vector<ValueStory::Line> double_lines;
  // Lines that called the function in which it is, and, of the kernel's own, those that made what
  // its addresses were made of.
  std::vector<ValueStory::Line> callers, called_with;
  int most_called = 0;  // of the callers in the kernel itself, that for which it does most; 0: none
  // Threads of a warp, by their number in it, whose words lie in one bank; banks that have any.
  std::vector<int> one_bank;
  int banks = 0;
  // Atomic operations of one block on one element: by how many warps, by how many threads of one,
  // by a thread how often.
  struct Adding {
    size_t warps = 0, threads = 0, times = 0;
  } adding;
};

// What threads computed in each line.
struct Computed {
  struct Line {
    uint64_t divisions = 0;             // of whole numbers, by what is no constant
    uint64_t all = 0, unused = 0;       // values; of these no result, branch or address was made
    uint64_t warps = 0, idle = 0;       // that loaded anything; of which nothing was used
    uint64_t exchanged = 0, again = 0;  // by shuffles; of the same values as before
    std::set<int> callers;              // lines that called the function where it was again
    // So often a thread adds a sum over threads to what it had, or what one other thread has, and
    // does nothing else with these.
    uint64_t adds_sums = 0, adds_others = 0;
  };
  std::map<ValueStory::Line, Line> lines;
  bool whole = true;  // false: not all was noted, and all and unused are 0
};

// What became of a word of shared memory that was read before anything had written it.
struct LateStore {
  bool seen = false;             // it was, and all was executed as if that were no fault
  std::optional<FaultPlace> by;  // the store that came later; none: there is none
  // Without it: where a word nearby is stored, by some threads of the block more often than by
  // others.
  std::optional<ValueStory::Line> beside;
};

// How often an element of an array was read from or written to.
struct Touched {
  uint32_t loads = 0;
  uint32_t stores = 0;  // not by atomic operations
};

}  // namespace lockstep
