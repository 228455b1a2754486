// SPDX-License-Identifier: Apache-2.0
#include "common/harness/card_turn.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <thread>

#include "common/base/error.h"

namespace lockstep {
namespace {

TEST(CardTurn, OneHasItAtATime) {
  const std::string file = testing::TempDir() + "turn-" + std::to_string(getpid());
  std::optional<CardTurn> first(file);
  std::atomic<bool> got = false;
  std::thread second([&] {
    CardTurn turn(file);
    got = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE(got);
  first.reset();
  second.join();
  EXPECT_TRUE(got);
  std::remove(file.c_str());
}

TEST(CardTurn, NeedsNoFile) {
  CardTurn first(""), second("");
  EXPECT_THROW(CardTurn("/no/such/folder/turn"), Error);
}

}  // namespace
}  // namespace lockstep
