#include "serve/painter_shelf.h"

#include <gtest/gtest.h>

#include "serve/fake_painter.h"

namespace nowhere {
namespace {

TEST(PainterShelf, LoadsOnceAndKeepsTheLatest) {
  FakeStudio studio;
  PainterShelf shelf(studio, 2);
  EXPECT_FALSE(shelf.digest_of({2, 0}));
  const auto second = shelf.get({2, 0});
  EXPECT_EQ(second->info().epoch, 2u);
  EXPECT_EQ(shelf.get({2, 0}), second);
  shelf.get({3, 0});
  EXPECT_EQ(studio.loads, 2);
  shelf.get({2, 0});
  shelf.get({5, 0});  // in place of 3
  EXPECT_EQ(shelf.get({2, 0}), second);
  EXPECT_EQ(studio.loads, 3);
  shelf.get({3, 0});
  EXPECT_EQ(studio.loads, 4);
  EXPECT_EQ(shelf.digest_of({5, 0}), shelf.get({5, 0})->info().digest);
}

TEST(PainterShelf, AChangedFileIsLoadedAgain) {
  FakeStudio studio;
  PainterShelf shelf(studio, 2);
  shelf.get({3, 7});
  EXPECT_TRUE(shelf.digest_of({3, 7}));
  EXPECT_FALSE(shelf.digest_of({3, 8}));
  shelf.get({3, 8});
  EXPECT_EQ(studio.loads, 2);
  EXPECT_FALSE(shelf.digest_of({3, 7}));
}

TEST(PainterShelf, WhatIsGoneOrBrokenIsTriedAgain) {
  FakeStudio studio;
  PainterShelf shelf(studio, 2);
  EXPECT_EQ(shelf.get({1, 0}), nullptr);
  EXPECT_EQ(shelf.get({1, 0}), nullptr);
  EXPECT_THROW(shelf.get({4, 0}), std::runtime_error);
  EXPECT_EQ(studio.loads, 3);
}

}  // namespace
}  // namespace nowhere
