import { MoneyError } from '../../errors.ts';
import { parseCurrency } from '../../money/index.ts';
import { FileFault, type Place } from './fault.ts';

/** A currency code. @throws FileFault when it is none */
export function readCurrency(text: string, place: Place): string {
  try {
    return parseCurrency(text.trim());
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw new FileFault(error.message, 'Correct the currency in the file.', place);
  }
}
