import { type Flow, flowsOf, namedDifferences } from '../../src/checks/receipts/flows.ts';
import type { Settlements } from '../../src/checks/receipts/settlements.ts';
import { bookedOn } from '../../src/ledger/read/index.ts';
import type { JournalTransaction } from './model.ts';
import { postAllocated, postNamedDifference, postReceived } from './post.ts';

/**
 * What came in, receipt by receipt on its own day: the courier's, and what a person matched. What an invoice gets of it is never booked
 * before the invoice is; until then, and where no invoice is known for it, it is unallocated.
 */
export function postReceipts({ books, invoices }: Settlements): JournalTransaction[] {
  const bookedOns = new Map(invoices.map((invoice) => [invoice.number, bookedOn(invoice)]));
  const dayOf = ({ date, number }: { readonly date: string; readonly number: number }) => {
    const booked = bookedOns.get(number) ?? date;
    return date < booked ? booked : date;
  };
  const flows = flowsOf(books);
  const of = new Map<number, Flow[]>();
  for (const flow of flows) of.set(flow.receipt, [...(of.get(flow.receipt) ?? []), flow]);
  const received = [...books.receipts.values()].flatMap(({ id, date, currency, amount, left }) => {
    const own = of.get(id) ?? [];
    if (own.length === 0 && !books.theirs.has(id)) return [];
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
      ...sumByInvoice(own.filter((flow) => dayOf(flow) !== date)).map((flow) =>
        postAllocated({ ...flow, receipt: String(id), date: dayOf(flow) }),
      ),
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
