import { describeNew, describeSchema, type Ledger } from '../../ledger/index.ts';
import type { Note } from './index.ts';

/** Compares every table, view, index and trigger with those of a new ledger. */
export async function verifySchema(ledger: Ledger, note: Note): Promise<void> {
  const should = new Map((await describeNew(ledger.place)).map(({ name, definition }) => [name, definition]));
  for (const { name, definition } of await describeSchema(ledger)) {
    const expected = should.get(name);
    should.delete(name);
    if (expected === undefined) note(name, 'it does not belong into a ledger');
    else if (expected !== definition) note(name, 'it is not as remit makes it');
  }
  for (const missing of should.keys()) note(missing, 'it is missing');
}
