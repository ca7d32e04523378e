import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import {
  MONEY_FIELDS,
  type MoneyField,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  parseAmount,
  ROW_SUM_FIELDS,
} from '../money/index.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { amounts, counts, FIELD_NAMES, finding, inPeriods, say, sentence } from './finding.ts';
import { population } from './population.ts';
import { twoSyncs } from './requirement.ts';

export const invoiceRestated: Check = {
  code: 'invoice-restated',
  severity: 'warning',
  requires: [twoSyncs],
  title: 'An invoice’s amounts and rows stay as they were first seen.',
  async find(context) {
    const versions = groupBy(await readVersions(context), ({ number }) => number);
    const changed = [...versions.values()].filter((own) => own[0]!.content !== own.at(-1)!.content);
    const money = await readMoney(context);
    const findings = changed.flatMap((own) => restatements(own, money));
    return { findings, compared: (await population(context)).invoices, notComparable: [] };
  },
};

interface Version {
  readonly number: number;
  readonly period: string;
  readonly version: number;
  readonly seen_at: string;
  readonly sha256: string;
  readonly content: string;
  readonly row_count: number;
  /** The invoice's status just before this version; null at the first. */
  readonly status_before: string | null;
}

const HEADER_OF: ReadonlyMap<string, OrderMoneyField> = new Map(
  ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, field]),
);
const FIELDS = [...MONEY_FIELDS, ...ROW_SUM_FIELDS];
type Amounts = Readonly<Record<(typeof FIELDS)[number], string>>;
/** Invoice and version to the money of each currency. */
type VersionMoney = ReadonlyMap<string, ReadonlyMap<string, Amounts>>;

const RESTATED = sql`select invoice_number from invoice_version where version = 2`;

async function readVersions({ db, periods }: CheckContext): Promise<readonly Version[]> {
  const { rows } = await sql<Version>`
    select v.invoice_number as number, i.period, v.version, v.seen_at, v.sha256, v.content_sha256 as content, v.row_count,
      (select s.status from invoice_status s
        where s.invoice_number = v.invoice_number and s.evidence_id < v.evidence_id
        order by s.evidence_id desc limit 1) as status_before
    from invoice i join invoice_version v on v.invoice_number = i.number
    where ${inPeriods(periods)} and i.number in (${RESTATED})
    order by v.invoice_number, v.version`.execute(db);
  return rows;
}

async function readMoney({ db, periods }: CheckContext): Promise<VersionMoney> {
  const { rows } = await sql<Amounts & { number: number; version: number; currency: string }>`
    select m.invoice_number as number, m.version, m.currency,
      ${sql.join(FIELDS.map((field) => sql.ref(`m.${field}`)))}
    from invoice i join invoice_version_amount m on m.invoice_number = i.number
    where ${inPeriods(periods)} and i.number in (${RESTATED})
    order by m.invoice_number, m.version, m.currency`.execute(db);
  return new Map(
    [...groupBy(rows, ({ number, version }) => `${number} ${version}`)].map(([key, own]) => [
      key,
      new Map(own.map((row) => [row.currency, row])),
    ]),
  );
}

function restatements(versions: readonly Version[], money: VersionMoney): Finding[] {
  const [first, last] = [versions[0]!, versions.at(-1)!];
  const { number, period } = last;
  const wasPaid = versions.some(({ status_before }) => status_before === 'PAID');
  const about = { period, invoice_number: number, ...(wasPaid ? { severity: 'error' as const } : {}) };
  const proof = `first seen on ${first.seen_at.slice(0, 10)} (SHA-256 ${first.sha256}), now as of ${last.seen_at.slice(0, 10)} (SHA-256 ${last.sha256})${wasPaid ? ', and it was PAID' : ''}: ask the delivery company why it was changed`;

  const [before, after] = [first, last].map(({ version }) => money.get(`${number} ${version}`) ?? new Map());
  const moved = [...new Set([...before!.keys(), ...after!.keys()])].sort().flatMap((currency) =>
    FIELDS.flatMap((field) => {
      const [expected, actual] = [before, after].map((side) => parseAmount(side!.get(currency)?.[field] ?? '0'));
      return expected!.equals(actual!) ? [] : [{ currency, field, expected: expected!, actual: actual! }];
    }),
  );
  // The rows' sums are said only where the header does not say the same.
  const said = moved.filter(
    ({ field, currency }) =>
      !HEADER_OF.has(field) ||
      !moved.some((other) => other.currency === currency && other.field === HEADER_OF.get(field)),
  );
  if (said.length === 0) {
    return [
      finding({
        ...about,
        field: 'orders',
        ...counts(first.row_count, last.row_count),
        message: `The rows of invoice ${number} changed though its sums did not, from ${first.row_count} rows to ${last.row_count}; ${proof}.`,
      }),
    ];
  }
  return said.map(({ currency, field, expected, actual }) =>
    finding({
      ...about,
      currency,
      field,
      ...amounts(expected, actual),
      message: sentence(
        `${nameOf(field)} of invoice ${number} changed from ${say(expected, currency)} to ${say(actual, currency)}; ${proof}.`,
      ),
    }),
  );
}

function nameOf(field: (typeof FIELDS)[number]): string {
  const header = HEADER_OF.get(field);
  return header === undefined ? `the ${FIELD_NAMES[field as MoneyField]}` : `the rows’ ${FIELD_NAMES[header]}`;
}
