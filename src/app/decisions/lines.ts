import { isSamePerson } from '../../base/names.ts';
import { inNumberTexts, type NumberTexts, numberText, textInNumberTexts } from '../../base/number-texts.ts';
import type { Sentence } from '../../base/sentence.ts';
import type { Config } from '../../config/index.ts';
import type { CloseBody } from '../../derive/decisions.ts';
import type { EvidenceRow } from '../../ledger/evidence/chain.ts';
import { type LedgerTransaction, ofCourier, readBody, sha256, tryOut, wholeLedger } from '../../ledger/index.ts';
import {
  readEvidenceOfKinds,
  readLastEvidence,
  readMakers,
  readProposal,
  type TakenOffLine,
} from '../../ledger/queries/evidence/decided.ts';
import { readLastEvents } from '../../ledger/queries/findings/history.ts';
import { type Mismatch, readMismatchesById } from '../../ledger/queries/findings/mismatches.ts';
import { readImport } from '../../ledger/queries/imports.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readMatchedBy } from '../../ledger/queries/receipts/match-history.ts';
import {
  type HeldMatch,
  readMatchesOf,
  readMatchesUndoneWith,
  readSettlementsWithoutReceipt,
} from '../../ledger/queries/receipts/matches.ts';
import type { SentLine } from '../../ledger/write/claims.ts';
import type { MismatchDecision } from '../../ledger/write/mismatches.ts';
import { formatUnits, parseUnits, type Units } from '../../money/units.ts';
import { type Courier, couriersOf } from '../couriers.ts';
import { isAboutUnpaid, readOpen } from '../settle/give-up.ts';
import { linesOfImport } from './import-lines.ts';

/** One thing that a decision does. */
export interface DecisionLine {
  /** `match`, `settle`, `unmatch`, `acknowledge`, `claim`, `close` ... */
  readonly what: string;
  readonly courier: string | null;
  /** What it is done to: `invoice 10009`, `receipt 41`, `2026-10`. */
  readonly subject: string;
  /** The subject in words; absent where it is a number or a month, and in proposals of an earlier remit. */
  readonly about?: Sentence;
  /** The mismatch that it is done to. */
  readonly mismatch?: string;
  /** How many lines of a file it brings. */
  readonly rows?: number;
  readonly currency: string | null;
  /** Decimal text; null where no money moves. */
  readonly amount: string | null;
  /** `to-us`: they owe it to us; `by-us`: we owe it to them; `none`: it is given up, or only recorded. */
  readonly direction: 'to-us' | 'by-us' | 'none';
  /**
   * The invoice whose open amount it changes, or whose money it gives up; and what is open of that invoice afterwards.
   */
  readonly invoice_number?: number;
  readonly invoice_number_text?: string;
  readonly open?: string;
}

/** A courier's line as it is recorded and shown: it names payouts by their own numbers (`ES-902`). */
function lineInNumberTexts(line: DecisionLine, texts: NumberTexts): DecisionLine {
  const { subject, about, invoice_number } = line;
  return {
    ...line,
    ...(about === undefined ? {} : { about: inNumberTexts(about, texts) }),
    subject: textInNumberTexts(subject, texts),
    ...(invoice_number === undefined ? {} : { invoice_number_text: numberText(invoice_number, texts) }),
  };
}

/** What a decision does, and a SHA-256 that differs if it does anything else. */
export interface Effects {
  readonly lines: readonly DecisionLine[];
  readonly digest: string;
}

/** The kinds of evidence that are decisions of people. */
export const DECISION_KINDS: readonly string[] = [
  'decision',
  'resolutions',
  'claim',
  'claim-answered',
  'claim-written-off',
  'claim-withdrawn',
  'assignment',
  'match',
  'match-removed',
  'import',
  'import-undone',
  'close',
  'reopen',
  'proposal',
  'proposal-approved',
  'proposal-refused',
];

/** The kinds of evidence that a decision consists of. Others, such as findings and answers, have no lines. */
const KINDS_WITH_LINES = [...DECISION_KINDS, 'claim-letter', 'receipts-replaced'];

/**
 * Reads what a decision did from the evidence that its transaction appended.
 *
 * @param after the last evidence before it
 */
