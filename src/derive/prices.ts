import type { RatesFile } from '../imports/formats/rates.ts';
import type { TariffFile } from '../imports/formats/tariff.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { readCourierNames } from '../ledger/queries/couriers.ts';
import { readRates, readTariff, type TariffRow } from '../ledger/queries/imports.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import { writeRates, writeTariff } from '../ledger/write/prices.ts';
import { eachField, PRICE_FIGURES } from '../money/fields.ts';
import { parseUnits } from '../money/units.ts';

/** Writes the lines of a rate card, except those that an earlier file has too. */
export async function applyTariff(trx: LedgerTransaction, evidenceId: number, file: TariffFile): Promise<Counts> {
  const courierNamed = await readCourierNames(trx);
  const contentOf = (line: Content, importId: number) =>
    contentText({ ...line, of_courier: line.of_courier && courierNamed(line.of_courier, importId) });
  const held = new Set((await readTariff(trx)).map((line) => contentOf(line, line.evidence_id)));
  const lines = file.rows.map(({ courier, from, to, fee, ...row }) => ({
    evidence_id: evidenceId,
    of_courier: courier,
    ...row,
    from_day: from,
    to_day: to,
    fee: parseUnits(fee),
    ...eachField(PRICE_FIGURES, (figure) => (row[figure] === null ? null : parseUnits(row[figure]))),
  }));
  const added = lines.filter((line) => !held.has(contentOf(line, evidenceId)));
  await writeTariff(trx, added);
  return { new: added.length, changed: 0, unchanged: lines.length - added.length };
}

type Content = Omit<TariffRow, 'evidence_id' | 'line' | 'source'>;

/** A line's whole content, for comparing lines. */
function contentText(line: Content): string {
  const { of_courier, workflow, district, area, merchant_location, from_day, to_day, currency, charge, fee } = line;
  const figures = PRICE_FIGURES.map((figure) => line[figure]);
  const amounts = [fee, ...figures].map((units) => (units === null ? null : String(units)));
  return JSON.stringify([
    of_courier,
    ...[workflow, district, area, merchant_location, from_day, to_day, currency, charge, ...amounts],
  ]);
}

/** Writes rates of exchange, except for days and currencies that an earlier file has. */
export async function applyRates(trx: LedgerTransaction, evidenceId: number, file: RatesFile): Promise<Counts> {
  const key = (day: string, from: string, to: string) => `${day} ${from} ${to}`;
  const held = new Set((await readRates(trx)).map((row) => key(row.date, row.from_currency, row.to_currency)));
  const added = file.rows.filter(({ date, from, to }) => !held.has(key(date, from, to)));
  await writeRates(
    trx,
    added.map(({ line, date, from, to, rate }) => {
      return { evidence_id: evidenceId, line, date, from_currency: from, to_currency: to, rate };
    }),
  );
  return { new: added.length, changed: 0, unchanged: file.rows.length - added.length };
}
