#include "gdkm/support/npz.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <new>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

constexpr const char* fetch_again = "the file is damaged, fetch or write it again";

std::string open_failure(const fs::path& path, int code) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return fmt::format("{}: no such file; check the path", path.string());
  if (fs::is_directory(path, ignored))
    return fmt::format("{}: is a folder; name an .npz file", path.string());
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

/// One member of the archive, inflated piece by piece.
class Member {
 public:
  Member(zip* archive, std::string_view name, std::string where) : where_(std::move(where)) {
    const std::string file = std::string(name) + ".npy";
    const auto index = zip_name_locate(archive, file.c_str(), 0);
    if (index < 0) throw InputError(where_ + ": is missing; add that array to the file");
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

  /// Appends up to `count` more bytes; fewer only at the end of the member. Memory grows with the bytes that
  /// came.
  void read(std::vector<std::byte>& out, std::size_t count) {
    constexpr std::size_t piece = std::size_t{1} << 22;
    while (count > 0) {
      const std::size_t old = out.size(), want = std::min(count, piece);
      out.resize(old + want);
      const auto got = zip_fread(file_.get(), out.data() + old, want);
      if (got < 0) fail(zip_file_strerror(file_.get()));
      out.resize(old + static_cast<std::size_t>(got));
      if (got == 0) return;
      count -= static_cast<std::size_t>(got);
    }
  }

  /// The start of the member; `out` then holds the header and perhaps the first bytes of the data.
  NpyHeader read_header(std::vector<std::byte>& out) {
    read(out, 12);
    const std::size_t length = npy_header_length(where_, out);
    if (length > out.size()) read(out, length - out.size());
    return parse_npy_header(where_, out);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(fmt::format("{}: cannot be unpacked ({}); {}", where_, reason, fetch_again));
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
  if (!archive_) throw InputError(open_failure(path_, code));
  const auto count = zip_get_num_entries(archive_.get(), 0);
  for (zip_int64_t k = 0; k < count; ++k) {
    const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(k), 0);
    std::string_view text = name == nullptr ? "" : name;
    if (!text.ends_with(".npy")) continue;
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

NpyArray NpzReader::read(std::string_view name) const {
  NpyArray out;
  out.where = where(name);
  Member member(archive_.get(), name, out.where);
  out.header = member.read_header(out.bytes);
  const std::size_t expected = npy_data_size(out.where, out.header);
  const auto mismatch = [&](std::size_t found) {
    return InputError(fmt::format("{}: shape {} of '{}' needs {} bytes, but {} are there; {}", out.where,
                                  shape_text(out.shape()), out.header.descr, expected, found, fetch_again));
  };
  // Bytes of a short header may already belong to the data.
  out.bytes.erase(out.bytes.begin(), out.bytes.begin() + static_cast<std::ptrdiff_t>(out.header.length));
  const std::size_t claimed = member.claimed() - std::min(member.claimed(), out.header.length);
  if (claimed != expected) throw mismatch(claimed);
  try {
    // One byte more than expected meets the end of the member, where its checksum is verified.
    member.read(out.bytes, expected + 1 - std::min(expected, out.bytes.size()));
  } catch (const std::bad_alloc&) {
    throw InputError(
        fmt::format("{}: its {} bytes do not fit into memory; use a smaller data set or more memory",
                    out.where, expected));
  }
  if (out.bytes.size() != expected) throw mismatch(out.bytes.size());
  return out;
}

}  // namespace gdkm
