#pragma once

#include <string>
#include <string_view>

namespace gdkm {

/// Colours of Okabe and Ito, which colour-blind readers tell apart; in this order they also differ in grey.
inline constexpr std::string_view blue = "#0072b2", vermilion = "#d55e00", ink = "#1a1a1a", soft = "#595959",
                                  rule = "#d9d9d9";

struct TextStyle {
  double size = 10;
  std::string_view anchor = "start";  // start, middle or end
  std::string_view colour = ink;
  bool bold = false;
  bool upwards = false;  // turned to read from below
};

struct LineStyle {
  std::string_view colour = ink;
  double width = 1;
  std::string_view dash;  // as SVG has it; "" for none
};

/// An SVG file while it is drawn, in points from the upper left. Everything is said by attributes, without
/// style sheets, so that programs for papers and slides take it as browsers do.
class SvgDocument {
 public:
  SvgDocument(double width, double height, std::string_view title);

  /// `markup` may hold tspan elements; plain text comes from escape_html.
  void text(double x, double y, std::string_view markup, const TextStyle& style = {});
  void line(double x1, double y1, double x2, double y2, const LineStyle& style = {});
  /// A path that is stroked, and one that is filled.
  void stroke(std::string_view path, const LineStyle& style);
  void fill(std::string_view path, std::string_view colour, double opacity = 1);
  void rectangle(double x, double y, double width, double height, std::string_view colour);
  /// Square pixels, not smoothed.
  void image(double x, double y, double width, double height, std::string_view address);

  std::string finish() &&;

 private:
  std::string out_;
};

/// 10 to the power of `exponent`, as markup.
std::string power_of_ten(int exponent);

}  // namespace gdkm
