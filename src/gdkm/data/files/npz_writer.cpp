#include "gdkm/data/files/npz_writer.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <new>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "gdkm/data/files/npy.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/utf8.hpp"

namespace gdkm {

static_assert(std::endian::native == std::endian::little, "arrays are written as they lie in memory");

void NpzWriter::SourceCloser::operator()(zip_source* source) const {
  zip_source_free(source);
}

void NpzWriter::ArchiveCloser::operator()(zip* archive) const {
  zip_discard(archive);
}

NpzWriter::NpzWriter() {
  zip_error_t error;
  zip_error_init(&error);
  buffer_.reset(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!buffer_) throw std::bad_alloc();
  archive_.reset(zip_open_from_source(buffer_.get(), ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive_) throw std::bad_alloc();
  zip_source_keep(buffer_.get());  // the archive took one reference, this object keeps another
}

template <class T>
void NpzWriter::add(const std::string& name, const std::vector<std::int64_t>& shape,
                    const std::vector<T>& values) {
  constexpr bool is_float = std::is_floating_point_v<T>;
  const char* descr = sizeof(T) == 4 ? (is_float ? "<f4" : "<i4") : (is_float ? "<f8" : "<i8");
  add_bytes(name, descr, shape, values.data(), values.size(), sizeof(T));
}

void NpzWriter::add_bools(const std::string& name, const std::vector<std::int64_t>& shape,
                          const std::vector<std::uint8_t>& values) {
  add_bytes(name, "|b1", shape, values.data(), values.size(), 1);
}

void NpzWriter::add_strings(const std::string& name, const std::vector<std::string>& values) {
  std::vector<std::u32string> wide;
  std::size_t longest = 1;
  for (const std::string& value : values) {
    wide.push_back(from_utf8(value));
    longest = std::max(longest, wide.back().size());
  }
  std::u32string flat;
  for (std::u32string& value : wide) {
    value.resize(longest, U'\0');
    flat += value;
  }
  add_bytes(name, fmt::format("<U{}", longest).c_str(), {static_cast<std::int64_t>(values.size())},
            flat.data(), values.size(), 4 * longest);
}

void NpzWriter::add_bytes(const std::string& name, const char* descr, const std::vector<std::int64_t>& shape,
                          const void* data, std::size_t count, std::size_t element) {
  assert(archive_);
  assert(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()) ==
         static_cast<std::int64_t>(count));
  std::string& member = members_.emplace_back(make_npy_header(descr, shape));
  member.append(static_cast<const char*>(data), count * element);
  zip_source_t* source = zip_source_buffer(archive_.get(), member.data(), member.size(), 0);
  const auto index = zip_file_add(archive_.get(), (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    const std::string reason = zip_strerror(archive_.get());
    if (source != nullptr) zip_source_free(source);
    throw std::logic_error(fmt::format("array '{}' cannot be added to an archive: {}", name, reason));
  }
  // The lowest level: several times faster than the default, and files of numbers are hardly larger.
  zip_set_file_compression(archive_.get(), static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, 1);
  zip_file_set_dostime(archive_.get(), static_cast<zip_uint64_t>(index), 0, 0x21, 0);  // 1980-01-01
}

void NpzWriter::write(const std::filesystem::path& path) {
  assert(archive_);
  if (zip_close(archive_.get()) != 0) {
    throw std::runtime_error(
        fmt::format("{}: cannot be packed ({})", path.string(), zip_strerror(archive_.get())));
  }
  static_cast<void>(archive_.release());  // closing freed it
  zip_stat_t stat;
  zip_stat_init(&stat);
  zip_source_stat(buffer_.get(), &stat);
  std::string bytes(stat.size, '\0');
  zip_source_open(buffer_.get());
  const auto got = zip_source_read(buffer_.get(), bytes.data(), bytes.size());
  zip_source_close(buffer_.get());
  if (got != static_cast<zip_int64_t>(bytes.size()))
    throw std::runtime_error("the archive in memory cannot be read");
  write_file_atomically(path, bytes);
}

template void NpzWriter::add(const std::string&, const std::vector<std::int64_t>&, const std::vector<float>&);
template void NpzWriter::add(const std::string&, const std::vector<std::int64_t>&,
                             const std::vector<double>&);
template void NpzWriter::add(const std::string&, const std::vector<std::int64_t>&,
                             const std::vector<std::int32_t>&);
template void NpzWriter::add(const std::string&, const std::vector<std::int64_t>&,
                             const std::vector<std::int64_t>&);

}  // namespace gdkm
