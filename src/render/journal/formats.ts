/** What a journal is written as. It imports nothing: the command line reads it at each start. */
export const JOURNAL_FORMATS = ['hledger', 'beancount', 'csv', 'xero', 'quickbooks'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];
