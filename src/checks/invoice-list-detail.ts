import { sql } from 'kysely';
import { parseInstant } from '../instant.ts';
import { unitsText } from '../ledger/sql.ts';
import { MONEY_FIELDS, type MoneyField } from '../money/index.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { amountOf, amounts, FIELD_NAMES, finding, inPeriods, say, sayOff, shown } from './finding.ts';
import { INVOICE_AND_LIST, listedPopulation, unseenLists } from './list-rows.ts';

export const invoiceListDetail: Check = {
  code: 'invoice-list-detail',
  severity: 'error',
  requires: [],
  title: 'The month’s list and the invoice itself state the same amounts, date and status.',
  claim: "The month's list states something else than the invoice itself.",
  async find(context) {
    const findings = [...(await findAmounts(context)), ...(await findDates(context)), ...(await findStatuses(context))];
    return { findings, ...(await listedPopulation(context)) };
  },
  unseen: unseenLists,
};

type Pair = Record<`${'detail' | 'list'}_${MoneyField}`, string | null> & {
  number: number;
  period: string;
  currency: string;
};

async function findAmounts({ db, periods }: CheckContext): Promise<Finding[]> {
  const columns = MONEY_FIELDS.flatMap((field) =>
    ['detail', 'list'].map((side) => sql`${unitsText(`${side}.${field}`)} as ${sql.ref(`${side}_${field}`)}`),
  );
  const differs = MONEY_FIELDS.map(
    (field) => sql`coalesce(${sql.ref(`detail.${field}`)}, 0) <> coalesce(${sql.ref(`list.${field}`)}, 0)`,
  );
  const off = await sql<Pair>`
    select named.number, named.period, named.currency, ${sql.join(columns)}
    from (
      select i.number, i.period, l.period as listed, a.currency from ${INVOICE_AND_LIST}
      join invoice_amount a on a.invoice_number = i.number where ${inPeriods(periods)}
      union
      select i.number, i.period, l.period as listed, a.currency from ${INVOICE_AND_LIST}
      join invoice_listed_amount a on a.invoice_number = i.number and a.period = l.period where ${inPeriods(periods)}
    ) named
    left join invoice_amount detail on detail.invoice_number = named.number and detail.currency = named.currency
    left join invoice_listed_amount list
      on list.period = named.listed and list.invoice_number = named.number and list.currency = named.currency
    where ${sql.join(differs, sql` or `)}
    order by named.number, named.currency`.execute(db);

  return off.rows.flatMap((row) =>
    MONEY_FIELDS.flatMap((field) => {
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

interface Stated {
  readonly number: number;
  readonly period: string;
  readonly detail: string;
  readonly list: string;
}

async function findStated({ db, periods }: CheckContext, column: 'issued_at' | 'status'): Promise<readonly Stated[]> {
  const [detail, list] = [sql.ref(`i.${column}`), sql.ref(`l.${column}`)];
  const different = await sql<Stated>`
    select i.number, i.period, ${detail} as detail, ${list} as list from ${INVOICE_AND_LIST}
    where ${inPeriods(periods)} and ${list} <> ${detail}
    order by i.number`.execute(db);
  return different.rows;
}

async function findDates(context: CheckContext): Promise<Finding[]> {
  return (await findStated(context, 'issued_at'))
    .filter(({ detail, list }) => parseInstant(detail)?.getTime() !== parseInstant(list)?.getTime())
    .map(({ number, period, detail, list }) =>
      finding({
        period,
        invoice_number: number,
        field: 'issued_at',
        message: `The list says that invoice ${number} was issued at ${shown(list)} and the invoice itself says ${shown(detail)}: ask the delivery company which date holds, because it decides when payment is due.`,
      }),
    );
}

async function findStatuses(context: CheckContext): Promise<Finding[]> {
  return (await findStated(context, 'status')).map(({ number, period, detail, list }) =>
    finding({
      period,
      invoice_number: number,
      field: 'status',
      severity: 'warning',
      message: `The list says ${shown(list)} for invoice ${number} and the invoice itself says ${shown(detail)}: sync again with --full, and if they still differ ask the delivery company whether it has paid.`,
    }),
  );
}
