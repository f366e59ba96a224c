// Comma-separated values, read where they lie in memory. Our own, because no packaged reader finds columns by
// name without copying, and reports broken rows instead of refusing the file.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nowhere {

// Reads the rows of `text`, which must outlive the reader. Quoted cells (with doubled quotes, commas and line
// breaks inside) and both kinds of line ends are understood.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text);  // reads the heading

  // The position of a column, or nothing.
  std::optional<size_t> column(std::string_view name) const;

  // The next row that is not blank, or false at the end. Cells are valid until the next call. A row may have
  // more or fewer cells than the heading.
  bool next(std::vector<std::string_view>& cells);

 private:
  std::string_view next_cell(size_t index, bool& row_ends);

  std::string_view rest_;
  std::vector<std::string> heading_;
  std::deque<std::string> unquoted_;  // cells that had to be rewritten; growing moves none of them
};

// A cell that may hold anything, for writing.
std::string csv_cell(std::string_view text);

}  // namespace nowhere
