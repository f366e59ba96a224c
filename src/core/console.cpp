#include "core/console.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/error.h"

namespace nowhere {
namespace {

// Belongs to stderr, of which there is one for all threads; set before there are others.
std::string message_prefix;

}  // namespace

void print_message(std::string_view text) {
  std::string prefixed;
  if (!message_prefix.empty()) {
    if (!text.starts_with("nowhere: ")) return;
    text = prefixed = message_prefix + std::string(text);
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void write_messages_only(const std::string& prefix) {
  message_prefix = prefix;
  std::fflush(stdout);
  if (const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nothing >= 0) {
    ::dup2(nothing, STDOUT_FILENO);
    ::close(nothing);
  }
}

void occupy_standard_descriptors() {
  int descriptor = 0;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = ::open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) ::close(descriptor);
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    throw Error(fmt::format("cannot write the output: {}", system_reason(errno)));
}

}  // namespace nowhere
