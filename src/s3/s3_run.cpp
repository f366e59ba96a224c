#include "s3/s3_run.h"

#include <fmt/core.h>

#include "core/text.h"
#include "s3/s3_store.h"

namespace nowhere {

RunReader open_s3_run(const std::string& url, const Environment& environment,
                      const std::function<bool()>& stopped) {
  constexpr std::string_view kCheckpoint = ".pt";
  const auto place = parse_s3_url(url);
  if (!place) throw usage_error(place.error().reason);
  const auto [folder, name] = place->folder_and_file();
  if (!name.ends_with(kCheckpoint))
    return {std::make_shared<S3Store>(*place, environment, stopped),
            printable_text(name.empty() ? place->bucket : name)};
  const auto store = std::make_shared<S3Store>(folder, environment, stopped);
  if (!store->stamp(name))
    throw data_error(fmt::format("{} does not exist; give s3://BUCKET/RUN or a checkpoint (.pt) of it",
                                 store->location(name)));
  return {store, printable_text(name.substr(0, name.size() - kCheckpoint.size())), name};
}

}  // namespace nowhere
