import { closeSync, openSync, writeSync } from 'node:fs';
import { openDatabase } from '../../src/base/sqlite.ts';

/** An invoice row's money in one currency, in units of 1/10,000. */
interface Line {
  readonly number: number;
  readonly day: string;
  readonly order_id: string;
  readonly position: number;
  readonly currency: string;
  readonly cod: bigint;
  readonly fee: bigint;
}

/** The money of all invoice rows of a ledger, as other programs are to read it: row by row. */
export function* moneyOf(ledger: string): Iterable<Line> {
  const database = openDatabase(ledger, { fileMustExist: true, readonly: true });
  yield* database
    .prepare<[], Line>(
      `select i.number, substr(i.issued_at, 1, 10) as day, o.order_id, o.position, a.currency, a.cod, a.delivery_fee as fee
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
      order by i.number, o.position, a.currency`,
    )
    .safeIntegers()
    .iterate();
  database.close();
}

/** Units of 1/10,000 with two places: the bench's world has no more. */
export function decimal(units: bigint): string {
  const cents = units / 100n;
  const [sign, size] = cents < 0n ? ['-', -cents] : ['', cents];
  return `${sign}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

/** Writes pieces of text to a file, many at a time. */
export function writeAll(file: string, pieces: Iterable<string>): void {
  const open = openSync(file, 'w');
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < 1_000_000) continue;
    writeSync(open, text);
    text = '';
  }
  writeSync(open, text);
  closeSync(open);
}
