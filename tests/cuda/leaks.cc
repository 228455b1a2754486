// SPDX-License-Identifier: Apache-2.0
// What NVIDIA's own libraries do not free is not ours to find.
#ifdef __SANITIZE_ADDRESS__
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libcupti\nleak:libnvperf_host\n";
}
#endif
