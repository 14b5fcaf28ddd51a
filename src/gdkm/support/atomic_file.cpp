#include "gdkm/support/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int reason) {
  refuse("{}: cannot write the file ({}); {}", path.string(), std::strerror(reason), write_remedy(reason));
}

/// An open file descriptor. The destructor deletes the file `temporary_path`, if it is set.
class OpenFile {
 public:
  explicit OpenFile(int descriptor) : descriptor_(descriptor) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_path.empty()) ::unlink(temporary_path.c_str());
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int get() const { return descriptor_; }
  /// Some file systems report a full disk only here.
  bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

  std::string temporary_path;

 private:
  int descriptor_;
};

/// Creates a file beside `path` under a name that no other process or thread uses.
int create_temporary_file(const fs::path& path, std::string& name) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 1000; ++attempt) {
    name = fmt::format("{}.tmp-{}-{}", path.string(), ::getpid(), counter++);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

std::size_t write_all(int descriptor, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const auto written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    done += static_cast<std::size_t>(written);
  }
  return done;
}

void sync_folder(const fs::path& folder) {
  const OpenFile opened(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.get() >= 0) ::fsync(opened.get());
}

std::string write_remedy(int reason) {
  if (reason == ENOENT || reason == ENOTDIR) return "create its folder first";
  if (reason == EACCES || reason == EPERM || reason == EROFS) return "choose a folder you may write to";
  if (reason == ENOSPC || reason == EDQUOT) return "free some space or choose another disk";
  return reason == EISDIR ? "name a file inside that folder" : "choose another place";
}

namespace {

/// The file itself, where `path` is a symbolic link to it.
fs::path target_of(const fs::path& path) {
  std::error_code ignored;
  return fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
}

}  // namespace

void check_writable(const fs::path& path) {
  const fs::path target = target_of(path);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    if (::access(target.c_str(), W_OK) != 0) fail(path, errno);
    return;
  }
  std::string name;
  OpenFile aside(create_temporary_file(target, name));
  if (aside.get() < 0) fail(path, errno);
  aside.temporary_path = name;
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  const fs::path target = target_of(path);
  struct stat old {};
  const bool exists = ::stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) {
    OpenFile device(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.get() < 0 || write_all(device.get(), bytes) < bytes.size() || !device.close())
      fail(path, errno);
    return;
  }
  std::string name;
  OpenFile aside(create_temporary_file(target, name));
  if (aside.get() < 0) fail(path, errno);
  aside.temporary_path = name;
  if (exists && ::fchmod(aside.get(), old.st_mode & 07777) != 0) fail(path, errno);
  if (write_all(aside.get(), bytes) < bytes.size() || ::fsync(aside.get()) != 0 || !aside.close())
    fail(path, errno);
  if (::rename(name.c_str(), target.c_str()) != 0) fail(path, errno);
  aside.temporary_path.clear();
  sync_folder(target.parent_path());
}

}  // namespace gdkm
