// What the server that this one takes the place of understood, for pages written for it: pictures of fresh seeds that
// nobody keeps. Those pages add numbers to the address against caches, so any query will do.
#include "serve/routes.h"

namespace nowhere {
namespace {

constexpr size_t kSheetPictures = 16;
constexpr int kSheetColumns = 4;
constexpr size_t kLoopSeeds = 2;
constexpr uint64_t kLoopFrames = 16;  // in all

}  // namespace

void add_original_routes(std::vector<Route>& routes, const RouteParts& parts) {
  routes.push_back({.name = "gan_imgs",
                    .pattern = "/gan_imgs",
                    .handle =
                        [parts](const HttpRequest&, const Parameters&) {
                          return parts.pictures.passing(grid_request(parts.seeds.next(kSheetPictures),
                                                                     kSheetColumns, 1, PictureFormat::kPng));
                        },
                    .any_query = true});
  routes.push_back({.name = "gan_gifs",
                    .pattern = "/gan_gifs",
                    .handle =
                        [parts](const HttpRequest&, const Parameters&) {
                          return parts.pictures.passing(morph_request(parts.seeds.next(kLoopSeeds),
                                                                      kLoopFrames / kLoopSeeds, kMorphFrameMs,
                                                                      1, PictureFormat::kGif));
                        },
                    .any_query = true});
}

}  // namespace nowhere
