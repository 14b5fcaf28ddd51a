#pragma once

#include <string>
#include <vector>

#include "gdkm/data/files/npy.hpp"
#include "gdkm/data/formats/pickle/pickle.hpp"
#include "gdkm/linalg/csr.hpp"

namespace gdkm {

/// The numeric numpy array `id` of a pickle. If its bytes and shape disagree, an InputError names `where`.
NpyArray pickled_array(const Pickle& pickle, PickleId id, const std::string& where);

/// The values of a numpy array of objects, in row-major order.
std::vector<PickleId> pickled_objects(const Pickle& pickle, PickleId id, const std::string& where);

/// A tuple of integers >= 0, such as a shape.
std::vector<std::int64_t> pickled_shape(const Pickle& pickle, PickleId id, const std::string& where);

/// The scipy.sparse.csr_matrix at the root of a pickle. Rows are sorted, repeated entries summed and zeros
/// dropped. A wrong index, or a value that float32 cannot hold, is an InputError.
Csr pickled_csr(const Pickle& pickle);

/// Classes stored as one-hot rows: the column of the 1, or −1 for a row of zeros.
struct OneHot {
  std::vector<std::int32_t> label;
  std::int64_t classes = 0;
};

/// The one-hot matrix at the root of a pickle. A row with anything but zeros and at most one 1 is an
/// InputError that names it.
OneHot pickled_one_hot(const Pickle& pickle);

/// A .npy file of Python objects (element type '|O'): a header, then a pickle whose root is the array.
Pickle read_object_npy(Text text);

}  // namespace gdkm
