import { type DifferenceKind, type ManualMatch, validateManualMatch } from '../../books/matching/index.ts';
import { invoiceOf, type MatchBooks, readMatchBooks, receiptOf } from '../../checks/receipts/match-books.ts';
import type { MatchEvidence } from '../../derive/matches.ts';
import { UsageError } from '../../errors.ts';
import { holdHead } from '../../ledger/evidence/append.ts';
import { usingTransaction } from '../../ledger/index.ts';
import { readMatch } from '../../ledger/read/matches.ts';
import { type Books, usingBooks } from '../books.ts';
import { keep, keepMatches } from '../keep.ts';
import { textOf } from './run.ts';

export interface AddRequest {
  readonly receipt: number;
  readonly invoices: readonly number[];
  /** What the rest is, where the two sides differ. */
  readonly difference: DifferenceKind | null;
  readonly note: string | null;
  /** Who matches. */
  readonly by: string;
}

/** A match that a person made. */
export interface AddedMatch {
  readonly receipt: number;
  readonly invoices: readonly number[];
  readonly currency: string;
  readonly receipts_amount: string;
  readonly invoices_amount: string;
  readonly difference: string;
  readonly difference_kind: string | null;
}

/** Matches a receipt to invoices by hand. @throws UsageError where they do not tally and the rest is not named */
export function addMatch(books: Books, request: AddRequest): Promise<AddedMatch> {
  const { receipt, invoices, difference, note, by } = request;
  return usingBooks(books, {}, (ledger) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      const held = await readMatchBooks(trx, books.config);
      const match = validateManualMatch({
        ...sidesOf(held, receipt, invoices),
        ...(difference === null ? {} : { difference: { kind: difference, note } }),
      });
      await keepMatches(trx, { at: books.now(), actor: by, matches: [evidenceOf(match, note)] });
      return {
        receipt,
        invoices: match.invoices.map(({ number }) => number),
        currency: match.currency,
        receipts_amount: textOf(match.due + match.difference),
        invoices_amount: textOf(match.due),
        difference: textOf(match.difference),
        difference_kind: match.differenceKind,
      };
    }),
  );
}

/** The receipt and the invoices in its currency. @throws UsageError for one that the ledger does not hold */
function sidesOf({ receipts, invoices }: MatchBooks, id: number, numbers: readonly number[]) {
  const receipt = receipts.get(id);
  if (!receipt)
    throw new UsageError(`there is no receipt ${id}`, '`remit match list --unmatched` shows those that are left.');
  const named = numbers.map((number) => {
    const own = invoices.filter((invoice) => invoice.number === number);
    if (own.length === 0) throw new UsageError(`there is no invoice ${number}`, '`remit report invoices` lists them.');
    const invoice = own.find(({ currency }) => currency === receipt.currency);
    if (invoice) return invoiceOf(invoice);
    throw new UsageError(
      `invoice ${number} asks for no ${receipt.currency}, in which receipt ${id} is`,
      'Money of one currency never pays another: name another invoice.',
    );
  });
  return { receipts: [receiptOf(receipt)], invoices: named };
}

function evidenceOf(match: ManualMatch, note: string | null): MatchEvidence {
  const named = new Map(match.named.map(({ number, amount }) => [number, amount]));
  return {
    rule: match.rule,
    currency: match.currency,
    receipts: match.receipts.map(({ id, amount }) => [Number(id), textOf(amount)]),
    invoices: match.invoices.map(({ number, amount }) => [number, textOf(amount), textOf(named.get(number) ?? 0n)]),
    due: textOf(match.due),
    difference: textOf(match.difference),
    difference_kind: match.differenceKind,
    note,
    why: match.evidence,
    reverses: null,
  };
}

export interface RemoveRequest {
  readonly id: number;
  readonly reason: string;
  readonly by: string;
}

/** Takes a match away; its receipts are matched by hand from then on. @throws UsageError where there is none in force */
export function removeMatch(books: Books, { id, reason, by }: RemoveRequest): Promise<void> {
  const why = reason.trim();
  if (why === '') throw new UsageError('--reason is empty', 'Say why the match is taken away: it stays on record.');
  return usingBooks(books, {}, (ledger) =>
    usingTransaction(ledger, async (trx) => {
      await holdHead(trx);
      const match = await readMatch(trx, id);
      if (!match) throw new UsageError(`there is no match ${id}`, '`remit match list` shows them all.');
      if (match.removed_at !== null) {
        throw new UsageError(
          `match ${id} was taken away already, at ${match.removed_at}`,
          '`remit match list` shows those in force.',
        );
      }
      await keep(trx, { at: books.now(), kind: 'match-removed', actor: by, subject: String(id), data: { why } });
    }),
  );
}
