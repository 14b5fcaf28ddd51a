#pragma once

#include <string>
#include <string_view>

#include "gdkm/experiments/drawing/colours.hpp"

namespace gdkm {

struct TextStyle {
  double size = 10;
  std::string_view anchor = "start";  // start, middle or end
  Colour colour = colours::ink;
  bool bold = false;
  bool upwards = false;  // turned by 90°, to be read from below
};

struct LineStyle {
  Colour colour = colours::ink;
  double width = 1;
  std::string_view dash = "";  // as SVG spells it; "" for a solid line
};

/// An SVG picture while it is drawn, in points from the upper left corner. Attributes say everything, without
/// style sheets, so that programs for papers and slides show the picture as browsers do.
class SvgDocument {
 public:
  enum class Use {
    file,  // a picture of its own, with light colours on white
    page   // an element of an HTML page, whose colours it takes
  };
  SvgDocument(Use use, double width, double height, std::string_view title);

  /// `markup` may hold tspan elements; escape_html makes it from plain text.
  void text(double x, double y, std::string_view markup, const TextStyle& style = {});
  void line(double x1, double y1, double x2, double y2, const LineStyle& style = {});
  /// A path that is stroked, and one that is filled.
  void stroke(std::string_view path, const LineStyle& style);
  void fill(std::string_view path, const Colour& colour, double opacity = 1);
  /// The marker of series number `series`; `remark`, plain text, is shown to who points at it.
  void marker(double x, double y, double radius, int series, std::string_view remark = "");
  void rectangle(double x, double y, double width, double height, const colours::Rgb& colour);
  /// Square pixels, not smoothed.
  void image(double x, double y, double width, double height, std::string_view address);

  std::string finish() &&;

 private:
  std::string spelled(const Colour& colour) const;

  Use use_;
  std::string out_;
};

}  // namespace gdkm
