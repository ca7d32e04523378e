import { type Flow, flowsOf, namedDifferences } from '../../src/checks/receipts/flows.ts';
import type { Settlements } from '../../src/checks/receipts/settlements.ts';
import { bookedOn, type ClosedMonth, dayToBook } from '../../src/ledger/read/index.ts';
import type { JournalTransaction } from './model.ts';
import { postAllocated, postNamedDifference, postReceived } from './post.ts';

/**
 * What came in, receipt by receipt on its own day: the courier's, and what a person matched. What an invoice gets of it is never booked
 * before the invoice is; until then, and where no invoice is known for it, it is unallocated. What was imported or matched after its
 * day's month was closed is booked on the day of the import or the match.
 */
export function postReceipts(
  { books, invoices }: Settlements,
  { closed, importedAt }: { closed: readonly ClosedMonth[]; importedAt: ReadonlyMap<number, string> },
): JournalTransaction[] {
  const bookedOns = new Map(invoices.map((invoice) => [invoice.number, bookedOn(invoice)]));
  const matches = new Map(books.held.map(({ id, evidence_id, at }) => [id, { evidence_id, seen_at: at }]));
  const ownDay = ({ date, number }: Pick<Flow, 'date' | 'number'>) => {
    const booked = bookedOns.get(number) ?? date;
    return date < booked ? booked : date;
  };
  const dayOf = (share: Pick<Flow, 'date' | 'number' | 'match'>) =>
    dayToBook(ownDay(share), matches.get(share.match)!, closed);
  const flows = flowsOf(books);
  const of = new Map<number, Flow[]>();
  for (const flow of flows) of.set(flow.receipt, [...(of.get(flow.receipt) ?? []), flow]);
  const received = [...books.receipts.values()].flatMap(({ id, evidence_id, date: day, currency, amount, left }) => {
    const own = of.get(id) ?? [];
    if (own.length === 0 && !books.theirs.has(id)) return [];
    // Whose it is shows the line itself, or only the match.
    const known = books.theirs.has(id)
      ? { evidence_id, seen_at: importedAt.get(evidence_id)! }
      : matches.get(Math.min(...own.map(({ match }) => match)))!;
    const date = dayToBook(day, known, closed);
    const later = own.filter((flow) => dayOf(flow) !== date);
    const isLate = (flow: Flow) => dayOf(flow) !== ownDay(flow);
    const atOnce = own.filter((flow) => dayOf(flow) === date);
    const row = {
      receipt: String(id),
      date,
      currency,
      amount: books.theirs.has(id) ? amount : amount - left,
      allocated: atOnce.reduce((sum, flow) => sum + flow.amount, 0n),
      invoices: [...new Set(own.map(({ number }) => number))],
    };
    return [
      postReceived(row),
      ...sumByInvoice(later.filter((flow) => !isLate(flow))).map((flow) =>
        postAllocated({ ...flow, receipt: String(id), date: dayOf(flow) }),
      ),
      ...later
        .filter(isLate)
        .map((flow) => postAllocated({ ...flow, receipt: String(id), date: dayOf(flow), mark: `M${flow.match}` })),
    ];
  });
  const named = namedDifferences(books).map((difference) =>
    postNamedDifference({ ...difference, id: `${difference.match}-${difference.number}`, date: dayOf(difference) }),
  );
  return [...received, ...named].filter((one) => one !== null);
}

/** Two matches may have tied one receipt to one invoice. */
function sumByInvoice(flows: readonly Flow[]): Flow[] {
  const sums = new Map<number, Flow>();
  for (const flow of flows) {
    const known = sums.get(flow.number);
    sums.set(flow.number, known ? { ...known, amount: known.amount + flow.amount } : flow);
  }
  return [...sums.values()];
}
