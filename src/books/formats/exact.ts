import { MoneyError } from '../../errors.ts';
import { formatAmount, parseAmount, parseUnits } from '../../money/index.ts';
import { quoted } from '../../text.ts';
import { FileFault, type Place } from './fault.ts';

/** Two decimals, no needless zero before, small enough for the ledger. */
const USUAL = /^(?:-?[1-9]\d{0,10}\.\d\d|0\.\d\d|-0\.(?:[1-9]\d|0[1-9]))$/;

/**
 * A plain decimal as the ledger can hold it, in its usual form: `12.5` → `12.50`.
 *
 * @throws FileFault when it has more than four decimals or is beyond the ledger's range
 */
export function exactAmount(plain: string, place: Place): string {
  // The common case by itself: its form is what the money module would print.
  if (USUAL.test(plain)) return plain;
  try {
    parseUnits(plain.replace(/(\.\d{4})0+$/, '$1'));
    return formatAmount(parseAmount(plain));
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw new FileFault(
      `${quoted(plain)} is beyond what the ledger holds exactly: four decimals, and 922,337,203,685,477.5807 at most`,
      'Correct the amount in the file, or leave that row out.',
      place,
    );
  }
}
