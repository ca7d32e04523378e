import {
  type FixedAccount,
  isKindAccount,
  JOURNAL_ACCOUNTS,
  type JournalAccount,
  type KindAccount,
} from '../../../reports/journal/model.ts';
import { ConfigError } from '../../base/errors.ts';
import { accountsError } from '../../words/errors/accounts.ts';
import { JOURNAL_FORMATS, type JournalFormat } from '../formats.ts';

/** The settings of `[journal]` in remit.toml for one format: the names of its accounts, and what else it needs. */
export interface JournalSettings {
  readonly accounts: Readonly<Record<FixedAccount, string>>;
  /** The accounts of those kinds of charge and tax that the settings name. */
  readonly kinds: ReadonlyMap<KindAccount, string>;
  /** Formats differ in how they name the account of one kind of charge. */
  readonly format: JournalFormat;
  readonly tax_rate: string;
  /** The customer in QuickBooks' lines: QuickBooks requires a name on receivables. */
  readonly name: string;
}

/** The accounts by default: their names, and their codes for Xero, which knows accounts by at most ten characters. */
const ACCOUNTS: Readonly<Record<FixedAccount, readonly [name: string, xeroCode: string]>> = {
  receivables: ['Assets:Receivables', 'RECEIVABLE'],
  uninvoiced_cod: ['Assets:Uninvoiced COD', 'UNINVOICED'],
  courier_receivable: ['Assets:Courier receivable', 'COURIER'],
  cod_in_dispute: ['Assets:COD in dispute', 'DISPUTE'],
  delivery_fees: ['Expenses:Delivery fees', 'DELIVERY'],
  accrued_fees: ['Liabilities:Accrued delivery fees', 'ACCRUED'],
  recoverable_tax: ['Assets:Recoverable tax', 'TAX'],
  taxes_withheld: ['Assets:Taxes withheld', 'WITHHELD'],
  bank: ['Assets:Bank', 'BANK'],
  unallocated_receipts: ['Liabilities:Unallocated receipts', 'UNALLOC'],
  write_off: ['Expenses:Write-offs', 'WRITEOFF'],
  bank_charges: ['Expenses:Bank charges', 'CHARGES'],
  rounding: ['Expenses:Rounding', 'ROUNDING'],
  exchange_differences: ['Expenses:Exchange differences', 'EXCHANGE'],
  unrealised_differences: ['Expenses:Unrealised exchange differences', 'UNREALISED'],
  other_differences: ['Expenses:Courier differences', 'DIFFERENCE'],
  currency_conversion: ['Equity:Currency conversion', 'CONVERSION'],
  opening: ['Equity:Opening balances', 'OPENING'],
};

/** An account for hledger, `Assets:Bank`: no two blanks together, nothing that begins a comment or virtual posting. */
const PATH =
  /^(?=.{1,200}$)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}&'./_-]| (?! ))*(?::[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}&'./_-]| (?! ))*)*$/u;
const XERO_CODE = /^[A-Za-z0-9.-]{1,10}$/;
const BEANCOUNT_ROOTS = ['Assets', 'Liabilities', 'Equity', 'Income', 'Expenses'];

/**
 * Reads `[journal]`, for one format. A format's own table, such as `[journal.xero]`, overrides `[journal]`.
 *
 * @param table the TOML table; undefined if there is none
 * @throws ConfigError naming the setting that is unknown, or that the format cannot take
 */
export function journalSettings(table: unknown, format: JournalFormat): JournalSettings {
  const common = asTable(table ?? {}, 'journal');
  const formatTable = asTable(common[format] ?? {}, `journal.${format}`);
  refuseUnknown(common, 'journal', [...JOURNAL_FORMATS]);
  refuseUnknown(formatTable, `journal.${format}`, []);
  // Xero takes codes, so the names in `[journal]` do not apply to it.
  const names = format === 'xero' ? formatTable : { ...common, ...formatTable };
  const accounts = Object.fromEntries(
    JOURNAL_ACCOUNTS.map((account) => {
      const [name, xeroCode] = ACCOUNTS[account];
      const byDefault = format === 'xero' ? xeroCode : name;
      return [account, accountName(account, names[account] ?? byDefault, format)];
    }),
  ) as Record<FixedAccount, string>;
  const kindAccounts = Object.keys(names).filter(isKindAccount);
  const kinds = new Map(kindAccounts.map((account) => [account, accountName(account, names[account], format)]));
  const settings = {
    accounts,
    kinds,
    format,
    tax_rate: textOf('tax_rate', formatTable.tax_rate ?? common.tax_rate ?? 'Tax Exempt'),
    name: textOf('name', formatTable.name ?? common.name ?? 'Courier'),
  };
  refuseShared(settings, [...JOURNAL_ACCOUNTS, ...kindAccounts]);
  return settings;
}

