#include "gdkm/data/files/npz.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <new>

#include "gdkm/data/files/plain_name.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

constexpr const char* fetch_again = "the file is damaged, fetch or write it again";

std::string open_failure(const fs::path& path, int code) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return fmt::format("{}: no such file; check the path", path.string());
  if (fs::is_directory(path, ignored))
    return fmt::format("{}: is a folder; give an .npz file", path.string());
  if (code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS) {
    return fmt::format(
        "{}: is not an .npz (zip) archive, or is cut short; fetch it again or write it with {}",
        path.string(), "numpy.savez_compressed");
  }
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string out = fmt::format("{}: cannot be opened ({}); check that it is readable and whole",
                                      path.string(), zip_error_strerror(&error));
  zip_error_fini(&error);
  return out;
}

/// One member of the archive, unpacked piece by piece.
class Member {
 public:
  Member(zip* archive, std::string_view name, std::string where) : where_(std::move(where)) {
    const std::string file = std::string(name) + ".npy";
    const auto index = zip_name_locate(archive, file.c_str(), 0);
    if (index < 0) refuse(where_ + ": is missing; add that array to the file");
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(archive, static_cast<zip_uint64_t>(index), 0, &stat) != 0 ||
        !(stat.valid & ZIP_STAT_SIZE)) {
      fail(zip_strerror(archive));
    }
    claimed_ = stat.size;
    file_.reset(zip_fopen_index(archive, static_cast<zip_uint64_t>(index), 0));
    if (!file_) fail(zip_strerror(archive));
  }

  std::size_t claimed() const { return claimed_; }

  /// Appends up to `count` more bytes; fewer only at the end of the member. Memory grows only with the bytes
  /// read.
  void read(std::vector<std::byte>& out, std::size_t count) {
    while (count > 0) {
      const std::size_t old = out.size(),
                        want = std::min(count, std::clamp<std::size_t>(old, 1 << 14, std::size_t{1} << 22));
      out.resize(old + want);
      const auto got = zip_fread(file_.get(), out.data() + old, want);
      if (got < 0) fail(zip_file_strerror(file_.get()));
      out.resize(old + static_cast<std::size_t>(got));
      if (got == 0) return;
      count -= static_cast<std::size_t>(got);
    }
  }

  /// Reads the start of the member into `out`: the header and perhaps the first bytes of the data.
  NpyHeader read_header(std::vector<std::byte>& out) {
    read(out, 12);
    const std::size_t length = npy_header_length(where_, out);
    if (length > out.size()) read(out, length - out.size());
    return parse_npy_header(where_, out);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    refuse("{}: cannot be unpacked ({}); {}", where_, reason, fetch_again);
  }

 private:
  struct Closer {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
  };
  std::string where_;
  std::size_t claimed_ = 0;
  std::unique_ptr<zip_file_t, Closer> file_;
};

}  // namespace

void NpzReader::Closer::operator()(zip* archive) const {
  zip_discard(archive);
}

NpzReader::NpzReader(fs::path path) : path_(std::move(path)) {
  int code = 0;
  archive_.reset(zip_open(path_.c_str(), ZIP_RDONLY, &code));
  if (!archive_) refuse(open_failure(path_, code));
  const auto count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t k = 0; k < count; ++k) {
    const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(k), 0);
    std::string_view text = name == nullptr ? "" : name;
    if (!text.ends_with(".npy") || !is_plain_name(text)) continue;
    text.remove_suffix(4);
    names_.emplace_back(text);
  }
}

