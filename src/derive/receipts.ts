import { groupBy } from '../base/group.ts';
import type { ReceiptLine, ReceiptsFile, Statement } from '../imports/formats/receipts-file.ts';
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
import { readLastReceipt } from '../ledger/write/imported.ts';
import { matchesOfReceipts, removeMatches } from '../ledger/write/matches.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import {
  type HeldReceipt,
  type HeldReceipts,
  markReplaced,
  readCovered,
  readHeldReceipts,
  readReplacedBy,
  readReplacements,
  removeReceipts,
  writeReceipts,
  writeReplacement,
} from '../ledger/write/receipts.ts';
import { parseUnits } from '../money/units.ts';
import type { Derive } from './derivation.ts';

/**
 * Writes the lines of a bank account or cash book, except those that an earlier import holds. Two lines of one file are never taken for one.
 *
 * @param idsAlone it was imported by remit 1.0, to which a bank's id was a line's identity on any day and of any amount
 */
export async function applyReceipts(
  trx: LedgerTransaction,
  evidenceId: number,
  { file, idsAlone }: { readonly file: ReceiptsFile; readonly idsAlone: boolean },
) {
  const lines = file.statements.flatMap((statement) => statement.lines.map((line) => accountOf(statement, line)));
  const bookLines = lines.map((line) => ({
    account: line.account,
    bankId: line.id,
    date: line.date,
    amount: parseUnits(line.amount),
    currency: line.currency,
    text: line.text,
    balance: line.balance == null ? null : parseUnits(line.balance),
  }));
  const held = (await readHeldReceipts(trx)).map(heldImport);
  const plan = planOverlap(held, { format: file.format, idsAlone, lines: bookLines });
  let last = await readLastReceipt(trx);
  const placed = plan.lines.map((line) => {
    if (line.by !== 'new') return { id: line.row, isNew: false };
    last += 1;
    return { id: last, isNew: true };
  });
  const isTable = file.format === 'csv' || file.format === 'xlsx' || file.format === 'pdf';
  await writeReceipts(trx, {
    statements: file.statements.map((statement, position) => statementRow(statement, evidenceId, position)),
    receipts: lines.flatMap((line, at) => {
      if (!placed[at]!.isNew) return [];
      const { account, date, currency, text, counterparty, reference } = line;
      const whose = { counterparty, counterparty_account: line.counterpartyAccount };
      const named = isTable ? { reference: null, invoice: reference } : { reference, invoice: null };
      const { amount } = bookLines[at]!;
      const own = { id: placed[at]!.id, evidence_id: evidenceId, line: line.line };
      const said = { account, date, value_date: line.valueDate, amount, currency, text, replaced_by: null };
      return { ...own, ...said, ...whose, ...named };
    }),
    lines: bookLines.map(({ bankId, ...line }, position) => {
      const own = { evidence_id: evidenceId, position, receipt_id: placed[position]!.id, replaced_by: null };
      return { ...own, bank_id: bankId, ...line };
    }),
  });
  const counts: Counts = { new: plan.added, changed: 0, unchanged: lines.length - plan.added };
  const usedAgain = plan.usedAgain.map((at) => lines[at]!);
  const renamed = plan.lines.flatMap((line) => (line.by !== 'new' && line.isRenamed ? [line.row] : []));
  return { ...counts, last_receipt: last, known: plan.known, usedAgain, renamed };
}

/** The receipts that count and that an import's file lacks, though it covers their days and account. */
export async function readNotInFile(trx: LedgerTransaction, importId: number): Promise<HeldReceipt[]> {
  const { days, lines, held } = await readDays(trx, importId);
  return heldButNotIn(held, days, new Set(lines.map(({ receipt_id }) => receipt_id)));
}

/**
 * Where a file says again, under other ids of the bank's, what other files hold: of the days that they cover as well, the lines on which
 * they do not agree. None where they agree on all.
 *
 * @param renamed the receipts that it holds under other ids
 */
export async function readDisagreeing(
  trx: LedgerTransaction,
  importId: number,
  renamed: readonly number[],
): Promise<HeldReceipt[]> {
  if (renamed.length === 0) return [];
  const { days, held } = await readDays(trx, importId);
  const others = (await readHeldReceipts(trx)).filter(({ id, lines }) => {
    return id !== importId && lines.some(({ receipt_id }) => renamed.includes(receipt_id));
  });
  const theirs = new Set(others.flatMap(({ lines }) => lines.map(({ receipt_id }) => receipt_id)));
  const both: CoveredDays[] = [];
  for (const { id } of others) {
    for (const one of (await readDays(trx, id)).days) {
      const stretch = days.find((each) => whoseKey(each) === whoseKey(one));
      if (stretch)
        both.push({
          ...one,
          from: stretch.from > one.from ? stretch.from : one.from,
          to: stretch.to < one.to ? stretch.to : one.to,
        });
    }
  }
  const lacking = (await readNotInFile(trx, importId)).filter(({ id }) => theirs.has(id));
  const added = held.filter(({ evidence_id }) => evidence_id === importId);
  return heldButNotIn([...lacking, ...added], both, new Set());
}

