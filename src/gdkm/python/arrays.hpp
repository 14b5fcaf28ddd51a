#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "gdkm/support/error.hpp"

/// Arrays between NumPy and C++. What goes in is copied once, into the data set; what comes out owns its
/// memory or keeps its owner alive.
namespace gdkm::python {

namespace nb = nanobind;

template <class T>
using Rows = nb::ndarray<const T, nb::numpy, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Column = nb::ndarray<const T, nb::numpy, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
/// An array of any type and layout, which is converted while it is copied.
using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

template <class T>
std::vector<T> to_vector(const Column<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Calls visit(const T*) with the elements as they are. `what` names the array in the message about a type
/// that is none of numbers.
template <class Visit>
void visit_numbers(const AnyArray& array, const std::string& what, Visit visit) {
  const auto matches = [&]<class... T>(std::type_identity<T>...) {
    return ((array.dtype() == nb::dtype<T>() ? (visit(static_cast<const T*>(array.data())), true) : false) ||
            ...);
  };
  using std::type_identity;
  if (!matches(type_identity<float>{}, type_identity<double>{}, type_identity<std::int32_t>{},
               type_identity<std::int64_t>{}, type_identity<bool>{}, type_identity<std::int8_t>{},
               type_identity<std::int16_t>{}, type_identity<std::uint8_t>{}, type_identity<std::uint16_t>{},
               type_identity<std::uint32_t>{}, type_identity<std::uint64_t>{}))
    throw InputError(what + ": expected an array of numbers");
}

/// The elements of one or two dimensions, row by row.
template <class To>
std::vector<To> to_numbers(const AnyArray& array, const std::string& what) {
  const std::size_t rows = array.ndim() == 0 ? 1 : array.shape(0);
  const std::size_t cols = array.ndim() < 2 ? 1 : array.shape(1);
  const std::int64_t down = array.ndim() == 0 ? 1 : array.stride(0);
  const std::int64_t across = array.ndim() < 2 ? 1 : array.stride(1);
  std::vector<To> out;
  visit_numbers(array, what, [&]<class From>(const From* from) {
    if constexpr (std::is_same_v<From, To>) {
      const bool is_packed =
          (cols == 1 || across == 1) && (rows < 2 || down == static_cast<std::int64_t>(cols));
      if (is_packed) return out.assign(from, from + rows * cols);
    }
    out.reserve(rows * cols);
    for (std::size_t r = 0; r < rows; ++r) {
      const From* row = from + static_cast<std::int64_t>(r) * down;
      for (std::size_t c = 0; c < cols; ++c)
        out.push_back(static_cast<To>(row[static_cast<std::int64_t>(c) * across]));
    }
  });
  return out;
}

/// An array of these shapes that owns `values`.
template <class T>
nb::object to_numpy(std::vector<T> values, const std::vector<std::size_t>& shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
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
