#include "gdkm/experiments/report/report_page.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/html_text.hpp"
#include "gdkm/experiments/report/report_scripts.hpp"

namespace gdkm {

namespace {

/// What stands between the headline and the script; the script fills what has an id.
constexpr std::string_view sections = R"html(
<dl id="tiles" class="tiles"></dl>
<p id="glance" class="note"></p>
<nav aria-label="Sections"><a href="#nu">Accuracy against ν</a> <a href="#kernels">Kernels</a> <a
href="#settings">Best settings</a> <a href="#learning">Learning curves</a> <a
href="#calibration">Calibration</a> <a href="#runs">Runs</a> <a href="#failed">Failures</a> <a
href="#about">About</a></nav>

<section aria-labelledby="gain">
<h2 id="gain">Where learning the representation helps</h2>
<p>An infinitely wide graph network has a kernel that is fixed before it sees a label: the NNGP. A deep
kernel machine (DKM) learns it, and ν says how firmly each layer is held to the fixed one: ν = ∞ is the
NNGP, and the smaller ν, the freer the kernel. Homophily is the fraction of edges that join nodes of the
same class.</p>
<div id="gains" class="plot"></div>
<p class="note">Dots: mean over splits (over seeds where there is one split), at the ν with the best
validation accuracy; bars: one standard error. A filled dot is at least a point from zero and twice its
error (with a single run: three points). Data sets are in order of homophily.</p>
</section>

<section aria-labelledby="nu">
<h2 id="nu">Accuracy against ν</h2>
<div id="nu-legend"></div>
<div id="nu-curves" class="multiples"></div>
<p class="note">Each ν with the better of the inducing schemes that were tried, by validation accuracy;
everything else is held. Bands: one standard deviation, over splits or else over seeds.</p>
<details id="nu-table"><summary>The numbers (validation)</summary></details>
</section>

<section aria-labelledby="kernels">
<h2 id="kernels">What the kernel learns</h2>
<p id="kernel-none"></p>
<div id="kernel-panel">
<p>The kernel of the last layer as cosines, K<sub>ij</sub> / √(K<sub>ii</sub> K<sub>jj</sub>). A kernel
that knows the classes shows the blocks of the label kernel. <span id="kernel-what"></span></p>
<div id="kernel-fields" class="fields">
<label class="field wide"><span id="nu-shown">ν</span><input id="nu-slider" type="range" min="0" max="1"
step="1" value="0"></label>
</div>
<div id="kernel-strip" class="strip"></div>
<p class="scale note">−1 <span id="colour-bar" class="bar"></span> +1</p>
<div class="kernel-pair">
<figure><canvas id="kernel" role="img"></canvas><figcaption id="kernel-caption"
aria-live="polite"></figcaption></figure>
<figure><canvas id="label-kernel" role="img" aria-label="Label kernel: one within classes, zero between
them"></canvas> <figcaption><b>Labels</b> 1 within a class, 0 between classes.</figcaption></figure>
<figure><div id="alignment" class="plot"></div><figcaption>CKA: likeness to the label kernel over the
whole data set, once what all rows share is taken out. It weighs rows by their norms, which cosines leave
out.</figcaption>
<div id="cosines" class="plot"></div><div id="cosines-legend"></div></figure>
</div>
</div>
<p id="kernel-without" class="note"></p>
</section>

<section aria-labelledby="settings">
<h2 id="settings">Best settings of every study</h2>
<div id="best" class="scroll" tabindex="0" role="region" aria-label="Best settings"></div>
<p class="note">Chosen by mean validation accuracy. Mean ± standard deviation, in percent: over the means
of the splits where there are several, over seeds otherwise. The best validation mean of a data set is
bold, among settings of which all runs are done.</p>
</section>

<section aria-labelledby="learning">
<h2 id="learning">Learning curves</h2>
<div id="curve-fields" class="fields"></div>
<div id="curve-plot"></div>
</section>

<section aria-labelledby="calibration">
<h2 id="calibration">Calibration</h2>
<p>Bars: how many of the predictions of a given confidence are right; the diagonal is what they should be,
and the thin lines the gaps, of which the expected calibration error (ECE) is the mean. The darker a bar,
the more predictions.</p>
<div id="reliability-fields" class="fields"></div>
<div id="reliability" class="multiples small"></div>
</section>

<section aria-labelledby="runs">
<h2 id="runs">Runs</h2>
<div id="run-fields" class="fields"></div>
<div id="run-table" class="scroll" tabindex="0" role="region" aria-label="Runs"></div>
<div class="pager"><button id="run-back" type="button">Back</button> <button id="run-next"
type="button">Next</button> <span id="run-count" aria-live="polite"></span> <button id="run-untick"
type="button" hidden></button></div>
</section>

<section aria-labelledby="failed">
<h2 id="failed">Failures</h2>
<div id="failures"></div>
</section>

<section aria-labelledby="about">
<h2 id="about">How this was made</h2>
<div id="facts" class="scroll" tabindex="0" role="region" aria-label="Data sets"></div>
<div id="machine" class="scroll" tabindex="0" role="region" aria-label="Machine"></div>
<p id="made" class="note"></p>
</section>
)html";

/// JSON may hold "</script>" in a text; a '<' less, and it cannot end the element.
std::string inside_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string report_body(const ReportContent& content, std::string_view data) {
  std::string out = fmt::format("<p class='over'>gdkm report: {}</p>\n<h1>{}</h1>\n<p class='lead'>{}</p>\n",
                                escape_html(content.store), escape_html(content.story.headline),
                                escape_html(content.story.detail));
  out +=
      "<noscript><p>The rest of this page is drawn by a script, which this browser does not "
      "run.</p></noscript>\n";
  out += sections;
  out += "<script type='application/json' id='report-data'>" + inside_script(data) + "</script>\n";
  out += "<script>\n'use strict';\n(() => {";
  for (const auto part :
       {script_of_basics(), script_of_charts(), script_of_summary(), script_of_nu(), script_of_kernels(),
        script_of_curves(), script_of_calibration(), script_of_runs(), script_of_failures()})
    out += part;
  return out + "})();\n</script>\n";
}

}  // namespace gdkm
