#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <vector>

/// Arrays between NumPy and C++. What goes in is copied once, into the data set; what comes out owns its
/// memory or keeps its owner alive.
namespace gdkm::python {

namespace nb = nanobind;

template <class T>
using Rows = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Column = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> to_vector(const Column<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// An array of these shapes that owns `values`.
template <class T>
nb::object to_numpy(std::vector<T> values, const std::vector<std::size_t>& shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const nb::capsule owner(owned.release(),
                          [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner));
}
template <class T>
nb::object to_numpy(std::vector<T> values) {
  const std::size_t size = values.size();
  return to_numpy(std::move(values), {size});
}

/// An array that shows memory of `owner`, which Python must not change.
template <class T>
nb::object view_of(const T* data, const std::vector<std::size_t>& shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(data, shape.size(), shape.data(), owner));
}

}  // namespace gdkm::python