bool NpzReader::contains(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::string NpzReader::where(std::string_view name) const {
  return fmt::format("{}: array '{}'", path_.string(), name);
}

NpyHeader NpzReader::header(std::string_view name) const {
  std::vector<std::byte> start;
  return Member(archive_.get(), name, where(name)).read_header(start);
}

std::size_t NpzReader::packed_size(std::string_view name) const {
  const std::string file = std::string(name) + ".npy";
  zip_stat_t stat;
  zip_stat_init(&stat);
  const bool known =
      zip_stat(archive_.get(), file.c_str(), 0, &stat) == 0 && (stat.valid & ZIP_STAT_COMP_SIZE);
  return known ? stat.comp_size : 0;
}

namespace {

/// A member whose header has been read and agrees with its size. `bytes` holds the data read so far.
struct OpenArray {
  Member member;
  NpyArray array;
  std::size_t expected = 0;  // bytes of data

  OpenArray(zip* archive, std::string_view name, const std::string& where) : member(archive, name, where) {
    array.where = where;
    array.header = member.read_header(array.bytes);
    expected = npy_data_size(where, array.header);
    // With a short header, some bytes already belong to the data.
    array.bytes.erase(array.bytes.begin(),
                      array.bytes.begin() + static_cast<std::ptrdiff_t>(array.header.length));
    const std::size_t claimed = member.claimed() - std::min(member.claimed(), array.header.length);
    if (claimed != expected) throw mismatch(claimed);
  }

  InputError mismatch(std::size_t found) const {
    return InputError(fmt::format("{}: shape {} of '{}' needs {} bytes, but has {}; {}", array.where,
                                  shape_text(array.shape()), array.header.descr, expected, found,
                                  fetch_again));
  }
  InputError too_large() const {
    return InputError(
        fmt::format("{}: its {} bytes do not fit into memory; use a smaller data set or more memory",
                    array.where, expected));
  }
};

}  // namespace

NpyArray NpzReader::read(std::string_view name) const {
  OpenArray open(archive_.get(), name, where(name));
  NpyArray& out = open.array;
  try {
    // One byte more than expected reaches the end of the member, where its checksum is verified.
    open.member.read(out.bytes, open.expected + 1 - std::min(open.expected, out.bytes.size()));
  } catch (const std::bad_alloc&) {
    throw open.too_large();
  }
  if (out.bytes.size() != open.expected) throw open.mismatch(out.bytes.size());
  return std::move(out);
}

template <class T>
void NpzReader::for_each_piece(std::string_view name,
                               const std::function<void(std::span<const T>, std::int64_t)>& visit) const {
  OpenArray open(archive_.get(), name, where(name));
  const NpyHeader& header = open.array.header;
  if (header.fortran_order && header.shape.size() > 1) {
    const auto whole = read(name).as<T>();
    return visit(whole, 0);
  }
  constexpr std::size_t piece_bytes = std::size_t{1} << 22;  // a multiple of every element size
  std::vector<std::byte>& bytes = open.array.bytes;
  std::vector<T> piece;
  std::size_t seen = 0;
  std::int64_t first = 0;
  while (seen < open.expected) {
    const std::size_t want = std::min(piece_bytes, open.expected - seen);
    if (bytes.size() < want) open.member.read(bytes, want - bytes.size());
    if (bytes.size() < want) throw open.mismatch(seen + bytes.size());
    piece.clear();
    npy_convert(open.array.where, header, std::span<const std::byte>(bytes).first(want), first, piece);
    visit(piece, first);
    first += static_cast<std::int64_t>(piece.size());
    seen += want;
    bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(want));
  }
  // Reach the end of the member, where its checksum is verified.
  open.member.read(bytes, 1);
  if (!bytes.empty()) throw open.mismatch(open.expected + bytes.size());
}

template <class T>
std::vector<T> NpzReader::read_as(std::string_view name) const {
  std::vector<T> out;
  const auto elements = static_cast<std::size_t>(NpyArray{"", header(name), {}}.size());
  // Deflate packs at most about 1000 to 1. Within that, the stated size is plausible and memory can be
  // reserved at once.
  if (elements / 1100 <= packed_size(name)) out.reserve(elements);
  for_each_piece<T>(name, [&](std::span<const T> piece, std::int64_t) {
    out.insert(out.end(), piece.begin(), piece.end());
  });
  return out;
}

template void NpzReader::for_each_piece(
    std::string_view, const std::function<void(std::span<const double>, std::int64_t)>&) const;
template std::vector<double> NpzReader::read_as(std::string_view) const;
template void NpzReader::for_each_piece(
    std::string_view, const std::function<void(std::span<const float>, std::int64_t)>&) const;
template std::vector<float> NpzReader::read_as(std::string_view) const;
template void NpzReader::for_each_piece(
    std::string_view, const std::function<void(std::span<const std::int64_t>, std::int64_t)>&) const;
template std::vector<std::int64_t> NpzReader::read_as(std::string_view) const;
template void NpzReader::for_each_piece(
    std::string_view, const std::function<void(std::span<const std::int32_t>, std::int64_t)>&) const;
template std::vector<std::int32_t> NpzReader::read_as(std::string_view) const;
template void NpzReader::for_each_piece(
    std::string_view, const std::function<void(std::span<const std::uint8_t>, std::int64_t)>&) const;
template std::vector<std::uint8_t> NpzReader::read_as(std::string_view) const;

}  // namespace gdkm
