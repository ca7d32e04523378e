import { UsageError } from '../../base/errors.ts';
import { VERSION } from '../../base/version.ts';
import type { Config } from '../../config/index.ts';
import type { Applied } from '../../derive/imports.ts';
import type { RunBegun, RunEnded, WalksEnded } from '../../derive/runs-and-walks.ts';
import { monthsOfSheet } from '../../derive/settlements.ts';
import type { SettlementFile } from '../../imports/formats/settlement-file.ts';
import { type Ledger, type LedgerTransaction, ledgerExists } from '../../ledger/index.ts';
import { readAccount } from '../../ledger/queries/couriers.ts';
import { nextRunNumber } from '../../ledger/queries/sync/to-fetch.ts';
import { importingError } from '../../words/errors/importing.ts';
import { type Books, usingBooks } from '../books.ts';
import { type Courier, couriersOf, ledgerOf, placeCouriers } from '../couriers.ts';
import { recordEvidence } from '../record.ts';

type Settings = Pick<Config, 'couriers' | 'hasSole' | 'courier'>;

/**
 * The name of the courier whose settlement sheets are imported: that of `--courier`, else the only one in the settings
 * that sends sheets.
 *
 * @returns null for the courier whose settings are at the top of remit.toml, outside every table (`hasSole`)
 * @throws UsageError where it may be another: several send sheets, or there are settings at the top too
 */
function sheetCourier({ couriers, hasSole, courier }: Settings): string | null {
  if (courier !== null) return courier;
  const names = Object.keys(couriers);
  if (names.length === 0) return null;
  const files = names.filter((name) => couriers[name]!.kind === 'files');
  if (files.length === 1 && !hasSole) return files[0]!;
  throw new UsageError(importingError({ id: 'whose-sheet', couriers: files.length > 0 ? files : names }));
}

/**
 * The settings by which that courier's sheets are read: those of its table in remit.toml, else those on record.
 * Elsewhere the record comes first (`couriersOf`); a sheet is read before its import puts a changed table on record.
 */
export async function sheetSettings(books: Books): Promise<Pick<Config, 'map' | 'returns'>> {
  const { config } = books;
  const name = sheetCourier(config);
  if (name === null) return config;
  if (!(await ledgerExists(config.ledger))) return { ...config, ...config.couriers[name] };
  return usingBooks(books, { readOnly: true, newSettings: 'unchecked', allCouriers: true }, async ({ db }) => {
    const chosen = { ...config, courier: name };
    const [courier] = await couriersOf(db, chosen);
    return { ...courier!.config, ...(await placeCouriers(db, chosen)).tables.get(courier!.key)?.settings };
  });
}

/**
 * Lends the ledger and books narrowed to the sheets' courier. By now an import, but no dry run, has put its changed
 * settings on record.
 *
 * @throws UsageError if its invoices come from an API
 */
export async function usingSheets<T>(ledger: Ledger, books: Books, use: (ledger: Ledger, books: Books) => Promise<T>) {
  const name = sheetCourier(books.config);
  const couriers = await couriersOf(ledger.db, { ...books.config, courier: name });
  const [courier] = couriers as [Courier<Config>];
  const courierLedger = ledgerOf(ledger, courier);
  if (courier.config.kind !== 'files' && (await readAccount(courierLedger.db)) !== null) {
    throw new UsageError(importingError({ id: 'invoices-of-api', courier: courier.name }));
  }
  return use(courierLedger, { ...books, config: courier.config });
}

/**
 * Imports a settlement sheet as a run of its own, like a sync: it brings invoices, and records for which months the
 * list is complete. Call it inside a transaction.
 *
 * @param apply appends the sheet as evidence of the run and writes its rows
 */
export async function asRun<Imported extends { readonly applied: Applied }>(
  trx: LedgerTransaction,
  at: Date,
  file: SettlementFile,
  apply: (run: number) => Promise<Imported>,
): Promise<Imported> {
  const runId = await nextRunNumber(trx);
  const months = monthsOfSheet(file);
  const begun: RunBegun = { command: 'import settlement', version: VERSION, period: months.join(', ') };
  await recordEvidence(trx, { at, runId, kind: 'run-begun', subject: String(runId), data: begun });
  const imported = await apply(runId);
  for (const period of months) {
    const count = file.settlements.filter(({ issued_on }) => issued_on.startsWith(period)).length;
    const concluded: WalksEnded = {
      kind: 'invoices',
      period,
      complete: true,
      stated_count: null,
      seen_count: count,
      walks: 1,
      unreadable: [],
      anonymous: 0,
      why: null,
      // Payouts of the month that this sheet lacks are not gone.
      of_sheet: true,
    };
    await recordEvidence(trx, { at, runId, kind: 'listing', subject: `invoices ${period}`, data: concluded });
  }
  // Of the sheet's orders, not of its payouts.
  const { new: added, changed, unchanged } = imported.applied;
  const summary = { orders: { new: added, changed, unchanged } };
  const ended: RunEnded = { status: 'complete', finished: true, summary };
  await recordEvidence(trx, { at, runId, kind: 'run-ended', subject: String(runId), data: ended });
  return imported;
}
