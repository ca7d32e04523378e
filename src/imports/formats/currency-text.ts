import { MoneyError } from '../../base/errors.ts';
import { parseCurrency } from '../../money/units.ts';
import { amountsError } from '../../words/errors/amounts.ts';
import { FileFault, type PlaceInFile } from './fault.ts';

/** Arabic abbreviations of currencies, without points and blanks: `د.ا.` is the Jordanian dinar. */
const ARABIC = new Map(
  Object.entries({
    دا: 'JOD',
    لل: 'LBP',
    رس: 'SAR',
    دإ: 'AED',
    جم: 'EGP',
    دع: 'IQD',
    دك: 'KWD',
    دب: 'BHD',
    رق: 'QAR',
    رع: 'OMR',
    لس: 'SYP',
    دت: 'TND',
    دل: 'LYD',
    دج: 'DZD',
    دم: 'MAD',
  }),
);

/** Signs that several currencies share. They name none, but must not contradict a currency that is named elsewhere. */
const SHARED_SIGNS = new Map(
  Object.entries({
    $: /^(USD|CAD|AUD|NZD|SGD|HKD|TWD|MXN|ARS|CLP|COP|BBD|BSD|JMD|TTD|XCD|FJD|NAD|LRD)$/,
    '£': /^(GBP|EGP|LBP|SYP|SDG|FKP|GIP|SHP|SSP)$/,
    '¥': /^(JPY|CNY)$/,
  }),
);
const UNIQUE_SIGNS = new Map(
  Object.entries({
    '€': 'EUR',
    '₪': 'ILS',
    '₺': 'TRY',
    '₹': 'INR',
    '₽': 'RUB',
    US$: 'USD',
    'L.L.': 'LBP',
    LL: 'LBP',
    JD: 'JOD',
  }),
);

const CODES = new Set(Intl.supportedValuesOf('currency'));

/** The currency next to an amount: a code, a sign that several share (`$`), or neither. */
export type CurrencyText = { readonly code: string } | { readonly shared: string } | null;

/** Reads the text next to an amount: `USD`, `€`, `$`, `د.ا.`. */
export function readCurrencyText(text: string): CurrencyText {
  const bare = text.trim();
  const code = bare.toUpperCase();
  const unique = UNIQUE_SIGNS.get(code) ?? ARABIC.get(bare.replace(/[.\s\u0640]/g, ''));
  if (unique !== undefined) return { code: unique };
  if (SHARED_SIGNS.has(bare)) return { shared: bare };
  return CODES.has(code) ? { code } : null;
}

/** A shared sign may mean a currency: `$` for USD, never for LBP. */
export function mayMean(shared: string, currency: string): boolean {
  return SHARED_SIGNS.get(shared)?.test(currency) ?? false;
}

/** A currency code. @throws FileFault when it is none */
export function readCurrency(text: string, place: PlaceInFile): string {
  try {
    return parseCurrency(text.trim());
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw new FileFault(amountsError({ id: 'no-currency', why: error.explanation }), place);
  }
}
