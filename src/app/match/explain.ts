import { UsageError } from '../../base/errors.ts';
import { numberNamed, numberText } from '../../base/number-texts.ts';
import type { ExplainedSentence, Sentence } from '../../base/sentence.ts';
import {
  type MatchBooks,
  type MatchSettings,
  outcomeOf,
  readMatchBooks,
} from '../../checks/facts/receipts/match-books.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import type { HeldMatch } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { matchReceipts } from '../../matching/match-receipts.ts';
import { type MatchOutcome, type MatchRule, outstandingOf } from '../../matching/model.ts';
import { inOrder, isMatched, type Subject, Tried, type TriedRule } from '../../matching/tried-log.ts';
import { formatUnits } from '../../money/units.ts';
import { showingError } from '../../words/errors/showing.ts';
import { ENGLISH } from '../../words/index.ts';
import type { Books } from '../books.ts';
import { ofOneCourier, readEachCourier } from '../each-courier.ts';
import { thingsNamed } from '../show/find.ts';

interface Reason {
  /** In English. */
  readonly why: string;
  /** The same sentence as JSON, which every language can say. */
  readonly sentence: string;
}

const reasonOf = (sentence: Sentence): Reason => ({ why: ENGLISH.say(sentence), sentence: JSON.stringify(sentence) });

/** Why a receipt or an invoice is matched as it is. */
export interface Explained {
  /** `receipt 41`, `invoice 10009`. */
  readonly subject: string;
  readonly said: readonly Reason[];
  /** Each rule in the order in which the rules run, with what it could have matched. */
  readonly tried: readonly {
    readonly rule: string;
    readonly candidates: readonly (Reason & {
      readonly invoices: readonly number[];
      readonly invoices_text: readonly string[];
      readonly receipts: readonly number[];
      readonly currency: string;
      /** What the invoices ask for; without invoices, what is left of the receipts. */
      readonly amount: string;
    })[];
  }[];
}

/**
 * Says what each rule tried with a receipt or an invoice, and why each candidate was matched or not. The rules say it
 * themselves: for an existing match, they run again over the books as they were before it.
 *
 * @param books all receipts and invoices as they are now
 */
export async function explainSubject(
  db: LedgerReader,
  settings: MatchSettings,
  { books, subject }: { readonly books: MatchBooks; readonly subject: Subject },
): Promise<Explained> {
  const receipt = 'receipt' in subject ? Number(subject.receipt) : null;
  // `reverses`: the receipt whose payment the match takes back.
  const uses = ({ receipts, invoices, reverses }: HeldMatch) =>
    'invoice' in subject
      ? invoices.some(({ number }) => number === subject.invoice)
      : reverses === receipt || receipts.some(({ id }) => id === receipt);
  const said: ExplainedSentence[] = [];
  const tried: TriedRule[] = [];
  const shownRuns = new Set<number>();
  for (const match of books.held.filter(uses)) {
    const { id, actor: by, rule, evidence_id } = match;
    if (rule === 'manual' || rule === 'settled') {
      said.push({ id: `explained-${rule}`, match: id, by });
      continue;
    }
    const replayed = await triedBefore(db, settings, { match, subject });
    said.push({ id: replayed === null ? 'explained-changed' : 'explained-matched', match: id });
    // One run made all matches of one evidence: it is shown once.
    if (replayed === null) tried.push(asMatched(match));
    else if (!shownRuns.has(evidence_id)) {
      tried.push(...replayed);
      shownRuns.add(evidence_id);
    }
  }
  const triedNow = new Tried(subject);
  const outcome = outcomeOf(books, triedNow);
  said.push(...whyOpen(books, outcome, subject));
  // A receipt that is used up is tried no more: shown is how it was matched.
  const isTriedNow = receipt === null || books.receipts.get(receipt)!.left !== 0n;
  if (isTriedNow || tried.length === 0) tried.push(...triedNow.rules);
  said.push(...(await closedAmong(db, books, tried)));
  return {
    subject: 'invoice' in subject ? `invoice ${numberText(subject.invoice, books.texts)}` : `receipt ${receipt}`,
    said: said.map(reasonOf),
    tried: inOrder(tried).map((rule) => inText(rule, books)),
  };
}

