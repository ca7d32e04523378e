import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../../helpers/browser.ts';
import { scratchFolder } from '../../helpers/folder.ts';
import { judged, type Verdict } from '../../helpers/pdf/judge.ts';
import { printedByChromium, printedByLibreOffice } from '../../helpers/pdf/makers.ts';
import { type Drawn, drawn, LAYOUTS } from '../../helpers/pdf/sheet.ts';

const VARIANTS = Number(process.env.REMIT_PDF_VARIANTS ?? 1);
const hasOffice = spawnSync('soffice', ['--version']).status === 0;

const sheets = LAYOUTS.flatMap((layout) => Array.from({ length: VARIANTS }, (_, i) => drawn(layout, i)));
const spoilt = LAYOUTS.flatMap((layout) => Array.from({ length: VARIANTS }, (_, i) => drawn(layout, i, true)));

const folder = process.env.REMIT_PDF_FOLDER ?? scratchFolder();
const MAKERS = [
  { maker: 'Chromium', isThere: hasChromium, print: byChromium },
  { maker: 'LibreOffice', isThere: hasOffice, print: (all: readonly Drawn[]) => printedByLibreOffice(folder, all) },
];

async function byChromium(all: readonly Drawn[]): Promise<Map<string, Buffer>> {
  const browser = await chromium.launch({
    executablePath: process.env.REMIT_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  try {
    return await printedByChromium(browser, all);
  } finally {
    await browser.close();
  }
}

describe.each(MAKERS)('PDFs made by $maker', ({ maker, isThere, print }) => {
  let files: Map<string, Buffer>;
  const verdicts: Verdict[] = [];
  beforeAll(async () => {
    if (isThere) files = await print([...sheets, ...spoilt]);
    if (process.env.REMIT_PDF_FOLDER)
      for (const [n, b] of files ?? []) writeFileSync(`${process.env.REMIT_PDF_FOLDER}/${maker}-${n}.pdf`, b);
  }, 600_000);
  afterAll(() => {
    const out = process.env.REMIT_PDF_REPORT;
    if (out !== undefined) writeFileSync(`${out}.${maker}.json`, JSON.stringify(verdicts, null, 1));
  });
  const judge = async (all: readonly Drawn[]) => {
    const each: Verdict[] = [];
    for (const one of all) each.push(await judged(one, files.get(one.name)!));
    verdicts.push(...each);
    return each;
  };

  it.skipIf(!isThere)('are read right, or refused: none is wrong', { timeout: 600_000 }, async () => {
    const each = await judge(sheets);
    expect(each.filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
    expect(each.filter(({ verdict }) => verdict === 'refused').length).toBeLessThanOrEqual(each.length * 0.1);
  });

  it.skipIf(!isThere)('are refused where a figure is another one', { timeout: 600_000 }, async () => {
    const each = await judge(spoilt);
    expect(each.filter(({ verdict }) => verdict !== 'refused')).toEqual([]);
  });
});
