import type { MismatchEventTable } from '../../ledger/index.ts';
import { say } from '../../words/index.ts';

/** A history entry as it is shown: its note is what a person wrote, or remit's reason in English. */
export type HistoryEntry<E> = Omit<E, 'sentence'>;

export type MismatchEntry = HistoryEntry<MismatchEventTable>;

/** Puts remit's reason, which is stored as an id with parameters, into the note. */
export function reasonInWords<E extends Pick<MismatchEventTable, 'note' | 'sentence'>>({
  sentence,
  ...entry
}: E): HistoryEntry<E> {
  return sentence === null ? entry : { ...entry, note: say(JSON.parse(sentence)) };
}
