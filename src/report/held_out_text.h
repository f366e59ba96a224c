// What the photographs that a run is judged by are to that run, in words.
#pragma once

#include <string>
#include <string_view>

#include "report/scores.h"

namespace nowhere {

std::string_view held_out_word(HeldOut held_out);  // "unknown", "nothing", "files", "sequences"

// What was held out of training: a phrase without a full stop. Empty when there is nothing to judge by.
std::string held_out_text(const JudgedData& data);

// The photographs that stand for the training photographs are, for the most part, not those that the run was
// trained on: its copies cannot be found among them. False where that is unknown.
bool trained_on_others(const JudgedData& data);
// That in words; empty where it is not so.
std::string trained_on_others_text(const JudgedData& data);

}  // namespace nowhere
