import type { AccountingSettings } from '../base/accounting-settings.ts';

const NAMES = ['base_currency', 'revalue', 'fee_vat'];
const CURRENCY = /^[A-Z][A-Z0-9]{1,9}$/;
const INCLUDED = /^(\d{1,2})(?:\.(\d{1,2}))?% included$/;

/** Reads `[accounting]`: its values, and all of its faults, each to follow the place in a message. */
export function readAccounting(table: Readonly<Record<string, unknown>>): {
  value: AccountingSettings;
  faults: readonly string[];
} {
  const { base_currency, revalue = false, fee_vat } = table;
  const faults = Object.keys(table)
    .filter((name) => !NAMES.includes(name))
    .map((name) => `[accounting] has no setting ${JSON.stringify(name.slice(0, 60))}: it knows ${NAMES.join(', ')}`);
  if (base_currency !== undefined && !(typeof base_currency === 'string' && CURRENCY.test(base_currency)))
    faults.push('accounting.base_currency must be a currency in quotes, such as "USD"');
  if (typeof revalue !== 'boolean') faults.push('accounting.revalue must be true or false');
  else if (revalue && base_currency === undefined)
    faults.push('accounting.revalue needs a base currency: set accounting.base_currency, such as "USD"');
  const vat = fee_vat === undefined ? null : hundredthsOf(fee_vat);
  if (vat === undefined)
    faults.push(
      'accounting.fee_vat must be a percentage above 0 with at most two decimals and the word included, such as "11% included"',
    );
  return {
    value: {
      baseCurrency: typeof base_currency === 'string' ? base_currency : null,
      revalue: revalue === true,
      feeVat: vat ?? null,
    },
    faults,
  };
}

/** Undefined for what is no such text. */
function hundredthsOf(text: unknown): number | undefined {
  const [, whole, decimals = ''] = (typeof text === 'string' && INCLUDED.exec(text)) || [];
  if (whole === undefined) return undefined;
  return Number(whole + decimals.padEnd(2, '0')) || undefined;
}
