#include "data/csv.h"

#include <algorithm>

namespace nowhere {

CsvReader::CsvReader(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xef\xbb\xbf")) rest_.remove_prefix(3);  // byte order mark
  std::vector<std::string_view> cells;
  if (next(cells)) heading_.assign(cells.begin(), cells.end());
}

std::optional<size_t> CsvReader::column(std::string_view name) const {
  const auto found = std::find(heading_.begin(), heading_.end(), name);
  if (found == heading_.end()) return std::nullopt;
  return static_cast<size_t>(found - heading_.begin());
}

bool CsvReader::next(std::vector<std::string_view>& cells) {
  while (!rest_.empty()) {
    cells.clear();
    bool row_ends = false;
    while (!row_ends) cells.push_back(next_cell(cells.size(), row_ends));
    if (cells.size() > 1 || !cells[0].empty()) return true;
  }
  return false;
}

std::string_view CsvReader::next_cell(size_t index, bool& row_ends) {
  std::string_view cell;
  if (rest_.starts_with('"')) {
    if (unquoted_.size() <= index) unquoted_.resize(index + 1);
    std::string& text = unquoted_[index];
    text.clear();
    size_t at = 1;
    while (at < rest_.size()) {
      if (rest_[at] != '"')
        text += rest_[at++];
      else if (at + 1 < rest_.size() && rest_[at + 1] == '"')
        text += '"', at += 2;
      else
        break;
    }
    rest_.remove_prefix(std::min(at + 1, rest_.size()));
    cell = text;
  }
  const size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
  if (cell.empty()) cell = rest_.substr(0, end);
  row_ends = end == rest_.size() || rest_[end] == '\n';
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  if (row_ends && cell.ends_with('\r')) cell.remove_suffix(1);
  return cell;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

}  // namespace nowhere
