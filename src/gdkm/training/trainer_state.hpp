#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gdkm/layers/parameters.hpp"
#include "gdkm/ranks/collect.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// Puts the state of a trainer into tensors.
class StateWriter {
 public:
  /// Where ranks share rows of parameters, all write, and every state has all rows.
  explicit StateWriter(Communicator* ranks = nullptr) : ranks_(ranks) {}

  template <class V>
  void add(const std::string& name, const std::vector<V>& values) {
    state_.tensors[name] =
        Tensor::make<V>({static_cast<std::int64_t>(values.size())}, std::span<const V>(values));
  }
  /// `values` (laid out as those of `parameters`) as one tensor per parameter, named PREFIX.PARAMETER.
  template <class T>
  void add(const std::string& prefix, const Parameters<T>& parameters, const std::vector<T>& values) {
    for (const auto& entry : parameters.entries()) {
      const auto first = values.begin() + entry.offset;
      std::vector<T> own(first, first + entry.rows * entry.cols);
      if (ranks_ != nullptr && entry.places)
        own = gather_rows(*ranks_, own, static_cast<std::size_t>(entry.places->width), entry.places->place,
                          static_cast<std::size_t>(entry.places->all));
      add(prefix + "." + entry.name, own);
    }
  }
  TensorFile take() { return std::move(state_); }

 private:
  Communicator* ranks_;
  TensorFile state_;
};

/// Reads it back. An InputError names `path` when something is missing or has another size.
class StateReader {
 public:
  StateReader(const TensorFile& state, std::filesystem::path path) : state_(state), path_(std::move(path)) {}

  bool has(const std::string& name) const { return state_.tensors.contains(name); }
  /// `size` numbers, or any number of them where it is negative.
  template <class V>
  std::vector<V> get(const std::string& name, Index size = -1) const {
    const auto at = state_.tensors.find(name);
    if (at == state_.tensors.end() || (size >= 0 && at->second.size() != size))
      damaged("'" + name + "' is missing or has another size");
    return at->second.template as<V>();
  }
  /// What StateWriter wrote under `prefix`. Version 0.1 wrote the values of a GCN as one tensor, PREFIXs.
  template <class T>
  std::vector<T> get(const std::string& prefix, const Parameters<T>& parameters) const {
    if (has(prefix + "s")) return get<T>(prefix + "s", parameters.size());
    std::vector<T> out(static_cast<std::size_t>(parameters.size()));
    for (const auto& entry : parameters.entries()) {
      const RowPlaces* places = entry.places.get();
      const Index size = places != nullptr ? places->all * places->width : entry.rows * entry.cols;
      const auto values = get<T>(prefix + "." + entry.name, size);
      if (places == nullptr) {
        std::copy(values.begin(), values.end(), out.begin() + entry.offset);
        continue;
      }
      for (std::size_t k = 0; k < places->place.size(); ++k)  // the rows of this rank
        std::copy_n(values.begin() + places->place[k] * places->width, places->width,
                    out.begin() + entry.offset + static_cast<Index>(k) * places->width);
    }
    return out;
  }
  [[noreturn]] void damaged(const std::string& why) const;

 private:
  const TensorFile& state_;
  std::filesystem::path path_;
};

}  // namespace gdkm
