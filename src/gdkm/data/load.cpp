#include "gdkm/data/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "gdkm/data/catalogue/entry.hpp"
#include "gdkm/data/formats/import_graph.hpp"
#include "gdkm/data/formats/pickle/python_file.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/support/edit_distance.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<fs::path>(value);
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// A listing skips what cannot be read; loading it by name says why.
std::optional<FoundFormat> recognise_quietly(const fs::path& path, const std::string& name) {
  try {
    return recognise(path, name);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The names under which a folder may hold the data set.
std::vector<std::string> spellings(const std::string& name) {
  std::vector<std::string> out{name};
  if (const CatalogueEntry* entry = find_entry(name); entry != nullptr && entry->name != name)
    out.push_back(entry->name);
  return out;
}

std::string join(const std::vector<std::string>& items, const char* between) {
  return fmt::format("{}", fmt::join(items, between));
}

/// Names close to `name`.
std::string suggestion(const std::string& name, const std::optional<fs::path>& data_dir) {
  std::vector<std::pair<std::size_t, std::string>> near;
  const std::size_t tolerance = 1 + name.size() / 4;
  const auto consider = [&](const std::string& shown, const std::string& compared) {
    const std::size_t distance = edit_distance(name, compared);
    const bool starts_alike = name.size() >= 3 && compared.starts_with(name);
    if (distance <= tolerance || starts_alike) near.emplace_back(distance, "'" + shown + "'");
  };
  std::set<std::string> known;
  for (const auto& found : list_datasets(data_dir)) known.insert(found.name);
  for (const auto& entry : catalogue()) known.insert(entry.name);
  for (const auto& found : known) consider(found, found);
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
  const std::string where = searched.empty() ? "no folder" : join(searched, ", ");
  if (const CatalogueEntry* entry = find_entry(name)) {
    refuse(
        "'{}' is not on this machine{}; searched {}; fetch it with 'gdkm data fetch {}', or set "
        "{} or GDKM_DATA to the folder that contains {}/",
        name, is_generator(name + ":") ? " (did you mean the generator '" + name + ":'?)" : "", where,
        entry->name, option("data_dir"), entry->name);
  }
  refuse(
      "unknown data set '{}'{}; searched {}; set {} or GDKM_DATA to a folder with {}/{}.npz, "
      "give the path of a file, or see 'gdkm data list'",
      name, suggestion(name, data_dir), where, option("data_dir"), name, name);
}

std::string name_of_path(const fs::path& path) {
  const fs::path normal = fs::absolute(path).lexically_normal();
  const fs::path last = normal.has_filename() ? normal : normal.parent_path();
  return is_folder(path) ? last.filename().string() : last.stem().string();
}

Dataset load_path(const fs::path& path, ThreadPool& pool, ReadingRank rank) {
  if (!is_folder(path)) refuse_python_file(path);
  const std::string name = name_of_path(path);
  if (const auto found = recognise(path, name)) return read(*found, name, pool, rank);
  if (is_folder(path)) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(path, ignored)) {
      const std::string file = entry.path().filename().string(), ending = "_graph_indicator.txt";
      if (!file.ends_with(ending)) continue;
      const std::string edges = file.substr(0, file.size() - ending.size()) + "_A.txt";
      refuse(
          "{}: has {}, as sets of graphs in the TU text format have, but no {}; put the file of edges there",
          path.string(), file, edges);
    }
    refuse(path.string() +
           ": the folder contains no known data set; give the path of a file, or put edges.csv and nodes.csv "
           "there");
  }
  refuse(path.string() +
         ": is not a data set; give an npz, GraphML, GML, GEXF, JSON, Pajek or CSV, see 'gdkm data import'");
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

std::optional<FoundFormat> find_dataset(const std::string& name, const std::optional<fs::path>& data_dir) {
  for (const auto& folder : data_folders(data_dir)) {
    for (const std::string& spelling : spellings(name)) {
      if (is_folder(folder / spelling)) {
        if (const auto found = recognise(folder / spelling, spelling)) return found;
      }
      const fs::path file = folder / (spelling + ".npz");
      if (is_there(file) && !is_folder(file)) return recognise(file, spelling);
    }
  }
  return std::nullopt;
}

namespace {

Dataset find_and_read(const std::string& data, const std::optional<fs::path>& data_dir, int threads,
                      ReadingRank rank) {
  if (data.empty()) refuse("no data set is given; give a name, a file, or a generator such as csbm:n=2000");
  ThreadPool pool(threads);
  const fs::path path(data);
  const bool has_slash = data.find('/') != std::string::npos;
  if (is_there(path) && (has_slash || !is_folder(path))) return load_path(path, pool, rank);
  if (is_generator(data)) return generate(data);
  static const std::set<std::string> endings{".npz",     ".mat", ".zip", ".graphml", ".gml", ".gexf",
                                             ".json",    ".csv", ".tsv", ".txt",     ".mtx", ".edgelist",
                                             ".gpickle", ".pkl", ".pt",  ".gz"};
  const bool looks_like_path = has_slash || endings.contains(path.extension().string());
  if (looks_like_path) refuse(data + ": no such file; check the path");
  if (data.find('=') != std::string::npos) return generate(data);  // reports that there is no such generator
  if (const auto found = find_dataset(data, data_dir)) {
    const CatalogueEntry* entry = find_entry(data);
    return read(*found, entry == nullptr ? data : entry->name, pool, rank);
  }
  if (is_folder(path)) return load_path(path, pool, rank);
  fail_to_find(data, data_dir);
}

}  // namespace

Dataset load(const std::string& data, const std::optional<fs::path>& data_dir, int threads,
             ReadingRank rank) {
  Dataset out = find_and_read(data, data_dir, threads, rank);
  out.source = data;
  return out;
}

Dataset load(const std::string& data, const std::optional<fs::path>& data_dir, int threads,
             const FeatureColumns& columns, ReadingRank rank) {
  const fs::path path(data);
  const auto format =
      is_there(path) && columns.kind == FeatureColumns::Kind::table ? recognise_own(path) : std::nullopt;
  if (!format || *format == OwnFormat::npz || *format == OwnFormat::edge_list)
    return load(data, data_dir, threads, rank);
  ImportRequest request;
  request.file = path;
  request.csv.rules.given = columns.table;
  request.csv.rules.from_model = true;
  Dataset out = import_graph(std::move(request), threads);
  out.name = name_of_path(path);
  out.source = data;
  return out;
}

std::vector<FoundDataset> list_datasets(const std::optional<fs::path>& data_dir) {
  std::map<std::string, FoundFormat> out;
  for (const auto& folder : data_folders(data_dir)) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      const bool folder_here = is_folder(at->path());
      if (!folder_here && at->path().extension() != ".npz") continue;
      const auto name = (folder_here ? at->path().filename() : at->path().stem()).string();
      if (out.contains(name)) continue;
      if (const auto found = recognise_quietly(at->path(), name)) out.emplace(name, *found);
    }
  }
  std::vector<FoundDataset> list;
  for (const auto& [name, found] : out) list.push_back({name, found});
  return list;
}

}  // namespace gdkm
