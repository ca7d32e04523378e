import type { ColumnMap } from '../books/maps/index.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { markUndone, readImportedKind, readImportsInForce } from '../ledger/write/imported.ts';
import { clearOwnOrders } from '../ledger/write/own-orders.ts';
import { clearPrices } from '../ledger/write/prices.ts';
import type { Derive } from './deriver.ts';
import { applyRows, readAgain } from './import-file.ts';
import { undoReceipts } from './receipts.ts';

/** What is known of an import that was undone; the evidence's subject is its id. */
export interface UndoneData {
  readonly why: string;
}

const CLEAR = {
  orders: clearOwnOrders,
  tariff: (trx: LedgerTransaction) => clearPrices(trx, 'tariff_line'),
  rates: (trx: LedgerTransaction) => clearPrices(trx, 'rate_line'),
};

/** An import that a person took back: what the others hold stays, as if it had never been. */
export const deriveImportUndone: Derive = async ({ trx, evidence, bodyOf }) => {
  const id = Number(evidence.subject);
  const { why } = JSON.parse(evidence.data!) as UndoneData;
  const kind = (await readImportedKind(trx, id))!;
  const undone = { at: evidence.at, by: evidence.actor! };
  if (kind === 'receipts') {
    await undoReceipts(trx, id, undone);
    await markUndone(trx, id, { ...undone, why });
    return;
  }
  await markUndone(trx, id, { ...undone, why });
  await CLEAR[kind](trx);
  for (const one of await readImportsInForce(trx, kind)) {
    const map = one.column_map === null ? null : (JSON.parse(one.column_map) as ColumnMap);
    await applyRows(trx, one.id, await readAgain(kind, await bodyOf(one.sha256), one.source, map));
  }
};
