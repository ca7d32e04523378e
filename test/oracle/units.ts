/** Amounts as whole ten-thousandths of a currency's unit. */
const DECIMALS = 4;
const LIMIT = 9_223_372_036_854_775_807n;

/** A sum, which may be beyond the range of what it is the sum of. */
export function unitsOfSum(text: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.padEnd(DECIMALS, '0')}`);
}

/** Whether the ledger can hold an amount. */
export const isInRange = (amount: bigint): boolean => amount <= LIMIT && amount >= -LIMIT;

/** Null for what is no plain decimal, has more than four decimals or lies beyond the ledger's range. */
export function units(text: unknown): bigint | null {
  if (typeof text !== 'string') return null;
  const parts = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text);
  if (!parts) return null;
  const size = BigInt(`${parts[2]}${(parts[3] ?? '').padEnd(DECIMALS, '0')}`);
  if (size > LIMIT) return null;
  return parts[1] === '-' ? -size : size;
}

/** Two decimals, more only where they are not zero. */
export function decimal(amount: bigint): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS);
  const fraction = digits.slice(-DECIMALS).replace(/0{1,2}$/, '');
  return `${amount < 0n ? '-' : ''}${whole}.${fraction}`;
}
