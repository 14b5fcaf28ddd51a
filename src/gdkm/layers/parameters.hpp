#pragma once

#include <string>
#include <vector>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// All that is learned, in one stretch of memory, so that an optimiser is one pass over it. Layers declare
/// what they need when they are built; a second network over the same parameters finds them by name.
template <class T>
class Parameters {
 public:
  struct Entry {
    std::string name;
    Index rows, cols, offset;
  };

  explicit Parameters(Backend<T>& backend) : backend_(backend) {}

  /// A handle for value() and gradient(). Declaring a name again must repeat its shape.
  int declare(const std::string& name, Index rows, Index cols);
  /// Once, after the first network is built: memory for values and gradients, all zero.
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
    return {all.view().data + e.offset, e.rows, e.cols};
  }
  std::vector<T> download(View<T> from) const;
  int require(const std::string& name) const;

  Backend<T>& backend_;
  std::vector<Entry> entries_;
  Index size_ = 0;
  Matrix<T> values_, gradients_;
};

}  // namespace gdkm
