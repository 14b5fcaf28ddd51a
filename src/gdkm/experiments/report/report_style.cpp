#include "gdkm/experiments/report/report_page.hpp"

namespace gdkm {

std::string report_style() {
  return R"css(
:root { --c0: #0072b2; --c1: #c8500a; --c2: #00845f; --c3: #b0568a; --c4: #8a6a00; --c5: #3c8dc0;
    --c6: #1c1d1f; --c7: #7a4fb5;
        --bin: #0072b2; --gap: #c8500a; }
@media screen and (prefers-color-scheme: dark) {
  :root { --c0: #56b4e9; --c1: #ff9a5c; --c2: #35c99d; --c3: #eaa0cb; --c4: #f0c64a; --c5: #a5d8f5;
      --c6: #eceae6; --c7: #bda4ee;
          --bin: #56b4e9; --gap: #ff9a5c; }
}
html { scroll-padding-top: 1rem; }
main { overflow-wrap: anywhere; }
.dim { color: var(--faint); font-weight: 400; font-size: 0.85rem; }
h3 .dim { white-space: nowrap; } sub { line-height: 0; }
nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.1rem; margin: 1.4rem 0 0; font-size: 0.92rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr));
    gap: 0.8rem; margin: 1.4rem 0; }
.tile { background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
    padding: 0.8rem 1rem; display: flex; flex-direction: column; }
.tile dd { margin: 0; }
.tile dd:first-child { font-size: 1.7rem; line-height: 1.15; font-weight: 650; letter-spacing: -0.02em; }
.tile dt { color: var(--soft); }
.multiples { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr));
    gap: 1.4rem 1.6rem; margin: 0.8rem 0; }
.multiples.small { grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); }
.multiples h3 { margin: 0 0 0.3rem; }
.plot { min-width: 0; } .plot svg { display: block; max-width: 100%; height: auto; }
svg text { font: 12px var(--sans); fill: var(--soft); } svg .tick { fill: var(--faint); }
svg .name { fill: var(--soft); }
svg .label { font-size: 13px; fill: var(--ink); } svg .label .dim { fill: var(--faint); font-size: 12px; }
.grid { stroke: var(--line); } .axis { stroke: var(--faint); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.mark { stroke: var(--faint); stroke-dasharray: 3 3; }
.diagonal { stroke: var(--ink); stroke-dasharray: 4 4; opacity: 0.7; }
.stem { stroke: var(--c0); stroke-width: 2; }
.error { stroke: var(--c0); stroke-width: 7; opacity: 0.35; stroke-linecap: round; }
.dot { fill: var(--c0); stroke: var(--c0); stroke-width: 2; } .dot.hollow { fill: var(--paper); }
.bin { fill: var(--bin); } .gap { stroke: var(--gap); stroke-width: 2; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; padding: 0;
    margin: 0.4rem 0; max-width: none; font-size: 0.88rem; }
.legend svg { margin-right: 0.4rem; vertical-align: middle; }
.fields { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; margin: 0.8rem 0; align-items: end; }
.field { display: flex; flex-direction: column; font-size: 0.82rem; color: var(--faint); gap: 0.15rem;
    min-width: 0; max-width: 100%; }
.field.wide { flex: 1 1 14rem; }
select, input[type=search], button { font: inherit; font-size: 0.95rem; color: var(--ink);
  background: var(--panel); border: 1px solid var(--faint); border-radius: 6px; padding: 0.35rem 0.6rem;
  max-width: 100%; min-height: 2.3rem; }
input[type=range] { width: 100%; accent-color: var(--accent); min-height: 2.3rem; margin: 0; }
button { cursor: pointer; } button:disabled { opacity: 0.45; cursor: default; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button.plain { border: 0; background: none; padding: 0.15rem 0.2rem; margin: -0.15rem -0.2rem;
    min-height: 0; font-size: inherit; font-weight: inherit; color: inherit; }
th button.plain { color: var(--accent); } td button.plain { color: var(--accent); }
th[aria-sort] button::after { content: " ▲"; font-size: 0.7em; }
th[aria-sort=descending] button::after { content: " ▼"; }
.left { text-align: left; } td.wrap { white-space: normal; min-width: 15rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
#best th[rowspan] { vertical-align: top; text-align: left; white-space: normal; min-width: 6rem;
    max-width: 16rem; } #best tr.first > * { border-top: 1px solid var(--faint); }
#best td, #best th { vertical-align: top; }
#best tbody tr:not(.first) td:first-child { padding-left: 1rem; }
#run-table { max-height: 34rem; overflow: auto; border: 1px solid var(--line); border-radius: 8px;
    background: var(--panel); margin-bottom: 0.6rem; }
#run-table table { font-size: 0.86rem; width: 100%; }
#run-table th, #run-table td { padding: 0.28rem 0.6rem; }
#run-table td { max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
#run-table thead th { position: sticky; top: 0; background: var(--panel); z-index: 1;
    box-shadow: inset 0 -1px var(--faint); }
