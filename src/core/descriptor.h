// File descriptors with an owner.
#pragma once

#include <string_view>
#include <utility>

namespace nowhere {

// Closes its descriptor on destruction. Negative: none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  // The caller closes it from now on.
  int release() { return std::exchange(number_, -1); }
  void close();  // keeps errno, so that the reason of a failure before it can still be told

 private:
  int number_ = -1;
};

// Writes all of it, as often as the system takes only a part. False when it fails; errno has the reason.
bool write_all(const Descriptor& file, std::string_view bytes);

}  // namespace nowhere