/** What the rules tried before they made a match; null if today's rules make another match of those books. */
async function triedBefore(
  db: LedgerReader,
  settings: MatchSettings,
  { match, subject }: { readonly match: HeldMatch; readonly subject: Subject },
): Promise<readonly TriedRule[] | null> {
  const before = await readMatchBooks(db, settings, { id: match.evidence_id, at: match.at });
  const tried = new Tried(subject);
  const { matches } = matchReceipts(before.input, tried);
  const keyOf = (made: {
    rule: string;
    receipts: readonly { id: number | string; amount: bigint }[];
    invoices: readonly { number: number; amount: bigint }[];
  }) =>
    [
      made.rule,
      ...made.receipts.map(({ id, amount }) => `r${id}:${amount}`).sort(),
      ...made.invoices.map(({ number, amount }) => `${number}:${amount}`).sort(),
    ].join(' ');
  // The rules after the last that matched something only tried what was left.
  const { rules } = tried;
  return matches.some((one) => keyOf(one) === keyOf(match)) ? rules.slice(0, rules.findLastIndex(isMatched) + 1) : null;
}

/** A match as the only candidate of its rule, when the rules would not make it again. */
function asMatched({ rule: ruleText, currency, due, receipts, invoices }: HeldMatch): TriedRule {
  const rule = ruleText as MatchRule;
  const candidate = {
    invoices: invoices.map(({ number }) => number),
    receipts: receipts.map(({ id }) => String(id)),
    currency,
    amount: due,
    why: { id: 'tried-matched', rule } as const,
  };
  return { rule, candidates: [candidate] };
}

/** Why what is left of the subject is not matched. */
function whyOpen(books: MatchBooks, outcome: MatchOutcome, subject: Subject): ExplainedSentence[] {
  if ('invoice' in subject) {
    const ofSubject = ({ number }: { readonly number: number }) => number === subject.invoice;
    const isOpen = books.input.invoices.some((invoice) => ofSubject(invoice) && outstandingOf(invoice) !== 0n);
    const isFound = outcome.matches.some(({ invoices }) => invoices.some(ofSubject));
    if (!isOpen) return [{ id: 'explained-nothing-left' }];
    return isFound ? [] : [{ id: 'explained-unmatched' }];
  }
  const id = Number(subject.receipt);
  if (books.receipts.get(id)!.left === 0n) return [{ id: 'explained-nothing-left' }];
  const couriers = books.undecided.get(id);
  if (couriers) return [{ id: 'explained-several-couriers', couriers }];
  const owner = books.elsewhere.get(id);
  if (owner) return [{ id: 'explained-of-other', courier: owner.other }];
  if (!books.courierReceipts.has(id)) return [{ id: 'explained-not-courier' }];
  if (books.leftToPeople.has(id)) return [{ id: 'explained-by-hand-only' }];
  const isAmbiguous = outcome.ambiguous.some(({ receipt }) => receipt === subject.receipt);
  const isFound = outcome.matches.some(({ receipts }) => receipts.some((share) => share.id === subject.receipt));
  // What the next run would match is said by the rule that finds it.
  return isFound ? [] : [{ id: isAmbiguous ? 'explained-ambiguous' : 'explained-unmatched' }];
}

/** Which months of the invoices that were looked at are closed. */
async function closedAmong(db: LedgerReader, { heads }: MatchBooks, tried: TriedRule[]): Promise<ExplainedSentence[]> {
  const numbers = tried.flatMap(({ candidates }) => candidates.flatMap(({ invoices }) => invoices));
  const periods = new Set(numbers.map((number) => heads.get(number)?.period));
  const months = (await readClosesInForce(db)).map(({ period }) => period).filter((period) => periods.has(period));
  return months.length === 0 ? [] : [{ id: 'explained-closed', months }];
}

