import { sentenceText } from '../../../base/text.ts';
import type { PrintText } from '../../workbook/model.ts';

/**
 * The rules of print: page 1 is A4 portrait, each sheet of the annex A4 landscape with its own head.
 *
 * @param sheets the CSS name of each sheet's page, and its title
 * @param pages CSS that counts the pages
 */
export function printRules(
  sheets: readonly { readonly name: string; readonly title: string }[],
  { about, status, origin }: PrintText,
  pages: string,
  isRightToLeft: boolean,
): string {
  const [start, end] = isRightToLeft ? (['right', 'left'] as const) : (['left', 'right'] as const);
  const text = `font: 8pt system-ui, sans-serif; color: #444; direction: ${isRightToLeft ? 'rtl' : 'ltr'};`;
  const box = (place: string, content: string) => `@${place} { ${text} content: ${content}; }`;
  const feet = `${box(`bottom-${start}`, cssString(origin))} ${box(`bottom-${end}`, pages)}`;
  const rules = sheets.map(({ name, title }) => {
    const heads = `${box(`top-${start}`, cssString(about))} ${box(`top-${end}`, cssString(`${title} · ${status}`))}`;
    return `@page ${name} { size: A4 landscape; margin: 14mm 10mm 13mm; ${heads} ${feet} }\n.${name} { page: ${name}; }\n`;
  });
  return `@page { size: A4 portrait; margin: 11mm 14mm 12mm; ${feet} }\n${rules.join('')}`;
}

/** How the statement looks, on a screen and on paper. Sizes are in points: it is made to be printed. */
export const STATEMENT_STYLE = `
:root { color-scheme: light; --ink: #111; --faint: #555; --rule: #bbb; --short: #b00020; }
* { box-sizing: border-box; }
body { font: 9pt/1.25 system-ui, sans-serif; color: var(--ink); background: #fff; margin: 0 auto; padding: 6mm; max-width: 297mm; }
section { break-before: page; margin-top: 12mm; }
.first { break-before: auto; margin: 0 auto; max-width: 190mm; }
header { display: grid; grid-template-columns: 1fr auto; gap: 2mm 6mm; align-items: center; }
header dl { grid-column: 1 / -1; }
img { max-height: 13mm; max-width: 60mm; display: block; grid-column: 2; grid-row: 1; }
h1 { font-size: 15pt; margin: 0; grid-column: 1; grid-row: 1; }
h2 { font-size: 13pt; line-height: 1.7; margin: 0 0 2mm; }
h3 { font-size: 10pt; margin: 5mm 0 1mm; break-after: avoid; }
p { margin: 1mm 0; }
.hint { color: var(--faint); font-size: 8pt; }
h3 + .hint { break-after: avoid; }
dl { margin: 0; }
dl div { display: flex; gap: 4mm; padding: .4mm 0; break-inside: avoid; }
dt { color: var(--faint); flex: 0 0 36mm; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: .55mm 1.2mm; border-bottom: .2mm solid var(--rule); font-weight: 400; overflow-wrap: break-word; unicode-bidi: isolate; }
thead { display: table-header-group; }
thead th { font-weight: 600; vertical-align: bottom; border-bottom: .35mm solid var(--faint); }
caption { text-align: start; font-weight: 600; }
tr { break-inside: avoid; }
.block { margin: 3mm 0 1mm; }
.figure, thead th.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.figure { direction: ltr; }
thead th.figure { white-space: normal; }
.first .block { table-layout: fixed; margin: 2.5mm 0 1mm; }
.first .amount { width: var(--amount); }
.first thead .codes { width: 34mm; }
.first .count { width: 16mm; }
.first .causes th + th { width: 34mm; }
.first .causes th:last-child { width: 11mm; }
.first .causes .count { width: 14mm; }
.dense, .blocks { font-size: 8.5pt; line-height: 1.2; }
.blocks { font-size: 8pt; line-height: 1.13; }
.dense .code, .dense .codes, .blocks .code, .blocks .codes { font-size: 8pt; }
.blocks h1 { font-size: 13pt; }
.blocks header { gap: 1mm 6mm; }
.blocks header dl { display: grid; grid-template-columns: 1fr 1fr; gap: 0 5mm; }
.blocks dt { flex-basis: 26mm; }
.dense th, .dense td { padding-block: .4mm; }
.blocks th, .blocks td { padding-block: .2mm; }
.blocks .block { margin: 1.5mm 0 .5mm; }
.dense .results, .blocks .results { display: grid; grid-template-columns: 1fr 1fr; gap: 0 5mm; margin: 2mm 0; }
.blocks .results { grid-template-columns: 1fr 1fr 1fr; margin: 1mm 0; }
.dense .result, .blocks .result { font-size: 9pt; padding: .4mm 0; }
.unknown { color: var(--faint); white-space: normal; }
.code, .codes { direction: ltr; white-space: nowrap; font-size: .92em; color: var(--faint); }
[dir=rtl] .code, [dir=rtl] .codes { text-align: right; }
.codes { white-space: normal; }
.codes span { white-space: nowrap; }
.sum > * { border-top: .35mm solid var(--faint); font-weight: 600; }
.total > *, .totals td { border-top: .35mm solid var(--ink); border-bottom: .35mm solid var(--ink); font-weight: 600; }
.results { margin: 3mm 0; }
.result { margin: 0; padding: 1mm 0; font-size: 10.5pt; font-weight: 600; }
.short { color: var(--short); }
.signatures { margin-top: 3mm; break-inside: avoid; }
.signatures div { display: flex; align-items: end; gap: 3mm; height: 10mm; }
.blocks .signatures { margin-top: 1mm; }
.blocks .signatures div { height: 7.5mm; }
.signatures span { flex: none; color: var(--faint); }
.signatures i { flex: 3; border-bottom: .25mm solid var(--ink); }
.signatures .date { flex: 1; }
.annex { table-layout: fixed; }
.annex td, .annex th { padding: .4mm .7mm; overflow-wrap: anywhere; }
.annex thead th { overflow-wrap: normal; }
.annex .figure { white-space: normal; }
.annex .code { color: inherit; font-size: inherit; white-space: normal; }
html[dir=rtl] .annex td, html[dir=rtl] .annex th { text-align: right; }
.below th { font-weight: 600; padding-top: 3mm; }
.list td { overflow-wrap: anywhere; }
footer { color: var(--faint); font-size: 8pt; margin-top: 8mm; }
@media screen {
  section { border-top: .3mm solid var(--rule); padding-top: 8mm; overflow-x: auto; }
  .first { border: 0; }
}
@media print {
  body { padding: 0; max-width: none; }
  section { margin: 0; }
  .first { max-width: none; }
  footer { display: none; }
}
`;

/** Text as a quoted string of CSS, which can end neither the string nor the style. */
function cssString(text: string): string {
  const inner = sentenceText(text).replace(/\s+/g, ' ');
  return `"${inner.replace(/["\\<>&]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;
}
