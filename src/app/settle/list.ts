import { monthIn } from '../../base/day.ts';
import { numberText } from '../../base/number-texts.ts';
import { type GivenUp, readGivenUp } from '../../ledger/queries/findings/effects.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { type AmountTakenOff, readTakenOff } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import type { Books } from '../books.ts';
import { readEachCourier } from '../each-courier.ts';
import { reasonInWords } from '../mismatches/in-number-texts.ts';

/** An amount that a person took off an invoice without a receipt, or gave up of a finding; in force or undone. */
export interface ListedSettlement {
  readonly courier: string;
  /** For `remit settle undo`: a settlement's or match's number; a mismatch's id if nothing was taken off an invoice. */
  readonly id: number | string;
  readonly at: string;
  readonly by: string;
  /** Null for a finding about no invoice. */
  readonly invoice_number: number | null;
  /** The number as the courier writes it: `ES-902`, where the ledger has an integer that stands for it. */
  readonly invoice_number_text: string | null;
  readonly currency: string;
  readonly amount: string;
  /** The kind of settlement; `resolved` if nothing was taken off an invoice. */
  readonly kind: string;
  readonly note: string;
  /** The id of the mismatch that was given up with it; null if none was. */
  readonly claim: string | null;
  /** The command that decided it. */
  readonly command: Command;
  readonly undone_at: string | null;
  readonly undone_by: string | null;
  readonly undone_reason: string | null;
}

type Command = 'settle' | 'match add' | 'mismatch resolve' | 'dispute write-off' | 'import resolutions';

/**
 * Lists what people took off invoices without a receipt, or gave up of findings; also what was undone.
 *
 * @param months only what was decided in them; null for all
 */
export async function listSettlements(books: Books, months: readonly string[] | null): Promise<ListedSettlement[]> {
  const listed = await readEachCourier(books, {}, async (db, { config }) => {
    const held = await readListed(db);
    return held.filter(({ at }) => months === null || months.includes(monthIn(at, config.timeZone)));
  });
  return listed.flatMap(({ courier, value }) => value.map((one) => ({ courier, ...one })));
}

type Listed = Omit<ListedSettlement, 'courier' | 'invoice_number_text'>;

async function readListed(db: LedgerReader): Promise<Omit<ListedSettlement, 'courier'>[]> {
  const takenOff = await readTakenOff(db);
  const resolved = await readGivenUp(db);
  const texts = await readNumberTexts(db);
  /** The findings that were given up with a settlement: it is listed in their place. */
  const settled = new Set<GivenUp>();
  const rows = takenOff.map((settlement) => {
    // To give up a finding (its id is the settlement's `claim`) is recorded just before its settlement.
    const givenUp = resolved.findLast(
      (one) => one.mismatch_id === settlement.claim && one.evidence_id < settlement.evidence_id,
    );
    if (givenUp) settled.add(givenUp);
    return { order: settlement.evidence_id, row: rowOfSettlement(settlement, givenUp) };
  });
  const unsettled = resolved
    .filter((one) => !settled.has(one) && one.currency !== null && one.effect !== null)
    .map((one) => ({ order: one.evidence_id, row: rowOfFinding(one) }));
  return [...rows, ...unsettled]
    .sort((a, b) => a.order - b.order)
    .map(({ row }) => ({ ...row, invoice_number_text: numberText(row.invoice_number, texts) }));
}

function rowOfSettlement(settlement: AmountTakenOff, givenUp: GivenUp | undefined): Listed {
  const { id, at, actor, rule, invoice_number, currency, amount, kind, note, claim } = settlement;
  return {
    id,
    at,
    by: actor,
    invoice_number,
    currency,
    amount: formatUnits(amount),
    kind,
    note: note ?? '',
    claim,
    command: rule === 'settled' ? commandOf(givenUp) : 'match add',
    undone_at: settlement.removed_at,
    undone_by: settlement.removed_by,
    undone_reason: settlement.removed_why,
  };
}

function rowOfFinding(givenUp: GivenUp): Listed {
  const { mismatch_id, at, actor, note, invoice_number, currency, effect } = givenUp;
  const { ended_at, ended_by, ended_note, ended_sentence } = givenUp;
  return {
    id: mismatch_id,
    at,
    by: actor,
    invoice_number,
    currency: currency!,
    // An effect is negative where you are short; an amount is positive where the courier owes it.
    amount: formatUnits(-parseUnits(effect!)),
    kind: 'resolved',
    note: note ?? '',
    claim: mismatch_id,
    command: commandOf(givenUp),
    undone_at: ended_at,
    undone_by: ended_by,
    undone_reason: reasonInWords({ note: ended_note, sentence: ended_sentence }).note,
  };
}

function commandOf(givenUp: GivenUp | undefined): Command {
  if (!givenUp) return 'settle';
  if (givenUp.kind === 'claim-written-off') return 'dispute write-off';
  return givenUp.kind === 'resolutions' ? 'import resolutions' : 'mismatch resolve';
}
