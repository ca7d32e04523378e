import { nameOf } from '../../../reports/names.ts';
import type { Statement } from '../../../reports/statement/model.ts';
import { type Language, textApart } from '../../words/index.ts';
import { inWords, rowsInWords, type SaidReport, type SaidRow } from '../in-words.ts';
import type { PrintText } from '../workbook/model.ts';

/** The tables that have a sheet each, in the order of the workbook and of the printed annex. */
export const SHEETS = [
  'rollForward',
  'invoices',
  'orders',
  'receipts',
  'mismatches',
  'ageing',
  'custody',
  'notInvoiced',
  'changes',
  'journal',
] as const;

/** A statement whose tables are in words, in a reader's language. */
export type SaidStatement = Omit<Statement, 'tables'> & {
  /** The names of merchant and courier. */
  readonly merchant: string;
  readonly courier: string;
  readonly tables: {
    readonly [Name in keyof Statement['tables']]: Statement['tables'][Name] extends readonly unknown[]
      ? readonly SaidRow[]
      : SaidReport;
  };
};

/** Puts a statement's tables into words. */
export function inLanguage(statement: Statement, language: Language): SaidStatement {
  const { vanished, resolved, ...reports } = statement.tables;
  const said = Object.entries(reports).map(([name, report]) => [name, inWords(report, language)]);
  const rows = { vanished: rowsInWords(vanished, language), resolved: rowsInWords(resolved, language) };
  const { merchant, courier } = statement.names;
  const names = { merchant: language.say(nameOf(merchant)), courier: language.say(nameOf(courier)) };
  return { ...statement, ...names, tables: { ...(Object.fromEntries(said) as SaidStatement['tables']), ...rows } };
}

/** How many digits of the chain's head are at the foot of each page; the About sheet has all. */
const CHAIN_DIGITS = 12;

/** The head and foot of each printed page: the merchant, the month, draft or closed, and the state of the ledger. */
export function printText({ merchant, month, closed, head }: SaidStatement, language: Language): PrintText {
  const { say } = language;
  return {
    about: `${textApart(merchant)} · ${language.month(month)}`,
    status: say({ id: 'statement/status-word', status: closed === null ? 'draft' : 'closed' }),
    origin: head === null ? '' : say({ id: 'statement/chain', chain: head.chain.slice(0, CHAIN_DIGITS) }),
  };
}
