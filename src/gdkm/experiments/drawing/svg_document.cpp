#include "gdkm/experiments/drawing/svg_document.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/drawing/html_page.hpp"

namespace gdkm {

SvgDocument::SvgDocument(Use use, double width, double height, std::string_view title) : use_(use) {
  const std::string name = escape_html(title);
  if (use == Use::page) {
    out_ = fmt::format("<svg class='chart' viewBox='0 0 {:g} {:g}' role='img' aria-label='{}'>\n", width,
                       height, name);
  } else {
    out_ = fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0:g}' height='{1:g}' viewBox='0 0 {0:g} {1:g}' "
        "font-family='Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif'>\n<title>{2}</title>\n"
        "<rect width='{0:g}' height='{1:g}' fill='#ffffff'/>\n",
        width, height, name);
  }
}

std::string SvgDocument::spelled(const Colour& colour) const {
  return use_ == Use::page ? fmt::format("var(--{})", colour.name) : std::string(colour.light);
}

void SvgDocument::text(double x, double y, std::string_view markup, const TextStyle& style) {
  if (markup.empty()) return;
  out_ += fmt::format(
      "<text x='{0:.1f}' y='{1:.1f}' font-size='{2:g}' text-anchor='{3}' fill='{4}'{5}{6}>{7}</text>\n", x, y,
      style.size, style.anchor, spelled(style.colour), style.bold ? " font-weight='bold'" : "",
      style.upwards ? fmt::format(" transform='rotate(-90 {:.1f} {:.1f})'", x, y) : "", markup);
}

void SvgDocument::line(double x1, double y1, double x2, double y2, const LineStyle& style) {
  stroke(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x1, y1, x2, y2), style);
}

void SvgDocument::stroke(std::string_view path, const LineStyle& style) {
  if (path.empty()) return;
  out_ +=
      fmt::format("<path d='{}' fill='none' stroke='{}' stroke-width='{:g}' stroke-linejoin='round'{}/>\n",
                  path, spelled(style.colour), style.width,
                  style.dash.empty() ? "" : fmt::format(" stroke-dasharray='{}'", style.dash));
}

void SvgDocument::fill(std::string_view path, const Colour& colour, double opacity) {
  out_ += fmt::format("<path d='{}' fill='{}'{}/>\n", path, spelled(colour),
                      opacity < 1 ? fmt::format(" fill-opacity='{:g}'", opacity) : "");
}

void SvgDocument::marker(double x, double y, double radius, int series, std::string_view remark) {
  const auto k = static_cast<std::size_t>(series);
  out_ += fmt::format("<path transform='translate({:.1f} {:.1f}) scale({:g})' d='{}' fill='{}'", x, y, radius,
                      colours::markers[k % colours::markers.size()],
                      spelled(colours::series[k % colours::series.size()]));
  out_ += remark.empty() ? "/>\n" : fmt::format("><title>{}</title></path>\n", escape_html(remark));
}

void SvgDocument::rectangle(double x, double y, double width, double height, const colours::Rgb& colour) {
  out_ +=
      fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='#{:02x}{:02x}{:02x}'/>\n",
                  x, y, width, height, colour[0], colour[1], colour[2]);
}

void SvgDocument::image(double x, double y, double width, double height, std::string_view address) {
  out_ += fmt::format(
      "<image x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' preserveAspectRatio='none' "
      "image-rendering='optimizeSpeed' style='image-rendering:pixelated' href='{}'/>\n",
      x, y, width, height, address);
}

std::string SvgDocument::finish() && {
  return std::move(out_) + "</svg>\n";
}

}  // namespace gdkm
