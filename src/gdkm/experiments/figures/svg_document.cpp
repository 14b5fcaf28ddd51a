#include "gdkm/experiments/figures/svg_document.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/html_text.hpp"

namespace gdkm {

SvgDocument::SvgDocument(double width, double height, std::string_view title)
    : out_(fmt::format("<svg xmlns='http://www.w3.org/2000/svg' width='{0:g}' height='{1:g}' "
                       "viewBox='0 0 {0:g} {1:g}' font-family='Helvetica, Arial, Liberation Sans, "
                       "DejaVu Sans, sans-serif'>\n<title>{2}</title>\n"
                       "<rect width='{0:g}' height='{1:g}' fill='#ffffff'/>\n",
                       width, height, escape_html(title))) {}

void SvgDocument::text(double x, double y, std::string_view markup, const TextStyle& style) {
  out_ += fmt::format(
      "<text x='{0:.1f}' y='{1:.1f}' font-size='{2:g}' text-anchor='{3}' fill='{4}'{5}{6}>{7}"
      "</text>\n",
      x, y, style.size, style.anchor, style.colour, style.bold ? " font-weight='bold'" : "",
      style.upwards ? fmt::format(" transform='rotate(-90 {:.1f} {:.1f})'", x, y) : "", markup);
}

void SvgDocument::line(double x1, double y1, double x2, double y2, const LineStyle& style) {
  stroke(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x1, y1, x2, y2), style);
}

void SvgDocument::stroke(std::string_view path, const LineStyle& style) {
  out_ += fmt::format(
      "<path d='{}' fill='none' stroke='{}' stroke-width='{:g}' stroke-linejoin='round'{}/>\n", path,
      style.colour, style.width, style.dash.empty() ? "" : fmt::format(" stroke-dasharray='{}'", style.dash));
}

void SvgDocument::fill(std::string_view path, std::string_view colour, double opacity) {
  out_ += fmt::format("<path d='{}' fill='{}'{}/>\n", path, colour,
                      opacity < 1 ? fmt::format(" fill-opacity='{:g}'", opacity) : "");
}

void SvgDocument::rectangle(double x, double y, double width, double height, std::string_view colour) {
  out_ += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='{}'/>\n", x, y, width,
                      height, colour);
}

void SvgDocument::image(double x, double y, double width, double height, std::string_view address) {
  out_ += fmt::format(
      "<image x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' "
      "preserveAspectRatio='none' image-rendering='optimizeSpeed' "
      "style='image-rendering:pixelated' href='{}'/>\n",
      x, y, width, height, address);
}

std::string SvgDocument::finish() && {
  return std::move(out_) + "</svg>\n";
}

std::string power_of_ten(int exponent) {
  return fmt::format("10<tspan dy='-0.45em' font-size='70%'>{}{}</tspan>", exponent < 0 ? "−" : "",
                     exponent < 0 ? -exponent : exponent);
}

}  // namespace gdkm
