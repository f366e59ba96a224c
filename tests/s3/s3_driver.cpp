// The store of a bucket without the rest of the program, for tests/test_s3.py:
//   s3_driver list|stamp|read|write|remove|check s3://BUCKET/FOLDER [NAME [FILE]]
// Messages and exit codes are the program's.
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "core/error.h"
#include "core/file.h"
#include "s3/s3_store.h"

namespace nowhere {
namespace {

struct Arguments {
  std::string action, url, name, file;
};

void print_list(const Store& store) {
  std::vector<StoredFile> files = store.list();
  std::ranges::sort(files);
  for (const StoredFile& file : files) fmt::print("{} {:016x}\n", file.name, file.stamp);
}

void print_stamp(const Store& store, const std::string& name) {
  const auto stamp = store.stamp(name);
  fmt::print("{}\n", stamp ? fmt::format("{:016x}", *stamp) : "nothing");
}

void download(const Store& store, const Arguments& arguments) {
  const auto content = store.read(arguments.name);
  if (!content) throw data_error(content.error().reason);
  write_file(arguments.file, content->bytes);
}

void upload(Store& store, const Arguments& arguments) {
  const MappedFile file = MappedFile::open(arguments.file).value();
  store.write(arguments.name, file.bytes());
}

void act(const Arguments& arguments) {
  const auto place = parse_s3_url(arguments.url);
  if (!place) throw usage_error(place.error().reason);
  S3Store store(*place, process_environment(), {});
  if (arguments.action == "list") return print_list(store);
  if (arguments.action == "stamp") return print_stamp(store, arguments.name);
  if (arguments.action == "read") return download(store, arguments);
  if (arguments.action == "write") return upload(store, arguments);
  if (arguments.action == "remove") return store.remove(arguments.name);
  if (arguments.action == "check") return store.check_writing(arguments.name).value();
  throw usage_error("no such action: " + arguments.action);
}

}  // namespace
}  // namespace nowhere

int main(int count, char** words) {
  const auto word = [&](int index) { return std::string(index < count ? words[index] : ""); };
  try {
    nowhere::act({word(1), word(2), word(3), word(4)});
    return 0;
  } catch (const nowhere::Error& error) {
    fmt::print(stderr, "nowhere: {}\n", error.what());
    return static_cast<int>(error.exit());
  }
}
