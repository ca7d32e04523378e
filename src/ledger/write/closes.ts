import type { LedgerSchema } from '../schema.ts';
import { insertRows, type Row, type Trx } from './insert.ts';

type Part<T extends keyof LedgerSchema> = Omit<Row<T>, 'close_id'>;

export interface CloseRows {
  readonly close: Row<'period_close'>;
  readonly figures: readonly Part<'period_close_figure'>[];
  readonly items: readonly Part<'period_close_item'>[];
  readonly documents: readonly Part<'period_close_document'>[];
  readonly findings: readonly Part<'period_close_finding'>[];
}

/** Writes a close with all that it froze. Call it inside a transaction. */
export async function writeClose(trx: Trx, rows: CloseRows): Promise<void> {
  const { close, figures, items, documents, findings } = rows;
  const withCloseId = <T>(parts: readonly T[]) => parts.map((part) => ({ close_id: close.id as number, ...part }));
  await insertRows(trx, 'period_close', [close]);
  await insertRows(trx, 'period_close_figure', withCloseId(figures));
  await insertRows(trx, 'period_close_item', withCloseId(items));
  await insertRows(trx, 'period_close_document', withCloseId(documents));
  await insertRows(trx, 'period_close_finding', withCloseId(findings));
}

export async function writeReopen(trx: Trx, row: Row<'period_reopen'>): Promise<void> {
  await trx.insertInto('period_reopen').values(row).execute();
}
