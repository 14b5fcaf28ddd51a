#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct zip;
struct zip_source;

namespace gdkm {

/// Collects arrays and writes them as one compressed .npz, atomically. Equal arrays give equal bytes.
class NpzWriter {
 public:
  NpzWriter();

  /// Row-major `values`; T: float, double, int32 or int64. An empty shape is a scalar.
  template <class T>
  void add(const std::string& name, const std::vector<std::int64_t>& shape, const std::vector<T>& values);
  /// Values 0 and 1 as NumPy bools.
  void add_bools(const std::string& name, const std::vector<std::int64_t>& shape,
                 const std::vector<std::uint8_t>& values);

  /// UTF-8 text as NumPy strings ('<U12').
  void add_strings(const std::string& name, const std::vector<std::string>& values);

  /// Writes the file. Nothing can be added afterwards.
  void write(const std::filesystem::path& path);

 private:
  void add_bytes(const std::string& name, const char* descr, const std::vector<std::int64_t>& shape,
                 const void* data, std::size_t count, std::size_t element);

  struct SourceCloser {
    void operator()(zip_source* source) const;
  };
  struct ArchiveCloser {
    void operator()(zip* archive) const;
  };
  std::unique_ptr<zip_source, SourceCloser> buffer_;  // must outlive the archive
  std::unique_ptr<zip, ArchiveCloser> archive_;
  std::deque<std::string> members_;  // never moved: libzip reads them when the archive is closed
};

}  // namespace gdkm
