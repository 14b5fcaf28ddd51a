#include "gdkm/data/files/partial_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

namespace fs = std::filesystem;

PartialFile::PartialFile(const fs::path& target) : target_(target), path_(target) {
  path_ += ".part";
  try {
    // The previous holder of the lock may have renamed or removed the opened file.
    do {
      if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
      descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
      if (descriptor_ < 0) fail(errno);
      if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        refuse(path_.string() + ": another process is fetching this file; wait until it has finished");
    } while (!still_named());
    struct stat now {};
    if (::fstat(descriptor_, &now) != 0) fail(errno);
    if (!S_ISREG(now.st_mode)) refuse(path_.string() + ": is not a file; move it away");
    size_ = now.st_size;
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

PartialFile::~PartialFile() {
  if (descriptor_ < 0) return;
  if (size_ == 0) ::unlink(path_.c_str());
  ::close(descriptor_);
}

bool PartialFile::still_named() const {
  struct stat opened {
  }, named{};
  return ::fstat(descriptor_, &opened) == 0 && ::stat(path_.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

void PartialFile::fail(int reason) const {
  refuse("{}: cannot be written ({}); {}", path_.string(), std::strerror(reason),
         reason == EISDIR ? "move that folder away" : write_remedy(reason));
}

int PartialFile::append(std::string_view bytes) {
  const std::size_t written = write_all(descriptor_, bytes);
  size_ += static_cast<std::int64_t>(written);
  return written == bytes.size() ? 0 : errno;
}

void PartialFile::start_over() {
  if (::ftruncate(descriptor_, 0) != 0) fail(errno);
  size_ = 0;
}

void PartialFile::discard() {
  ::unlink(path_.c_str());
  ::close(std::exchange(descriptor_, -1));
  size_ = 0;
}

void PartialFile::finish() {
  if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), target_.c_str()) != 0) fail(errno);
  ::close(std::exchange(descriptor_, -1));
  sync_folder(target_.parent_path());
}

std::time_t PartialFile::modified() const {
  struct stat now {};
  return ::fstat(descriptor_, &now) == 0 ? now.st_mtime : 0;
}

void PartialFile::set_modified(std::time_t when) {
  timespec times[2]{};
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = when;
  ::futimens(descriptor_, times);  // on failure a later run starts over
}

}  // namespace gdkm
