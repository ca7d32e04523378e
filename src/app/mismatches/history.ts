import type { MismatchEventTable } from '../../ledger/index.ts';
import { say } from '../../words/index.ts';

/** An entry of a history as it is shown: its note is what a person wrote, or remit's reason in words. */
export type HistoryEntry<E> = Omit<E, 'sentence'>;

/** An entry of a mismatch's history as it is shown. */
export type MismatchEntry = HistoryEntry<MismatchEventTable>;

/** Puts an entry's reason into words. */
export function inWords<E extends Pick<MismatchEventTable, 'note' | 'sentence'>>({
  sentence,
  ...entry
}: E): HistoryEntry<E> {
  return sentence === null ? entry : { ...entry, note: say(JSON.parse(sentence)) };
}
