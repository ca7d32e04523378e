import { isOver } from '../../base/states.ts';
import { type LetterRecord, readLetters } from '../../ledger/queries/evidence/decided.ts';
import { type Claim, findClaims } from '../../ledger/queries/findings/claims.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { parseUnits, type Units } from '../../money/units.ts';
import type { Gathered, Unallocated } from './gather.ts';
import { addTo, isCorrection, least } from './owed.ts';

/** A line of a letter in force that says what the courier owes. */
interface LetterPoint {
  /** The finding. */
  readonly id: string;
  /** The evidence of the claim that it is in, and its line there. */
  readonly letter: number;
  readonly line: number;
  readonly currency: string;
  readonly amount: Units;
}

/** What a letter took off one of its points. */
export type Share = Pick<LetterPoint, 'id' | 'currency' | 'amount'>;

/** What is left of receipts that pay no invoice, by day and currency: letters name them by these. */
type Pool = Map<string, Units>;

const poolKey = (day: string, currency: string) => `${day} ${currency}`;

function poolOf(unallocated: readonly Unallocated[]): Pool {
  const pool: Pool = new Map();
  for (const { date, currency, amount } of unallocated) addTo(pool, poolKey(date, currency), amount);
  return pool;
}

/**
 * Divides what letters took off among their points, from the first on: never more than the points that are in force. A
 * receipt of 80.00 that a letter takes off its points of 60.00 and 50.00 gives shares of 60.00 and 20.00.
 *
 * @param pool the receipts that there still are: no more is taken off than they hold, and the shares are taken out of
 *   them; absent for all that was taken off when the letters were sent
 */
function sharesOf(
  letters: readonly Pick<LetterRecord, 'claim' | 'taken_off'>[],
  points: readonly LetterPoint[],
  pool?: Pool,
): Share[] {
  const inOrder = [...letters].sort((a, b) => a.claim - b.claim);
  return inOrder.flatMap(({ claim, taken_off = [] }) => {
    const ofLetter = points.filter(({ letter }) => letter === claim).sort((a, b) => a.line - b.line);
    const openOf = new Map(ofLetter.map(({ id, amount }) => [id, amount]));
    return taken_off.flatMap(({ day, currency, claimed }) => {
      // A line that takes off has a negative amount. What is left for later has a positive one, and gives no share.
      const takenOff = -parseUnits(claimed);
      const pointsInCurrency = ofLetter.filter((point) => point.currency === currency);
      // The line `beyond-balance` has no day: it takes off what the courier cannot owe, and no receipt limits it.
      if (day === null || !pool) return divide(takenOff, pointsInCurrency, openOf);
      const key = poolKey(day, currency);
      const shares = divide(least(takenOff, pool.get(key) ?? 0n), pointsInCurrency, openOf);
      for (const { amount } of shares) pool.set(key, pool.get(key)! - amount);
      return shares;
    });
  });
}

/** Divides an amount among points, from the first on. @param openOf what is open of each: its share is taken out */
function divide(amount: Units, points: readonly LetterPoint[], openOf: Map<string, Units>): Share[] {
  let rest = amount;
  return points.flatMap(({ id, currency }) => {
    const share = least(rest, openOf.get(id)!);
    if (share <= 0n) return [];
    rest -= share;
    openOf.set(id, openOf.get(id)! - share);
    return [{ id, currency, amount: share }];
  });
}

/** What letters in force took off their points when they were sent. */
export async function readSharesSent(db: LedgerReader): Promise<Share[]> {
  const letters = (await readLetters(db)).filter(({ taken_off = [] }) => taken_off.length > 0);
  if (letters.length === 0) return [];
  const inForce = (await findClaims(db, {})).filter(({ claim }) => !isOver(claim.state));
  const points = inForce.flatMap(({ claim }) => pointOf(claim, parseUnits(claim.claimed)));
  return sharesOf(letters, points);
}

/** What they take off now. A receipt that pays an invoice by now has made that claim smaller: it is not taken off. */
export function sharesNow({ claimed, owed, letters, unallocated }: Gathered): Share[] {
  const points = claimed.flatMap((claim) => {
    const now = owed.get(claim.mismatch_id);
    return now?.section === claim.section ? pointOf(claim, now.claimed) : [];
  });
  return sharesOf(letters, points, poolOf(unallocated));
}

function pointOf(
  { mismatch_id: id, evidence_id: letter, line, currency, section }: Claim,
  amount: Units,
): LetterPoint[] {
  return currency === null || section !== 'owed-to-us' ? [] : [{ id, letter, line, currency, amount }];
}

/**
 * What letters in force leave to a new one: of the receipts, what they do not take off; of the open balance, what they
 * do not ask for. With 100.00 open, a letter that asks for an unpaid 60.00 and takes a receipt of 20.00 off it asks for
 * 40.00, and leaves 60.00.
 *
 * @param ids the findings of the new letter, which are no longer in an earlier one
 */
export function leftByLetters(
  { owed, claimed, letters, unallocated, open }: Gathered,
  ids: ReadonlySet<string>,
): Pick<Gathered, 'unallocated' | 'open'> {
  // The claims of earlier letters that stay in them.
  const others = claimed.flatMap((claim) => {
    const now = ids.has(claim.mismatch_id) ? undefined : owed.get(claim.mismatch_id);
    return now && claim.currency !== null && now.section === claim.section
      ? [{ claim, now, currency: claim.currency }]
      : [];
  });
  const pool = poolOf(unallocated);
  const points = others.flatMap(({ claim, now }) => pointOf(claim, now.claimed));
  const left = new Map(open);
  // What a letter takes off, it does not ask for: that much of the balance is left.
  for (const { currency, amount } of sharesOf(letters, points, pool)) addTo(left, currency, amount);
  for (const { claim, now, currency } of others) {
    const asked = claim.section === 'owed-to-us' ? now.claimed : -now.claimed;
    // A correction, neither unpaid nor overpaid, is not in the balance: asking for it leaves the balance as it is.
    if (!isCorrection(now.mismatch.code)) addTo(left, currency, -asked);
  }
  // `sharesOf` has taken the letters' shares out of `pool`: what it still holds is free.
  const free = unallocated.flatMap((receipt) => {
    const key = poolKey(receipt.date, receipt.currency);
    const amount = least(receipt.amount, pool.get(key)!);
    pool.set(key, pool.get(key)! - amount);
    return amount > 0n ? [{ ...receipt, amount }] : [];
  });
  return { unallocated: free, open: left };
}
