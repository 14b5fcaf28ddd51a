#include "gdkm/experiments/html_page.hpp"

#include "gdkm/experiments/html_text.hpp"

namespace gdkm {

namespace {

constexpr std::string_view page_style = R"css(
:root {
  color-scheme: light dark;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
          "Noto Sans", "DejaVu Sans", sans-serif;
  --paper: #fdfdfb; --panel: #fff; --ink: #1c1d1f; --soft: #45484d; --faint: #6a6e75; --line: #e2e3e0;
  --accent: #14508f;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #15171a; --panel: #1c1f23; --ink: #eceae6; --soft: #c3c5c9; --faint: #979ca4; --line: #32363c;
    --accent: #8fc1f5;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 var(--sans); }
main { max-width: 1060px; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: clamp(1.55rem, 1.1rem + 2vw, 2.3rem); line-height: 1.2; letter-spacing: -0.015em;
     margin: 0.2em 0 0.5em; max-width: 26em; text-wrap: balance; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 3rem 0 0.4rem; letter-spacing: -0.01em; }
h3 { font-size: 1rem; margin: 1.6rem 0 0.5rem; }
p, ul { max-width: 44rem; margin: 0.5rem 0 0.9rem; }
p.over { margin: 0; color: var(--faint); font-size: 0.9rem; }
p.lead { font-size: 1.1rem; color: var(--soft); max-width: 48rem; }
a { color: var(--accent); }
figure { margin: 0; }
figcaption, .note { color: var(--faint); font-size: 0.875rem; line-height: 1.45; }
.scroll { overflow-x: auto; margin: 0.8rem 0; }
table { border-collapse: collapse; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.34rem 0 0.34rem 1rem; text-align: right; white-space: nowrap;
         border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--soft); }
thead th { border-bottom: 1px solid var(--faint); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
td.best { font-weight: 700; }
code, pre { font: 0.85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px;
      padding: 0.8rem 1rem; margin: 0.6rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
@media print {
  body { font-size: 11pt; }
  main { padding: 0; max-width: none; }
  h2, figure, tr { break-inside: avoid; }
}
)css";

}  // namespace

std::string html_page(std::string_view title, std::string_view style, std::string_view body) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  out += escape_html(title);
  out += "</title>\n<style>";
  out += page_style;
  out += style;
  out += "</style>\n</head>\n<body>\n<main>\n";
  out += body;
  out += "</main>\n</body>\n</html>\n";
  return out;
}

}  // namespace gdkm
