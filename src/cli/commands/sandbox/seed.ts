import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { UsageError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/text.ts';
import type { ShopBooks } from '../../../sandbox/world/books/shop-books.ts';
import type { Planted } from '../../../sandbox/world/planted.ts';
import { example, printAnswer, type Start, wholeNumber } from '../../command.ts';
import type { Flags, Session, Texts } from '../../session.ts';
import { dataOption, usingStore } from './data.ts';

export const declare = (start: Start) =>
  new Command('seed')
    .summary('fill a new service file with a world')
    .description(
      'Makes merchants, customers, months of orders and invoices, and prints the API keys. They cannot be printed again.',
    )
    .addOption(dataOption())
    .option('--months <range>', 'such as 2026-08..2026-10 (default: the last two months and this one to date)')
    .option('--orders <n>', 'orders of each merchant over all months (default: about 400 a month)', wholeNumber(1))
    .option('--seed <text>', 'any text; equal seeds make equal worlds (default: 1)')
    .option('--plant', 'add one of every mismatch, and print where')
    .option('--books <folder>', "write the first merchant's own books too: orders, bank, cash, prices")
    .option(
      '--returns [convention]',
      'how invoices count what the merchant pays on RETURN orders: as-stated, deducted, charged or separate, with +return-fees where their fees count too (default: deducted)',
    )
    .option('--plant-drift', 'change a world made with --plant in every way that only a second sync can see')
    .option('--as-of <date>', 'nothing happens after this day (default: now)')
    .addHelpText(...example('remit sandbox seed --data courier.db --months 2026-08..2026-10 --plant'))
    .action((options) => start('sandbox seed', options, fillServiceFile));

interface SeedInput extends Texts<'months' | 'seed' | 'books' | 'asOf'>, Flags<'plant' | 'plantDrift'> {
  readonly data: string;
  readonly orders?: number | undefined;
  readonly returns?: string | true | undefined;
}

/** Changes a planted world, as a courier's data changes between two syncs. */
async function plantDriftInWorld(session: Session, input: SeedInput): Promise<number> {
  const { plant, books, months, orders, seed, returns, asOf } = input;
  if (plant || books || months || asOf || [orders, seed, returns].some((given) => given !== undefined)) {
    throw new UsageError(
      '--plant-drift changes a world that exists, and takes no other option than --data',
      'Seed the file first; then, after a first sync, run: remit sandbox seed --data FILE --plant-drift',
    );
  }
  const { plantDrift } = await import('../../../sandbox/world/drift.ts');
  const planted = await usingStore(session, input.data, { mustExist: true }, (store) => plantDrift(store));
  return printAnswer(session, { planted }, () => plantedLines(planted));
}

/** Fills a new service file with a world. */
async function fillServiceFile(session: Session, input: SeedInput): Promise<number> {
  if (input.plantDrift) return plantDriftInWorld(session, input);
  const file = path.resolve(session.io.cwd, input.data);
  const { defaultMonths, parseMonths } = await import('../../../sandbox/calendar.ts');
  const { parseReturns } = await import('../../../sandbox/operator/returns.ts');
  const { seedWorld } = await import('../../../sandbox/world/seed.ts');
  const { removeStore } = await import('../../../sandbox/store/open.ts');
  const now = session.io.now();
  const asOf = input.asOf === undefined ? now : await endOfDay(input.asOf, now);
  const months = input.months === undefined ? defaultMonths(asOf) : parseMonths(input.months);
  const returns = parseReturns(typeof input.returns === 'string' ? input.returns : 'deducted');
  const isNew = !existsSync(file);
  if (input.books !== undefined) refuseFilledFolder(path.resolve(session.io.cwd, input.books));
  try {
    const { orders, seed = '1', plant = false } = input;
    const plan = { months, orders, seed, asOf, plant, returns, books: input.books !== undefined };
    const world = await usingStore(session, input.data, {}, (store) => seedWorld(store, plan));
    const { merchants, planted } = world;
    const written = world.books && input.books ? await writeBooks(session, input.books, world.books) : undefined;
    if (session.json) {
      session.resultJson({ merchants, planted, ...(written ? { books: written } : {}) });
      return 0;
    }
    session.note(`${file} holds ${months.from} to ${months.to}. The keys are shown only this once.`);
    const lines = merchants.map(({ name, key }) => `${name}  ${key}`);
    const bookLines = written?.files.map(({ kind, file: bookFile }) => `${kind}  ${bookFile}`) ?? [];
    const faultsOfBooks = plantedLines(written?.planted ?? []);
    session.result([...lines, ...plantedLines(planted), ...bookLines, ...faultsOfBooks].join('\n'));
    session.note(`Serve it with: remit sandbox serve --data ${shellWord(input.data)}`);
    return 0;
  } catch (error) {
    // A failure leaves no new service file, seeded or not.
    if (isNew) removeStore(file);
    throw error;
  }
}

/** A folder in use may have files of the same names. */
function refuseFilledFolder(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new UsageError(`${folder} is not empty`, 'Name a new folder with --books.');
  }
}

/** Writes the files of the merchant's own books; `payer` is the courier's name on the bank's lines. */
async function writeBooks(session: Session, folder: string, books: ShopBooks) {
  const { bookFiles } = await import('../../../sandbox/world/books/files.ts');
  const { COURIER_ON_BANK_LINES } = await import('../../../sandbox/world/books/shop-books.ts');
  const { makeFolder } = await import('../../../base/files/folder.ts');
  const { replaceFile } = await import('../../../base/files/replace.ts');
  const inside = path.resolve(session.io.cwd, folder);
  makeFolder(inside);
  const files = [];
  for (const { kind, format, name, text } of bookFiles(books)) {
    const file = path.join(inside, name);
    await replaceFile(file, (handle) => handle.writeFile(text), { noun: 'folder', flag: '--books' });
    files.push({ kind, format, file });
  }
  return { files, payer: COURIER_ON_BANK_LINES, planted: books.planted };
}

/** The end of a day; for today, now. */
async function endOfDay(text: string, now: Date): Promise<Date> {
  const { DAY, dateText, parseDay } = await import('../../../sandbox/calendar.ts');
  const day = parseDay(text);
  return dateText(now.getTime()) === text ? now : new Date(day + DAY);
}

/** A line for each fault. One about a month's list alone has a `period`. */
function plantedLines(planted: readonly Planted[]): string[] {
  return planted.map(({ code, invoice_number, order_id, currency, field, period, effect, reference_id, amount }) =>
    [
      `planted ${code}`,
      period === undefined ? '' : `listing ${period}`,
      invoice_number === null ? '' : `invoice ${invoice_number}`,
      order_id === null ? '' : `order ${order_id}`,
      reference_id === undefined ? '' : `reference ${reference_id}`,
      field ?? '',
      currency === null ? '' : [effect ?? amount, currency].filter(Boolean).join(' '),
    ]
      .filter(Boolean)
      .join('  '),
  );
}
