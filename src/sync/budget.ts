import { BudgetError } from '../base/errors.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import { appendEvidence, type Ledger } from '../ledger/index.ts';
import { readRequestsSince } from '../ledger/queries/sync/runs.ts';
import { because } from '../words/errors/syncing.ts';

/** The use of a month's requests. Days are UTC's. */
export interface BudgetState {
  readonly used_this_month: number;
  /** Null where nothing limits it. */
  readonly left: number | null;
  /** The day on which the next month of the budget begins. */
  readonly resets_on: string;
}

export interface BudgetSettings {
  /** Null where nothing limits them. */
  readonly requestsPerMonth: number | null;
  /** The day on which a month of the budget begins, in UTC: 1 to 28. */
  readonly budgetDay: number;
}

/** The days on which the month of a budget that holds an instant begins, and the next one. */
function budgetMonth(now: Date, budgetDay: number): { readonly begins_on: string; readonly resets_on: string } {
  const month = now.getUTCMonth() - (now.getUTCDate() < budgetDay ? 1 : 0);
  const dayIn = (ofMonth: number) => new Date(Date.UTC(now.getUTCFullYear(), ofMonth, budgetDay)).toISOString();
  return { begins_on: dayIn(month).slice(0, 10), resets_on: dayIn(month + 1).slice(0, 10) };
}

/** How much of the budget of a courier is used: attempts of every kind, also those of syncs that failed or were killed. */
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

/** Attempts that are counted at once, before they are sent: a process that is killed leaves at most these counted and not sent. */
const AT_ONCE = 10;

/** Counts each attempt in the ledger before it is sent, for all processes together, and stops before the month's budget is passed. */
export class Meter {
  readonly #settings: BudgetSettings & { readonly requestsPerMonth: number };
  readonly #now: () => Date;
  readonly #lend: Lend;
  /** Attempts that are counted and not sent yet. */
  #unsent = 0;
  /** The month in which they were counted. */
  #month = '';
  #run: number | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  /** @param lend lends the courier's ledger for writing */
  constructor(settings: BudgetSettings & { readonly requestsPerMonth: number }, now: () => Date, lend: Lend) {
    this.#settings = settings;
    this.#now = now;
    this.#lend = lend;
  }

  /** The run whose attempts these are. */
  belongsTo(run: number): void {
    this.#run = run;
  }

  /** Counts one attempt. @throws BudgetError where none is left */
  admit(): Promise<void> {
    return this.#inTurn(async () => {
      const { begins_on } = this.#monthNow();
      if (begins_on !== this.#month) this.#unsent = 0;
      if (this.#unsent === 0) this.#unsent = await this.#count();
      this.#month = begins_on;
      this.#unsent -= 1;
    });
  }

  /** How many attempts may still be sent this month. */
  left(): Promise<number> {
    return this.#inTurn(async () => {
      const { left } = await this.#lend((ledger) => readBudget(ledger, this.#settings, this.#now()));
      return left! + (this.#monthNow().begins_on === this.#month ? this.#unsent : 0);
    });
  }

  nightsLeft(): number {
    const DAY = 86_400_000;
    return Math.floor((Date.parse(this.#monthNow().resets_on) - this.#now().getTime()) / DAY);
  }

  /** Takes back the attempts that were counted and not sent. */
  settle(): Promise<void> {
    return this.#inTurn(async () => {
      const unsent = this.#monthNow().begins_on === this.#month ? this.#unsent : 0;
      this.#unsent = 0;
      if (unsent > 0)
        await this.#lend((ledger) => ledger.db.transaction().execute((trx) => this.#append(trx, -unsent)));
    });
  }

  #count(): Promise<number> {
    return this.#lend((ledger) =>
      ledger.db.transaction().execute(async (trx) => {
        await holdHead(trx);
        const {
          left,
          used_this_month: used,
          resets_on: resetsOn,
        } = await readBudget({ db: trx }, this.#settings, this.#now());
        if (left === 0)
          throw new BudgetError(
            because({ id: 'budget-spent', limit: this.#settings.requestsPerMonth, used, resetsOn }),
          );
        const count = Math.min(AT_ONCE, left!);
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

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

/** Lends a ledger for as long as it is used. */
export type Lend = <T>(use: (ledger: Ledger) => Promise<T>) => Promise<T>;
