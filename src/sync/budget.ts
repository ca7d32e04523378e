import { BudgetError } from '../base/errors.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import { appendEvidence, type Ledger } from '../ledger/index.ts';
import { readRequestsSince } from '../ledger/queries/sync/runs.ts';
import { syncingError } from '../words/errors/syncing.ts';

/** How much of a month's budget of requests is used. Days are in UTC. */
export interface BudgetState {
  readonly used_this_month: number;
  /** Null for no limit. */
  readonly left: number | null;
  /** The day on which the next month of the budget begins. */
  readonly resets_on: string;
}

export interface BudgetSettings {
  /** Null for no limit. */
  readonly requestsPerMonth: number | null;
  /** The day on which a month of the budget begins, in UTC: 1 to 28. */
  readonly budgetDay: number;
}

/** The day on which the budget's month of an instant begins, and the day on which the next one does. */
function budgetMonth(now: Date, budgetDay: number): { readonly begins_on: string; readonly resets_on: string } {
  const month = now.getUTCMonth() - (now.getUTCDate() < budgetDay ? 1 : 0);
  const budgetDayOf = (anyMonth: number) => new Date(Date.UTC(now.getUTCFullYear(), anyMonth, budgetDay)).toISOString();
  return { begins_on: budgetDayOf(month).slice(0, 10), resets_on: budgetDayOf(month + 1).slice(0, 10) };
}

/** How much of a courier's budget is used: all attempts count, also those of syncs that failed or were killed. */
export async function readBudget(
  { db }: Pick<Ledger, 'db'>,
  { requestsPerMonth, budgetDay }: BudgetSettings,
  now: Date,
): Promise<BudgetState> {
  const { begins_on, resets_on } = budgetMonth(now, budgetDay);
  const used = await readRequestsSince(db, begins_on);
  const left = requestsPerMonth === null ? null : Math.max(0, requestsPerMonth - used);
  return { used_this_month: used, left, resets_on };
}

const DAY = 86_400_000;

/** So many attempts are counted in one write, before they are sent; a killed process leaves at most these unsent. */
const COUNTED_AT_ONCE = 10;

/**
 * Counts attempts in the ledger before they are sent, for all processes, and stops when the budget is spent. There is a
 * meter only for a budget with a limit, so that `left` is never null here.
 */
export class Meter {
  readonly #settings: BudgetSettings & { readonly requestsPerMonth: number };
  readonly #now: () => Date;
  readonly #lend: Lend;
  /** Attempts that are counted and not sent yet. */
  #unsent = 0;
  /** The first day of the budget's month in which they were counted. */
  #month = '';
  #run: number | null = null;
  /** The last call that waits its turn. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param lend opens the courier's ledger for writing */
  constructor(settings: BudgetSettings & { readonly requestsPerMonth: number }, now: () => Date, lend: Lend) {
    this.#settings = settings;
    this.#now = now;
    this.#lend = lend;
  }

  /** Says which run makes the attempts from now on. */
  setRun(run: number): void {
    this.#run = run;
  }

  /** Counts one attempt. @throws BudgetError when none is left */
  admit(): Promise<void> {
    return this.#inTurn(async () => {
      const { begins_on } = this.#monthNow();
      if (begins_on !== this.#month) this.#unsent = 0;
      if (this.#unsent === 0) this.#unsent = await this.#countMore();
      this.#month = begins_on;
      this.#unsent -= 1;
    });
  }

  /** How many attempts may still be sent this month, those included that are counted and not sent yet. */
  left(): Promise<number> {
    return this.#inTurn(async () => {
      const { left } = await this.#lend((ledger) => readBudget(ledger, this.#settings, this.#now()));
      return left! + this.#unsentThisMonth();
    });
  }

  /** How many nights come before the next month of the budget begins. */
  nightsLeft(): number {
    return Math.floor((Date.parse(this.#monthNow().resets_on) - this.#now().getTime()) / DAY);
  }

  /** Takes back the attempts that were counted and not sent: of 10 counted and 7 sent it records -3. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      const unsent = this.#unsentThisMonth();
      this.#unsent = 0;
      if (unsent > 0)
        await this.#lend((ledger) => ledger.db.transaction().execute((trx) => this.#append(trx, -unsent)));
    });
  }

  /** What was counted in an earlier month is spent there, sent or not. */
  #unsentThisMonth(): number {
    return this.#monthNow().begins_on === this.#month ? this.#unsent : 0;
  }

  /** Counts the next few attempts in the ledger. @returns how many */
  #countMore(): Promise<number> {
    return this.#lend((ledger) =>
      ledger.db.transaction().execute(async (trx) => {
        // The chain is locked first, so that no other process counts the same attempts.
        await holdHead(trx);
        const budget = await readBudget({ db: trx }, this.#settings, this.#now());
        const { left, used_this_month: used, resets_on: resetsOn } = budget;
        const limit = this.#settings.requestsPerMonth;
        if (left === 0) throw new BudgetError(syncingError({ id: 'budget-spent', limit, used, resetsOn }));
        const count = Math.min(COUNTED_AT_ONCE, left!);
        await this.#append(trx, count);
        return count;
      }),
    );
  }

  async #append(trx: Parameters<typeof appendEvidence>[0], attempts: number): Promise<void> {
    const subject = this.#monthNow().begins_on;
    await appendEvidence(trx, { at: this.#now(), kind: 'requests', runId: this.#run, subject, data: { attempts } });
  }

  #monthNow() {
    return budgetMonth(this.#now(), this.#settings.budgetDay);
  }

  /** One after the other, so that no two calls count or take the same attempts. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** Opens a ledger for `use`, and closes it afterwards. */
export type Lend = <T>(use: (ledger: Ledger) => Promise<T>) => Promise<T>;
