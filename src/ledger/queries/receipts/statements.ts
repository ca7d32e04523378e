/** The bank statements in force: the days that they cover, and whether their balances and lines add up. */
import { sql } from 'kysely';
import { groupBy } from '../../../base/group.ts';
import { parseUnits, type Units } from '../../../money/units.ts';
import type { BankStatementTable, ReceiptLineTable } from '../../schema.ts';
import { unitsText } from '../../sql.ts';
import type { AtClose } from '../balances/movements.ts';
import type { LedgerReader } from '../snapshot.ts';

export interface StatementRow {
  readonly account: string | null;
  readonly currency: string;
  /** The days that it covers, both included. */
  readonly from: string;
  readonly to: string;
  /** Whether the file states its days; otherwise they are those of its first and last line. */
  readonly statesDays: boolean;
  /** Null if the file does not state both. */
  readonly balances: { readonly opening: Units; readonly closing: Units } | null;
  /** Its closing balance less the opening one and its lines; zero if it adds up, or states no balances. */
  readonly unexplained: Units;
  /**
   * Its lines on the days on which any statement begins or ends: two statements that meet on such a day may both have
   * them. A statement that does not add up has all its lines here, because `unexplained` was summed from them.
   */
  readonly edges: readonly { readonly receipt: number; readonly date: string; readonly amount: Units }[];
}

/** Formats whose files never state their days: the days of such a statement are those of its lines. */
const FORMATS_WITHOUT_DAYS = new Set(['csv', 'xlsx', 'qif']);

/**
 * The statements in force. If a file has only one for an account and currency, that also covers the days of its lines.
 * A statement without any day is left out.
 *
 * @param atClose only those in the ledger when a month was closed
 */
export async function readStatements(db: LedgerReader, atClose?: AtClose): Promise<StatementRow[]> {
  const until = atClose?.id ?? Number.MAX_SAFE_INTEGER;
  const statements = await db
    .selectFrom('bank_statement as s')
    .innerJoin('imported as i', 'i.id', 's.evidence_id')
    .select(['s.evidence_id', 's.account', 's.currency', 's.from_day', 's.to_day', 's.opening', 's.closing'])
    .select(['s.balanced', 'i.format'])
    .where('s.evidence_id', '<', until)
    .orderBy('s.evidence_id')
    .orderBy('s.position')
    .execute();
  const lineDays = await db
    .selectFrom('receipt_line')
    .select(({ fn }) => ['evidence_id', 'account', 'currency', fn.min('date').as('first'), fn.max('date').as('last')])
    .where('evidence_id', '<', until)
    .groupBy(['evidence_id', 'account', 'currency'])
    .execute();
  const unbalanced = statements.filter(({ balanced }) => balanced === 0).map(({ evidence_id }) => evidence_id);
  const days = sql`select from_day from bank_statement union select to_day from bank_statement`;
  // The lines that become `edges`. -1 is no import: it keeps the list from being empty.
  const edges = await db
    .selectFrom('receipt_line')
    .select(['evidence_id', 'account', 'currency', 'receipt_id', 'date', unitsText('amount').as('amount')])
    .where('evidence_id', '<', until)
    .where((eb) => eb.or([eb('evidence_id', 'in', [-1, ...unbalanced]), sql<boolean>`date in (${days})`]))
    .orderBy('evidence_id')
    .orderBy('position')
    .execute();
  const edgesOf = byAccount(edges);
  const lineDaysOf = byAccount(lineDays);
  const statementsOf = byAccount(statements);
  return [...new Set([...statementsOf.keys(), ...lineDaysOf.keys()])].flatMap((key) =>
    statementsOfAccount(statementsOf.get(key) ?? [], lineDaysOf.get(key)?.[0], edgesOf.get(key) ?? []),
  );
}

type StoredStatement = Omit<BankStatementTable, 'evidence_id' | 'position'> & { readonly format: string };

/** The first and the last day of a file's lines in one account and currency. */
type LineDays = Pick<ReceiptLineTable, 'account' | 'currency'> & { readonly first: string; readonly last: string };

type StoredLine = Pick<ReceiptLineTable, 'receipt_id' | 'date'> & { readonly amount: string };

/** The statement of a file that has lines and states nothing about them, as a CSV file does. */
const NOTHING_STATED = { from_day: null, to_day: null, opening: null, closing: null, balanced: null, format: 'csv' };

/** A file's statements of one account in one currency. @param lines of which each statement takes its `edges` */
function statementsOfAccount(
  statements: readonly StoredStatement[],
  lineDays: LineDays | undefined,
  lines: readonly StoredLine[],
): StatementRow[] {
  const { account, currency } = statements[0] ?? lineDays!;
  const stated: readonly Omit<StoredStatement, 'account' | 'currency'>[] =
    statements.length === 0 ? [NOTHING_STATED] : statements;
  return stated.flatMap(({ from_day, to_day, opening, closing, balanced, format }): StatementRow[] => {
    // Of several statements in a file, one that states its days has no other lines than those of these days. One that
    // does not, and the only statement of a file, also cover the days of all lines.
    const areDaysOfAllLines = stated.length === 1 || from_day === null || to_day === null;
    const daysOfLines = areDaysOfAllLines ? [lineDays?.first, lineDays?.last] : [];
    const coveredDays = [from_day, to_day, ...daysOfLines].filter((day) => day != null).sort();
    if (coveredDays.length === 0) return [];
    const [from, to] = [coveredDays[0]!, coveredDays.at(-1)!];
    const linesWithin = lines
      .filter(({ date }) => from <= date && date <= to)
      .map(({ receipt_id, date, amount }) => ({ receipt: receipt_id, date, amount: BigInt(amount) }));
    const balances =
      opening === null || closing === null ? null : { opening: parseUnits(opening), closing: parseUnits(closing) };
    const closingByLines = linesWithin.reduce((sum, { amount }) => sum + amount, balances?.opening ?? 0n);
    return [
      {
        ...{ account, currency, from, to, balances },
        statesDays: from_day !== null && to_day !== null && !FORMATS_WITHOUT_DAYS.has(format),
        unexplained: balanced === 0 && balances !== null ? balances.closing - closingByLines : 0n,
        edges: linesWithin,
      },
    ];
  });
}

function byAccount<R extends { evidence_id: number; account: string | null; currency: string }>(rows: readonly R[]) {
  return groupBy(rows, ({ evidence_id, account, currency }) => JSON.stringify([evidence_id, account, currency]));
}
