import { isDeepStrictEqual } from 'node:util';
import type { CloseBook } from '../closes/books.ts';
import { FIGURES, figureOf } from '../closes/figures.ts';
import { againstClosing } from '../closes/refusals.ts';
import type { Verdict } from '../judge/index.ts';
import { decimal, unitsOfSum } from '../units.ts';
import type { Act } from '../world/accountant.ts';
import { monthAfter } from '../world/clock.ts';
import { mayBeIncomplete } from './verdict.ts';

type Line = Readonly<Record<string, string>>;

interface PrintedFigures {
  readonly counts: { readonly invoices: number; readonly orders: number };
  readonly totals: readonly Line[];
  readonly roll_forward: readonly Line[];
}

interface Printed {
  readonly status: string;
  readonly reasons?: readonly { readonly code: string }[];
  readonly figures: PrintedFigures;
}

/** The books in the morning: the command line, the time, and what the oracle knows of them. */
export interface Morning {
  readonly run: (...argv: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;
  readonly now: Date;
  readonly verdict: Verdict;
  readonly book: CloseBook;
  /** The months of the books, one after the other. */
  readonly months: readonly string[];
}

/** Closes and opens months with the real program, and looks after each night whether what was closed is as it was. */
export class ComparedCloses {
  readonly #first: string;
  /** The figures of each month in force as `close` printed them. */
  readonly #printed = new Map<string, PrintedFigures>();

  /** @param first the month that the books begin with */
  constructor(first: string) {
    this.#first = first;
  }

  get isEmpty(): boolean {
    return this.#printed.size === 0;
  }

  /** Everything in which an act of the accountant's is not answered as it must be. */
  act(act: Act, morning: Morning): Promise<string[]> {
    return act.kind === 'close' ? this.#close(act, morning) : this.#reopen(morning);
  }

  async #close({ ahead, withOpen }: Act & { kind: 'close' }, { run, now, verdict, book }: Morning): Promise<string[]> {
    const first = book.last === undefined;
    const period = monthAfter(book.last ? monthAfter(book.last.period, 1) : this.#first, ahead);
    const options = [...(first ? ['--first'] : []), ...(withOpen ? ['--with-open', 'asked'] : [])];
    const { code, stdout, stderr } = await run('close', period, '--by', 'rana', ...options, '--json');
    if (!stdout.startsWith('{')) return [`close ${period} printed no JSON (exit ${code}): ${stderr}`];
    const printed = JSON.parse(stdout) as Printed;
    const said = printed.reasons?.map((reason) => reason.code) ?? [];
    const asked = { period, first, withOpen, now, mayBeIncomplete: mayBeIncomplete(verdict, period) };
    const { must, may } = againstClosing(verdict, book.inForce, asked);
    const faults = [
      ...[...must].filter((reason) => !said.includes(reason)).map((reason) => `close ${period} does not say ${reason}`),
      ...said
        .filter((reason) => !must.has(reason) && !may.has(reason))
        .map((reason) => `close ${period} says ${reason}`),
    ];
    const isDone = printed.status === 'closed';
    if (isDone !== (said.length === 0) || code !== (isDone ? 0 : 1)) faults.push(`close ${period} ended with ${code}`);
    if (!isDone || faults.length > 0) return faults;
    faults.push(...compareFrozen(period, book, printed.figures));
    book.close(period);
    this.#printed.set(period, printed.figures);
    return faults;
  }

  async #reopen({ run, book }: Morning): Promise<string[]> {
    const period = book.last?.period ?? this.#first;
    const { code, stdout } = await run('reopen', period, '--by', 'rana', '--reason', 'restated', '--json');
    const { status, reasons } = JSON.parse(stdout) as Printed;
    const wanted = book.last ? 'reopened 0' : 'refused 1 not-closed';
    const said = [status, code, ...(reasons ?? []).map((reason) => reason.code)].join(' ');
    if (said !== wanted) return [`reopen ${period}: ${said}, must be ${wanted}`];
    if (!book.last) return [];
    const drift = book.drift().filter((finding) => finding.period === period);
    const certain = drift.filter(({ times }) => times === 'one').length;
    book.reopen();
    this.#printed.delete(period);
    const ended = (JSON.parse(stdout) as { resolved: number }).resolved;
    return certain <= ended && ended <= drift.length
      ? []
      : [`reopen ${period} resolved ${ended}, must be ${certain} to ${drift.length}`];
  }

