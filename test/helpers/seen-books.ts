/**
 * Books that hold everything: three couriers, two currencies, a close and what drifted from it, claims, matches and
 * what waits.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COURIERS, type CourierBooks, startCouriers } from './three-couriers.ts';

export const MONTH = '2026-09';
export const OPEN_MONTH = '2026-10';

const BY = ['--by', 'Rana'];
const CEDAR = ['--courier', 'cedar', ...BY];
const OLIVE = ['--courier', 'olive', ...BY];
const SWIFT = ['--courier', 'swift', ...BY];

const CLOSE = ['close', MONTH, '--first', '--by', 'Rana'];
const KNOWN = ['--with-open', 'asked the couriers'];
const MATCH = ['match', 'add', '4', '10003', '--part', '--note', 'counted twice', ...CEDAR];
const ROUNDING = ['settle', '10003', '--as', 'rounding', '--amount', '0.01', '--note', 'cents', ...CEDAR];
const WRITE_OFF = ['settle', '10003', '--as', 'write-off', '--amount', '9.00', '--note', 'agreed', '--yes'];
const CASH = ['import', 'receipts', 'cash.csv', '--account', 'cash box', ...BY];

/** What is decided before the couriers restate anything. */
const CLOSING = [CLOSE, [...CLOSE, ...KNOWN, '--dry-run'], [...CLOSE, ...KNOWN], [...CLOSE, ...KNOWN]];

/** What is decided after it, in this order; `{...}` is the id of what it names. */
const DECISIONS = [
  ['match', '--dry-run'],
  ['match'],
  [...MATCH, '--dry-run'],
  MATCH,
  ['match', 'add', '8', '10003', '--part', ...OLIVE],
  ['match', 'remove', '5', '--reason', 'another invoice', ...OLIVE],
  ['settle', '10003', '--as', 'rounding', '--amount', '0.50', '--note', 'cents', '--yes', ...CEDAR],
  [...ROUNDING, '--dry-run'],
  [...ROUNDING, '--yes'],
  ['settle', '10003', '--as', 'bank-charge', '--amount', '0.25', '--note', 'fee', '--yes', ...SWIFT],
  ['settle', 'undo', '{settlement}', '--reason', 'was paid', ...SWIFT],
  ['mismatch', 'ack', '--code', 'remittance-short', '--note', 'asked', '--dry-run', ...OLIVE],
  ['mismatch', 'ack', '--code', 'remittance-short', '--note', 'asked', '--yes', ...OLIVE],
  ['mismatch', 'resolve', '--code', 'book-cod-differs', '--note', 'the shop was wrong', '--yes', ...SWIFT],
  ['dispute', OPEN_MONTH, '--dry-run', ...CEDAR],
  ['dispute', OPEN_MONTH, '--yes', '--out', 'cedar.html', '--lang', 'ar', ...CEDAR],
  ['dispute', 'answer', '{claim}', '--refused', '--note', 'they say no', ...CEDAR],
  ['dispute', '--code', 'order-repeated', '--yes', '--again', '--out', 'olive.txt', ...OLIVE],
  ['dispute', '--code', 'order-amount-differs', '--yes', '--out', 'swift.xlsx', ...SWIFT],
  ['dispute', 'write-off', '{claim}', '--reason', 'too small', '--yes', ...CEDAR],
  ['dispute', 'withdraw', '{claim}', '--note', 'sent by mistake', '--yes', ...CEDAR],
  [...CASH, '--dry-run'],
  CASH,
  ['import', 'undo', '{import}', '--reason', 'another branch', ...BY],
  ['reopen', MONTH, '--reason', 'restated', ...BY, '--dry-run'],
];

/** What is decided once decisions need a second person. */
const WITH_TWO = [
  [...WRITE_OFF, ...CEDAR],
  ['approvals', 'approve', '{approval}', '--by', 'Karim', '--note', 'seen'],
  [...WRITE_OFF, ...SWIFT],
  ['approvals', 'refuse', '{approval}', '--by', 'Karim', '--note', 'too much'],
  [...WRITE_OFF, ...OLIVE],
  ['import', 'receipts', 'more.csv', '--account', 'second bank', ...BY],
  ['close', OPEN_MONTH, ...KNOWN, ...BY],
  ['night'],
  ['check', `${MONTH}..${OPEN_MONTH}`],
  ['check', '--new'],
];

export interface SeenBooks {
  readonly books: CourierBooks;
  /** What the commands printed that decided, one after another. */
  readonly decided: string;
  close(): Promise<void>;
}

/** A command as a person types it, and all that it printed. */
export async function typed(run: CourierBooks['run'], argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(argv);
  return `$ remit ${argv.join(' ')}\n${stdout}${stderr}${code === 0 ? '' : `ends with ${code}\n`}\n`;
}

export async function makeSeenBooks(): Promise<SeenBooks> {
  const world = await startCouriers();
  const books = world.books();
  const write = (name: string, text: string) => writeFileSync(path.join(books.folder, name), text);
  books.setCouriers(...COURIERS);
  write('cash.csv', 'date,amount,currency,text\n2026-10-30,12.50,USD,cash of the shop\n');
  write('more.csv', 'date,amount,currency,text\n2026-10-31,5.00,USD,SWIFT DELIVERY part\n');
  let decided = '';
  const decide = async (argv: readonly string[]) => {
    const words = await Promise.all(argv.map((word) => idOf(books, word)));
    decided += await typed(books.run, words);
  };
  for (const name of COURIERS) await books.bringFirst(name);
  await books.run(['check']);
  for (const argv of CLOSING) await decide(argv);
  // What the couriers restate now drifts from what was closed.
  for (const name of COURIERS) await books.bringRest(name);
  for (const argv of DECISIONS) await decide(argv);
  appendFileSync(
    path.join(books.folder, 'remit.toml'),
    '[approvals]\nwrite_off_above = { USD = "5" }\nclose = true\nimports = true\n',
  );
  for (const argv of WITH_TWO) await decide(argv);
  return { books, decided, close: () => world.close() };
}

/** Where the newest id of what a word in braces names is listed; of claims the first that has no answer. */
const LISTED: Readonly<Record<string, readonly [command: string, list: string]>> = {
  '{settlement}': ['settle', 'settlements'],
  '{claim}': ['dispute', 'claims'],
  '{import}': ['import', 'imports'],
  '{approval}': ['approvals', 'approvals'],
};

type One = {
  readonly id?: unknown;
  readonly claim?: { readonly state: string };
  readonly mismatch?: { readonly id: string };
};

/** The id that a word in braces stands for, and any other word as it is. */
async function idOf({ json }: CourierBooks, word: string): Promise<string> {
  const [command, list] = LISTED[word] ?? [];
  if (command === undefined) return word;
  const held = (await json<Record<string, readonly One[]>>([command, 'list']))[list!]!;
  const last = word === '{claim}' ? held.find((one) => one.claim?.state === 'claimed') : held.at(-1);
  return String(last?.mismatch?.id ?? last?.id);
}
