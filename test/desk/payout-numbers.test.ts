import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';
import { CEDAR, cedar } from '../helpers/settlements.ts';

const TOML = `${CEDAR}
[couriers.cedar]
kind = "files"
map = "cedar"
`;
const NUMBERS = ['123', '00123', 'PAY 12', '124'];
const SETTLE = { as: 'write-off', note: 'agreed', currency: 'USD' };

let books: OwnBooks;
let desk: RunningDesk;

beforeEach(async () => {
  books = ownBooks(TOML, new Date('2026-11-20T09:00:00Z'));
  const rows = NUMBERS.map(
    (number, at) => `${number},2026-10-12,Unpaid,C-${at},SO-${at},Delivery,90.00,0.00,0.00,0.00,90.00`,
  );
  await books.json(['import', 'settlement', books.file('sheet.csv', cedar(...rows)), '--courier', 'cedar']);
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
});

const settled = async () => {
  const { settlements } = await books.json<{
    settlements: readonly { invoice_number_text: string }[];
  }>(['settle', 'list']);
  return settlements.map(({ invoice_number_text }) => invoice_number_text).sort();
};

it('a payout whose number begins with zeros, or has a blank, is settled by the number that is typed', async () => {
  expect((await desk.submit('/settlements', { ...SETTLE, invoices: '00123', amount: '1.00' })).status).toBe(303);
  expect(await settled()).toEqual(['00123']);
  expect((await desk.submit('/settlements', { ...SETTLE, invoices: ' PAY 12 ', amount: '2.00' })).status).toBe(303);
  expect(await settled()).toEqual(['00123', 'PAY 12']);
});

it('several numbers are separated by commas or line breaks', async () => {
  const invoices = '123, PAY 12\r\n124';
  expect((await desk.submit('/settlements', { ...SETTLE, invoices, amount: '1.00' })).status).toBe(303);
  expect(await settled()).toEqual(['123', '124', 'PAY 12']);
});
