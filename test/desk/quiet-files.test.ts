import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { type OwnBooks, ownBooks } from '../helpers/own-books.ts';

/** A statement of a bank, in MT940. */
const statement = (number: number, from: string, to: string, lines: readonly string[] = []) =>
  [
    `:20:${number}`,
    ':25:LB62',
    `:28C:${number}/1`,
    `:60F:C${from}USD100,00`,
    ...lines.map((day) => `:61:${day}C5,00NTRFREF${day}`),
    `:62F:C${to}USD${100 + 5 * lines.length},00`,
    '-',
    '',
  ].join('\n');

const QUIET = statement(1, '261001', '261014');
const WEEK = statement(2, '261015', '261021', ['261016']);
const MONTH = statement(3, '261015', '261031', ['261016']);

let books: OwnBooks;
let desk: RunningDesk;

beforeEach(async () => {
  books = ownBooks('[receipts]\npayers = ["Cedar Road"]', new Date('2026-11-10T09:00:00Z'));
  desk = await startDesk([], { cwd: books.folder });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
});

const preview = async (files: Readonly<Record<string, string>>) =>
  (await desk.upload('/imports?preview=1', files)).text.replace(/^.*<form[^>]*action="\/imports"/s, '');
const isOffered = (text: string) => text.includes('class="first"');
const button = (text: string) => /class="first"[^>]*>([^<]*)</.exec(text)?.[1]?.trim();
const isKnown = (text: string) => text.includes('Already imported, nothing new.');
const take = async (text: string) => {
  const staged = /name="staged" value="([^"]*)"/.exec(text)![1]!;
  const seen = /name="seen" value="([^"]*)"/.exec(text)![1]!;
  expect((await desk.submit('/imports', { staged, seen })).status).toBe(303);
};
const imports = async () => (await desk.json<{ imports: object[] }>('/imports')).imports.length;

it('a file of a bank that brings days and no line is imported as it is shown', async () => {
  const quiet = await preview({ 'quiet.sta': QUIET });
  expect([isOffered(quiet), isKnown(quiet), button(quiet)]).toEqual([true, false, 'Import as shown']);
  await take(quiet);
  const week = await preview({ 'week.sta': WEEK });
  expect(button(week)).toBe('Import 1 line');
  await take(week);
  // Its one line is held; what it says of the days that follow is new.
  const month = await preview({ 'month.sta': MONTH });
  expect([isOffered(month), isKnown(month)]).toEqual([true, false]);
  await take(month);
  expect(await imports()).toBe(3);
  await books.verify();
});

it('a file that was imported before is offered only beside one that was not', async () => {
  await take(await preview({ 'quiet.sta': QUIET }));
  const again = await preview({ 'quiet.sta': QUIET });
  expect([isOffered(again), isKnown(again)]).toEqual([false, true]);
  const unread = await preview({ 'quiet.sta': QUIET, 'other.csv': 'a;b\nx;y\n' });
  expect([isOffered(unread), isKnown(unread)]).toEqual([false, false]);
  const beside = await preview({ 'quiet.sta': QUIET, 'later.sta': statement(4, '261101', '261107') });
  expect([isOffered(beside), isKnown(beside)]).toEqual([true, false]);
  const sent = await desk.upload('/api/v1/imports?preview=1', { 'quiet.sta': QUIET }, {}, 'application/json');
  expect(JSON.parse(sent.text)).toMatchObject({ lines: 0, new: 0, is_known: true });
});
