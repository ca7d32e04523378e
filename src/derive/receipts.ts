import type { ReceiptLine, ReceiptsFile, Statement } from '../books/formats/index.ts';
import { type HeldImport, planOverlap, planUndo } from '../books/overlap/index.ts';
import type { LedgerTransaction } from '../ledger/index.ts';
import { readLastReceipt } from '../ledger/write/imported.ts';
import { matchesOfReceipts, removeMatches } from '../ledger/write/matches.ts';
import type { Counts } from '../ledger/write/own-orders.ts';
import { type HeldReceipts, readHeldReceipts, removeReceipts, writeReceipts } from '../ledger/write/receipts.ts';
import { parseUnits } from '../money/index.ts';

/** Lines of a bank account or cash book. What files that are in force hold already is held once, and never two real lines are folded. */
export async function applyReceipts(trx: LedgerTransaction, evidenceId: number, file: ReceiptsFile) {
  const lines = file.statements.flatMap((statement) => statement.lines.map((line) => accountOf(statement, line)));
  const bookLines = lines.map((line) => ({
    account: line.account,
    bankId: line.id,
    date: line.date,
    amount: parseUnits(line.amount),
    currency: line.currency,
    text: line.text,
  }));
  const held = (await readHeldReceipts(trx)).map(heldImport);
  const plan = planOverlap(held, { format: file.format, lines: bookLines });
  let last = await readLastReceipt(trx);
  const placed = plan.lines.map((line) => {
    if (line.by !== 'new') return { id: line.row, isNew: false };
    last += 1;
    return { id: last, isNew: true };
  });
  const isTable = file.format === 'csv' || file.format === 'xlsx';
  await writeReceipts(trx, {
    statements: file.statements.map((statement, position) => statementRow(statement, evidenceId, position)),
    receipts: lines.flatMap((line, at) => {
      if (!placed[at]!.isNew) return [];
      const { account, date, currency, text, counterparty, reference } = line;
      const whose = { counterparty, counterparty_account: line.counterpartyAccount };
      const named = isTable ? { reference: null, invoice: reference } : { reference, invoice: null };
      const { amount } = bookLines[at]!;
      const own = { id: placed[at]!.id, evidence_id: evidenceId, line: line.line };
      return { ...own, account, date, value_date: line.valueDate, amount, currency, text, ...whose, ...named };
    }),
    lines: bookLines.map(({ bankId, ...line }, position) => {
      return { evidence_id: evidenceId, position, receipt_id: placed[position]!.id, bank_id: bankId, ...line };
    }),
  });
  const differing = plan.lines.filter((line) => line.by !== 'new' && line.differs).length;
  const counts: Counts = { new: plan.added, changed: 0, unchanged: lines.length - plan.added };
  return { ...counts, last_receipt: last, known: { ...plan.known, differing } };
}

/** Takes an import of receipts back: what no other holds goes, and with it the matches that rest on it. */
export async function undoReceipts(
  trx: LedgerTransaction,
  importId: number,
  undone: { readonly at: string; readonly by: string },
): Promise<void> {
  const plan = planUndo((await readHeldReceipts(trx)).map(heldImport), importId);
  const matches = await matchesOfReceipts(trx, plan.removed);
  await removeMatches(trx, matches, { at: undone.at, by: 'remit', why: `import ${importId} was undone` });
  await removeReceipts(trx, importId, plan);
}

function heldImport({ id, format, lines }: HeldReceipts): HeldImport<number, number> {
  return {
    id,
    format,
    lines: lines.map(({ receipt_id, bank_id, ...line }) => ({ ...line, bankId: bank_id, row: receipt_id })),
  };
}

/** A line is of its statement's account where it names none itself. */
function accountOf(statement: Statement, line: ReceiptLine): ReceiptLine {
  return line.account === null ? { ...line, account: statement.account } : line;
}

function statementRow(statement: Statement, evidence_id: number, position: number) {
  const { account, currency, from, to, opening, closing, balanced } = statement;
  const whether = balanced === null ? null : balanced ? (1 as const) : (0 as const);
  return { evidence_id, position, account, currency, from_day: from, to_day: to, opening, closing, balanced: whether };
}
