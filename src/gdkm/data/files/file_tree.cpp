#include "gdkm/data/files/file_tree.hpp"

#include <zip.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>

#include "gdkm/data/files/plain_name.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 2;  // levels of sub-folders

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::size_t largest_unpacked(std::size_t packed) {
  return std::max<std::size_t>(std::size_t{64} << 20, 200 * packed);
}

Text unpacked(std::string where, std::string bytes) {
  if (!is_gzip(bytes)) return {std::move(where), std::move(bytes)};
  std::string out = gunzip(where, bytes);
  return {std::move(where), std::move(out)};
}

std::string read_whole(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) refuse(path.string() + ": is a folder; give a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    const bool exists = fs::exists(path, ignored);
    refuse(path.string() +
           (exists ? ": cannot be opened; check that you may read it" : ": no such file; check the path"));
  }
  std::string out;
  constexpr std::size_t piece = std::size_t{1} << 22;
  const auto size = fs::is_regular_file(path, ignored) ? fs::file_size(path, ignored) : 0;
  if (!ignored && size > 0) out.reserve(static_cast<std::size_t>(size) + 1);
  while (in) {
    const std::size_t old = out.size();
    out.resize(old + std::min(piece, std::max<std::size_t>(out.capacity() - old, 4096)));
    in.read(out.data() + old, static_cast<std::streamsize>(out.size() - old));
    out.resize(old + static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) refuse(path.string() + ": reading failed; check the disk and try again");
  return out;
}

}  // namespace

std::string gunzip(const std::string& where, std::string_view packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK)
    refuse(where + ": zlib cannot be started; free some memory");
  const struct End {
    z_stream* stream;
    ~End() { inflateEnd(stream); }
  } end{&stream};
  const std::size_t most = largest_unpacked(packed.size());
  std::string out;
  std::size_t taken = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      const std::size_t piece = std::min<std::size_t>(packed.size() - taken, std::size_t{1} << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
      stream.avail_in = static_cast<uInt>(piece);
      taken += piece;
    }
    const std::size_t old = out.size(), piece = std::clamp<std::size_t>(old, 1 << 14, std::size_t{1} << 22),
                      room = std::min<std::size_t>(piece, most + 1 - old);
    out.resize(old + room);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + old);
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    out.resize(old + room - stream.avail_out);
    if (out.size() > most) {
      refuse("{}: unpacks to more than {} MiB from {} bytes; the file is damaged, fetch it again", where,
             most >> 20, packed.size());
    }
    if (status == Z_STREAM_END && (stream.avail_in > 0 || taken < packed.size())) {
      const bool another = stream.avail_in < 2 || is_gzip({reinterpret_cast<const char*>(stream.next_in), 2});
      if (!another) break;  // padding after the last member
      inflateReset(&stream);
      status = Z_OK;
    }
    const bool starved = status == Z_BUF_ERROR && stream.avail_in == 0 && taken == packed.size();
    if (starved || (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR))
      refuse("{}: the gzip data is {}; fetch the file again", where, starved ? "cut short" : "damaged");
  }
  return out;
}

void FileTree::Closer::operator()(zip* archive) const {
  zip_discard(archive);
}

FileTree::FileTree(fs::path path) : path_(std::move(path)) {
  std::error_code error;
  if (fs::is_directory(path_, error)) {
    const auto options = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(path_, options, error), end; !error && at != end;
         at.increment(error)) {
      std::error_code ignored;
      if (at.depth() >= deepest) at.disable_recursion_pending();
      if (at->is_regular_file(ignored))
        names_.push_back(at->path().lexically_relative(path_).generic_string());
    }
  } else {
    int code = 0;
    archive_.reset(zip_open(path_.c_str(), ZIP_RDONLY, &code));
    if (!archive_) {
      const bool exists = fs::exists(path_, error);
      refuse(path_.string() + (exists ? ": is not a zip archive, or is cut short; fetch it again"
                                      : ": no such file or folder; check the path"));
    }
    const auto count = zip_get_num_entries(archive_.get(), 0);
    for (zip_int64_t k = 0; k < count; ++k) {
      const char* name = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(k), 0);
      if (name != nullptr && *name != '\0' && !std::string_view(name).ends_with('/'))
        names_.emplace_back(name);
    }
  }
  keep_plain_names();
}

FileTree::FileTree(std::string name, std::map<std::string, std::string> files)
    : path_(std::move(name)), in_memory_(std::move(files)) {
  for (const auto& [file, bytes] : *in_memory_) names_.push_back(file);
  keep_plain_names();
}

void FileTree::keep_plain_names() {
  std::erase_if(names_, [](const std::string& name) { return !is_plain_name(name); });
  std::sort(names_.begin(), names_.end());
}

std::optional<std::string> FileTree::find(std::string_view name) const {
  const std::string* best = nullptr;
  const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  for (const std::string& path : names_) {
    const bool matches = path == name || (path.size() > name.size() && path.ends_with(name) &&
                                          path[path.size() - name.size() - 1] == '/');
    if (matches && (best == nullptr || depth(path) < depth(*best))) best = &path;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string FileTree::where(std::string_view name) const {
  return (path_ / name).string();
}

Text FileTree::read(std::string_view name) const {
  if (in_memory_) {
    const auto found = in_memory_->find(std::string(name));
    if (found == in_memory_->end()) refuse(where(name) + ": no such file; check the name");
    return unpacked(where(name), found->second);
  }
  if (!archive_) return unpacked(where(name), read_whole(path_ / name));
  const std::string file(name);
  const auto fail = [&](const std::string& reason) {
    refuse("{}: cannot be unpacked ({}); the archive is damaged, fetch it again", where(name), reason);
  };
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> member(zip_fopen(archive_.get(), file.c_str(), 0),
                                                                 zip_fclose);
  if (!member) fail(zip_strerror(archive_.get()));
  std::error_code ignored;
  const std::size_t most = largest_unpacked(static_cast<std::size_t>(fs::file_size(path_, ignored)));
  std::string out;
  while (true) {
    // Small members first: most are small, and clearing megabytes takes longer than reading them.
    const std::size_t piece = std::clamp<std::size_t>(out.size(), 1 << 14, std::size_t{1} << 22);
    const std::size_t old = out.size();
    out.resize(old + piece);
    const auto got = zip_fread(member.get(), out.data() + old, piece);
    if (got < 0) fail(zip_file_strerror(member.get()));
    out.resize(old + static_cast<std::size_t>(got));
    if (got == 0) break;
    if (out.size() > most) fail("it is too large");
  }
  return unpacked(where(name), std::move(out));
}

Text FileTree::read_required(std::string_view name) const {
  const auto found = find(name);
  if (found) return read(*found);
  refuse("{}: is missing; add it, the format needs it", where(name));
}

Text read_text(const fs::path& path) {
  return unpacked(path.string(), read_whole(path));
}

}  // namespace gdkm
