import type { JournalReferences } from '../../../reports/journal/model.ts';
import { amountOfUnits, formatAmount, type Units } from '../../money/index.ts';
import { cleanText } from '../../text.ts';

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

/** The references of a transaction, in an order that does not change. */
export function referenceList(references: JournalReferences): [name: string, value: string][] {
  const { invoice, order, reference, receipt } = references;
  return Object.entries({ invoice, order, reference, receipt }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, lineText(String(value))] as [string, string]],
  );
}
