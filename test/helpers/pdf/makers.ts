import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import type { Drawn, Sheet } from './sheet.ts';

const run = promisify(execFile);

/** Prints sheets by Chromium, each from its page of HTML. */
export async function printedByChromium(browser: Browser, sheets: readonly Drawn[]): Promise<Map<string, Buffer>> {
  const page = await browser.newPage();
  const files = new Map<string, Buffer>();
  for (const { name, sheet } of sheets) {
    await page.setContent(html(sheet));
    files.set(
      name,
      await page.pdf({
        format: 'A4',
        landscape: sheet.widths.length > 6,
        margin: { top: '1cm', bottom: '1.6cm', left: '1cm', right: '1cm' },
        ...footer(sheet),
      }),
    );
  }
  await page.close();
  return files;
}

function footer({ footer }: Sheet) {
  if (footer === null) return {};
  const text = `<div style="font-size:7px;width:100%;text-align:center">${escaped(footer)} <span class="pageNumber"></span> / <span class="totalPages"></span></div>`;
  return { displayHeaderFooter: true, headerTemplate: '<span></span>', footerTemplate: text };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function html(sheet: Sheet): string {
  const { isRightToLeft, font, size, padding, lines, align, above, below, headers, widths, figures, repeats, pages } =
    sheet;
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell, i) => `<${tag}${figures.has(i) ? ' class="n"' : ''}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  const head = `<tr>${headers.map((header, i) => `<th${figures.has(i) ? ' class="n"' : ''} style="width:${widths[i]}cm">${escaped(header)}</th>`).join('')}</tr>`;
  const bodies = pages.map(
    (rows, i) =>
      `<tbody${i > 0 ? ' style="break-before:page"' : ''}>${rows.map(({ cells }) => row(cells, 'td')).join('')}</tbody>`,
  );
  return `<!doctype html><html dir="${isRightToLeft ? 'rtl' : 'ltr'}"><meta charset="utf-8"><style>
body{font-family:"${font}";font-size:${size}pt;margin:0} table{border-collapse:collapse;table-layout:fixed}
td,th{padding:${padding}pt ${padding + 1}pt;vertical-align:${align};text-align:start;overflow-wrap:anywhere;font-weight:normal;${lines ? 'border:0.5pt solid #888' : ''}}
tr{break-inside:avoid} thead{display:${repeats ? 'table-header-group' : 'table-row-group'}} .n{text-align:end}
</style>${above.map((line) => `<p>${escaped(line)}</p>`).join('')}<table><thead>${head}</thead>${bodies.join('')}</table>${below.map((line) => `<p>${escaped(line)}</p>`).join('')}</html>`;
}

/** Prints sheets by LibreOffice, each from a spreadsheet. */
export async function printedByLibreOffice(sheets: readonly Drawn[]): Promise<Map<string, Buffer>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'remit-pdf-'));
  try {
    return await printedIn(folder, sheets);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function printedIn(folder: string, sheets: readonly Drawn[]): Promise<Map<string, Buffer>> {
  mkdirSync(path.join(folder, 'sheets'), { recursive: true });
  const names = sheets.map(({ name, sheet }) => {
    const file = path.join(folder, 'sheets', `${name}.fods`);
    writeFileSync(file, spreadsheet(sheet));
    return file;
  });
  for (let at = 0; at < names.length; at += 40) {
    await run('soffice', [
      `-env:UserInstallation=file://${folder}/office`,
      '--headless',
      '--convert-to',
      'pdf',
      '--outdir',
      path.join(folder, 'pdf'),
      ...names.slice(at, at + 40),
    ]);
  }
  return new Map(sheets.map(({ name }) => [name, readFileSync(path.join(folder, 'pdf', `${name}.pdf`))]));
}

const SPACES = ['office', 'style', 'text', 'table', 'fo'].map((name) => {
  const uri = name === 'fo' ? 'xsl-fo-compatible' : name;
  return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${uri}:1.0"`;
});

function spreadsheet(sheet: Sheet): string {
  const {
    isRightToLeft,
    font,
    size,
    lines,
    align,
    padding,
    above,
    below,
    headers,
    widths,
    figures,
    repeats,
    pages,
    footer: foot,
  } = sheet;
  const cell = (text: string, i: number, wide = false) =>
    text === ''
      ? '<table:table-cell/>'
      : `<table:table-cell office:value-type="string" table:style-name="${wide ? 'wide' : figures.has(i) ? 'figure' : 'words'}"><text:p>${escaped(text)}</text:p></table:table-cell>`;
  const row = (cells: readonly string[], style = 'row') =>
    `<table:table-row table:style-name="${style}">${cells.map((text, i) => cell(text, i)).join('')}</table:table-row>`;
  const free = (text: string) => `<table:table-row table:style-name="row">${cell(text, 0, true)}</table:table-row>`;
  const head = row(headers);
  const body = pages.flatMap((rows, page) =>
    rows.map(({ cells }, i) => row(cells, page > 0 && i === 0 ? 'broken' : 'row')),
  );
  const style = (name: string, more: string, paragraph = '') =>
    `<style:style style:name="${name}" style:family="table-cell"><style:table-cell-properties ${more} style:vertical-align="${align}" fo:padding="${padding / 2}pt" ${lines && name !== 'wide' ? 'fo:border="0.5pt solid #888888"' : ''}/>${paragraph}<style:text-properties fo:font-family="${font}" style:font-family-complex="${font}" fo:font-size="${size}pt" style:font-size-complex="${size}pt"/></style:style>`;
  const rowStyle = (name: string, more = '') =>
    `<style:style style:name="${name}" style:family="table-row"><style:table-row-properties style:use-optimal-row-height="true" ${more}/></style:style>`;
  const wrap = 'fo:wrap-option="wrap"';
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${SPACES.join(' ')} office:mimetype="application/vnd.oasis.opendocument.spreadsheet" office:version="1.2">
<office:automatic-styles>${widths.map((width, i) => `<style:style style:name="c${i}" style:family="table-column"><style:table-column-properties style:column-width="${width}cm"/></style:style>`).join('')}
${rowStyle('row')}${rowStyle('broken', 'fo:break-before="page"')}
<style:style style:name="sheet" style:family="table" style:master-page-name="Page"><style:table-properties table:display="true" style:writing-mode="${isRightToLeft ? 'rl-tb' : 'lr-tb'}"/></style:style>
${style('words', wrap)}${style('wide', '')}${style('figure', wrap, '<style:paragraph-properties fo:text-align="end"/>')}
<style:page-layout style:name="layout"><style:page-layout-properties fo:page-width="${widths.length > 6 ? '29.7' : '21'}cm" fo:page-height="${widths.length > 6 ? '21' : '29.7'}cm" fo:margin="1cm"/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Page" style:page-layout-name="layout"><style:header style:display="false"/><style:footer style:display="${foot !== null}"><text:p>${escaped(foot ?? '')} <text:page-number>1</text:page-number></text:p></style:footer></style:master-page></office:master-styles>
<office:body><office:spreadsheet><table:table table:name="Sheet" table:style-name="sheet">${widths.map((_, i) => `<table:table-column table:style-name="c${i}"/>`).join('')}
${above.map(free).join('')}${repeats ? `<table:table-header-rows>${head}</table:table-header-rows>` : head}${body.join('')}${below.map(free).join('')}
</table:table></office:spreadsheet></office:body></office:document>`;
}
