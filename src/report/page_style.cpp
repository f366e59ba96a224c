#include "report/page_parts.h"

namespace nowhere {
namespace {

// Two palettes, chosen by what the reader's system is set to; paper is always light. Narrower than 46rem a
// row of a table becomes a block, each cell under its heading.
constexpr std::string_view kStyle = R"css(
:root {
  --paper: #fdfdfb; --ink: #22262b; --soft: #5d666f; --line: #e3e4df; --card: #f5f5f1;
  --good: #1d7046; --fair: #8a5a00; --poor: #b3261e; --note: #5d666f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #16191c; --ink: #e4e6e3; --soft: #a0a8af; --line: #30363b; --card: #1e2226;
    --good: #6fcf97; --fair: #e5b566; --poor: #f28b82; --note: #a0a8af;
  }
  img { filter: brightness(.9); }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.55;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 3.5rem 1.5rem 4rem; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.015em; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .75rem; }
section { margin-top: 3.5rem; }
p { margin: 0 0 1rem; }
.kicker { color: var(--soft); font-size: .9rem; margin: 0 0 .25rem; }
.facts { color: var(--soft); margin: .5rem 0 0; }
.notice { border-left: 3px solid var(--fair); background: var(--card); padding: .7rem 1rem;
  margin: 1.5rem 0 0; max-width: 44rem; }
.about { max-width: 44rem; }
.weakness { max-width: 44rem; color: var(--soft); font-size: .9rem; margin: 1.25rem 0 0; }
.weakness strong { color: var(--ink); font-weight: 600; }
.summary { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
.summary li { display: grid; grid-template-columns: 23rem 1fr; gap: .1rem 1.5rem; padding: .7rem 0;
  border-bottom: 1px solid var(--line); }
.answer { color: var(--soft); }
.tone { display: inline-block; margin-right: .6em; font-weight: 600; }
.tone::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .45em;
  border-radius: 50%; background: currentColor; }
.good { color: var(--good); } .fair { color: var(--fair); } .poor { color: var(--poor); }
.note { color: var(--note); }
table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .9rem; line-height: 1.45; }
th, td { text-align: left; vertical-align: top; padding: .75rem 1.25rem .75rem 0; }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-weight: 400; font-size: .8rem; vertical-align: bottom;
  padding-bottom: .4rem; }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; overflow-wrap: anywhere; }
thead th:nth-child(1) { width: 20%; } thead th:nth-child(2) { width: 14%; }
thead th:nth-child(3) { width: 12%; } thead th:nth-child(5) { width: 21%; }
td.number { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.reference, .normal { color: var(--soft); }
.meaning { color: var(--soft); }
.verdict { color: var(--ink); margin-bottom: .15rem; }
figure { margin: 1.75rem 0 0; }
figure img { display: block; max-width: 100%; height: auto; border-radius: 4px; }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .6rem; max-width: 44rem; }
figcaption strong { color: var(--ink); font-weight: 600; }
details { margin-top: 1.25rem; font-size: .9rem; }
summary { cursor: pointer; color: var(--soft); }
.epochs { list-style: none; margin: .75rem 0 0; padding: 0; columns: 15rem; column-gap: 2.5rem; }
.epochs li { display: flex; justify-content: space-between; padding: .2rem 0;
  border-bottom: 1px solid var(--line); break-inside: avoid; font-variant-numeric: tabular-nums; }
.plain { margin: 0; padding-left: 1.2rem; } .plain li { margin-bottom: .35rem; }
dl { margin: 0; border-top: 1px solid var(--line); font-size: .9rem; }
dl div { display: grid; grid-template-columns: 15rem 1fr; gap: 0 1.5rem; padding: .5rem 0;
  border-bottom: 1px solid var(--line); }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media screen and (max-width: 46rem) {
  main { padding: 2rem 1.1rem 3rem; }
  section { margin-top: 2.75rem; }
  h1 { font-size: 1.7rem; }
  .summary li, dl div { grid-template-columns: 1fr; }
  table, tbody, tr, td, tbody th { display: block; width: auto; }
  thead { display: none; }
  tbody tr { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem 1rem; padding: 1rem 0; }
  tbody th, td, td:last-child { padding: 0; }
  tbody th, .meaning, .normal { grid-column: 1 / -1; }
  .number { text-align: left; }
  td.number::before { content: attr(data-heading); display: block; color: var(--soft); font-size: .8rem; }
  td.number { font-size: 1.05rem; }
  td.normal::before { content: "Normal: "; }
  td.normal:empty { display: none; }
}
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #ccc; --card: #f5f5f5;
    --good: #1d7046; --fair: #8a5a00; --poor: #b3261e; --note: #444; }
  html { font-size: 9.5pt; }
  main { max-width: none; padding: 0; }
  section { margin-top: 1.75rem; }
  h2 { break-after: avoid; }
  figure, tr, .summary li, dl div { break-inside: avoid; }
  img { filter: none; max-height: 22cm; }
  .tone::before { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; }
}
)css";

}  // namespace

std::string_view page_style() {
  return kStyle;
}

}  // namespace nowhere
