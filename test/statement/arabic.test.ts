import { beforeAll, describe, expect, it } from 'vitest';
import { withLedger } from '../helpers/ledger.ts';
import { setAccount, workbookOf } from '../helpers/statement.ts';
import { named, type ReadCell, type ReadWorkbook, readWorkbook } from '../helpers/workbook.ts';

const ARABIC_LETTER = /\p{Script=Arabic}/u;

/**
 * Every sheet has rows: two currencies, an unpaid invoice, one that vanished, a restated one, and an order that no
 * invoice lists.
 */
const WORLD = {
  invoices: [
    { number: 1, rows: [{ order_id: 'A', book: { amounts: { USD: ['30.00', '3.00'] as const } } }, { order_id: 'B' }] },
    {
      number: 2,
      status: 'PENDING_PAYMENT',
      rows: [{ order_id: 'C', amounts: { LBP: ['900000.00', '0.00'] as const } }],
    },
    { number: 3, vanished: true, rows: [{ order_id: 'D' }] },
  ],
  orders: [{ order_id: 'E', delivery_state: 'DELIVERED', first_delivered_at: '2026-10-02T10:00:00+03:00' }],
};

/** The number format of a cell. */
function formatOf({ styles }: ReadWorkbook, { style }: ReadCell): string | undefined {
  const [, looks = ''] = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles)!;
  const id = /numFmtId="(\d+)"/.exec([...looks.matchAll(/<xf [^>]*>/g)][style]![0])![1]!;
  return new RegExp(`<numFmt numFmtId="${id}" formatCode="([^"]*)"`).exec(styles)?.[1] ?? id;
}

let english: ReadWorkbook;
let arabic: ReadWorkbook;
beforeAll(async () => {
  await withLedger(WORLD, async (ledger) => {
    await setAccount(ledger, 'Cedar', null, null);
    english = await readWorkbook(await workbookOf(ledger));
    arabic = await readWorkbook(await workbookOf(ledger, '2026-10', 'ar'));
  });
});

describe('a statement in Arabic', () => {
  it('has the same figures under the same names, and the same numbers in the same cells', () => {
    expect([...arabic.names.keys()].sort()).toEqual([...english.names.keys()].sort());
    for (const name of english.names.keys()) {
      if (!name.startsWith('_xlnm'))
        expect([name, named(arabic, name)?.value]).toEqual([name, named(english, name)?.value]);
    }
    const pairs = [...english.sheets.values()].map((sheet, i) => [sheet, [...arabic.sheets.values()][i]!] as const);
    for (const [one, other] of pairs) {
      expect([...other.keys()]).toEqual([...one.keys()]);
      for (const [address, { type, value, formula }] of one) {
        if (type === 'n') {
          expect([address, other.get(address)?.value]).toEqual([address, value]);
          // Shown alike too: an amount that is taken for a count would be rounded before the reader's eyes.
          const formats = [formatOf(english, one.get(address)!), formatOf(arabic, other.get(address)!)];
          expect([address, formats[1]]).toEqual([address, formats[0]]);
        }
        expect(other.get(address)?.formula === null).toBe(formula === null);
      }
    }
  });

  it('goes from right to left, with every sheet, heading and word of its own in Arabic', async () => {
    for (const [name, sheet] of arabic.sheets) {
      expect(name).toMatch(ARABIC_LETTER);
      const first = [...sheet].filter(
        ([address]) => /^[A-Z]+1$/.test(address) && !/^(Cedar)$/.test(sheet.get(address)!.value ?? ''),
      );
      for (const [, { value }] of first)
        if (value !== null) expect([name, value]).toEqual([name, expect.stringMatching(ARABIC_LETTER)]);
    }
    const left = [...arabic.sheets.values()]
      .flatMap((sheet) => [...sheet.values()])
      .flatMap(({ value, type }) =>
        type === 'str' && value !== null && /[a-z]{3,} [a-z]{2,}/.test(value) ? [value] : [],
      )
      // The mark is read back.
      .filter((text) => !ARABIC_LETTER.test(text) && !text.startsWith('remit statement '));
    expect(left).toEqual([]);
    for (const file of arabic.zip.file(/^xl\/worksheets\/sheet\d+\.xml$/)) {
      expect(await file.async('string')).toContain('rightToLeft="1"');
    }
  });

  it('says what is wrong in Arabic alone, but for commands as they are typed', () => {
    const sheet = [...arabic.sheets.values()][5]!;
    const messages = [...sheet].flatMap(([address, { value }]) =>
      /^D([2-9]|\d\d)/.test(address) && value ? [value] : [],
    );
    expect(messages.length).toBeGreaterThan(3);
    for (const message of messages) {
      expect(message).toMatch(ARABIC_LETTER);
      expect(message.replace(/`[^`]*`/g, '')).not.toMatch(/[a-z]{3,} [a-z]{2,}/);
    }
  });

  it('leaves no word of remit in English, and no code where there is a word', () => {
    const columnOf = (book: ReadWorkbook, at: number, title: string): string[] => {
      const sheet = [...book.sheets.values()][at]!;
      const [address] = [...sheet].find(([cell, { value }]) => /^[A-Z]+1$/.test(cell) && value === title)!;
      return [...sheet].flatMap(([cell, { value }]) =>
        cell !== address && cell.replace(/\d+/, '') === address.replace('1', '') && value ? [value] : [],
      );
    };
    expect(new Set(columnOf(english, 6, 'By age'))).toEqual(new Set(['0-7 days']));
    for (const age of columnOf(arabic, 6, 'بحسب العمر')) expect(age).toMatch(/^\u20670-7 أيام\u2069$/);
    const about = [...[...arabic.sheets.values()].at(-1)!.values()].map(({ value }) => value);
    expect(about).toContain('كاملة');
    expect(about).not.toContain('complete');
  });

  it('keeps the digits of the chain and of the pages together at the foot, whatever way a program sets it', async () => {
    const sheet = await arabic.zip.file('xl/worksheets/sheet2.xml')!.async('string');
    const [, foot] = /<oddFooter>(.*?)<\/oddFooter>/.exec(sheet)!;
    expect(foot).toMatch(/^&amp;R&amp;8 \u2067السلسلة \u2066[0-9a-f]{12}\u2069\u2069&amp;L&amp;8 &amp;P \/ &amp;N$/);
  });
});