/**
 * The name of an account. A kind of charge that the settings do not name is below the account of fees, such a tax below
 * that of taxes withheld: `charge:handling` is `Expenses:Delivery fees:Handling`, or `HANDLING` for Xero.
 */
export function accountIn({ accounts, kinds, format }: JournalSettings, account: JournalAccount): string {
  if (!isKindAccount(account)) return accounts[account];
  const named = kinds.get(account);
  if (named !== undefined) return named;
  const [kind = '', name = ''] = account.split(':');
  if (format === 'xero') {
    const code = name.replace(/[^a-z0-9]/g, '').slice(0, 10);
    return code.toUpperCase();
  }
  const words = name.split(/[_-]+/).filter((word) => word !== '');
  const title = format === 'beancount' ? words.map(capitalised).join('') : capitalised(words.join(' '));
  return `${accounts[kind === 'tax' ? 'taxes_withheld' : 'delivery_fees']}:${title}`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function asTable(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new ConfigError(accountsError({ id: 'no-table', table: name }));
}

function refuseUnknown(table: Record<string, unknown>, name: string, formats: readonly string[]): void {
  const known = [...JOURNAL_ACCOUNTS, 'tax_rate', 'name', ...formats];
  const unknown = Object.keys(table).find((key) => !known.includes(key) && !isKindAccount(key));
  if (unknown === undefined) return;
  throw new ConfigError(accountsError({ id: 'no-setting', table: name, setting: unknown, known }));
}

function accountName(account: JournalAccount, value: unknown, format: JournalFormat): string {
  const name = textOf(account, value);
  if (format === 'xero') {
    if (XERO_CODE.test(name)) return name;
    throw new ConfigError(accountsError({ id: 'no-code', account, name }));
  }
  if (!PATH.test(name) || name.endsWith(' ') || name.includes(' :')) {
    throw new ConfigError(accountsError({ id: 'no-account', account, name }));
  }
  return format === 'beancount' ? beancountAccount(account, name) : name;
}

/** Beancount's form: one of five roots, and names without blanks that begin with a capital. */
function beancountAccount(account: JournalAccount, name: string): string {
  const [first = '', ...rest] = name.split(':');
  const withoutPlural = (name: string) => name.toLowerCase().replace(/s$/, '');
  const root = BEANCOUNT_ROOTS.find((candidate) => withoutPlural(candidate) === withoutPlural(first));
  if (root === undefined || rest.length === 0) {
    throw new ConfigError(accountsError({ id: 'not-for-beancount', account, name, roots: BEANCOUNT_ROOTS }));
  }
  const parts = rest.map((part) => {
    const words = part.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
    const joined = words.map(capitalised).join('');
    // A script without capitals gets one in front.
    return /^[A-Z0-9]/.test(joined) ? joined : `X${joined}`;
  });
  return [root, ...parts].join(':');
}

/** Two accounts with one name would hide what moves between them. @throws ConfigError for such a name */
export function refuseShared(settings: JournalSettings, accounts: readonly JournalAccount[]): void {
  const firstOf = new Map<string, JournalAccount>();
  for (const account of accounts) {
    const name = accountIn(settings, account);
    const first = firstOf.get(name);
    if (first !== undefined) {
      throw new ConfigError(
        accountsError({ id: 'account-shared', first, second: account, format: settings.format, name }),
      );
    }
    firstOf.set(name, account);
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  throw new ConfigError(accountsError({ id: 'no-text', setting: name }));
}
