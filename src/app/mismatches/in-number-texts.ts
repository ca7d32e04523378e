import { inNumberTexts, type NumberTexts, numberText, textInNumberTexts } from '../../base/number-texts.ts';
import type { MismatchEventTable } from '../../ledger/index.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { say } from '../../words/index.ts';

/** The number by which you and the courier know a mismatch's invoice; null if it is about no invoice. */
export interface WithNumberText {
  readonly invoice_number_text: string | null;
}

/**
 * A mismatch as it is shown: its texts have the courier's number of a payout, `ES-902`, in place of the ledger's
 * stand-in, 900000001; `invoice_number` keeps the stand-in.
 */
export function mismatchInNumberTexts<M extends Mismatch>(mismatch: M, texts: NumberTexts): M & WithNumberText {
  const { subject, sentence, message, invoice_number } = mismatch;
  const renamed = texts.size === 0 ? null : inNumberTexts(JSON.parse(sentence), texts);
  return {
    ...mismatch,
    subject: textInNumberTexts(subject, texts),
    invoice_number_text: numberText(invoice_number, texts),
    sentence: renamed === null ? sentence : JSON.stringify(renamed),
    message: renamed === null ? message : say(renamed),
  };
}

/** A history entry as it is shown: its note is what a person wrote, or remit's reason in English. */
type HistoryEntry<E> = Omit<E, 'sentence'>;

export type MismatchEntry = HistoryEntry<MismatchEventTable>;

/** Puts remit's reason, which is stored as an id with parameters, into the note. */
export function reasonInWords<E extends Pick<MismatchEventTable, 'note' | 'sentence'>>({
  sentence,
  ...entry
}: E): HistoryEntry<E> {
  return sentence === null ? entry : { ...entry, note: say(JSON.parse(sentence)) };
}
