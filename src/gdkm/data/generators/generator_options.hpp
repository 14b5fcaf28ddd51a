#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// One option of a generator, for help.
struct GeneratorOption {
  std::string key, default_value, meaning;
};

/// The options of a generator. Each is bound to the field that holds its default and receives its value, so
/// that key, field and range are written once for both help and parsing.
class GeneratorOptions {
 public:
  void add(std::string key, std::int64_t& field, std::int64_t least, std::int64_t most, std::string meaning);
  void add(std::string key, double& field, double least, double most, std::string meaning);

  std::vector<GeneratorOption> help() const;

  /// Sets the fields from `key=value,key=value`. `generator` is used in errors.
  void assign(std::string_view generator, std::string_view text);

 private:
  template <class T>
  struct Target {
    T* field;
    T least, most;
  };
  struct Option {
    std::string key, meaning;
    std::variant<Target<std::int64_t>, Target<double>> target;
  };
  std::vector<Option> options_;
};

/// Options of all generators: the seed, and the "public" splits drawn from it.
struct GeneratedSplits {
  std::int64_t seed = 0;
  double train = 0.5, val = 0.25;
  std::int64_t splits = 10;

  void add_to(GeneratorOptions& options);
  /// Draws the splits for the labels of `dataset`.
  void draw(Dataset& dataset) const;
};

}  // namespace gdkm
