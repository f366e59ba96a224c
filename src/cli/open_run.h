// A run or a checkpoint as commands are given it: a path, or s3://bucket/run.
#pragma once

#include <string>

#include "run/run_reader.h"

namespace nowhere {

// Throws a data error when nothing is there.
RunReader open_run(const std::string& where);

// As messages show it.
std::string printable_run(const std::string& where);

}  // namespace nowhere
