#pragma once

#include <string>

#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/experiments/png.hpp"

namespace gdkm {

/// The colour of a part of the scale, 0 … 1: from dark blue over green to yellow, lighter all the way, so
/// that it reads the same in grey and to colour-blind eyes.
PalettePicture::Colour heat_colour(double part);

/// The kernel as the address of an image; `low` is the cosine at the dark end, 1 stands at the light one.
std::string heat_map(const KernelPicture& picture, double low);

}  // namespace gdkm
