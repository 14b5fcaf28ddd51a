#include "gdkm/data/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "gdkm/data/edit_distance.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/data/formats/neutral_npz.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/npz.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<fs::path>(value);
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// The file of a data set inside its own folder.
std::optional<fs::path> file_inside(const fs::path& folder, std::string name) {
  if (is_file(folder / (name + ".npz"))) return folder / (name + ".npz");
  std::replace(name.begin(), name.end(), '-', '_');
  if (is_file(folder / (name + ".npz"))) return folder / (name + ".npz");
  return std::nullopt;
}

std::optional<fs::path> file_of(const fs::path& folder, const std::string& name) {
  if (const auto inside = file_inside(folder / name, name)) return inside;
  return is_file(folder / (name + ".npz")) ? std::optional(folder / (name + ".npz")) : std::nullopt;
}

bool is_neutral(const fs::path& path) {
  try {
    const NpzReader archive(path);
    return archive.contains("node_labels") && archive.contains("edges") &&
           (archive.contains("node_features") || archive.contains("feat_data"));
  } catch (const InputError&) {
    return false;  // a listing skips what cannot be read; loading it by name says why
  }
}

std::string join(const std::vector<std::string>& items, const char* between) {
  return fmt::format("{}", fmt::join(items, between));
}

/// What the user may have meant by `name`.
std::string suggestion(const std::string& name, const std::optional<fs::path>& data_dir) {
  std::vector<std::pair<std::size_t, std::string>> near;
  const std::size_t tolerance = 1 + name.size() / 4;
  const auto consider = [&](const std::string& shown, const std::string& compared) {
    const std::size_t distance = edit_distance(name, compared);
    const bool starts_alike = name.size() >= 3 && compared.starts_with(name);
    if (distance <= tolerance || starts_alike) near.emplace_back(distance, "'" + shown + "'");
  };
  for (const auto& found : list_datasets(data_dir)) consider(found.name, found.name);
  for (const auto& generator : list_generators()) consider(generator.name + ":", generator.name);
  std::sort(near.begin(), near.end());
  if (near.size() > 3) near.resize(3);
  std::vector<std::string> names;
  for (auto& [distance, shown] : near) names.push_back(shown);
  return names.empty() ? "" : " (did you mean " + join(names, " or ") + "?)";
}

[[noreturn]] void fail_to_find(const std::string& name, const std::optional<fs::path>& data_dir) {
  std::vector<std::string> searched;
  for (const auto& folder : data_folders(data_dir)) {
    std::error_code ignored;
    searched.push_back(folder.string() + (fs::is_directory(folder, ignored) ? "" : " (does not exist)"));
  }
  throw InputError(fmt::format(
      "no data set is named '{}'{}; searched {}; set --data-dir or GDKM_DATA to a folder with "
      "{}/{}.npz, give the path of a file, or see 'gdkm data list'",
      name, suggestion(name, data_dir), searched.empty() ? "no folder" : join(searched, ", "), name, name));
}

Dataset load_file(const fs::path& path, const std::string& name) {
  Dataset out = read_neutral_npz(path);
  out.name = name;
  return out;
}

}  // namespace

std::vector<fs::path> data_folders(const std::optional<fs::path>& data_dir) {
  std::vector<fs::path> out;
  if (data_dir) out.push_back(*data_dir);
  if (const auto folder = folder_from("GDKM_DATA")) out.push_back(*folder);
  const auto cache = folder_from("XDG_CACHE_HOME"), home = folder_from("HOME");
  if (cache && cache->is_absolute()) {
    out.push_back(*cache / "gdkm");
  } else if (home) {
    out.push_back(*home / ".cache" / "gdkm");
  }
  return out;
}

Dataset load(const std::string& data, const std::optional<fs::path>& data_dir) {
  if (data.empty())
    throw InputError("no data set is given; name one, a file, or a generator such as csbm:n=2000");
  const fs::path path(data);
  if (is_file(path)) return read_neutral_npz(path);
  if (is_generator(data)) return generate(data);
  const bool looks_like_path = data.find('/') != std::string::npos || path.extension() == ".npz";
  if (looks_like_path) {
    const auto name = fs::path(data.ends_with('/') ? path.parent_path() : path).filename().string();
    if (const auto inside = file_inside(path, name)) return load_file(*inside, name);
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) throw InputError(data + ": no such file; check the path");
    throw InputError(
        fmt::format("{}: the folder has no {}.npz; give the path of the file itself", data, name));
  }
  if (data.find('=') != std::string::npos)
    return generate(data);  // which says that there is no such generator
  for (const auto& folder : data_folders(data_dir)) {
    if (const auto found = file_of(folder, data)) return load_file(*found, data);
  }
  fail_to_find(data, data_dir);
}

std::vector<FoundDataset> list_datasets(const std::optional<fs::path>& data_dir) {
  std::map<std::string, fs::path> found;
  for (const auto& folder : data_folders(data_dir)) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code ignored;
      const bool is_folder = at->is_directory(ignored);
      if (!is_folder && at->path().extension() != ".npz") continue;
      const auto name = (is_folder ? at->path().filename() : at->path().stem()).string();
      const auto file = file_of(folder, name);
      if (file && !found.contains(name) && is_neutral(*file)) found.emplace(name, *file);
    }
  }
  std::vector<FoundDataset> out;
  for (const auto& [name, path] : found) out.push_back({name, path});
  return out;
}

}  // namespace gdkm
