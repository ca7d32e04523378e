import { ContractError, MoneyError } from '../errors.ts';
import { addUnits, parseCurrency, parseUnits, type Units } from '../money/index.ts';

/** A money field as it travels: pairs of currency code and amount. */
type Pairs = readonly (readonly string[])[];

/**
 * Adds up one document's money fields into one row a currency: a currency that stands twice in a field adds up, one that a
 * field lacks is zero there.
 *
 * @param fields the wire's field name to its pairs
 * @param path where in the document the fields stand, such as `orders[3].`
 * @throws ContractError that names the pair whose amount the ledger cannot hold exactly
 */
export function moneyRows<F extends string>(
  fields: Readonly<Record<F, Pairs>>,
  path: string,
): ({ currency: string } & Record<F, Units>)[] {
  const names = Object.keys(fields) as F[];
  const rows = new Map<string, { currency: string } & Record<F, Units>>();
  for (const name of names) {
    const pairs = fields[name];
    for (let index = 0; index < pairs.length; index += 1) {
      const [code = '', text = ''] = pairs[index]!;
      try {
        const currency = parseCurrency(code);
        let row = rows.get(currency);
        if (!row) {
          row = Object.fromEntries([['currency', currency], ...names.map((n) => [n, 0n])]) as typeof row & object;
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
