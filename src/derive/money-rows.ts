import { ContractError, MoneyError } from '../errors.ts';
import { addUnits, parseCurrency, parseUnits, type Units } from '../money/index.ts';

/** A money field as it travels: pairs of currency code and amount. */
type Pairs = readonly (readonly string[])[];

/** A row of money, one a currency. */
type MoneyRow<F extends string, K extends object> = K & { currency: string } & Record<F, Units>;

/** A row without currency and money, to make others of: copies of one are of one shape, and made in one step. */
export function blankRow<F extends string, K extends object>(names: readonly F[], key: K): MoneyRow<F, K> {
  const money = names.map((name) => [name, 0n]);
  return { ...key, currency: '', ...Object.fromEntries(money) };
}

/**
 * Adds up one document's money fields into one row a currency: a currency that stands twice in a field adds up, one that a
 * field lacks is zero there.
 *
 * @param document holds the fields under these names; a field that is missing or null holds nothing
 * @param path where in its document it stands, such as `orders[3].`
 * @param blank a row of the kind without money, see {@link blankRow}
 * @throws ContractError that names the pair whose amount the ledger cannot hold exactly
 */
export function moneyRows<F extends string, K extends object>(
  names: readonly F[],
  document: Readonly<Partial<Record<F, Pairs | null>>>,
  path: string,
  blank: MoneyRow<F, K>,
): MoneyRow<F, K>[] {
  const rows = new Map<string, MoneyRow<F, K>>();
  for (const name of names) {
    const pairs = document[name] ?? [];
    for (let index = 0; index < pairs.length; index += 1) {
      const [code = '', text = ''] = pairs[index]!;
      try {
        const currency = parseCurrency(code);
        let row = rows.get(currency);
        if (!row) {
          row = { ...blank, currency };
          rows.set(currency, row);
        }
        const amounts: Record<F, Units> = row;
        amounts[name] = addUnits(amounts[name], parseUnits(text));
      } catch (error) {
        throw asContractError(error, `${path}${name}[${index}]`);
      }
    }
  }
  return [...rows.values()];
}

function asContractError(error: unknown, path: string): unknown {
  if (!(error instanceof MoneyError)) return error;
  return new ContractError(`${path}: ${error.message}`, error.hint, { path, cause: error });
}
