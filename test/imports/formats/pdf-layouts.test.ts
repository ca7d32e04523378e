import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, openBrowser } from '../../helpers/desk-browser.ts';
import { hasLibreOffice } from '../../helpers/office.ts';
import { judged, type Verdict } from '../../helpers/pdf/judge.ts';
import { printedByChromium, printedByLibreOffice } from '../../helpers/pdf/makers.ts';
import { type Drawn, drawn, LAYOUTS } from '../../helpers/pdf/sheet.ts';

const VARIANTS = Number(process.env.REMIT_PDF_VARIANTS ?? 1);

const sheets = LAYOUTS.flatMap((layout) => Array.from({ length: VARIANTS }, (_, i) => drawn(layout, i)));
const spoilt = LAYOUTS.flatMap((layout) => Array.from({ length: VARIANTS }, (_, i) => drawn(layout, i, true)));

const MAKERS = [
  { maker: 'Chromium', isThere: hasChromium, print: byChromium },
  { maker: 'LibreOffice', isThere: hasLibreOffice, print: printedByLibreOffice },
];

async function byChromium(all: readonly Drawn[]): Promise<Map<string, Buffer>> {
  const browser = await openBrowser();
  try {
    return await printedByChromium(browser, all);
  } finally {
    await browser.close();
  }
}

describe.each(MAKERS)('PDFs made by $maker', ({ isThere, print }) => {
  let files: Map<string, Buffer>;
  beforeAll(async () => {
    if (isThere) files = await print([...sheets, ...spoilt]);
  }, 600_000);
  const judge = async (all: readonly Drawn[]) => {
    const each: Verdict[] = [];
    for (const one of all) each.push(await judged(one, files.get(one.name)!));
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