export async function effectsSince(trx: LedgerTransaction, config: Config, after: number): Promise<Effects> {
  const wholeDb = wholeLedger(trx);
  const couriers = await couriersOf(wholeDb, { ...config, courier: null });
  const lines: DecisionLine[] = [];
  const proposed: DecisionLine[] = [];
  const textsOf = new Map<string | null, NumberTexts>();
  // What the lines do not show and the digest covers, such as the figures of a close.
  const basis: unknown[] = [];
  const rows = await readEvidenceOfKinds(wholeDb, KINDS_WITH_LINES, after);
  for (const row of rows) {
    if (row.kind === 'proposal') {
      // A decision that waits brings the lines and the digest of what it would do.
      const proposal = JSON.parse(row.data!) as Effects;
      proposed.push(...proposal.lines);
      basis.push(proposal.digest);
      continue;
    }
    const nextImport = rows.find(({ id, kind }) => id > row.id && kind === 'import')?.id;
    const courier = couriers.find(({ key }) => key === row.courier);
    const courierDb = courier ? ofCourier(trx, courier.key) : wholeDb;
    const rowLines =
      row.kind === 'import-undone'
        ? await linesOfUndone(trx, row, couriers)
        : await linesOf(courierDb, row, basis, nextImport);
    for (const { key, ...line } of rowLines) {
      const lineCourier = key === undefined ? courier : couriers.find((one) => one.key === key);
      const name = couriers.length > 1 ? (lineCourier?.name ?? null) : null;
      if (lineCourier && !textsOf.has(name)) textsOf.set(name, await readNumberTexts(ofCourier(trx, lineCourier.key)));
      lines.push({ courier: name, ...line });
    }
  }
  const allLines = [...(await withOpenAmounts(trx, lines, couriers)), ...proposed];
  const digested = allLines.filter((line) => !isOnlyShown(line)).map(withoutWording);
  return {
    lines: allLines.map((line) => lineInNumberTexts(line, textsOf.get(line.courier) ?? new Map())),
    digest: sha256(JSON.stringify([digested, basis])),
  };
}

/** A line's fields that are in digests since 1.0.0: other words do not make it another decision. */
export function withoutWording({ about, mismatch, rows, ...line }: DecisionLine): object {
  return line;
}

/** Reads what a decision would do: does it in an open transaction, and takes it back. */
export function effectsOf(trx: LedgerTransaction, config: Config, decide: () => Promise<unknown>): Promise<Effects> {
  return tryOut(trx, async () => {
    const before = await readLastEvidence(wholeLedger(trx));
    await decide();
    return effectsSince(trx, config, before);
  });
}

/** A line before its courier is known by name. `key` is that courier's, where the evidence is of all couriers. */
type Line = Omit<DecisionLine, 'courier'> & { readonly key?: string };

/**
 * Lines that only show what a close freezes: a balance at the month's end, and what it leaves open. The digest has the
 * figures of the close and what is open already.
 */
const CLOSING = 'closing';
const ALTHOUGH = 'although';
const isOnlyShown = ({ what }: Pick<DecisionLine, 'what'>) => what === CLOSING || what === ALTHOUGH;

/** Who owes what a line of a letter claims; a line to confirm claims nothing. */
const CLAIM_DIRECTIONS = { 'owed-to-us': 'to-us', 'owed-by-us': 'by-us', confirm: 'none' } as const;

const NO_MONEY = { currency: null, amount: null, direction: 'none' } as const;

/** What the evidence of a decision may say besides its subject. */
interface DecisionData extends Partial<MismatchDecision> {
  /** Reasons of matches that were removed, and of months that were opened again. */
  readonly why?: string;
  readonly reason?: string;
  readonly decisions?: readonly MismatchDecision[];
  /** In the letter of a claim: the receipts that it takes off. */
  readonly taken_off?: readonly TakenOffLine[];
}

export function dataOf({ data }: EvidenceRow): DecisionData {
  return data === null ? {} : JSON.parse(data);
}

/**
 * The lines of one piece of evidence.
 *
 * @param basis gets what the lines do not show, and the digest covers all the same
 * @param nextImport the evidence of the import after it, where one decision makes several
 */
