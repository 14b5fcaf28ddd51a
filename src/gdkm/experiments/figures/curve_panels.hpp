#pragma once

#include <string>
#include <vector>

namespace gdkm {

/// One axis of a panel: its ends, and where it has ticks.
struct PanelAxis {
  struct Tick {
    double at = 0;
    std::string label;  // markup; "" for a tick without
  };
  double low = 0, high = 1;
  std::vector<Tick> ticks;
};

/// Ends and ticks at round numbers around [low, high].
PanelAxis linear_axis(double low, double high);
/// [low, high], widened to `least` where it is narrower and kept within 0 … 100; ticks at round numbers.
PanelAxis percent_axis(double low, double high, double least);
/// Of numbers whose decimal logarithms are drawn: ticks at powers of ten.
PanelAxis log_axis(double low, double high);

/// One line of a panel, with a band around it.
struct PanelCurve {
  struct Point {
    double x = 0, y = 0, spread = 0;  // the band is y ± spread
    bool apart = false;               // joined by a dotted line: a break in the axis
  };
  std::string name;        // in the panel, beside the line's end; "" for none
  bool reference = false;  // dashed, without markers, in the other colour
  bool markers = true;
  std::vector<Point> points;
};

struct CurvePanel {
  std::string title, subtitle;   // markup
  std::string x_label, y_label;  // of this panel alone; "" where the figure's hold
  PanelAxis x_axis, y_axis;
  std::vector<PanelCurve> curves;
};

/// Small panels of one kind, row by row.
struct CurvePanels {
  std::string title, x_label, y_label;
  std::vector<CurvePanel> panels;
  int columns = 5;
  double width = 128, height = 96;  // of the plotting area of each
};

std::string to_svg(const CurvePanels& figure);

}  // namespace gdkm
