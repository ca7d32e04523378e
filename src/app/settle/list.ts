import { monthIn } from '../../base/day.ts';
import { numberText } from '../../base/number-texts.ts';
import { usingSnapshot } from '../../ledger/queries/index.ts';
import { readNumberTexts } from '../../ledger/queries/invoices/settlements.ts';
import { readHeldSettlements } from '../../ledger/queries/receipts/matches.ts';
import { formatUnits } from '../../money/index.ts';
import type { Books } from '../books.ts';
import { eachCourier } from '../each-courier.ts';

/** A settlement, in force or undone. */
export interface ListedSettlement {
  readonly courier: string;
  readonly id: number;
  readonly at: string;
  readonly by: string;
  readonly invoice_number: number;
  readonly invoice_number_text: string;
  readonly currency: string;
  readonly amount: string;
  readonly kind: string;
  readonly note: string;
  /** The mismatch whose claim was written off; null for `remit settle`. */
  readonly claim: string | null;
  readonly undone_at: string | null;
  readonly undone_by: string | null;
  readonly undone_reason: string | null;
}

/** The settlements, those that were undone too. @param months only those that were decided in them; null for all */
export async function listSettlements(books: Books, months: readonly string[] | null): Promise<ListedSettlement[]> {
  const listed = await eachCourier(books, { readOnly: true }, async (ledger, { config }) => {
    const { held, texts } = await usingSnapshot(ledger, async (db) => ({
      held: await readHeldSettlements(db),
      texts: await readNumberTexts(db),
    }));
    return held
      .filter(({ at }) => months === null || months.includes(monthIn(at, config.timeZone)))
      .map((one) => ({ ...one, invoice_number_text: numberText(one.invoice_number, texts) }));
  });
  return listed.flatMap(({ courier, value }) =>
    value.map(({ id, at, actor, invoice_number, currency, amount, kind, note, claim, ...undone }) => ({
      courier,
      id,
      at,
      by: actor,
      invoice_number,
      invoice_number_text: undone.invoice_number_text,
      currency,
      amount: formatUnits(amount),
      kind,
      note,
      claim,
      undone_at: undone.removed_at,
      undone_by: undone.removed_by,
      undone_reason: undone.removed_why,
    })),
  );
}
