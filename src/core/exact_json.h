// Boost's JSON parser with exact numbers.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <string_view>

namespace nowhere {

// Boost 1.81 may miss the double nearest to a number's digits by a bit, so that a number that is written and
// read again and again would drift; here it is the nearest. `used` says how far the text was read when there
// is an error.
boost::json::value parse_exactly(std::string_view text, const boost::json::parse_options& options,
                                 boost::system::error_code& error, size_t& used);

}  // namespace nowhere
