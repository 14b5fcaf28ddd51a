#pragma once

#include "gdkm/data/formats/pickle/pickle.hpp"

namespace gdkm {

/// A .npy file of Python objects (element type '|O'): a header, then a pickle whose root is the array.
Pickle read_object_npy(Text text);

}  // namespace gdkm
