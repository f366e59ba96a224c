// What DATA on the command line names: a folder of photographs, a packed file, or several packed files.
#pragma once

#include <filesystem>
#include <vector>

namespace nowhere {

// A name with * ? or [ that is not itself the name of something.
bool is_pattern(const std::filesystem::path& data);

// The packed files that DATA names, in the order of their names: one file, the files that a pattern matches,
// or those of a folder that has .nwp files in it and no photograph in it or below it. Empty for a folder of
// photographs, and where there is nothing. No file is opened.
std::vector<std::filesystem::path> packed_files(const std::filesystem::path& data);

bool data_exists(const std::filesystem::path& data);
// Whether both name the same folder or the same files.
bool same_data(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace nowhere
