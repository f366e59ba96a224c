#include "report/scores_text.h"

#include <fmt/core.h>

#include "core/text.h"
#include "report/held_out_text.h"
#include "report/sections.h"

namespace nowhere {
namespace {

constexpr size_t kColumns = 80;

// Words on as many lines as they need, each after `indent` blanks; `line` is the start of the first.
std::string wrapped(std::string_view text, size_t indent, std::string line) {
  std::string result;
  for (const std::string& word : split_list(text, ' ')) {
    if (count_letters(line) > indent && count_letters(line) + count_letters(word) + 1 > kColumns) {
      result += line + "\n";
      line.assign(indent, ' ');
    }
    if (count_letters(line) > indent) line += ' ';
    line += word;
  }
  return result + line + "\n";
}

std::string wrapped(std::string_view text, size_t indent) {
  return wrapped(text, indent, std::string(indent, ' '));
}

//   fair  At 64 px                                      52.1                16.3
//         3.2 times the distance between real photographs
std::string line_text(const ScoreLine& line) {
  std::string text = fmt::format("  {}  {:<34} {:>16} {:>20}", tone_word(line.verdict.tone),
                                 printable_text(line.name), line.value, line.reference);
  while (text.ends_with(' ')) text.pop_back();
  return text + "\n" + wrapped(line.verdict.words, 8);
}

std::string section_text(const ReportSection& section) {
  if (!section.missing.empty()) return wrapped("Not measured. " + section.missing, 2, section.title + ":");
  std::string text = fmt::format("{:<42} {:>16} {:>20}\n", section.title, "samples", section.reference_name);
  for (const ScoreLine& line : section.lines) text += line_text(line);
  return text;
}

}  // namespace

std::vector<std::string> model_facts(const ModelFacts& model) {
  std::vector<std::string> facts;
  if (model.epoch > 0)
    facts.push_back(fmt::format("epoch {}", with_commas(static_cast<int64_t>(model.epoch))));
  if (model.images_seen > 0) facts.push_back(counted(model.images_seen, "image") + " seen");
  if (model.picture_size > 0) facts.push_back(fmt::format("{0} × {0} px", model.picture_size));
  if (model.parameters > 0) facts.push_back(counted(model.parameters, "parameter"));
  return facts;
}

std::string data_counts(const JudgedData& data) {
  return fmt::format("{} training, {} validation and {} test photographs", with_commas(data.train),
                     with_commas(data.validation), with_commas(data.test));
}

std::string scores_text(const Scores& scores) {
  const ModelFacts& model = scores.model;
  std::string text = wrapped(printable_text(model.name) + ", " + printable_text(model.file_name), 0);
  const std::vector<std::string> facts = model_facts(model);
  if (!facts.empty()) text += wrapped(join(facts, ", "), 0);
  text += wrapped(fmt::format("{} against {} of {}", counted(scores.samples, "sample"),
                              data_counts(scores.data), printable_text(scores.data.name)),
                  0);
  for (const std::string& note :
       {scores.data.split_note, held_out_text(scores.data), trained_on_others_text(scores.data)})
    if (!note.empty()) text += wrapped(printable_text(note), 0);
  for (const ReportSection& section : report_sections(scores)) text += "\n" + section_text(section);
  return text;
}

}  // namespace nowhere
