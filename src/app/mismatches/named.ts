import { inNumberTexts, type NumberTexts, numberText, textInNumberTexts } from '../../base/number-texts.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { say } from '../../words/index.ts';

/** What a mismatch shows of the number that both sides know. */
export interface OfNumberText {
  readonly invoice_number_text: string | null;
}

/** A stored mismatch as it is shown: it calls payouts by their own numbers, and `invoice_number` alone keeps the ledger's integer. */
export function mismatchInNumberTexts<M extends Mismatch>(mismatch: M, texts: NumberTexts): M & OfNumberText {
  const { subject, sentence, message, invoice_number } = mismatch;
  const said = texts.size === 0 ? null : inNumberTexts(JSON.parse(sentence), texts);
  return {
    ...mismatch,
    subject: textInNumberTexts(subject, texts),
    invoice_number_text: numberText(invoice_number, texts),
    sentence: said === null ? sentence : JSON.stringify(said),
    message: said === null ? message : say(said),
  };
}
