#include "gdkm/layers/parameters.hpp"

#include <stdexcept>

namespace gdkm {

template <class T>
int Parameters<T>::find(const std::string& name) const {
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    if (entries_[k].name == name) return static_cast<int>(k);
  }
  return -1;
}

template <class T>
int Parameters<T>::require(const std::string& name) const {
  const int id = find(name);
  if (id < 0) throw std::logic_error("[Parameters] there is no parameter '" + name + "'");
  return id;
}

template <class T>
int Parameters<T>::declare(const std::string& name, Index rows, Index cols, Space space,
                           std::shared_ptr<const RowPlaces> places) {
  if (const int id = find(name); id >= 0) {
    const Entry& e = entries_[static_cast<std::size_t>(id)];
    if (e.rows != rows || e.cols != cols)
      throw std::logic_error("[Parameters] '" + name + "' was declared with another shape");
    return id;
  }
  if (!values_.empty()) throw std::logic_error("[Parameters] '" + name + "' is declared after allocate()");
  entries_.push_back({name, rows, cols, size_, space, std::move(places)});
  size_ += rows * cols;
  return static_cast<int>(entries_.size()) - 1;
}

template <class T>
void Parameters<T>::allocate() {
  values_ = Matrix<T>(backend_, 1, size_);
  gradients_ = Matrix<T>(backend_, 1, size_);
}

template <class T>
void Parameters<T>::set(const std::string& name, const std::vector<T>& host) {
  const View<T> to = value(require(name));
  if (static_cast<Index>(host.size()) != to.size()) {
    throw std::logic_error("[Parameters::set] '" + name + "': expected another number of values");
  }
  backend_.upload(host.data(), to.data, host.size() * sizeof(T));
}

template <class T>
std::vector<T> Parameters<T>::download(View<T> from) const {
  std::vector<T> host(static_cast<std::size_t>(from.size()));
  backend_.download(from.data, host.data(), host.size() * sizeof(T));
  return host;
}

template <class T>
std::vector<T> Parameters<T>::get(const std::string& name) const {
  return download(value(require(name)));
}

template <class T>
std::vector<T> Parameters<T>::get_gradient(const std::string& name) const {
  return download(gradient(require(name)));
}

template class Parameters<float>;
template class Parameters<double>;

}  // namespace gdkm