function inText({ rule, candidates }: TriedRule, { texts }: MatchBooks): Explained['tried'][number] {
  return {
    rule,
    candidates: candidates.map(({ invoices, receipts, currency, amount, why }) => ({
      invoices,
      invoices_text: invoices.map((number) => numberText(number, texts)),
      receipts: receipts.map(Number),
      currency,
      amount: formatUnits(amount),
      ...reasonOf(why),
    })),
  };
}

/**
 * Explains a receipt or an invoice.
 *
 * @param words its id or number, after `receipt` or `invoice` if it may be either
 * @throws UsageError when it names nothing, or both a receipt and an invoice
 */
export async function explainBooks(books: Books, words: readonly string[]): Promise<Explained> {
  const { kind, name } = await parseWords(books, words);
  if (kind === 'receipt') {
    // A receipt may be any courier's, whatever `--courier` says.
    const wholeBooks = { ...books, config: { ...books.config, courier: null } };
    const byCourier = await readEachCourier(wholeBooks, {}, async (db, { config }) => {
      const matchBooks = await readMatchBooks(db, config);
      const id = Number(name);
      const hasMatch = matchBooks.held.some(({ receipts }) => receipts.some((share) => share.id === id));
      const isOfCourier = hasMatch || matchBooks.courierReceipts.has(id);
      // The rules know it as `41`, also where `041` is typed.
      const subject = { receipt: String(id) };
      return { isOfCourier, explained: await explainSubject(db, config, { books: matchBooks, subject }) };
    });
    const { value } = byCourier.find(({ value: { isOfCourier } }) => isOfCourier) ?? byCourier[0]!;
    return value.explained;
  }
  return ofOneCourier(books, { kind: 'invoice', name }, async (db, { config }) => {
    const matchBooks = await readMatchBooks(db, config);
    const number = numberNamed(name, matchBooks.texts);
    if (number === null || !matchBooks.heads.has(number))
      throw new UsageError(showingError({ id: 'no-invoice', name, nearest: [] }));
    return explainSubject(db, config, { books: matchBooks, subject: { invoice: number } });
  });
}

async function parseWords(books: Books, words: readonly string[]) {
  const [kindOrName = '', second, ...others] = words;
  if (second === undefined) return { kind: await findKind(books, kindOrName, null), name: kindOrName } as const;
  if (others.length === 0 && (kindOrName === 'receipt' || kindOrName === 'invoice')) {
    return { kind: await findKind(books, second, kindOrName), name: second } as const;
  }
  throw new UsageError(showingError({ id: 'explain-one' }));
}

type Kind = 'receipt' | 'invoice';

async function findKind(books: Books, name: string, wanted: Kind | null): Promise<Kind> {
  const found = await readEachCourier(books, {}, (db) => thingsNamed(db, name));
  const kinds = new Set(
    found.flatMap(({ value }) => value).flatMap(({ kind }) => (kind === 'receipt' || kind === 'invoice' ? [kind] : [])),
  );
  if (wanted !== null && kinds.has(wanted)) return wanted;
  if (wanted === 'receipt') throw new UsageError(showingError({ id: 'no-receipt', name }));
  if (wanted === 'invoice') throw new UsageError(showingError({ id: 'no-invoice', name, nearest: [] }));
  const [only, second] = kinds;
  if (only === undefined) throw new UsageError(showingError({ id: 'explain-nothing', name }));
  if (second === undefined) return only;
  const commands = (['receipt', 'invoice'] as const).map((kind) => `remit match explain ${kind} ${name}`);
  throw new UsageError(showingError({ id: 'several-things', name, commands }));
}
