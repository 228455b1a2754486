// SPDX-License-Identifier: Apache-2.0
// Style: a comment lists the headers of C++20, those too that this library has not.
// Expect: pass 100..100
#include "../../hostile/given.cuh"
/* What the library has, for me to learn:
<algorithm> <any> <array> <atomic> <barrier> <bit> <bitset> <charconv> <chrono> <codecvt> <compare> <complex> <concepts> <condition_variable> <coroutine> <deque> <exception> <execution> <filesystem> <format> <forward_list> <fstream> <functional> <future> <initializer_list> <iomanip> <ios> <iosfwd> <iostream> <istream> <iterator> <latch> <limits> <list> <locale> <map> <memory> <memory_resource> <mutex> <new> <numbers> <numeric> <optional> <ostream> <queue> <random> <ranges> <ratio> <regex> <scoped_allocator> <semaphore> <set> <shared_mutex> <source_location> <span> <sstream> <stack> <stdexcept> <stop_token> <streambuf> <string> <string_view> <syncstream> <system_error> <thread> <tuple> <type_traits> <typeindex> <typeinfo> <unordered_map> <unordered_set> <utility> <valarray> <variant> <vector> <version> <cassert> <cctype> <cerrno> <cfenv> <cfloat> <cinttypes> <climits> <clocale> <cmath> <csetjmp> <csignal> <cstdarg> <cstddef> <cstdint> <cstdio> <cstdlib> <cstring> <ctime> <cuchar> <cwchar> <cwctype> <assert.h> <complex.h> <ctype.h> <errno.h> <fenv.h> <float.h> <inttypes.h> <iso646.h> <limits.h> <locale.h> <math.h> <setjmp.h> <signal.h> <stdalign.h> <stdarg.h> <stdatomic.h> <stdbool.h> <stddef.h> <stdint.h> <stdio.h> <stdlib.h> <string.h> <tgmath.h> <time.h> <uchar.h> <wchar.h> <wctype.h> <unistd.h> <sys/time.h>
*/
template <int d_l, int grp_size, int unroll_degree>
__global__ void norm_group_u(elt_t* l_out, const elt_t* l_in, int n_l) {
  solved<d_l, grp_size, unroll_degree>(l_out, l_in, n_l);
}
