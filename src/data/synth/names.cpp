#include <array>
#include <set>
#include <string_view>

#include "data/synth/style.h"

namespace nowhere::synth {
namespace {

constexpr std::array<std::string_view, 24> kOpenings = {
    "vel", "mor", "tas", "bel", "kar", "lun", "os",  "ser", "thal", "bran", "quin", "fen",
    "mir", "dor", "eld", "pal", "rav", "sol", "cor", "hav", "ner",  "ist",  "gal",  "ulm"};
constexpr std::array<std::string_view, 16> kMiddles = {"a",  "e",  "i",  "o",   "u",  "ave", "ari", "en",
                                                       "or", "il", "is", "ane", "om", "eth", "ul",  "ira"};
constexpr std::array<std::string_view, 20> kEndings = {"mora", "dell", "via",  "stad", "wick", "nia",  "burg",
                                                       "port", "lund", "ra",   "vik",  "mont", "tano", "sk",
                                                       "ness", "thal", "goro", "bay",  "lia",  "ster"};

}  // namespace

std::vector<std::string> place_names(uint64_t seed, int count) {
  Random random = stream(seed, Topic::kNames);
  std::vector<std::string> names;
  std::set<std::string> taken;
  while (names.size() < static_cast<size_t>(count)) {
    std::string name(kOpenings[random.below(kOpenings.size())]);
    name += kMiddles[random.below(kMiddles.size())];
    // The vocabulary holds 7680 names; a longer list grows a syllable.
    if (names.size() > 2000) name += kMiddles[random.below(kMiddles.size())];
    name += kEndings[random.below(kEndings.size())];
    if (taken.insert(name).second) names.push_back(name);
  }
  return names;
}

}  // namespace nowhere::synth
