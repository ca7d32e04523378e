import { type ReadDetail, type ReadListRow, readDetail, readListRow } from './read.ts';
import { isComplete, monthAsked, provesAbsence, type Run, type Walk, walkOf } from './walk.ts';

/** A readable detail, and the run that first brought this content. */
export interface SeenDetail {
  readonly run: number;
  readonly body: string;
  readonly document: ReadDetail;
}

export interface KnownInvoice {
  readonly number: number;
  /** The month that it counts in, or last counted in. */
  period: string;
  live: boolean;
  /** The months whose listings hold it now. */
  months: string[];
  /** Its readable details, each content once in a row, oldest first. */
  readonly details: SeenDetail[];
  /** What came of the last request for its detail. */
  lastAnswer: 'good' | 'unreadable' | 'failed' | 'none';
  /** Some answer was unreadable, and none was readable since. */
  malformed: boolean;
  /** The run of its last readable answer. */
  lastRead: number | null;
  /** Its last readable row of a list. */
  row: ReadListRow | null;
  /** When each month first listed it. */
  readonly firstListed: Map<string, number>;
}

export interface KnownMonth {
  readonly walks: Walk<ReadListRow>[];
  held: Set<number>;
  /** The rows that cannot be read, by number as far as that can be; `null` among them is a row without one. */
  unreadable: Set<number | null>;
}

export interface InvoiceSide {
  readonly invoices: Map<number, KnownInvoice>;
  readonly months: Map<string, KnownMonth>;
}

/** The invoices as the runs showed them. Rules 1 to 6. */
export function invoiceSide(runs: readonly Run[]): InvoiceSide {
  const invoices = new Map<number, KnownInvoice>();
  const months = new Map<string, KnownMonth>();
  runs.forEach((run, index) => {
    for (const month of new Set(run.shown.map(monthAsked))) {
      if (month === null) continue;
      const walk = walkOf(run, index, (exchange) => monthAsked(exchange) === month, 'number', readListRow);
      if (walk) takeWalk(invoices, months, month, walk);
    }
    takeDetails(invoices, run, index);
    settleMonths(invoices, months);
  });
  return { invoices, months };
}

function takeWalk(
  invoices: Map<number, KnownInvoice>,
  months: Map<string, KnownMonth>,
  month: string,
  walk: Walk<ReadListRow>,
): void {
  const known = months.get(month) ?? { walks: [], held: new Set<number>(), unreadable: new Set<number | null>() };
  months.set(month, known);
  known.walks.push(walk);
  const numbers = walk.items.flatMap(({ key }) => (key === null ? [] : [Number(key)]));
  known.held = provesAbsence(walk) ? new Set(numbers) : new Set([...known.held, ...numbers]);
  if (isComplete(walk)) known.unreadable.clear();
  for (const { key, document } of walk.items) {
    const number = key === null ? null : Number(key);
    if (document) known.unreadable.delete(number);
    else known.unreadable.add(number);
    if (number === null) continue;
    const invoice = invoices.get(number) ?? unknownInvoice(number, month);
    invoices.set(number, invoice);
    invoice.row = document ?? invoice.row;
    if (!invoice.firstListed.has(month)) invoice.firstListed.set(month, walk.run);
  }
}

const unknownInvoice = (number: number, period: string): KnownInvoice => ({
  number,
  period,
  live: true,
  months: [],
  details: [],
  lastAnswer: 'none',
  malformed: false,
  lastRead: null,
  row: null,
  firstListed: new Map(),
});

function takeDetails(invoices: Map<number, KnownInvoice>, run: Run, index: number): void {
  for (const { path, status, body } of run.shown) {
    const number = Number(/^\/invoices\/(\d+)\/$/.exec(path)?.[1] ?? Number.NaN);
    const invoice = invoices.get(number);
    if (!invoice) continue;
    const document = status === 200 ? readDetail(body) : null;
    invoice.lastAnswer = document ? 'good' : status === 200 ? 'unreadable' : 'failed';
    if (document) invoice.lastRead = index;
    if (invoice.lastAnswer !== 'failed') invoice.malformed = document === null;
    if (document && invoice.details.at(-1)?.body !== body) invoice.details.push({ run: index, body, document });
  }
}

function settleMonths(invoices: Map<number, KnownInvoice>, months: Map<string, KnownMonth>): void {
  for (const invoice of invoices.values()) {
    invoice.months = [...months]
      .filter(([, { held }]) => held.has(invoice.number))
      .map(([month]) => month)
      .sort();
    invoice.live = invoice.months.length > 0;
    if (invoice.live) invoice.period = periodOf(invoice);
  }
}

function periodOf({ months, details, row, firstListed }: KnownInvoice): string {
  const issued = (details.at(-1)?.document ?? row)?.issued_at.slice(0, 7);
  if (issued !== undefined && months.includes(issued)) return issued;
  const order = (month: string): number => firstListed.get(month) ?? Number.POSITIVE_INFINITY;
  return [...months].sort((a, b) => order(a) - order(b) || a.localeCompare(b))[0] as string;
}
