#include "serve/assets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "core/file.h"

namespace nowhere {
namespace {

std::string text_of(const Asset& asset) {
  return {asset.body.bytes().begin(), asset.body.bytes().end()};
}

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(Assets, NamesCarryTheVersion) {
  const std::vector<EmbeddedFile> files = {
      {"a.html", bytes_of("<a href=\"/assets/b.js\"> \"/assets/c.js\" \"/docs\""), "1"},
      {"b.js", bytes_of("import { x } from \"./d.js\";"), "2"},
      {"d.js", bytes_of(""), "3"},
      {"e.json", bytes_of("\"/assets/b.js\""), "4"}};
  const Assets assets(files);
  const std::string v = "?v=" + assets.version();
  EXPECT_EQ(assets.version().size(), 16u);
  EXPECT_EQ(text_of(*assets.find("a.html")), "<a href=\"/assets/b.js" + v + "\"> \"/assets/c.js\" \"/docs\"");
  EXPECT_EQ(text_of(*assets.find("b.js")), "import { x } from \"./d.js" + v + "\";");
  EXPECT_EQ(text_of(*assets.find("e.json")), "\"/assets/b.js\"");
  EXPECT_EQ(assets.find("b.js")->mime, "text/javascript; charset=utf-8");
  EXPECT_EQ(assets.find("x"), nullptr);
  std::vector<EmbeddedFile> changed = files;
  changed[2].hash = "5";
  EXPECT_NE(Assets(changed).version(), assets.version());
}

TEST(Assets, TheProgramHoldsTheFilesUnchanged) {
  size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NOWHERE_FIXTURES "/../../web")) {
    if (!entry.is_regular_file()) continue;
    const auto file =
        std::ranges::find(embedded_files(), entry.path().filename().string(), &EmbeddedFile::name);
    ASSERT_NE(file, embedded_files().end()) << entry.path();
    std::vector<uint8_t> bytes;
    read_file(entry.path(), bytes).value();
    EXPECT_TRUE(std::ranges::equal(file->bytes, bytes)) << entry.path();
    EXPECT_EQ(file->hash.size(), 16u);
    ++found;
  }
  EXPECT_EQ(found, embedded_files().size());
  EXPECT_NE(Assets(embedded_files()).find("openapi.json"), nullptr);
}

TEST(Assets, ThePagePreloadsEveryModule) {
  const Assets assets(embedded_files());
  const std::string page = text_of(*assets.find("index.html"));
  for (const EmbeddedFile& file : embedded_files()) {
    const std::string name(file.name);
    if (!name.ends_with(".js") || name == "theme.js") continue;  // the theme is loaded before everything else
    EXPECT_NE(page.find("<link rel=\"modulepreload\" href=\"/assets/" + name + "?v="), std::string::npos)
        << name;
  }
}

}  // namespace
}  // namespace nowhere
