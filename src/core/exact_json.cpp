#include "core/exact_json.h"

#include <boost/json/basic_parser_impl.hpp>
#include <charconv>
#include <string>

namespace nowhere {
namespace {

using boost::json::string_view;
using boost::system::error_code;

// Puts the values together as Boost's own handler does, but for numbers with a fraction or an exponent, whose
// text it collects.
class ExactHandler {
 public:
  static constexpr size_t max_object_size = boost::json::object::max_size();
  static constexpr size_t max_array_size = boost::json::array::max_size();
  static constexpr size_t max_key_size = boost::json::string::max_size();
  static constexpr size_t max_string_size = boost::json::string::max_size();

  ExactHandler() { stack_.reset(); }
  boost::json::value release() { return stack_.release(); }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return true; }
  bool on_object_end(size_t count, error_code&) { return stack_.push_object(count), true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(size_t count, error_code&) { return stack_.push_array(count), true; }
  bool on_key_part(string_view text, size_t, error_code&) { return stack_.push_chars(text), true; }
  bool on_key(string_view text, size_t, error_code&) { return stack_.push_key(text), true; }
  bool on_string_part(string_view text, size_t, error_code&) { return stack_.push_chars(text), true; }
  bool on_string(string_view text, size_t, error_code&) { return stack_.push_string(text), true; }
  bool on_number_part(string_view text, error_code&) {
    return number_.append(text.data(), text.size()), true;
  }
  bool on_int64(int64_t number, string_view, error_code&) {
    number_.clear();
    return stack_.push_int64(number), true;
  }
  bool on_uint64(uint64_t number, string_view, error_code&) {
    number_.clear();
    return stack_.push_uint64(number), true;
  }
  bool on_double(double number, string_view text, error_code&) {
    number_.append(text.data(), text.size());
    // What is too large or too small for a double stays as Boost has it.
    std::from_chars(number_.data(), number_.data() + number_.size(), number);
    number_.clear();
    return stack_.push_double(number), true;
  }
  bool on_bool(bool truth, error_code&) { return stack_.push_bool(truth), true; }
  bool on_null(error_code&) { return stack_.push_null(), true; }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

 private:
  boost::json::value_stack stack_;
  std::string number_;  // of the number under way, so far
};

}  // namespace

boost::json::value parse_exactly(std::string_view text, const boost::json::parse_options& options,
                                 error_code& error, size_t& used) {
  boost::json::basic_parser<ExactHandler> parser(options);
  used = parser.write_some(/*more=*/false, text.data(), text.size(), error);
  if (!error && used < text.size()) error = boost::json::error::extra_data;
  if (error) return {};
  return parser.handler().release();
}

}  // namespace nowhere