async function linesOf(
  db: LedgerTransaction,
  row: EvidenceRow,
  basis: unknown[],
  nextImport: number | undefined,
): Promise<Line[]> {
  const data = dataOf(row);
  const body = async <T>() => JSON.parse((await readBody(db, row.sha256!)).toString('utf8')) as T;
  switch (row.kind) {
    case 'match': {
      const ids = (await readMatchedBy(db, [row.id])).map(({ id }) => id);
      return (await readMatchesOf(db, ids)).flatMap((match) => linesOfMatch(match));
    }
    case 'match-removed':
      return (await readMatchesOf(db, [Number(row.subject)])).flatMap((match) => linesOfMatch(match, 'removed'));
    case 'claim': {
      const sent = await body<readonly SentLine[]>();
      const ids = sent.map(({ id }) => id);
      const mismatches = await readMismatchesById(db, ids);
      return sent.map(({ id, currency, section, claimed }) => ({
        what: 'claim',
        subject: `mismatch ${id}`,
        ...aboutMismatch(mismatches.get(id)!),
        currency,
        amount: currency === null ? null : claimed,
        direction: CLAIM_DIRECTIONS[section],
      }));
    }
    case 'claim-letter':
      // `claimed` is negative where it is taken off what they owe to us, positive where it is left for later.
      return (data.taken_off ?? []).map(({ code, day, currency, claimed }) => {
        return { what: code, subject: day ?? '', currency, amount: claimed, direction: 'to-us' };
      });
    case 'decision':
    case 'claim-answered':
    case 'claim-withdrawn':
    case 'claim-written-off': {
      const what = row.kind === 'decision' ? (data.to_status ?? '') : row.kind;
      return linesOfFindings(db, row, what, data.ids ?? [], basis);
    }
    case 'resolutions': {
      const lines = [];
      for (const { to_status, ids } of data.decisions ?? []) {
        lines.push(...(await linesOfFindings(db, row, to_status, ids, basis)));
      }
      return lines;
    }
    case 'proposal-approved': {
      // What else is approved has evidence that says what was done.
      const proposal = await readProposal(db, Number(row.subject));
      return proposal?.subject === 'policy' ? [...(JSON.parse(proposal.data!) as Effects).lines] : [];
    }
    case 'proposal-refused': {
      const proposer = (await readProposal(wholeLedger(db), Number(row.subject)))!.actor!;
      const persons = [proposer, ...(await readMakers(wholeLedger(db)))(proposer)];
      const isWithdrawn = persons.some((person) => isSamePerson(person, row.actor!));
      return [{ what: isWithdrawn ? 'withdraw' : 'refuse', subject: `decision ${row.subject}`, ...NO_MONEY }];
    }
    case 'close':
      return linesOfClose(row.subject, await body<CloseBody>(), basis);
    case 'import': {
      // From this evidence on, up to that of the next import.
      if (row.subject === 'receipts') return linesOfImport(db, row.source!, row.id - 1, nextImport);
      const { new: added = 1, changed = 0 } = (await readImport(db, row.id)) ?? {};
      return [{ what: 'import', subject: row.source ?? row.subject, ...NO_MONEY, rows: added + changed }];
    }
    default:
      return [{ what: row.kind, subject: row.subject, ...NO_MONEY }];
  }
}

/** The close of a month, the reasons against it that were accepted, and what is owed at the end of the month. */
function linesOfClose(month: string, { couriers }: CloseBody, basis: unknown[]): Line[] {
  basis.push(Object.values(couriers).map(({ figures_sha256, with_open }) => [figures_sha256, with_open]));
  const perCourier = Object.entries(couriers);
  const although = perCourier.flatMap(([key, { with_open }]) =>
    (with_open?.reasons ?? []).map(({ why }): Line => ({ what: ALTHOUGH, subject: why, key, ...NO_MONEY })),
  );
  const owed = perCourier.flatMap(([key, { figures }]) =>
    figures.roll_forward.map(({ currency, closing }): Line => {
      const direction = parseUnits(closing) < 0n ? 'by-us' : 'to-us';
      return { what: CLOSING, subject: month, key, currency, amount: closing, direction };
    }),
  );
  return [{ what: 'close', subject: month, ...NO_MONEY }, ...although, ...owed];
}

function aboutMismatch({ id, code, invoice_number: invoice, order_id: order, subject }: Mismatch) {
  return { about: { id: 'cause-of-one', code, invoice, order, subject, count: 1 }, mismatch: id };
}

/**
 * A line for each invoice that a match pays, and for each difference that it names, as it is made or removed: a receipt
 * of 95.00 for an invoice of 100.00 gives `match` 95.00 and `bank-charge` 5.00.
 */
function linesOfMatch(match: HeldMatch, change: 'made' | 'removed' = 'made'): Line[] {
  const { receipts, invoices, currency, difference_kind } = match;
  const from = receipts.map(({ id }) => id);
  return invoices.flatMap(({ number, amount, named }) => {
    const subject = `invoice ${number}`;
    const line = (what: string, units: Units, paidBy: readonly number[]): Line[] => {
      if (units === 0n) return [];
      const paid = paidBy.length === 0 ? subject : `${subject} ← receipt ${paidBy.join(', ')}`;
      const about = { id: 'about-invoice', invoice: number, receipts: paidBy };
      const money = { currency, amount: formatUnits(units), direction: 'none' } as const;
      return [{ what, subject: paid, about, ...money, invoice_number: number }];
    };
    return [
      ...line(change === 'removed' ? 'unmatch' : 'match', amount, from),
      ...line(change === 'removed' ? 'undo' : (difference_kind ?? 'other'), named, []),
    ];
  });
}

