// Numbers, times and words as people read and write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowhere {

std::string with_commas(int64_t number);  // 1234567 -> "1,234,567"
// (1, "photograph") -> "1 photograph", (1200, "photograph") -> "1,200 photographs". `plural` where an s is
// not enough.
std::string counted(int64_t number, std::string_view noun, std::string_view plural = "");
std::string human_bytes(uint64_t bytes);  // 1500000 -> "1.5 MB"
std::string human_time(double seconds);   // 75 -> "1 min 15 s"

// Text that a person can read and JSON can hold, on one line: control characters and bytes that are not UTF-8
// are written as \\xNN. What is printable already stays as it is.
std::string printable_text(std::string_view text);

// Letters of UTF-8 text, counted without regard to those that combine or are wide.
size_t count_letters(std::string_view text);
std::string_view first_letters(std::string_view text, size_t count);

// "a,b,,c" -> {"a", "b", "c"}: blanks around the words are not part of them.
std::vector<std::string> split_list(std::string_view text, char separator = ',');
std::string join(const std::vector<std::string>& words, std::string_view separator);
std::string lower(std::string_view text);  // ASCII only

// The whole text as a number, or nothing.
std::optional<int64_t> parse_integer(std::string_view text);
std::optional<double> parse_number(std::string_view text);

// The candidate most like `word`, when one is near enough to be what was meant.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

// Rows of cells in aligned columns, the first to the left and the rest to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) { add(std::move(heading)); }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  size_t rows() const { return rows_.size() - 1; }
  std::string text(std::string_view indent = "  ") const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace nowhere
