import { sql } from 'kysely';
import { parseInstant } from '../instant.ts';
import { unitsText } from '../ledger/index.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { amountOf, amounts, FIELD_NAMES, finding, inPeriods, say, sayOff, shown } from './finding.ts';

export const invoiceListDetail: Check = {
  code: 'invoice-list-detail',
  severity: 'error',
  needs: 'invoices',
  title: 'The month’s list and the invoice itself state the same amounts, date and status.',
  async find(context) {
    return [...(await findAmounts(context)), ...(await findDates(context)), ...(await findStatuses(context))];
  },
};

const FIELDS = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;
type Pair = Record<
  'number' | 'period' | 'currency' | `${'detail' | 'list'}_${(typeof FIELDS)[number]}`,
  string | null
> & {
  number: number;
  period: string;
  currency: string;
};

async function findAmounts({ db, periods }: CheckContext): Promise<Finding[]> {
  const columns = FIELDS.flatMap((field) =>
    ['detail', 'list'].map((side) => sql`${unitsText(`${side}.${field}`)} as ${sql.ref(`${side}_${field}`)}`),
  );
  const differs = FIELDS.map(
    (field) => sql`coalesce(${sql.ref(`detail.${field}`)}, 0) <> coalesce(${sql.ref(`list.${field}`)}, 0)`,
  );
  // An invoice whose list row could not be read has nothing to compare with.
  const readable = sql`${inPeriods(periods)} and i.list_status is not null`;
  const off = await sql<Pair>`
    select i.number, i.period, named.currency, ${sql.join(columns)}
    from (
      select a.invoice_number, a.currency from invoice i join invoice_amount a on a.invoice_number = i.number
      where ${readable}
      union
      select a.invoice_number, a.currency from invoice i join invoice_list_amount a on a.invoice_number = i.number
      where ${readable}
    ) named
    join invoice i on i.number = named.invoice_number
    left join invoice_amount detail
      on detail.invoice_number = named.invoice_number and detail.currency = named.currency
    left join invoice_list_amount list
      on list.invoice_number = named.invoice_number and list.currency = named.currency
    where ${sql.join(differs, sql` or `)}
    order by i.number, named.currency`.execute(db);

  return off.rows.flatMap((row) =>
    FIELDS.flatMap((field) => {
      const [expected, actual] = [amountOf(row[`detail_${field}`]), amountOf(row[`list_${field}`])];
      const difference = actual.minus(expected);
      if (difference.isZero()) return [];
      const { number, period, currency } = row;
      return finding({
        period,
        invoice_number: number,
        currency,
        field,
        ...amounts(expected, actual),
        message: `The list states a ${FIELD_NAMES[field]} of ${say(actual, currency)} for invoice ${number}, ${sayOff(difference, currency)} than the ${say(expected, currency)} of the invoice itself: go by the invoice, and ask the delivery company why its list differs.`,
      });
    }),
  );
}

async function findDates({ db, periods }: CheckContext): Promise<Finding[]> {
  const different = await db
    .selectFrom('invoice')
    .select(['number', 'period', 'issued_at', 'list_issued_at'])
    .where('period', 'in', [...periods])
    .where('vanished_at', 'is', null)
    .whereRef('list_issued_at', '<>', 'issued_at')
    .orderBy('number')
    .execute();
  return different
    .filter((row) => parseInstant(row.issued_at)?.getTime() !== parseInstant(row.list_issued_at ?? '')?.getTime())
    .map(({ number, period, issued_at, list_issued_at }) =>
      finding({
        period,
        invoice_number: number,
        field: 'issued_at',
        message: `The list says that invoice ${number} was issued at ${shown(list_issued_at ?? '')} and the invoice itself says ${shown(issued_at)}: ask the delivery company which date holds, because it decides when payment is due.`,
      }),
    );
}

async function findStatuses({ db, periods }: CheckContext): Promise<Finding[]> {
  const different = await db
    .selectFrom('invoice')
    .select(['number', 'period', 'status', 'list_status'])
    .where('period', 'in', [...periods])
    .where('vanished_at', 'is', null)
    .whereRef('list_status', '<>', 'status')
    .orderBy('number')
    .execute();
  return different.map(({ number, period, status, list_status }) =>
    finding({
      period,
      invoice_number: number,
      field: 'status',
      severity: 'warning',
      message: `The list says ${shown(list_status ?? '')} for invoice ${number} and the invoice itself says ${shown(status)}: sync again with --full, and if they still differ ask the delivery company whether it has paid.`,
    }),
  );
}
