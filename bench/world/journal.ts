/** The invoice rows of a ledger as a journal of plain text accounting. `node journal.js LEDGER FILE`. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { openDatabase } from '../../src/sqlite.ts';

interface Line {
  readonly number: number;
  readonly day: string;
  readonly order_id: string;
  readonly position: number;
  readonly currency: string;
  readonly cod: bigint;
  readonly fee: bigint;
}

/** A transaction a row, whose postings balance in each currency. */
function writeJournal(ledger: string, file: string): void {
  const database = openDatabase(ledger, { fileMustExist: true, readonly: true });
  const lines = database
    .prepare<[], Line>(
      `select i.number, substr(i.issued_at, 1, 10) as day, o.order_id, o.position, a.currency, a.cod, a.delivery_fee as fee
      from invoice i
      join invoice_order o on o.invoice_number = i.number
      join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
      order by i.number, o.position, a.currency`,
    )
    .safeIntegers(true);
  const journal = openSync(file, 'w');
  let text = '';
  let row = '';
  for (const { number, day, order_id, position, currency, cod, fee } of lines.iterate()) {
    const key = `${number} ${position}`;
    if (key !== row) text += `\n${day} ${order_id}\n`;
    row = key;
    const post = (account: string, units: bigint) => `    ${account}  ${currency} ${decimal(units)}\n`;
    text += post(`assets:courier:${number}`, cod - fee) + post('expenses:delivery', fee) + post('income:cod', -cod);
    if (text.length > 1_000_000) {
      writeSync(journal, text);
      text = '';
    }
  }
  writeSync(journal, text);
  closeSync(journal);
  database.close();
}

/** Units of 1/10,000 with two places: the bench's world has no more. */
function decimal(units: bigint): string {
  const cents = units / 100n;
  const [sign, size] = cents < 0n ? ['-', -cents] : ['', cents];
  return `${sign}${size / 100n}.${String(size % 100n).padStart(2, '0')}`;
}

const [, , ledger, file] = process.argv;
writeJournal(ledger!, file!);