  /** A closed month is as it was closed, and the months after it go on from there. */
  async look({ run, book, months }: Morning): Promise<string[]> {
    const faults: string[] = [];
    for (const [period, figures] of this.#printed) {
      const { closes } = JSON.parse((await run('show', 'close', period, '--json')).stdout);
      const shown = closes.at(-1).record.figures;
      if (!isDeepStrictEqual(shown, figures)) faults.push(`the close of ${period} shows other figures`);
    }
    const { stdout } = await run('report', 'roll-forward', `${months[0]}..${months.at(-1)}`, '--json');
    const { rows } = JSON.parse(stdout) as { rows: Line[] };
    for (const month of new Set([...rows.map((row) => row.period as string), ...this.#printed.keys()])) {
      const own = rows.filter((row) => row.period === month);
      const frozen = this.#printed.get(month)?.roll_forward;
      const opening = book.closingOf(monthAfter(month, -1));
      faults.push(...compareLines(`roll-forward ${month}`, own, opening, book.closingOf(month)));
      if (frozen) faults.push(...compareWithFrozen(month, own, frozen));
    }
    return faults;
  }
}

/** What `close` freezes is what the oracle knows. */
function compareFrozen(period: string, book: CloseBook, { counts, totals, roll_forward }: PrintedFigures): string[] {
  const { figures, closing } = book.wouldFreeze(period);
  const faults = (['invoices', 'orders'] as const)
    .filter((count) => counts[count] !== figures[count])
    .map((count) => `close ${period}: ${count} is ${counts[count]}, must be ${figures[count]}`);
  for (const currency of new Set([...figures.money.keys(), ...totals.map((line) => line.currency as string)])) {
    const line = totals.find((each) => each.currency === currency);
    for (const figure of FIGURES) {
      const must = decimal(figureOf(figures, currency, figure));
      const is = line?.[figure] ?? '0.00';
      if (is !== must) faults.push(`close ${period} ${currency}: ${figure} is ${is}, must be ${must}`);
    }
  }
  const opening = book.closingOf(monthAfter(period, -1));
  return [...faults, ...compareLines(`close ${period}`, roll_forward, opening, closing)];
}

const FLOWS = ['invoiced', 'restated', 'vanished', 'received', 'differences', 'already_paid', 'seen_paid'];

/** Opening and closing are the oracle's, and what is between them adds up. A currency without a line counts as zero. */
function compareLines(
  what: string,
  lines: readonly Line[],
  opening: ReadonlyMap<string, bigint>,
  closing: ReadonlyMap<string, bigint>,
): string[] {
  const currencies = new Set([...opening.keys(), ...closing.keys(), ...lines.map((line) => line.currency as string)]);
  return [...currencies].flatMap((currency) => {
    const line = lines.find((each) => each.currency === currency);
    const size = (figure: string): bigint => unitsOfSum(line?.[figure] ?? '0.00');
    const faults = [
      { figure: 'opening', is: size('opening'), must: opening.get(currency) ?? 0n },
      { figure: 'closing', is: size('closing'), must: closing.get(currency) ?? 0n },
      { figure: 'sum', is: FLOWS.reduce((sum, flow) => sum + size(flow), size('opening')), must: size('closing') },
    ].filter(({ is, must }) => is !== must);
    return faults.map(
      ({ figure, is, must }) => `${what} ${currency}: ${figure} is ${decimal(is)}, must be ${decimal(must)}`,
    );
  });
}

function compareWithFrozen(month: string, lines: readonly Line[], frozen: readonly Line[]): string[] {
  return frozen.flatMap(({ currency, ...figures }) => {
    const line = lines.find((each) => each.currency === currency);
    return Object.entries(figures)
      .filter(([figure, was]) => (line?.[figure] ?? '0.00') !== was)
      .map(
        ([figure, was]) => `roll-forward ${month} ${currency}: ${figure} is ${line?.[figure]}, was closed as ${was}`,
      );
  });
}
