// One function of several alternatives, for std::visit: an overload that is missing does not compile.
#pragma once

namespace nowhere {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace nowhere
