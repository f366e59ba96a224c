// The rows of a table in memory: its own, or those of a file that lies in memory already.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace nowhere {

template <class T>
class Column {
 public:
  Column() = default;
  Column(std::vector<T> rows) : own_(std::move(rows)) {}
  // Rows of somebody else, which `owner` keeps where they are. They are copied before they are changed.
  Column(std::span<const T> rows, std::shared_ptr<const void> owner)
      : borrowed_(rows), owner_(std::move(owner)) {}

  size_t size() const { return rows().size(); }
  bool empty() const { return rows().empty(); }
  const T* data() const { return rows().data(); }
  const T& operator[](size_t number) const { return rows()[number]; }
  const T& back() const { return rows().back(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }

  T& operator[](size_t number) { return own()[number]; }
  T& back() { return own().back(); }
  T& emplace_back() { return own().emplace_back(); }
  void push_back(const T& row) { own().push_back(row); }
  void reserve(size_t count) { own().reserve(count); }
  void append(std::span<const T> more) { own().insert(own_.end(), more.begin(), more.end()); }

 private:
  std::span<const T> rows() const { return owner_ ? borrowed_ : std::span<const T>(own_); }
  std::vector<T>& own() {
    if (owner_) {
      own_.assign(borrowed_.begin(), borrowed_.end());
      owner_.reset();
    }
    return own_;
  }

  std::vector<T> own_;
  std::span<const T> borrowed_;
  std::shared_ptr<const void> owner_;  // null: the rows are its own
};

}  // namespace nowhere
