#pragma once

#include <string>
#include <vector>

#include "gdkm/data/files/npy.hpp"
#include "gdkm/data/formats/pickle/pickle.hpp"

namespace gdkm {

/// The numeric numpy array `id` of a pickle. If its bytes and shape disagree, an InputError names `where`.
NpyArray pickled_array(const Pickle& pickle, PickleId id, const std::string& where);

/// The values of a numpy array of objects, in row-major order.
std::vector<PickleId> pickled_objects(const Pickle& pickle, PickleId id, const std::string& where);

/// A tuple of integers >= 0, such as a shape.
std::vector<std::int64_t> pickled_shape(const Pickle& pickle, PickleId id, const std::string& where);

}  // namespace gdkm
