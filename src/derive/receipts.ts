import { groupBy } from '../base/group.ts';
import type { ReceiptsFile, StatementOfAccount } from '../imports/formats/receipts-file.ts';
import {
  accountKey,
  type CoveredDays,
  type HeldImport,
  heldButNotIn,
  planOverlap,
  planUndo,
} from '../imports/overlap.ts';
import { type LedgerTransaction, ofCourier } from '../ledger/index.ts';
import { readCouriers } from '../ledger/queries/couriers.ts';
import { whyUndone } from '../ledger/queries/receipts/matches.ts';
import { readLastReceipt } from '../ledger/write/imported.ts';
import { insertRows } from '../ledger/write/insert.ts';
import { matchesOfReceipts, removeMatches } from '../ledger/write/matches.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import {
  type HeldReceipt,
  markReplaced,
  type ReceiptImport,
  readCovered,
  readReceiptImports,
  readReplacedBy,
  readReplacements,
  removeReceipts,
} from '../ledger/write/receipts.ts';
import { parseUnits } from '../money/units.ts';
import type { Derive } from './derivation.ts';

/**
 * Writes the lines of a file, and a receipt for each line that no earlier import has. Two lines of a file are two
 * receipts.
 *
 * @param idsAlone the bank's id alone identifies a line, whatever its day and amount: so for imports of remit 1.0
 */
export async function applyReceipts(trx: LedgerTransaction, evidenceId: number, file: ReceiptsFile, idsAlone: boolean) {
  // A line that names no account belongs to the account of its statement.
  const lines = file.statements.flatMap((statement) =>
    statement.lines.map((line) => ({ ...line, account: line.account ?? statement.account })),
  );
  const bookLines = lines.map((line) => {
    const { account, id: bankId, date, currency, text } = line;
    const balance = line.balance == null ? null : parseUnits(line.balance);
    return { account, bankId, date, amount: parseUnits(line.amount), currency, text, balance };
  });
  const earlierImports = (await readReceiptImports(trx)).map(heldImport);
  const plan = planOverlap(earlierImports, { format: file.format, idsAlone, lines: bookLines });
  let lastReceipt = await readLastReceipt(trx);
  const receiptOfLine = plan.lines.map((line) => {
    if (line.by !== 'new') return { id: line.receipt, isNew: false };
    lastReceipt += 1;
    return { id: lastReceipt, isNew: true };
  });
  const isTable = file.format === 'csv' || file.format === 'xlsx' || file.format === 'pdf';
  const receipts = lines.flatMap((line, position) => {
    const { id, isNew } = receiptOfLine[position]!;
    if (!isNew) return [];
    const { account, date, currency, text, counterparty, reference } = line;
    return {
      id,
      evidence_id: evidenceId,
      line: line.line,
      account,
      date,
      value_date: line.valueDate,
      amount: bookLines[position]!.amount,
      currency,
      text,
      counterparty,
      counterparty_account: line.counterpartyAccount,
      // In a table the column of the reference names the invoice.
      reference: isTable ? null : reference,
      invoice: isTable ? reference : null,
      replaced_by: null,
    };
  });
  const receiptLines = bookLines.map(({ bankId, ...line }, position) => {
    const receipt_id = receiptOfLine[position]!.id;
    return { evidence_id: evidenceId, position, receipt_id, replaced_by: null, bank_id: bankId, ...line };
  });
  const statements = file.statements.map((statement, position) => statementRow(statement, evidenceId, position));
  await insertRows(trx, 'bank_statement', statements);
  await insertRows(trx, 'receipt', receipts);
  await insertRows(trx, 'receipt_line', receiptLines);
  const counts: Counts = { new: plan.added, changed: 0, unchanged: lines.length - plan.added };
  const usedAgain = plan.usedAgain.map((position) => lines[position]!);
  const renamed = plan.lines.flatMap((line) => (line.by !== 'new' && line.isRenamed ? [line.receipt] : []));
  return { ...counts, last_receipt: lastReceipt, known: plan.known, usedAgain, renamed };
}

/** The receipts in force that an import's file lacks, although it covers their days and account. */
export async function readNotInFile(trx: LedgerTransaction, importId: number): Promise<HeldReceipt[]> {
  const { days, lines, receipts } = await readCoveredDays(trx, importId);
  return heldButNotIn(receipts, days, new Set(lines.map(({ receipt_id }) => receipt_id)));
}

/**
 * Compares a file with each earlier file that has some of its lines under another bank id. Returns the receipts on
 * which the two disagree: only one of them has the receipt, although both cover its day.
 *
 * An earlier file covers the 1st to the 5th, with lines on the 3rd and the 5th. This one covers the 3rd to the 7th,
 * with the line of the 3rd under another id, and lines on the 4th and the 6th. They disagree on the 4th and the 5th.
 *
 * @param renamed the ids of receipts that this file has under another id
 */
export async function readDisagreeing(trx: LedgerTransaction, importId: number, renamed: readonly number[]) {
  if (renamed.length === 0) return [];
  const { days, receipts } = await readCoveredDays(trx, importId);
  const earlierImports = (await readReceiptImports(trx)).filter(({ id, lines }) => {
    return id !== importId && lines.some(({ receipt_id }) => renamed.includes(receipt_id));
  });
  const earlierReceipts = new Set(earlierImports.flatMap(({ lines }) => lines.map(({ receipt_id }) => receipt_id)));
  const coveredByBoth: CoveredDays[] = [];
  for (const { id } of earlierImports) {
    const earlier = await readCoveredDays(trx, id);
    coveredByBoth.push(...earlier.days.flatMap((stretch) => overlapOf(stretch, days)));
  }
  const lacking = (await readNotInFile(trx, importId)).filter(({ id }) => earlierReceipts.has(id));
  const added = receipts.filter(({ evidence_id }) => evidence_id === importId);
  // With the empty set, this only narrows the receipts to the days that both cover.
  return heldButNotIn([...lacking, ...added], coveredByBoth, new Set());
}

