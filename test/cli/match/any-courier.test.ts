import { expect, it } from 'vitest';
import { ownBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar } from '../../helpers/settlements.ts';

const TOML = `${CEDAR}
[couriers.swift]
kind = "files"
map = "cedar"
payers = ["Swift Cash"]
[couriers.hawk]
kind = "files"
map = "cedar"
payers = ["Hawk Money"]
`;

it('a receipt of another courier’s payer is matched only where a person says why, on record', async () => {
  const own = ownBooks(TOML, new Date('2026-11-20T09:00:00Z'));
  for (const [courier, number] of [
    ['swift', 118],
    ['hawk', 41016],
  ] as const) {
    const sheet = cedar(`${number},2026-10-12,Unpaid,C-1,SO-1,Delivery,90.00,0.00,0.00,0.00,90.00`);
    await own.json(['import', 'settlement', own.file(`${courier}.csv`, sheet), '--courier', courier]);
  }
  const cash =
    'date,amount,currency,text,account\n2026-11-10,90.00,USD,Swift Cash 7,LB1\n2026-11-11,90.00,USD,Shop,LB1\n';
  await own.json(['import', 'receipts', own.file('bank.csv', cash)]);
  interface Listed {
    readonly matches: readonly { readonly id: number; readonly invoices: readonly number[] }[];
  }
  const list = () => own.json<Listed>(['match', 'list', '--courier', 'hawk']);
  const held = await own.json<Listed>(['match', 'list', '--courier', 'swift']);
  for (const { id } of held.matches) {
    await own.json(['match', 'remove', String(id), '--reason', 'not this one', '--courier', 'swift']);
  }
  const add = ['match', 'add', '1', '41016', '--courier', 'hawk'];
  const refused = await own.remit(add);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('receipt 1 is of swift');
  expect((await own.remit([...add, '--any-courier'])).stderr).toContain('--any-courier needs a note');
  expect((await list()).matches).toEqual([]);
  await own.json([...add, '--any-courier', '--note', 'they paid it for hawk']);
  expect((await list()).matches).toMatchObject([{ invoices: [41016] }]);
  const { stdout } = await own.remit(['show', 'receipt', '1', '--courier', 'hawk', '--json']);
  expect(stdout).toContain('they paid it for hawk');
  expect(stdout).toContain('the receipt is of swift');
  // A line that is nobody's needs no such word.
  const { id } = (await list()).matches[0]!;
  await own.json(['match', 'remove', String(id), '--reason', 'again', '--courier', 'hawk']);
  await own.json(['match', 'add', '2', '41016', '--courier', 'hawk']);
  await own.verify();
});
