import { describe, expect, it } from 'vitest';
import type { OwnBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar, sheetBooks } from '../../helpers/settlements.ts';

/** What an import brought comes back with its matches; only what a person took away is left to people. */

const payoutOf = (number: string, order: string) =>
  cedar(`${number},2026-10-31,Pending,${order},S${order},Delivery,100.00,3.00,1.00,0.08,95.92`);
const bankOf = (payer: string, ...payouts: string[]) =>
  `date,amount,currency,text\n${payouts.map((number) => `2026-11-02,95.92,USD,${payer} ${number}\n`).join('')}`;
const ONE = `${CEDAR}[receipts]\npayers = ["CEDAR"]\n`;
const TWO = `${CEDAR}${['cedar', 'pine'].map((name) => `[couriers.${name}]\nkind = "files"\nmap = "cedar"\npayers = ["${name}"]\n`).join('')}`;

const take = async (books: OwnBooks, kind: string, name: string, content: string, courier: readonly string[] = []) =>
  (await books.json<{ import: number }>(['import', kind, books.file(name, content), ...courier])).import;
const undo = (books: OwnBooks, id: number) => books.json(['import', 'undo', String(id), '--reason', 'wrong file']);
/** `receipt 1 pays P-1` of each match in force. */
const matched = async (books: OwnBooks) => {
  const { matches } = await books.json<{ matches: { receipts: number[]; invoices_text: string[] }[] }>([
    'match',
    'list',
  ]);
  return matches.map(({ receipts, invoices_text }) => `receipt ${receipts} pays ${invoices_text}`);
};
const explained = async (books: OwnBooks, receipt: string) =>
  (await books.remit(['match', 'explain', 'receipt', receipt])).stdout;
const ONLY_A_PERSON = 'only a person matches it';

describe('a receipt whose match went with an import', () => {
  it('is matched again when the sheet comes back, each time', async () => {
    const books = sheetBooks(ONE);
    const sheet = payoutOf('P-1', 'C-1');
    let taken = await take(books, 'settlement', 'sheet.csv', sheet);
    await take(books, 'receipts', 'bank.csv', bankOf('CEDAR', 'P-1'));
    for (const _ of ['once', 'and again']) {
      await undo(books, taken);
      expect(await matched(books)).toEqual([]);
      expect(await explained(books, '1')).not.toContain(ONLY_A_PERSON);
      taken = await take(books, 'settlement', 'sheet.csv', sheet);
      expect(await matched(books)).toEqual(['receipt 1 pays P-1']);
    }
    const { rows } = await books.json<{ rows: object[] }>(['report', 'roll-forward', '2026-10..2026-11']);
    expect(rows.at(-1)).toMatchObject({ closing: '0.00', unallocated: '0.00' });
    expect(await explained(books, '1')).toContain('The text names them, and the sum tallies: matched.');
    await books.verify();
  });

  it('is matched again when its own file comes back', async () => {
    const books = sheetBooks(ONE);
    await take(books, 'settlement', 'sheet.csv', payoutOf('P-1', 'C-1'));
    await undo(books, await take(books, 'receipts', 'bank.csv', bankOf('CEDAR', 'P-1')));
    await take(books, 'receipts', 'bank.csv', bankOf('CEDAR', 'P-1'));
    expect(await matched(books)).toEqual(['receipt 2 pays P-1']);
    await books.verify();
  });

  it('stays with people where a person took a match of it away before', async () => {
    const books = sheetBooks(ONE);
    const taken = await take(books, 'settlement', 'sheet.csv', payoutOf('P-1', 'C-1'));
    await take(books, 'receipts', 'bank.csv', bankOf('CEDAR', 'P-1'));
    await books.json(['match', 'remove', '1', '--reason', 'of another shop']);
    await undo(books, taken);
    await take(books, 'settlement', 'sheet.csv', payoutOf('P-1', 'C-1'));
    expect(await matched(books)).toEqual([]);
    expect(await explained(books, '1')).toContain(ONLY_A_PERSON);
  });

  it('of the one courier comes back, and the other courier’s stays', async () => {
    const books = sheetBooks(TWO);
    const taken = await take(books, 'settlement', 'cedar.csv', payoutOf('P-1', 'C-1'), ['--courier', 'cedar']);
    await take(books, 'settlement', 'pine.csv', payoutOf('P-1', 'D-1'), ['--courier', 'pine']);
    await take(books, 'receipts', 'bank.csv', bankOf('CEDAR', 'P-1') + bankOf('PINE', 'P-1').split('\n')[1]);
    expect(await matched(books)).toHaveLength(2);
    await undo(books, taken);
    expect(await matched(books)).toEqual(['receipt 2 pays P-1']);
    await take(books, 'settlement', 'cedar.csv', payoutOf('P-1', 'C-1'), ['--courier', 'cedar']);
    expect((await matched(books)).toSorted()).toEqual(['receipt 1 pays P-1', 'receipt 2 pays P-1']);
    await books.verify();
  });

  it('is matched again in the months after a close, which keeps its figures', async () => {
    const books = sheetBooks(ONE);
    const september = payoutOf('P-1', 'C-1').replaceAll('2026-10-31', '2026-09-30');
    await take(books, 'settlement', 'september.csv', september);
    await books.json(['close', '2026-09', '--by', 'rana', '--first']);
    const closed = await books.json(['report', 'roll-forward', '2026-09']);
    const taken = await take(books, 'settlement', 'october.csv', payoutOf('P-2', 'C-2'));
    await take(books, 'receipts', 'bank.csv', bankOf('CEDAR', 'P-1', 'P-2'));
    await undo(books, taken);
    await take(books, 'settlement', 'october.csv', payoutOf('P-2', 'C-2'));
    expect((await matched(books)).toSorted()).toEqual(['receipt 1 pays P-1', 'receipt 2 pays P-2']);
    expect(await books.json(['report', 'roll-forward', '2026-09'])).toEqual(closed);
    await books.verify();
  });
});
