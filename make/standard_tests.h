// SPDX-License-Identifier: Apache-2.0
// The headers that most tests include, besides those of standard.h; precompiled likewise.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "make/standard.h"