/** What undoing an import takes back: its file, and the matches that rested on it. */
async function linesOfUndone(
  trx: LedgerTransaction,
  { kind, subject }: EvidenceRow,
  couriers: readonly Courier<Config>[],
): Promise<Line[]> {
  const id = Number(subject);
  const { source: file, rows } = (await readImport(wholeLedger(trx), id))!;
  const lines: Line[] = [{ what: kind, subject, about: { id: 'about-import', file, lines: rows }, rows, ...NO_MONEY }];
  for (const { key } of couriers) {
    const matches = await readMatchesUndoneWith(ofCourier(trx, key), id);
    lines.push(...matches.flatMap((match) => linesOfMatch(match, 'removed')).map((line) => ({ ...line, key })));
  }
  return lines;
}

async function linesOfFindings(
  db: LedgerTransaction,
  { id: evidence }: EvidenceRow,
  what: string,
  ids: readonly string[],
  basis: unknown[],
): Promise<Line[]> {
  const [mismatches, last] = [await readMismatchesById(db, ids), await readLastEvents(db, ids)];
  // The same decision about a mismatch of another status is another decision.
  basis.push(ids.map((id) => last.get(id)?.from_status));
  const isGivenUp = what === 'resolved' || what === 'claim-written-off';
  // If it takes an amount off an invoice too, that amount has a line of its own.
  const settlements = isGivenUp ? await readSettlementsWithoutReceipt(db) : [];
  const settled = new Set(settlements.filter(({ evidence_id }) => evidence_id > evidence).map(({ claim }) => claim));
  return ids.map((id) => {
    const mismatch = mismatches.get(id)!;
    const { subject, currency, effect } = mismatch;
    const about = { what, subject: `${id} ${subject}`, ...aboutMismatch(mismatch) };
    if (effect === null || settled.has(id)) return { ...about, ...NO_MONEY };
    // An effect is negative where we are short.
    const units = parseUnits(effect);
    if (isGivenUp) {
      const invoice = isAboutUnpaid(mismatch) ? { invoice_number: mismatch.invoice_number! } : {};
      return { ...about, currency, amount: formatUnits(-units), direction: 'none', ...invoice };
    }
    return { ...about, currency, amount: effect, direction: units > 0n ? 'by-us' : 'to-us' };
  });
}

/** Adds to each line about an invoice what is open of it afterwards. Where there is one courier, no line names it. */
async function withOpenAmounts(
  trx: LedgerTransaction,
  lines: readonly DecisionLine[],
  couriers: readonly Courier<Config>[],
): Promise<DecisionLine[]> {
  const open = new Map<string, string>();
  for (const { key, name, config } of couriers) {
    if (!lines.some((line) => line.invoice_number !== undefined && (line.courier ?? name) === name)) continue;
    for (const one of await readOpen(ofCourier(trx, key), config)) {
      open.set(`${name} ${one.number} ${one.currency}`, formatUnits(one.open));
    }
  }
  return lines.map((line) => {
    const openAmount = open.get(`${line.courier ?? couriers[0]!.name} ${line.invoice_number} ${line.currency}`);
    return openAmount === undefined ? line : { ...line, open: openAmount };
  });
}

/** Sums the amounts of lines per currency and direction. */
export function sumsOf(lines: readonly DecisionLine[]) {
  const sums = new Map<string, { currency: string; direction: DecisionLine['direction']; amount: Units }>();
  for (const { currency, amount, direction } of lines) {
    if (currency === null || amount === null) continue;
    const key = `${currency} ${direction}`;
    const before = sums.get(key)?.amount ?? 0n;
    sums.set(key, { currency, direction, amount: before + parseUnits(amount) });
  }
  return [...sums.values()].map((sum) => ({ ...sum, amount: formatUnits(sum.amount) }));
}

/** How many invoices or other things each kind of line is about, and their sums: for a sentence. */
export function doneBy(lines: readonly DecisionLine[]) {
  const kinds = [...new Set(lines.filter((line) => !isOnlyShown(line)).map(({ what }) => what))];
  return kinds.map((what) => {
    const done = lines.filter((line) => line.what === what);
    // An invoice in two currencies has two lines.
    const isOfInvoice = ({ invoice_number, mismatch }: DecisionLine) =>
      invoice_number !== undefined && mismatch === undefined;
    const invoices = done.filter(isOfInvoice).map(({ courier, invoice_number }) => `${courier} ${invoice_number}`);
    const others = done.reduce((sum, line) => sum + (isOfInvoice(line) ? 0 : (line.rows ?? 1)), 0);
    const count = new Set(invoices).size + others;
    const file = done.find(({ about }) => about?.id === 'about-import')?.about?.file as string | undefined;
    return { what, count, sums: sumsOf(done), ...(file === undefined ? {} : { file }) };
  });
}
