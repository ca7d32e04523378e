import { tomlText } from '../base/text.ts';
import { DEFAULTS, type SettingName } from './settings.ts';

/** The answers from which a new remit.toml is written. */
export interface BooksSettings {
  /** Null if all couriers send settlement sheets. */
  readonly apiUrl: string | null;
  /** The couriers that send settlement sheets. */
  readonly sheetsOf: readonly string[];
  /** Null if the key comes from elsewhere. */
  readonly keyFile: string | null;
  readonly keyCommand: string | null;
  /** An IANA name. */
  readonly timeZone: string;
  /** Names and addresses on papers; null if not answered. */
  readonly names: PaperNames;
  readonly baseCurrency?: string | null;
  readonly payers?: readonly string[];
}

/** Name and address of the merchant and of the courier on letters and statements. */
export type PaperNames = Readonly<Record<(typeof NAME_SETTINGS)[number], string | null>>;

export const NAME_SETTINGS = [
  'merchant_name',
  'merchant_address',
  'courier_title',
  'courier_address',
  'courier_email',
] as const satisfies readonly SettingName[];

const NAME_EXAMPLES: Readonly<Record<keyof PaperNames, string>> = {
  merchant_name: 'Cedar Threads',
  merchant_address: 'Hamra Street 12, Beirut',
  courier_title: 'Example Delivery',
  courier_address: 'Port Road 1, Beirut',
  courier_email: 'accounts@example.com',
};

/** The text of a new remit.toml: what was answered, and the other settings as comments with defaults or examples. */
export function settingsText(settings: BooksSettings): string {
  const { apiUrl, sheetsOf, keyFile, keyCommand, timeZone, names, baseCurrency = null, payers = [] } = settings;
  return `# Settings of this books folder. docs/settings.md explains each; paths are relative to this folder.

# Where the API's paths begin.
${textLine('api_url', apiUrl, 'https://api.example.com/v1/external/')}

# Where the API key comes from, if not from the environment variable REMIT_API_KEY: a file that only you can read
# (chmod 600), or a command that prints it. Never write the key itself into this file.
${textLine('api_key_file', keyFile, 'api-key')}
${textLine('api_key_command', keyCommand, 'pass show delivery/api-key')}

# The time zone of your books: whose days the balances, the ageing and what is shown are by. It cannot change under a closed month.
time_zone = ${tomlText(timeZone)}

# What letters and statements call you and the delivery company; a courier's own table says it as title, address and email.
${NAME_SETTINGS.map((name) => textLine(name, names[name], NAME_EXAMPLES[name])).join('\n')}

# A file, or a database that a team shares: "postgresql://user@host/database?schema=remit"
# ledger = "ledger.db"
# ledger_password_command = "pass show delivery/ledger"
# How a second writing command is kept out of a database: advisory, or lease for engines without advisory locks.
# ledger_lock = "${DEFAULTS.ledger_lock}"

# An unpaid invoice is overdue after this many days.
${asDefault('overdue_days')}
# A delivered order should be on an invoice within this many days.
${asDefault('invoice_lag_days')}
# The COD of a delivered order is overdue after so many days with the driver, at the company and ready for you; nothing is without this.
# custody_days = { driver = 2, company = 7, ready = 3 }
# A receipt that names no invoice may pay one that was issued at most this many days before it; and the days from an invoice's date in
# which its money may be on its way.
${asDefault('match_days')}
${asDefault('remittance_lag_days')}
# The largest difference between an invoice's net and its receipts that is no mismatch, in units of each currency; and the share by which
# an implied exchange rate may differ from the table.
# remittance_tolerance = "${DEFAULTS.remittance_tolerance}"
# rate_tolerance = "${DEFAULTS.rate_tolerance}"
# How references are made comparable where they are not equal; drop-zeros may be added.
# reference_rule = [${DEFAULTS.reference_rule.map(tomlText).join(', ')}]
# A claim that the courier has not answered after this many days is listed as late.
${asDefault('dispute_days')}
# How the courier's invoices show RETURN orders: learnt from them, or as-stated, deducted, charged or separate, the last three with
# +return-fees where the fees of RETURN rows count.
# returns = "auto"
# Unpaid invoices are read again after this many hours.
${asDefault('recheck_hours')}
# The same in days for one that is PAID: a payment does not keep the courier from restating it.
${asDefault('recheck_paid_days')}

# The most that may be settled as rounding on one invoice; without a line for a currency, its smallest coin.
# rounding_limit = { USD = "0.05" }

# Decisions that need a second person: what one person may take off an invoice without a receipt, and whether a close
# or an import of receipts needs two.
# approvals = { write_off_above = { USD = "50" }, close = true, imports = true }

# Who decides and who only looks at a web desk that a team shares (remit serve --public-origin).
# desk = { clerks = ["rana"], readers = ["auditor"] }

# How the API is spoken to: requests at a time, items a page, seconds for one attempt and for all of them.
${asDefault('concurrency')}
${asDefault('page_size')}
${asDefault('timeout_seconds')}
${asDefault('deadline_seconds')}
${asDefault('max_attempts')}

# What the courier's API allows you, where it limits that: requests a minute, and in a month that begins on a day (in UTC). And after how many
# days the whole order book is read again; in between, only orders that may still change are asked for.
# requests_per_minute = 100
# requests_per_month = 1000
${asDefault('budget_day')}
${asDefault('orders_full_every')}

# Where the summary of a night (remit night) with news or trouble goes: a command that gets it on its standard input, run without a
# shell, and an address that gets it as JSON.
# notify_command = "mail -s remit accounts@example.com"
# notify_url = "https://example.com/hooks/remit"

# The secret of the courier's webhooks (remit listen), in a file that only you can read or from a command, and how it signs them.
# webhook_secret_file = "webhook-secret"
# webhook_secret_command = "pass show delivery/webhook-secret"
# webhook_signature = "${DEFAULTS.webhook_signature}"
# webhook_header = "${DEFAULTS.webhook_header}"

# What prints a statement as PDF (remit statement --format pdf), where remit does not find a Chromium, Chrome or Edge itself.
# browser = "/opt/chromium/chrome"

# Which lines of a bank account or cash book (remit import receipts) are the delivery company's, beside those that name an invoice:
# those with one of these texts or account numbers in them.
${payers.length === 0 ? '# receipts = { payers = ["Example Delivery", "LB62000000001234"] }' : `receipts = { payers = [${payers.map(tomlText).join(', ')}] }`}

# One currency in which the journal states every entry too, at the imported rates (remit import rates); its month-end revaluation; and the
# tax that delivery fees include.
${baseCurrency === null ? '# accounting = { base_currency = "USD", revalue = true, fee_vat = "11% included" }' : `accounting = { base_currency = ${tomlText(baseCurrency)} }`}
${sheetsOf.map(sheetsTable).join('')}`;
}

/** A setting's line, which is a comment with an example where nothing was answered. */
function textLine(name: SettingName, answer: string | null, example: string): string {
  return `${answer === null ? '# ' : ''}${name} = ${tomlText(answer ?? example)}`;
}

function sheetsTable(name: string): string {
  return `
[couriers.${name}]
kind = "files"
# How its settlement sheets are read: a map under [maps], which \`remit import settlement\` can ask you for.
# map = "${name}"
# payers = ["${name.toUpperCase()}"]
`;
}

function asDefault(name: keyof typeof DEFAULTS): string {
  return `# ${name} = ${DEFAULTS[name]}`;
}
