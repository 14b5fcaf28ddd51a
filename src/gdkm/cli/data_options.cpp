#include "gdkm/cli/data_options.hpp"

namespace gdkm::cli {

void add_data_dir(CLI::App& command, std::string& data_dir) {
  command
      .add_option("--data-dir", data_dir, "Folder of data sets (default: $GDKM_DATA, else the\nuser's cache)")
      ->type_name("DIR")
      ->group("Data");
}

std::optional<std::filesystem::path> folder(const std::string& data_dir) {
  return data_dir.empty() ? std::nullopt : std::optional<std::filesystem::path>(data_dir);
}

std::string describe(const Preprocessing& p) {
  std::string out = p.normalise == Normalisation::none  ? "feature rows unscaled"
                    : p.normalise == Normalisation::sum ? "feature rows scaled to sum 1"
                                                        : "feature rows scaled to length 1";
  out += p.adjacency.keep_direction ? ", directions kept" : ", symmetrised";
  if (!p.adjacency.use_weights) out += ", weights ignored";
  out += p.adjacency.keep_self_loops ? ", self-loops kept" : ", self-loops dropped";
  if (p.largest_component) out += ", largest component only";
  if (p.degree_features) out += ", with degrees";
  return out;
}

}  // namespace gdkm::cli
