// SPDX-License-Identifier: Apache-2.0
// The standard headers that most sources include, compiled once for all (make/libraries.mk). Every
// source still includes what it uses: other variants are built without this.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