#run-table tr.failed td { color: var(--gap); }
#run-table tr.pending td, #run-table tr.running td { color: var(--faint); }
#run-table tr.details td { white-space: normal; max-width: none; text-align: left; color: var(--soft); }
.details p { max-width: 60rem; margin: 0.2rem 0; }
#run-table input { width: 1.1rem; height: 1.1rem; vertical-align: middle; accent-color: var(--accent); }
.pager { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: center; }
.facts th { text-align: left; vertical-align: top; padding-right: 1rem; }
.facts td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.failure { margin: 0.5rem 0; max-width: 60rem; overflow-wrap: anywhere; } summary { cursor: pointer; }
.failure summary { color: var(--soft); }
.kernel-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
    gap: 1.2rem 1.6rem; align-items: start; }
canvas { display: block; width: 100%; max-width: 26rem; aspect-ratio: 1; image-rendering: pixelated;
    border: 1px solid var(--line); }
.kernel-pair figcaption { margin-top: 0.4rem; min-height: 5.8em; }
.kernel-pair b { color: var(--ink); display: block; }
.strip { display: grid; grid-template-columns: repeat(var(--count), minmax(0, 6.5rem)); gap: 0.5rem;
    margin: 0 0 1rem; }
.strip button { padding: 0.25rem; min-width: 0; display: block; font-size: 0.78rem; line-height: 1.5;
    border-color: var(--line); white-space: nowrap; overflow: hidden; }
.strip button[aria-pressed=true] { border-color: var(--accent); box-shadow: 0 0 0 2px var(--accent);
    font-weight: 700; }
.strip canvas { border: 0; margin-bottom: 0.2rem; }
.scale { display: flex; gap: 0.6rem; align-items: center; }
.bar { width: 12rem; height: 0.7rem; border: 1px solid var(--line); }
@media (max-width: 520px) {
  main { padding-top: 1.5rem; } .kernel-pair figcaption { min-height: 0; } .strip { gap: 0.25rem; }
  .strip button { font-size: 0.68rem; padding: 0.15rem; }
}
@media print {
  :root { color-scheme: light; }
  nav, .fields, .pager, #run-table .option, #run-table tr:not(.details) td:first-child,
  #run-table th:first-child { display: none; }
  .scroll { overflow: visible; } .scroll table { font-size: 8pt; width: 100%; }
  .scroll td, .scroll th { white-space: normal; min-width: 0; padding-left: 0.5rem; }
  #best th[rowspan] { min-width: 5rem; } td.wrap { min-width: 0; }
 
  #best td:not(.wrap), #best thead th { white-space: nowrap; }
  .strip button { box-shadow: none; }
  #run-table { max-height: none; overflow: visible; border: 0; } #run-table table { font-size: 7.5pt; }
  #run-table thead th { position: static; }
  #run-table th, #run-table td { padding: 0.12rem 0.3rem; }
  .plot, canvas, .tile { break-inside: avoid; } canvas { max-width: 60mm; }
  .multiples { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .multiples.small { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .kernel-pair { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  canvas, svg, .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";
}

}  // namespace gdkm