/** The part of a stretch of days that an import covers too: it covers one stretch per account and currency. */
function overlapOf(stretch: CoveredDays, days: readonly CoveredDays[]): CoveredDays[] {
  const other = days.find((each) => accountAndCurrency(each) === accountAndCurrency(stretch));
  if (!other) return [];
  const from = other.from > stretch.from ? other.from : stretch.from;
  const to = other.to < stretch.to ? other.to : stretch.to;
  return [{ ...stretch, from, to }];
}

/**
 * The days that an import covers: one stretch per account and currency, from the first day of a statement or line to
 * the last. Also its lines, and all receipts in force.
 */
async function readCoveredDays(trx: LedgerTransaction, importId: number) {
  const { statements, lines, held: receipts } = await readCovered(trx, importId);
  const stretches = [
    ...statements.map(({ from_day, to_day, ...statement }) => ({ ...statement, from: from_day, to: to_day })),
    ...lines.map(({ date, account, currency }) => ({ account, currency, from: date, to: date })),
  ];
  const days = [...groupBy(stretches, accountAndCurrency).values()].flatMap((group): CoveredDays[] => {
    const { account, currency } = group[0]!;
    const stated = group.flatMap(({ from, to }) => [from, to].filter((day) => day !== null)).sort();
    return stated.length === 0 ? [] : [{ account, currency, from: stated[0]!, to: stated.at(-1)! }];
  });
  return { days, lines, receipts };
}

function accountAndCurrency({ account, currency }: Pick<CoveredDays, 'account' | 'currency'>): string {
  return JSON.stringify([accountKey(account), currency]);
}

/** Takes a file as a correction: receipts of its days that it lacks no longer count, and their matches are removed. */
export const deriveReceiptsReplaced: Derive = async ({ trx, evidence }) => {
  const { id, at, actor, subject } = evidence;
  const import_id = Number(subject);
  const replaced = (await readNotInFile(trx, import_id)).map((receipt) => receipt.id);
  await removeMatchesOf(trx, replaced, at, `import ${import_id} replaced its receipt`);
  await insertRows(trx, 'receipt_replacement', [{ id, import_id, at, actor: actor!, lines: replaced.length }]);
  await markReplaced(trx, replaced, id);
};

/** Removes the matches of receipts for every courier, because a receipt may be matched to invoices of any. */
async function removeMatchesOf(trx: LedgerTransaction, receipts: readonly number[], at: string, why: string) {
  for (const { key } of await readCouriers(trx)) {
    const courierRows = ofCourier(trx, key);
    await removeMatches(courierRows, await matchesOfReceipts(courierRows, receipts), { at, by: 'remit', why });
  }
}

/** Undoes an import: receipts that no other has go, with their matches; receipts that it replaced count again. */
export async function undoReceipts(
  trx: LedgerTransaction,
  importId: number,
  undone: { readonly at: string; readonly by: string },
): Promise<void> {
  const restored = await readReplacedBy(trx, importId);
  // With null they count again.
  await markReplaced(trx, restored, null);
  await applyLaterReplacements(trx, importId, new Set(restored));
  const imports = await readReceiptImports(trx);
  const plan = planUndo(imports.map(heldImport), importId, new Set(restored));
  await removeMatchesOf(trx, plan.removed, undone.at, whyUndone(importId));
  // A line of another file whose receipt goes gets another receipt (`to`). The plan gives the line's place among those
  // that count; the ledger knows it by its position in the file.
  const moved = plan.moved.map(({ id, line, to }) => {
    return { id, to, line: imports.find((each) => each.id === id)!.lines[line]!.position };
  });
  await removeReceipts(trx, importId, { removed: plan.removed, moved });
}

/**
 * Corrections by other files stay in force: a receipt that would count again is replaced by the first of them that
 * covers its day and lacks it too. For example, file 2 replaced a line of file 1, and file 3, which lacks the line as
 * well, replaced others: once file 2 is undone, file 3 replaces the line.
 */
async function applyLaterReplacements(trx: LedgerTransaction, undoneImport: number, restored: ReadonlySet<number>) {
  // `id` is the evidence of the replacement: it replaces only receipts that came before it.
  for (const { id, import_id } of await readReplacements(trx, undoneImport)) {
    const lacking = (await readNotInFile(trx, import_id)).filter(
      (receipt) => restored.has(receipt.id) && receipt.evidence_id < id,
    );
    const ids = lacking.map((receipt) => receipt.id);
    await markReplaced(trx, ids, id);
  }
}

/** An import in the form in which overlaps are planned. */
function heldImport({ id, format, ids, lines }: ReceiptImport): HeldImport<number, number> {
  return {
    id,
    format,
    idsAlone: ids === null,
    lines: lines.map(({ receipt_id, bank_id, position: _, ...line }) => {
      return { ...line, bankId: bank_id, receipt: receipt_id };
    }),
  };
}

function statementRow(statement: StatementOfAccount, evidence_id: number, position: number) {
  const { account, currency, from, to, opening, closing, balanced } = statement;
  const days = { from_day: from, to_day: to };
  return { evidence_id, position, account, currency, ...days, opening, closing, balanced: asInteger(balanced) };
}

function asInteger(value: boolean | null): 0 | 1 | null {
  if (value === null) return null;
  return value ? 1 : 0;
}
