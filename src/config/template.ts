import { SETTINGS } from './settings.ts';

/** What a new remit.toml says. */
export interface BooksSettings {
  readonly apiUrl: string;
  /** Null where the key comes from elsewhere. */
  readonly keyFile: string | null;
  readonly keyCommand: string | null;
}

/** The text of a new remit.toml: what was answered, and every other setting as a comment with its default. */
export function settingsText({ apiUrl, keyFile, keyCommand }: BooksSettings): string {
  const key = [
    keyFile === null ? '# api_key_file = "api-key"' : `api_key_file = ${JSON.stringify(keyFile)}`,
    keyCommand === null
      ? '# api_key_command = "pass show delivery/api-key"'
      : `api_key_command = ${JSON.stringify(keyCommand)}`,
  ];
  return `# Settings of this books folder. docs/settings.md explains each; paths are relative to this folder.

# Where the API's paths begin.
api_url = ${JSON.stringify(apiUrl)}

# Where the API key comes from, if not from the environment variable REMIT_API_KEY: a file that only you can read
# (chmod 600), or a command that prints it. Never write the key itself into this file.
${key.join('\n')}

# A file, or a database that a team shares: "postgresql://user@host/database?schema=remit"
# ledger = "ledger.db"
# ledger_password_command = "pass show delivery/ledger"

# An unpaid invoice is overdue after this many days.
${asDefault('overdue_days')}
# A delivered order should stand on an invoice within this many days.
${asDefault('invoice_lag_days')}
# A claim that the courier has not answered after this many days is told of.
${asDefault('dispute_days')}
# Unpaid invoices are read again after this many hours.
${asDefault('recheck_hours')}
# The same in days for one that is PAID: a payment does not keep the courier from restating it.
${asDefault('recheck_paid_days')}

# How the API is spoken to: requests at a time, items a page, seconds for one attempt and for all of them.
${asDefault('concurrency')}
${asDefault('page_size')}
${asDefault('timeout_seconds')}
${asDefault('deadline_seconds')}
${asDefault('max_attempts')}

# Told of a night (remit night) with news or trouble: a command that gets the summary on its standard input, run without a
# shell, and an address that gets it as JSON.
# notify_command = "mail -s remit accounts@example.com"
# notify_url = "https://example.com/hooks/remit"

# Which lines of a bank account or cash book (remit import receipts) are the delivery company's, beside those that name an invoice:
# those with one of these texts or account numbers in them.
# receipts = { payers = ["Example Delivery", "LB62000000001234"] }
`;
}

type NumberSetting = {
  [N in keyof typeof SETTINGS]: (typeof SETTINGS)[N] extends { default: number } ? N : never;
}[keyof typeof SETTINGS];

function asDefault(name: NumberSetting): string {
  return `# ${name} = ${SETTINGS[name].default}`;
}
