// The addresses of the reference DCGAN's server, for pages written for it: pictures of fresh seeds that are
// not cached. Those pages stand on other sites, and append random numbers to the address to bypass caches:
// any page may use these routes, with any query.
#include "serve/routes.h"

namespace nowhere {
namespace {

constexpr size_t kSheetPictures = 16;
constexpr int kSheetColumns = 4;
constexpr size_t kLoopSeeds = 2;
constexpr uint64_t kLoopFrames = 16;  // in total

}  // namespace

void add_reference_routes(std::vector<Route>& routes, const RouteParts& parts) {
  routes.push_back({.name = "gan_imgs",
                    .pattern = "/gan_imgs",
                    .handle =
                        [parts](const HttpRequest&, const Parameters&) {
                          return parts.pictures.uncached(grid_request(parts.seeds.next(kSheetPictures),
                                                                      kSheetColumns, 1, PictureFormat::kPng));
                        },
                    .any_query = true,
                    .for_every_page = true});
  routes.push_back({.name = "gan_gifs",
                    .pattern = "/gan_gifs",
                    .handle =
                        [parts](const HttpRequest&, const Parameters&) {
                          return parts.pictures.uncached(
                              morph_request(parts.seeds.next(kLoopSeeds), kLoopFrames / kLoopSeeds,
                                            kMorphFrameMs, 1, PictureFormat::kGif));
                        },
                    .any_query = true,
                    .for_every_page = true});
}

}  // namespace nowhere
