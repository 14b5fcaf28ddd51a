#include "gdkm/data/files/mapped_npy.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "gdkm/support/refuse.hpp"

namespace gdkm {

MappedNpy::MappedNpy(const std::filesystem::path& path) : where_(path.string()) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse("{}: cannot be opened ({}); check the path", where_, std::strerror(errno));
  struct stat about {};
  const bool known = ::fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  size_ = known ? static_cast<std::size_t>(about.st_size) : 0;
  if (size_ > 0) memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  const int reason = errno;
  ::close(file);
  if (!known || size_ == 0) refuse("{}: is not in .npy format; write it with numpy.save", where_);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    refuse("{}: cannot be mapped into memory ({})", where_, std::strerror(reason));
  }
  try {
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(memory_), size_);
    header_ = parse_npy_header(where_, bytes);
    if (header_.fortran_order && header_.shape.size() > 1)
      refuse("{}: is in Fortran order; write numpy.ascontiguousarray of it", where_);
    const std::size_t expected = npy_data_size(where_, header_);
    if (size_ - header_.length != expected)
      refuse("{}: shape {} of '{}' needs {} bytes, but has {}; the file is damaged, write it again", where_,
             shape_text(header_.shape), header_.descr, expected, size_ - header_.length);
    data_ = bytes.subspan(header_.length);
  } catch (...) {
    ::munmap(memory_, size_);
    throw;
  }
}

MappedNpy::~MappedNpy() {
  ::munmap(memory_, size_);
}

std::size_t MappedNpy::elements() const {
  std::size_t out = 1;
  for (const auto extent : header_.shape) out *= static_cast<std::size_t>(extent);
  return out;
}

void MappedNpy::give_back(std::size_t first, std::size_t last) const {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = (header_.length + first) / page * page,
                    end = (header_.length + last) / page * page;
  if (end > begin) ::madvise(static_cast<char*>(memory_) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace gdkm
