#include "core/team.h"

#include <gtest/gtest.h>
#include <sched.h>

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
    done = 0;
    team.run(5, [&](size_t, size_t) { ++done; });
    EXPECT_EQ(done, 5);
  }
}

TEST(Team, NothingIsBegunBehindAnException) {
  Team team(1);
  int done = 0;
  EXPECT_THROW(team.run(1000,
                        [&](size_t item, size_t) {
                          if (item == 10) throw std::runtime_error("item 10");
                          ++done;
                        }),
               std::runtime_error);
  EXPECT_EQ(done, 10);
}

TEST(Team, HelpersKeepOffTheCallersCoreWhereTheyAreTold) {
  cpu_set_t granted;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(granted), &granted), 0);
  if (CPU_COUNT(&granted) < 2) GTEST_SKIP() << "one core";
  for (const auto cores : {Team::Cores::kAny, Team::Cores::kOthers}) {
    Team team(2, cores);
    const auto caller = std::this_thread::get_id();
    bool seen = false;
    while (!seen)  // until the helper has had an item
      team.run(2, [&](size_t, size_t member) {
        if (member == 0) return std::this_thread::yield();
        cpu_set_t own;
        EXPECT_EQ(::sched_getaffinity(0, sizeof(own), &own), 0);
        EXPECT_NE(std::this_thread::get_id(), caller);
        EXPECT_EQ(CPU_COUNT(&own), CPU_COUNT(&granted) - (cores == Team::Cores::kOthers ? 1 : 0));
        seen = true;
      });
  }
}

TEST(Team, CallersTakeTurns) {
  Team team(2);
  std::atomic<int> inside[2] = {0, 0}, done{0};
  const auto call = [&](int caller) {
    for (int run = 0; run < 50; ++run)
      team.run(4, [&](size_t, size_t) {
        ++inside[caller];
        EXPECT_EQ(inside[1 - caller], 0);
        ++done;
        std::this_thread::yield();
        --inside[caller];
      });
  };
  std::thread other(call, 1);
  call(0);
  other.join();
  EXPECT_EQ(done, 400);
}

TEST(Team, AnUnusedTeamEnds) {
  for (int i = 0; i < 20; ++i) std::make_unique<Team>(4);
}

}  // namespace
}  // namespace nowhere
