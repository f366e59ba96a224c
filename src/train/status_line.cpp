#include "train/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "core/console.h"

namespace nowhere {
namespace {

constexpr auto kRedraw = std::chrono::milliseconds(200);

// A line longer than the terminal would wrap, and the next redraw would leave its first half behind.
size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

bool StatusLine::due() const {
  return terminal_ && Clock::now() >= next_;
}

void StatusLine::draw(const std::string& text) {
  if (!terminal_) return;
  print_message("\r\033[K" + text.substr(0, terminal_width() - 1));
  drawn_ = true;
  next_ = Clock::now() + kRedraw;
}

void StatusLine::clear() {
  if (drawn_) print_message("\r\033[K");
  drawn_ = false;
}

}  // namespace nowhere
