import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import type { Check } from './check.ts';
import { counts, finding, sayList } from './finding.ts';

export const invoiceInTwoMonths: Check = {
  code: 'invoice-in-two-months',
  severity: 'error',
  requires: [],
  title: 'No invoice is on the lists of two months.',
  claim: 'The invoice stands on the lists of more than one month.',
  async find({ db, periods }) {
    const months = sql.join([...periods]);
    const { rows } = await sql<{ number: number; period: string; counts_here: 0 | 1 }>`
      select l.invoice_number as number, l.period, l.counts_here
      from invoice_listed l
      where l.vanished_at is null and l.invoice_number in (
        select here.invoice_number from invoice_listed here
        join invoice_listed there on there.invoice_number = here.invoice_number and there.period <> here.period
        where here.period in (${months}) and here.vanished_at is null and there.vanished_at is null
      )
      order by l.invoice_number, l.first_evidence_id, l.period`.execute(db);
    const listed = await sql<{ count: number }>`
      select count(*) as count from invoice_listed l where l.period in (${months}) and l.vanished_at is null`.execute(
      db,
    );
    const findings = [...groupBy(rows, ({ number }) => number)].map(([number, listings]) => {
      const { period } = listings.find(({ counts_here }) => counts_here === 1) ?? listings[0]!;
      const both = listings.map((listing) => listing.period).sort();
      return finding({
        period,
        periods: both,
        invoice_number: number,
        field: 'period',
        ...counts(1, both.length),
        message: `Invoice ${number} is on the lists of ${both.length} months where 1 is right, ${sayList(both)}; it counts in ${period}: ask the delivery company in which month it belongs.`,
      });
    });
    return { findings, compared: Number(listed.rows[0]!.count), notComparable: [] };
  },
};
