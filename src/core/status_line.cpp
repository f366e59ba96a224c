#include "core/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "core/console.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr const char* kClearLine = "\r\033[K";

// A line longer than the terminal would wrap, and the next redraw would leave its first half behind.
size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) == 1), next_(Clock::now() + kRedraw) {}

bool StatusLine::due() const {
  return terminal_ && Clock::now() >= next_;
}

void StatusLine::draw(const std::string& text) {
  if (!terminal_) return;
  print_message(kClearLine + std::string(first_letters(text, terminal_width() - 1)));
  drawn_ = true;
  next_ = Clock::now() + kRedraw;
}

void StatusLine::clear() {
  if (drawn_) print_message(kClearLine);
  drawn_ = false;
}

}  // namespace nowhere
