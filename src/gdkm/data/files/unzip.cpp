#include "gdkm/data/files/unzip.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>

#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

constexpr zip_int64_t most_members = 10000;

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using ZipMember = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

/// A temporary folder for the members until all are unpacked. It is removed at the end of the scope.
struct Aside {
  fs::path path;

  explicit Aside(fs::path place) : path(std::move(place)) {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~Aside() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

bool stays_inside(std::string_view name) {
  const auto odd = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\\'; };
  if (name.empty() || std::any_of(name.begin(), name.end(), odd)) return false;
  const fs::path path(name);
  return path.is_relative() && std::none_of(path.begin(), path.end(), [](const fs::path& step) {
           return step.empty() || step == "." || step == "..";
         });
}

class Output {
 public:
  explicit Output(const fs::path& path)
      : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail();
  }
  ~Output() { ::close(descriptor_); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes) {
    if (write_all(descriptor_, bytes) < bytes.size()) fail();
  }
  void sync() {
    if (::fsync(descriptor_) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    refuse("{}: cannot be written ({}); free some space or choose another disk", path_.string(),
           std::strerror(errno));
  }
  fs::path path_;
  int descriptor_;
};

template <class... T>
[[noreturn]] void fail(const fs::path& archive, fmt::format_string<T...> what, T&&... values) {
  refuse("{}: {}; fetch it again with {}", archive.string(), fmt::format(what, std::forward<T>(values)...),
         option("force"));
}

/// The names and numbers of the files in the archive. All of them may be written.
std::map<std::string, zip_uint64_t> files_of(zip_t* opened, const fs::path& archive) {
  const auto count = zip_get_num_entries(opened, 0);
  if (count > most_members) fail(archive, "has {} members, which is too many", count);
  std::map<std::string, zip_uint64_t> out;
  for (zip_int64_t k = 0; k < count; ++k) {
    const char* raw = zip_get_name(opened, static_cast<zip_uint64_t>(k), 0);
    const std::string name = raw == nullptr ? "" : raw;
    const bool is_folder = name.size() > 1 && name.ends_with('/');
    if (!stays_inside(is_folder ? name.substr(0, name.size() - 1) : name) ||
        name == archive.filename().string()) {
      fail(archive, "its member '{}' would be written outside its folder or over another file", name);
    }
    if (!is_folder && !out.emplace(name, static_cast<zip_uint64_t>(k)).second)
      fail(archive, "has two members '{}'", name);
  }
  return out;
}

}  // namespace

std::vector<std::string> unzip_in_place(const fs::path& archive) {
  std::vector<std::string> out;
  int code = 0;
  const Archive opened(zip_open(archive.c_str(), ZIP_RDONLY, &code), zip_discard);
  if (!opened) fail(archive, "is not a zip archive, or is cut short");
  const auto files = files_of(opened.get(), archive);
  // Numbers may compress to a hundredth, but not to nothing.
  std::uintmax_t room = std::max<std::uintmax_t>(std::uintmax_t{64} << 20, 200 * fs::file_size(archive));
  std::vector<char> piece(std::size_t{1} << 20);
  try {
    const Aside aside(archive.string() + ".unpacking");
    for (const auto& [name, index] : files) {
      const ZipMember member(zip_fopen_index(opened.get(), index, 0), zip_fclose);
      if (!member) fail(archive, "'{}' cannot be unpacked ({})", name, zip_strerror(opened.get()));
      fs::create_directories((aside.path / name).parent_path());
      Output file(aside.path / name);
      zip_int64_t got = 0;
      while ((got = zip_fread(member.get(), piece.data(), piece.size())) > 0) {
        const auto size = static_cast<std::size_t>(got);
        if (size > room) fail(archive, "'{}' is too large", name);
        room -= size;
        file.write({piece.data(), size});
      }
      if (got < 0) fail(archive, "'{}' cannot be unpacked ({})", name, zip_file_strerror(member.get()));
      file.sync();
    }
    for (const auto& [name, index] : files) {
      const fs::path target = archive.parent_path() / name;
      fs::create_directories(target.parent_path());
      fs::rename(aside.path / name, target);
      out.push_back(name);
    }
  } catch (const fs::filesystem_error& error) {
    refuse("{}: cannot be unpacked ({}); check the folder and try again", archive.string(),
           error.code().message());
  }
  return out;
}

}  // namespace gdkm
