#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gdkm {

/// A colour of pages and pictures: the name of its CSS variable, and its value on light and on dark paper.
struct Colour {
  std::string_view name, light, dark;
};

namespace colours {

inline constexpr Colour paper{"paper", "#fdfdfb", "#15171a"}, panel{"panel", "#ffffff", "#1c1f23"},
    ink{"ink", "#1c1d1f", "#eceae6"}, soft{"soft", "#45484d", "#c3c5c9"},
    faint{"faint", "#6a6e75", "#979ca4"}, rule{"line", "#e2e3e0", "#32363c"},
    accent{"accent", "#14508f", "#8fc1f5"};

/// Lines of charts, after Okabe and Ito: colour-blind readers can tell them apart. Number 1 is for
/// references.
inline constexpr std::array<Colour, 8> series{{{"c0", "#0072b2", "#56b4e9"},
                                               {"c1", "#c8500a", "#ff9a5c"},
                                               {"c2", "#00845f", "#35c99d"},
                                               {"c3", "#b0568a", "#eaa0cb"},
                                               {"c4", "#8a6a00", "#f0c64a"},
                                               {"c5", "#3c8dc0", "#a5d8f5"},
                                               {"c6", "#1c1d1f", "#eceae6"},
                                               {"c7", "#7a4fb5", "#bda4ee"}}};

/// Markers of these lines, as SVG paths of about radius 1 around the origin.
inline constexpr std::array<std::string_view, 4> markers{"M-1 0a1 1 0 1 0 2 0a1 1 0 1 0-2 0z",
                                                         "M-1-1h2v2h-2z", "M0-1.2l1.2 2.1h-2.4z",
                                                         "M0-1.3l1.3 1.3l-1.3 1.3l-1.3-1.3z"};

using Rgb = std::array<std::uint8_t, 3>;

/// Cosines at equal distances from −1 to 1: blue, white at 0, brown. Both ends are dark, and colour-blind
/// readers can tell them apart.
inline constexpr std::array<Rgb, 7> ramp{{{8, 48, 107},
                                          {49, 112, 178},
                                          {158, 196, 226},
                                          {247, 246, 243},
                                          {240, 190, 128},
                                          {197, 98, 26},
                                          {92, 34, 4}}};

/// The ramp's colour of a cosine.
Rgb of_cosine(double cosine);

/// All of them as CSS variables for light and dark paper, and the ramp as the gradient --ramp.
std::string css();

}  // namespace colours

}  // namespace gdkm
