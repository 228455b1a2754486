// SPDX-License-Identifier: Apache-2.0
// What a measurement knows of launches on their way to rows. Private to measure.cc and
// measure_prepare.cc.
#pragma once

#include "common/harness/measure.h"

namespace lockstep {

struct Measurement::Pending {
  Job job;
  Row row;
  Sequence launches;
  bool runs = false;         // nothing has been found so far that speaks against running it
  bool told = true;          // as a row
  bool cut = false;          // Outcome::kCut, if it was not right
  double stored = 0;         // metric::kStoredSectors, of a planned launch
  uint64_t failed_seed = 0;  // of the inputs that the failure was seen with

  CheckResult& check() { return row.record.check; }
  bool correct() const { return runs && row.record.check.status == "correct"; }
};

// What is launched on one problem, with its arrays.
struct Measurement::Group {
  std::vector<Pending> pending;
  std::unique_ptr<Session> session;
  bool complete = false;  // what is missing is to be told
};

struct Measurement::Counted {
  Pending* pending;
  Sequence launches;
  PassHooks hooks;
  const Session* session;
};

template <typename Action>
void Measurement::guarded(Pending* p, const Action& action) {
  try {
    action();
  } catch (const KernelFault& fault) {
    take_fault(fault, p);
  }
}

}  // namespace lockstep
