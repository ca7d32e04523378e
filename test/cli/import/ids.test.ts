import { describe, expect, it } from 'vitest';
import type { OwnBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar, sheetBooks } from '../../helpers/settlements.ts';

interface Summary {
  readonly import: number;
  readonly new: number;
  readonly unchanged: number;
  readonly replaced: number;
  readonly ids_used_again: readonly object[];
  readonly held_not_in_file: readonly object[];
}

/** Books that hold October. */
async function books(): Promise<OwnBooks> {
  const made = sheetBooks(CEDAR, new Date('2026-11-20T09:00:00Z'));
  const sheet = cedar('118,2026-10-12,Unpaid,C-1,SO-1,Delivery,9.00,0.00,0.00,0.00,9.00');
  await made.json(['import', 'settlement', made.file('sheet.csv', sheet), '--map', 'cedar']);
  return made;
}

const bank = (...lines: string[]) => `date,amount,currency,text,account,id,balance\n${lines.join('\n')}\n`;
const take = (of: OwnBooks, name: string, content: string, ...more: string[]) =>
  of.json<Summary>(['import', 'receipts', of.file(name, content), ...more]);
const received = async (of: OwnBooks) =>
  (await of.json<{ totals: { amount: string }[] }>(['report', 'receipts', '2026-10'])).totals.map(
    ({ amount }) => amount,
  );

const FIRST = bank(
  '2026-10-01,100.00,USD,Cedar Road,LB1,7001,100.00',
  '2026-10-02,50.00,USD,Cedar Road,LB1,7002,150.00',
  '2026-10-03,50.00,USD,Cedar Road,LB1,7003,200.00',
);

describe('a bank’s id', () => {
  it('that is used again for another day or amount is of a new line, and the import says so', async () => {
    const own = await books();
    await take(own, 'first.csv', FIRST);
    const again = bank(
      '2026-10-11,25.00,USD,Cedar Road,LB1,7001,225.00',
      '2026-10-12,50.00,USD,Cedar Road,LB1,7002,275.00',
      '2026-10-13,30.00,USD,Cedar Road,LB1,7003,305.00',
    );
    const file = own.file('again.csv', again);
    const dry = await own.remit(['import', 'receipts', file, '--dry-run']);
    expect(dry.stdout).toContain('3 lines with an id that the bank gave to another movement before are new lines:');
    expect(dry.stdout).toContain('line 2: 2026-10-11, 25.00 USD, id "7001"');
    expect(await take(own, 'again.csv', again)).toMatchObject({
      new: 3,
      unchanged: 0,
      ids_used_again: [
        { line: 2, date: '2026-10-11', amount: '25.00', currency: 'USD', id: '7001' },
        { id: '7002' },
        { id: '7003' },
      ],
    });
    expect(await received(own)).toEqual(['305.00']);
    await own.verify();
  });

  it('that was changed makes no new line of one that is held', async () => {
    const own = await books();
    await take(own, 'first.csv', FIRST);
    const renamed = FIRST.replaceAll(',70', ',90');
    expect(await take(own, 'renamed.csv', renamed)).toMatchObject({ new: 0, unchanged: 3 });
    const longer = `${renamed}2026-10-04,5.00,USD,Interest,LB1,9004,205.00\n`;
    expect(await take(own, 'longer.csv', longer)).toMatchObject({ new: 1, unchanged: 3 });
    expect(await received(own)).toEqual(['205.00']);
    await own.verify();
  });

  it('that was changed of some lines only is refused, with the lines, until a person takes the file', async () => {
    const own = await books();
    await take(own, 'first.csv', FIRST);
    const other = bank(
      '2026-10-01,100.00,USD,Cedar Road,LB1,9001,100.00',
      '2026-10-02,60.00,USD,Cedar Road,LB1,9002,160.00',
      '2026-10-03,50.00,USD,Cedar Road,LB1,9003,210.00',
      '2026-10-05,1.00,USD,Interest,LB1,9005,211.00',
    );
    const file = own.file('other.csv', other);
    for (const more of [[], ['--dry-run']]) {
      const refused = await own.remit(['import', 'receipts', file, ...more]);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('other.csv holds 1 line that is held under other ids');
      expect(refused.stderr).toContain(
        'line 3 of other.csv: 2026-10-02, 60.00 USD, "Cedar Road", is in this file alone',
      );
      expect(refused.stderr).toContain('line 3 of first.csv: 2026-10-02, 50.00 USD, "Cedar Road", is not in it');
      expect(refused.stderr).not.toContain('2026-10-05');
      expect(refused.stderr).toContain('--replace');
    }
    expect(await received(own)).toEqual(['200.00']);
    // The 50.00 of the 3rd has another running balance: it is another line too.
    expect(await take(own, 'other.csv', other, '--replace')).toMatchObject({ new: 3, unchanged: 1, replaced: 2 });
    expect(await received(own)).toEqual(['211.00']);
    await own.verify();
  });

  it('of an undone file is forgotten', async () => {
    const own = await books();
    const { import: id } = await take(own, 'first.csv', FIRST);
    await take(own, 'renamed.csv', FIRST.replaceAll(',70', ',90'));
    await own.json(['import', 'undo', String(id), '--reason', 'twice']);
    expect(await received(own)).toEqual(['200.00']);
    expect(await take(own, 'first.csv', FIRST)).toMatchObject({ new: 0, unchanged: 3, ids_used_again: [] });
    await own.verify();
  });
});
