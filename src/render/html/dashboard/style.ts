/** The CSS of the dashboard: panels side by side where there is room, one under the other on a telephone. */
export const DASHBOARD_STYLE = `
:root { --due: #c77700; --done: #2e6f9e; --good: #2e7d4f; --track: #eceff2; }
@media (prefers-color-scheme: dark) {
  :root { --due: #f0a63c; --done: #6db3e8; --good: #6fca93; --track: #262b31; }
}
main { max-width: 90rem; }
a { color: inherit; }
.whose { margin: 0; font-weight: 600; }
header p { margin: .2rem 0 0; }
.result { margin: 1rem 0; }
.verdict { margin: .3rem 0; padding: .4rem .7rem; border-left: .4rem solid var(--due); background: var(--head); color: var(--ink); font-size: 1.1rem; font-weight: 600; max-width: none; }
.verdict.bad { border-color: var(--bad); }
.verdict.good { border-color: var(--good); }
.missing { margin: .3rem 0; color: var(--bad); }
h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
h3 { font-size: .95rem; margin: .8rem 0 .2rem; }
.block > h2 { font-size: 1.2rem; border-bottom: 2px solid var(--faint); margin-top: 1.4rem; }
.panels { columns: 26rem; column-gap: 2rem; }
.panels > * { break-inside: avoid; margin: 0 0 1rem; }
.panels + .panels, .block + .panels { margin-top: 1.4rem; border-top: 2px solid var(--faint); padding-top: 1rem; }
.panel { min-width: 0; }
.panel.wide { column-span: all; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: .2rem 0; }
th, td { padding: .15rem .5rem .15rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: middle; font-weight: 400; overflow-wrap: anywhere; }
thead th { color: var(--faint); }
.counts { max-width: 40rem; }
.bars { table-layout: auto; }
.bars th:not([colspan]) { width: 40%; }
.bars .bar { width: 24%; min-width: 3.5rem; }
.bars .aside { color: var(--faint); font-size: .85em; width: 20%; padding-right: 0; overflow-wrap: normal; }
.counts td:last-child, .counts th:last-child { padding-left: 1.5rem; }
.bars .sum > * { font-weight: 600; border-bottom-color: var(--faint); }
td.figure { overflow-wrap: normal; }
svg { display: block; width: 100%; height: .8em; }
.track { fill: var(--track); }
.due { fill: var(--due); }
.done { fill: var(--done); }
rect.bad { fill: var(--bad); }
rect.good { fill: var(--good); }
.middle { stroke: var(--faint); stroke-width: 1; vector-effect: non-scaling-stroke; }
ul { margin: .2rem 0; padding-left: 1.1rem; }
li { margin: .25rem 0; overflow-wrap: anywhere; }
.codes { color: var(--faint); }
code { font-size: .85em; color: var(--faint); }
@media screen and (max-width: 30rem) {
  .bars .bar { width: 20%; min-width: 2.5rem; }
}
@media print {
  :root { --due: #b36b00; --done: #2e6f9e; --good: #2e7d4f; --track: #eee; }
  .panels { columns: 3; column-gap: 1.2rem; }
  .panels > * { margin-bottom: .5rem; }
  h2, h3 { break-after: avoid; }
  table, li { break-inside: avoid; }
  .verdict { font-size: 11px; print-color-adjust: exact; }
  h1 { font-size: 14px; }
  h2, .block > h2 { font-size: 11px; margin-top: .6rem; }
  h3 { font-size: 10px; margin: .5rem 0 .1rem; }
}
`;
