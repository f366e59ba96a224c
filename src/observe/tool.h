// Other programs, asked for a few lines of text.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace nowhere {

// The first executable of that name in the folders of `path_variable` ("/usr/bin:/bin"). A name with a slash is taken
// as it is.
std::optional<std::filesystem::path> find_program(std::string_view name, std::string_view path_variable);

// Runs the program, without a shell, and returns what it wrote to stdout (its first 64 KiB). A failure when it cannot
// be started, does not end within `limit` (it is killed), says that it failed, or `stop` asks to give up.
Result<std::string> run_program(const std::filesystem::path& program,
                                const std::vector<std::string>& arguments, std::chrono::milliseconds limit,
                                const std::stop_token& stop = {});

}  // namespace nowhere
