#include "gdkm/experiments/drawing/svg_to_png.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

extern char** environ;

namespace gdkm {

namespace {

/// Everything that comes through a pipe, until its other end is closed.
std::string read_all(int pipe) {
  std::string out;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t got = ::read(pipe, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return out;
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

PngResult svg_to_png(const std::filesystem::path& svg, const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "no pipe to " + program);
  const std::string file = std::filesystem::absolute(svg).string();
  std::string name = program, zoom = "--zoom=2", path = file;
  std::array<char*, 4> arguments{name.data(), zoom.data(), path.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  PngResult out;
  if (failure == 0) out.bytes = read_all(ends[0]);
  ::close(ends[0]);
  if (failure != 0) {
    out.trouble = fmt::format(
        "no PNG of {}: {} is not installed; install it (librsvg2-bin on Debian and Ubuntu) and run the "
        "command "
        "again, or convert the SVG with another program",
        svg.string(), program);
    return out;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !out.bytes.empty()) return out;
  return {"", fmt::format("no PNG of {}: {} could not draw it; convert the SVG with another program",
                          svg.string(), program)};
}

}  // namespace gdkm
