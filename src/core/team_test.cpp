#include "core/team.h"

#include <gtest/gtest.h>

#include <barrier>
#include <memory>
#include <stdexcept>
#include <string>

namespace nowhere {
namespace {

TEST(Team, EveryItemIsDoneOnce) {
  for (const int threads : {0, 1, 2, 5}) {
    Team team(threads);
    for (const size_t count : {0, 1, 2, 3, 100}) {
      std::vector<std::atomic<int>> done(count);
      team.run(count, [&](size_t item, size_t member) {
        EXPECT_LT(member, team.size());
        ++done[item];
      });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(Team, ItemsAreWorkedOnTogether) {
  Team team(3);
  ASSERT_EQ(team.size(), 3);
  std::barrier all(3);  // nobody gets past it alone
  std::vector<std::atomic<int>> of_member(3);
  for (int run = 0; run < 50; ++run)
    team.run(3, [&](size_t, size_t member) {
      ++of_member[member];
      all.arrive_and_wait();
    });
  for (const auto& items : of_member) EXPECT_EQ(items, 50);
}

TEST(Team, WhatWasDoneIsSeenByTheCaller) {
  Team team(4);
  std::vector<int> numbers(1000);  // plain: the thread sanitizer watches
  for (int run = 1; run <= 20; ++run) {
    team.run(numbers.size(), [&](size_t item, size_t) { ++numbers[item]; });
    for (const int number : numbers) ASSERT_EQ(number, run);
  }
}

TEST(Team, TheFirstExceptionIsThrownAndTheTeamGoesOn) {
  Team team(3);
  for (int run = 0; run < 20; ++run) {
    std::atomic<int> done{0};
    try {
      team.run(1000, [&](size_t item, size_t) {
        if (item == 10) throw std::runtime_error("item 10");
        ++done;
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "item 10");
    }
    EXPECT_LT(done, 1000);
    done = 0;
    team.run(5, [&](size_t, size_t) { ++done; });
    EXPECT_EQ(done, 5);
  }
}

TEST(Team, CallersTakeTurns) {
  Team team(2);
  std::atomic<int> inside{0}, most{0}, done{0};
  const auto call = [&] {
    for (int run = 0; run < 50; ++run)
      team.run(4, [&](size_t, size_t) {
        const int now = ++inside;
        if (now > most) most = now;
        ++done;
        --inside;
      });
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(done, 400);
  EXPECT_LE(most, 2);  // the team's size: never items of two runs at once
}

TEST(Team, AnUnusedTeamEnds) {
  for (int i = 0; i < 20; ++i) std::make_unique<Team>(4);
}

}  // namespace
}  // namespace nowhere
