import type { JournalReferences, JournalTransaction } from '../../../reports/journal/model.ts';
import { cleanText } from '../../base/text.ts';
import { formatAmount } from '../../money/decimal.ts';
import { amountOfUnits, type Units } from '../../money/units.ts';
import { say } from '../../words/index.ts';

/** A plain decimal, `-12.50`. */
export function amountText(units: Units): string {
  return formatAmount(amountOfUnits(units));
}

/** The same without its sign. */
export function unsignedText(units: Units): string {
  return amountText(units < 0n ? -units : units);
}

/** Text from outside on one line. */
export function lineText(text: string): string {
  return cleanText(text, 200).replace(/\s+/g, ' ').trim();
}

/** What a transaction books, in English, as other programs read it. */
export function narrationText({ narration }: Pick<JournalTransaction, 'narration'>): string {
  return lineText(say(narration));
}

/** The references of a transaction, in an order that does not change. */
export function referenceList(references: JournalReferences): [name: string, value: string][] {
  const { invoice, order, reference, receipt } = references;
  return Object.entries({ invoice, order, reference, receipt }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, lineText(String(value))] as [string, string]],
  );
}
