import { sql } from 'kysely';
import {
  type ClosingFigures,
  figureRows,
  type LedgerReader,
  readClosedDocuments,
  readClosedFigures,
  readClosesInForce,
  readClosingDocuments,
  sqlMonthTotals,
} from '../ledger/read/index.ts';
import type { PeriodCloseTable } from '../ledger/schema.ts';
import { parseAmount } from '../money/index.ts';
import type { Check, Finding } from './check.ts';
import { readAsClosed } from './closes/as-closed.ts';
import { readClosingFigures } from './closes/figures.ts';
import { amounts, counts, finding, say, sayList, shown } from './finding.ts';
import type { Settlements } from './receipts/settlements.ts';
import { settlements } from './remittances.ts';
import { aClose } from './requirement.ts';

export const closedPeriodChanged: Check = {
  code: 'closed-period-changed',
  severity: 'error',
  requires: [aClose],
  everywhere: true,
  stands: 'outside',
  title: 'The figures of a closed month are what they were at the close.',
  async find(context) {
    const { db } = context;
    const closes = await readClosesInForce(db);
    const settled = await settlements(context);
    const findings: Finding[] = [];
    let compared = 0;
    for (const close of closes) {
      const { frozen, now } = await figuresOf(db, close, closes, settled);
      const keys = [...new Set([...frozen.keys(), ...now.keys()])];
      compared += keys.length;
      const moved = keys.filter((key) => (frozen.get(key) ?? NOTHING) !== (now.get(key) ?? NOTHING));
      if (moved.length === 0) continue;
      const why = await whatMoved(db, close);
      for (const key of moved) {
        findings.push(drift(close, key, frozen.get(key) ?? NOTHING, now.get(key) ?? NOTHING, why));
      }
    }
    return { findings, compared, notComparable: [] };
  },
};

/** A currency that one side lacks counts as zero there. */
const NOTHING = '0.00';

/** `currency figure` to its value; counts have no currency. */
type Figures = ReadonlyMap<string, string>;

async function figuresOf(
  db: LedgerReader,
  close: PeriodCloseTable,
  closes: readonly PeriodCloseTable[],
  settled: Settlements,
) {
  // As if it were open: what became known since counts in its own days.
  const earlier = closes.filter(({ period }) => period < close.period);
  const { figures } = await readClosingFigures(db, await sqlMonthTotals(db, close.period), settled, earlier);
  const asClosed = await readAsClosed(db, close, settled);
  const totals = figures.totals.map((line) => ({ ...line, ...asClosed(line.currency) }));
  return {
    frozen: comparedOf(await readClosedFigures(db, close.id)),
    now: comparedOf(figureRows({ ...figures, totals })),
  };
}

/**
 * What of the figures is compared: the opening and the flows are the way to the closing; and where receipts have come to show what was
 * paid by the courier's word, nothing has changed.
 */
function comparedOf(rows: ReturnType<typeof figureRows>): Figures {
  const compared = rows.filter(({ section, figure }) => {
    if (section === 'roll-forward') return figure === 'closing';
    return section !== 'settled' && figure !== 'paid_on_word';
  });
  return new Map(
    compared.map(({ section, currency, figure, value }) => [
      `${currency} ${section === 'roll-forward' ? 'closing_balance' : figure}`,
      value,
    ]),
  );
}

type Figure = keyof ClosingFigures['counts'] | keyof ClosingFigures['totals'][number] | 'closing_balance';

const NAMES: Readonly<Partial<Record<Figure, string>>> = {
  invoices: 'number of invoices',
  orders: 'number of invoice rows',
  cod: 'COD',
  delivery_fee: 'delivery fee',
  net_due_to_merchant: 'net due',
  order_cod: 'COD of the rows',
  order_delivery_fee: 'fee of the rows',
  paid: 'net that is marked paid',
  received: 'money received',
  differences: 'differences that were named',
  outstanding: 'outstanding net',
  closing_balance: 'closing balance due',
};

function drift(
  { period, at, actor }: PeriodCloseTable,
  key: string,
  before: string,
  after: string,
  why: string,
): Finding {
  const [currency, field] = key.split(' ') as [string, Figure];
  const what = NAMES[field] ?? field;
  const about = { period, subject: `close ${period}`, field };
  const closed = `when ${shown(actor)} closed the month on ${at.slice(0, 10)}`;
  const then = `${why}; the close stays as it is, and what moved is booked in the month that learned of it: ask the delivery company why, or \`remit reopen ${period}\` and close it again`;
  const [expected, actual] = [parseAmount(before), parseAmount(after)];
  if (currency === '') {
    const message = `The ${what} of ${period} was ${before} ${closed} and is ${after} now: ${then}.`;
    return finding({ ...about, ...counts(expected.toNumber(), actual.toNumber()), message });
  }
  return finding({
    ...about,
    currency,
    ...amounts(expected, actual),
    message: `The ${what} of ${period} was ${say(expected, currency)} ${closed} and is ${say(actual, currency)} now: ${then}.`,
  });
}

/** Which invoices are not what they were at the close: what a reader looks at first. */
async function whatMoved(db: LedgerReader, { id, period }: PeriodCloseTable): Promise<string> {
  const invoicesOf = (documents: Awaited<ReturnType<typeof readClosingDocuments>>) =>
    new Map(documents.flatMap((one) => (one.kind === 'invoice' ? [[one.subject, one] as const] : [])));
  const [then, now] = [
    invoicesOf(await readClosedDocuments(db, id)),
    invoicesOf(await readClosingDocuments(db, period)),
  ];
  const versions = await sql<{ number: string }>`
    select distinct cast(invoice_number as text) as number from invoice_version
    where evidence_id > ${id} and version > 1`.execute(db);
  const restated = new Set(versions.rows.map(({ number }) => number));
  const numbers = {
    changed: [...now].flatMap(([number, one]) => {
      const was = then.get(number);
      const isUnpaid = was?.status === 'PAID' && one.status !== 'PAID';
      return was && (restated.has(number) || isUnpaid) ? [number] : [];
    }),
    new: [...now.keys()].filter((number) => !then.has(number)),
    gone: [...then.keys()].filter((number) => !now.has(number)),
  };
  const parts = Object.entries(numbers).flatMap(([how, own]) =>
    own.length === 0 ? [] : [`invoice ${sayList(own)} ${how === 'gone' ? 'is gone' : `is ${how}`}`],
  );
  return parts.length > 0 ? `${parts.join(', ')} since` : 'by what was imported, matched or decided since';
}
