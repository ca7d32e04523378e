import { ImportFileError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import type { Applied, ReadFile } from '../../derive/imports.ts';
import { readDisagreeing } from '../../derive/receipts.ts';
import { linesSum } from '../../imports/formats/balance.ts';
import type { RateInFile as FileRate, PriceInFile as FileTariff } from '../../imports/formats/prices.ts';
import { parseRate, type Rate, rateConflicts } from '../../imports/rates.ts';
import { type TariffLine, tariffFaults } from '../../imports/tariff.ts';
import type { LedgerTransaction } from '../../ledger/index.ts';
import { readCourierNames } from '../../ledger/queries/couriers.ts';
import { readRateRows, readTariffRows } from '../../ledger/queries/imports.ts';
import { formatGrouped, parseAmount } from '../../money/decimal.ts';
import { eachField, PRICE_FIGURES } from '../../money/fields.ts';
import { parseUnits } from '../../money/units.ts';
import { because } from '../../words/errors/importing.ts';
import { lackingText } from './accounts.ts';

/**
 * Refuses a file that can be read but not used: a statement that does not add up, a rate card with two lines for the
 * same delivery, two rates of one day.
 *
 * @throws ImportFileError that names the lines or figures
 */
export async function refuseFile(
  trx: LedgerTransaction,
  { file: name, read, allowGap, couriers }: { file: string; read: ReadFile; allowGap: boolean; couriers: string[] },
): Promise<void> {
  const file = cleanText(name, 200);
  if (read.kind === 'receipts' && !allowGap) refuseGap(file, read.file.statements);
  if (read.kind === 'tariff') {
    refuseUnknownCouriers(file, read.file, couriers);
    await refuseTariff(trx, file, read.file);
  }
  if (read.kind === 'rates') await refuseRates(trx, file, read.file);
}

/** Refuses a rate card that has two prices for the same delivery, or with the rate cards in the ledger. */
async function refuseTariff(trx: LedgerTransaction, file: string, { rows }: { readonly rows: readonly FileTariff[] }) {
  const keyOfName = await readCourierNames(trx);
  // A line in the ledger names its courier as it was called at its import.
  const keyOf = (name: string | null, importId?: number) => name && keyOfName(name, importId);
  const held = (await readTariffRows(trx)).map((row): TariffLine => {
    const { source, line, of_courier, merchant_location, from_day, to_day, ...prices } = row;
    return {
      ...prices,
      courier: keyOf(of_courier, row.evidence_id),
      from: from_day,
      to: to_day,
      place: placeOf(source, line),
      merchantLocation: merchant_location,
    };
  });
  // A line that the ledger has from another file already is no second price.
  const heldContents = new Set(held.map(contentOf));
  const added = rows
    .map((row) => tariffLine(file, { ...row, courier: keyOf(row.courier) }))
    .filter((line) => !heldContents.has(contentOf(line)));
  const [fault] = tariffFaults([...held, ...added]);
  if (fault) throw new ImportFileError(because({ id: 'of-file', file, fault: fault.explanation }), { file });
}

/** Refuses two rates of one day, in the file or with those in the ledger. */
async function refuseRates(trx: LedgerTransaction, file: string, { rows }: { readonly rows: readonly FileRate[] }) {
  const held = (await readRateRows(trx)).map((row) =>
    rateOf(row.source, { ...row, from: row.from_currency, to: row.to_currency }),
  );
  const [conflict] = rateConflicts([...held, ...rows.map((row) => rateOf(file, row))]);
  if (conflict) throw new ImportFileError(because({ id: 'of-file', file, fault: conflict.explanation }), { file });
}

/**
 * Refuses a file that repeats some lines of its days in the ledger under new ids of the bank, but not all of them.
 *
 * @throws ImportFileError that lists the lines that only one of the files has
 */
export async function refuseDisagreeing(
  trx: LedgerTransaction,
  { file, read, importId, applied }: { file: string; read: ReadFile; importId: number; applied: Applied },
): Promise<void> {
  if (read.kind !== 'receipts') return;
  const { renamed = [] } = applied;
  const lines = await readDisagreeing(trx, importId, renamed);
  if (lines.length === 0) return;
  const isAdded = (line: (typeof lines)[number]) => line.evidence_id === importId;
  const added = lines.filter(isAdded).map(lackingText);
  const lacking = lines.filter((line) => !isAdded(line)).map(lackingText);
  const what = { file: cleanText(file, 200), same: renamed.length, added, lacking };
  throw new ImportFileError(because({ id: 'ids-changed', ...what }), { file });
}

/** Refuses prices of a courier that the books do not have. */
function refuseUnknownCouriers(file: string, { rows }: { rows: readonly FileTariff[] }, couriers: string[]) {
  const unknownRow = rows.find(({ courier }) => courier !== null && !couriers.includes(courier));
  if (!unknownRow) return;
  const { line, courier } = unknownRow;
  throw new ImportFileError(because({ id: 'tariff-of-no-courier', file, line, courier: courier!, couriers }), { file });
}

function refuseGap(file: string, statements: Extract<ReadFile, { kind: 'receipts' }>['file']['statements']): void {
  const wrong = statements.find(({ balanced }) => balanced === false);
  if (!wrong) return;
  const { account, currency, opening, closing, lines } = wrong;
  const say = (text: string) => `${formatGrouped(parseAmount(text))} ${currency}`;
  throw new ImportFileError(
    because({
      id: 'does-not-add-up',
      file,
      account: account === null ? null : cleanText(account, 60),
      opening: say(opening!),
      sum: say(linesSum(lines)),
      closing: say(closing!),
    }),
    { file },
  );
}

function placeOf(source: string, line: number): string {
  return `${cleanText(source, 100)}:${line}`;
}

function tariffLine(file: string, row: FileTariff): TariffLine {
  const { line, merchant_location, fee, ...prices } = row;
  return {
    ...prices,
    place: placeOf(file, line),
    merchantLocation: merchant_location,
    fee: parseUnits(fee),
    ...eachField(PRICE_FIGURES, (figure) => (row[figure] === null ? null : parseUnits(row[figure]))),
  };
}

/** All of a line but its place. */
function contentOf(line: TariffLine): string {
  const { courier, workflow, district, area, merchantLocation, from, to, charge, currency, fee } = line;
  const figures = PRICE_FIGURES.map((figure) => line[figure]);
  return [courier, workflow, district, area, merchantLocation, from, to, charge, currency, fee, ...figures]
    .map(String)
    .join('\n');
}

function rateOf(
  source: string,
  { line, date, from, to, rate }: Pick<FileRate, 'line' | 'date' | 'from' | 'to' | 'rate'>,
): Rate {
  return { place: placeOf(source, line), date, from, to, rate: parseRate(rate) };
}
