#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Where the rows that this rank has stand among those of all ranks.
struct RowPlaces {
  std::vector<std::int32_t> place;
  Index all = 0;    // rows of all ranks
  Index width = 0;  // numbers in a row
};

/// All learned parameters in one block of memory, so that an optimiser step is one pass over it. Layers
/// declare their parameters when they are built; a second network with the same parameters finds them by
/// name.
template <class T>
class Parameters {
 public:
  struct Entry {
    std::string name;
    Index rows, cols, offset;
    Space space = Space::shared;
    std::shared_ptr<const RowPlaces> places = nullptr;  // where ranks share its rows
  };

  explicit Parameters(Backend<T>& backend) : backend_(backend) {}

  /// Returns a handle for value() and gradient(). A name may be declared again, with the same shape.
  int declare(const std::string& name, Index rows, Index cols, Space space = Space::shared,
              std::shared_ptr<const RowPlaces> places = nullptr);
  /// Allocates values and gradients, all zero. Call it once, after the first network is built.
  void allocate();

  bool has(const std::string& name) const { return find(name) >= 0; }
  int find(const std::string& name) const;
  View<T> value(int id) const { return part(values_, id); }
  View<T> gradient(int id) const { return part(gradients_, id); }
  View<T> values() const { return values_; }
  View<T> gradients() const { return gradients_; }
  const std::vector<Entry>& entries() const { return entries_; }
  Index size() const { return size_; }

  void set(const std::string& name, const std::vector<T>& host);
  std::vector<T> get(const std::string& name) const;
  std::vector<T> get_gradient(const std::string& name) const;

 private:
  View<T> part(const Matrix<T>& all, int id) const {
    const Entry& e = entries_[static_cast<std::size_t>(id)];
    return {all.view().data + e.offset, e.rows, e.cols, e.cols, e.space};
  }
  std::vector<T> download(View<T> from) const;
  int require(const std::string& name) const;

  Backend<T>& backend_;
  std::vector<Entry> entries_;
  Index size_ = 0;
  Matrix<T> values_, gradients_;
};

}  // namespace gdkm