/** The days that an import covers, from the first to the last of each account and currency; its lines; and all receipts that count. */
async function readDays(trx: LedgerTransaction, importId: number) {
  const { statements, lines, held } = await readCovered(trx, importId);
  const each = [
    ...statements.map(({ from_day, to_day, ...whose }) => ({ ...whose, from: from_day, to: to_day })),
    ...lines.map(({ date, account, currency }) => ({ account, currency, from: date, to: date })),
  ];
  const byWhose = groupBy(each, whoseKey);
  const days = [...byWhose.values()].flatMap((all): CoveredDays[] => {
    const { account, currency } = all[0]!;
    const stated = all.flatMap(({ from, to }) => [from, to].filter((day) => day !== null)).sort();
    return stated.length === 0 ? [] : [{ account, currency, from: stated[0]!, to: stated.at(-1)! }];
  });
  return { days, lines, held };
}

const whoseKey = ({ account, currency }: Pick<CoveredDays, 'account' | 'currency'>) =>
  JSON.stringify([accountKey(account), currency]);

/** A person takes a file as a correction: the receipts of its days that it lacks no longer count, and their matches are taken back. */
export const deriveReceiptsReplaced: Derive = async ({ trx, evidence }) => {
  const { id, at, actor, subject } = evidence;
  const import_id = Number(subject);
  const replaced = (await readNotInFile(trx, import_id)).map((line) => line.id);
  await takeMatchesBack(trx, replaced, at, `import ${import_id} replaced its receipt`);
  await writeReplacement(trx, { id, import_id, at, actor: actor!, lines: replaced.length }, replaced);
};

/** An import is of the whole books, and its receipts may be matched to invoices of any courier. */
async function takeMatchesBack(trx: LedgerTransaction, receipts: readonly number[], at: string, why: string) {
  for (const { key } of await readCouriers(trx)) {
    const courierRows = ofCourier(trx, key);
    await removeMatches(courierRows, await matchesOfReceipts(courierRows, receipts), { at, by: 'remit', why });
  }
}

/** Undoes an import of receipts: removes the receipts that no other import holds, and their matches; what it replaced counts again. */
export async function undoReceipts(
  trx: LedgerTransaction,
  importId: number,
  undone: { readonly at: string; readonly by: string },
): Promise<void> {
  const restored = await readReplacedBy(trx, importId);
  await markReplaced(trx, restored, null);
  await replaceAgain(trx, importId, new Set(restored));
  const held = await readHeldReceipts(trx);
  const plan = planUndo(held.map(heldImport), importId, new Set(restored));
  await takeMatchesBack(trx, plan.removed, undone.at, `import ${importId} was undone`);
  const moved = plan.moved.map(({ id, line, to }) => {
    return { id, to, line: held.find((one) => one.id === id)!.lines[line]!.position };
  });
  await removeReceipts(trx, importId, { removed: plan.removed, moved });
}

/** A later correction of the same days takes out what would count again. */
async function replaceAgain(trx: LedgerTransaction, importId: number, restored: ReadonlySet<number>): Promise<void> {
  for (const { id, import_id } of await readReplacements(trx, importId)) {
    const lacking = (await readNotInFile(trx, import_id)).filter(
      (line) => restored.has(line.id) && line.evidence_id < id,
    );
    await markReplaced(
      trx,
      lacking.map((line) => line.id),
      id,
    );
  }
}

function heldImport({ id, format, ids, lines }: HeldReceipts): HeldImport<number, number> {
  return {
    id,
    format,
    idsAlone: ids === null,
    lines: lines.map(({ receipt_id, bank_id, position: _, ...line }) => ({
      ...line,
      bankId: bank_id,
      row: receipt_id,
    })),
  };
}

/** The line, with its statement's account where it names none itself. */
function accountOf(statement: Statement, line: ReceiptLine): ReceiptLine {
  return line.account === null ? { ...line, account: statement.account } : line;
}

function statementRow(statement: Statement, evidence_id: number, position: number) {
  const { account, currency, from, to, opening, closing, balanced } = statement;
  const whether = balanced === null ? null : balanced ? (1 as const) : (0 as const);
  return { evidence_id, position, account, currency, from_day: from, to_day: to, opening, closing, balanced: whether };
}
