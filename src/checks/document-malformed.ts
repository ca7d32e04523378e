import { sql } from 'kysely';
import type { UnreadableTable } from '../ledger/schema.ts';
import type { Check, CheckContext, Finding } from './check.ts';
import { finding, shown } from './finding.ts';
import { orderMonths } from './order-months.ts';
import { population } from './population.ts';

type Line = UnreadableTable & { counts_in: string | null };

export const documentMalformed: Check = {
  code: 'document-malformed',
  severity: 'error',
  requires: [],
  title: 'Every answer of the API can be read as what was asked for.',
  async find(context) {
    const { rows } = await sql<Line>`
      select u.kind, u.subject, u.period, u.evidence_id, u.at, u.sha256, u.why, l.period as counts_in
      from unreadable u
      left join invoice_listed l on u.kind = 'invoice' and cast(l.invoice_number as text) = u.subject and l.counts_here = 1
      where u.kind in ('invoice', 'listed', 'order', 'page')
      order by u.kind, u.subject`.execute(context.db);
    const months = await orderMonths(
      context.db,
      rows.filter(({ kind }) => kind === 'order').map(({ subject }) => subject),
      context.knowledge,
    );
    const invoiced = await invoiceMonths(context);
    const findings = rows.map((row): Finding => {
      const known = months.get(row.subject)?.shown;
      const listed = row.kind === 'order' ? invoiced.get(row.subject) : undefined;
      const period = row.counts_in ?? row.period ?? listed ?? row.at.slice(0, 7);
      return malformed(row, known ?? { period, periods: [period] });
    });
    const { invoices, orders } = await population(context);
    return { findings, compared: invoices + orders + findings.length, notComparable: [] };
  },
};

/** The latest months of the invoices that list orders of which no record was ever read. */
async function invoiceMonths({ db }: CheckContext): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ order_id: string; period: string }>`
    select u.subject as order_id, max(i.period) as period
    from unreadable u cross join invoice_order o join invoice i on i.number = o.invoice_number
    where u.kind = 'order' and o.order_id = u.subject and i.vanished_at is null
    group by u.subject`.execute(db);
  return new Map(rows.map(({ order_id, period }) => [order_id, period]));
}

function malformed(
  { kind, subject, at, why, sha256 }: Line,
  where: { period: string; periods: readonly string[] },
): Finding {
  const place = placeOf(kind, subject);
  const body = sha256 === null ? '' : ` (its body is kept: SHA-256 ${sha256})`;
  return finding({
    ...where,
    subject: place.subject,
    invoice_number: place.number,
    order_id: kind === 'order' && !subject.startsWith('record ') ? subject : null,
    field: kind === 'listed' ? 'listing' : null,
    message: `${place.name}, received on ${at.slice(0, 10)}, cannot be read: ${shown(why)}${body}; until it can be, older figures are shown: ask the delivery company to correct it.`,
  });
}

/** What is unreadable, for people. */
function placeOf(kind: string, subject: string): { subject: string; name: string; number: number | null } {
  if (kind === 'invoice') return { subject: `invoice ${subject}`, name: `Invoice ${subject}`, number: Number(subject) };
  if (kind === 'order') return { subject: `order ${subject}`, name: `Order ${shown(subject)}`, number: null };
  if (kind === 'page') return { subject: `listing ${subject}`, name: `A page of the list of ${subject}`, number: null };
  const [month = '', item = ''] = subject.split(' ');
  const number = /^\d{1,15}$/.test(item) ? Number(item) : null;
  const what = number === null ? `row ${shown(item)}` : `invoice ${number}`;
  return { subject: `listing ${subject}`, name: `The list of ${month} at ${what}`, number };
}
