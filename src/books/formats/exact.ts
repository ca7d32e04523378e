import { MoneyError } from '../../errors.ts';
import { formatAmount, parseAmount, parseUnits } from '../../money/index.ts';
import { FileFault, type Place, quoted } from './fault.ts';

/**
 * A plain decimal as the ledger can hold it, in its usual form: `12.5` → `12.50`.
 *
 * @throws FileFault when it has more than four decimals or is beyond the ledger's range
 */
export function exactAmount(plain: string, place: Place): string {
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
