import type { Explanation } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { because } from '../../words/errors/close.ts';

type RefusalCode =
  | 'not-ended'
  | 'already-closed'
  | 'not-closed'
  | 'month-before-open'
  | 'not-first'
  | 'later-month-closed'
  | 'incomplete'
  | 'not-checked'
  | 'errors-open'
  | 'not-proven';

/** Why a month cannot be closed or opened again, and what to do about it; in English as JSON. */
export class Refusal {
  readonly code: RefusalCode;
  readonly explanation: Explanation;
  /** The courier whose books have it against the month, where there are several. */
  readonly courier: string | undefined;

  /** The reason itself, without whose it is. */
  readonly #reason: Explanation;

  constructor(code: RefusalCode, reason: Explanation, courier?: string) {
    this.code = code;
    this.#reason = reason;
    this.explanation = courier === undefined ? reason : because({ id: 'of-courier', courier, reason });
    this.courier = courier;
  }

  /** Reasons for a person: what several couriers have in common is said once, with their names. */
  static together(reasons: readonly Refusal[]): Refusal[] {
    const same = groupBy(reasons, (one) =>
      JSON.stringify([one.code, one.courier === undefined, one.#reason.message, one.#reason.hint]),
    );
    return [...same.values()].map((own) => {
      const [first] = own as [Refusal];
      const couriers = own.flatMap(({ courier }) => courier ?? []);
      return couriers.length < 2 ? first : new Refusal(first.code, first.#reason, couriers.join(', '));
    });
  }

  get why(): string {
    return this.explanation.message;
  }

  get remedy(): string {
    return this.explanation.hint;
  }

  toJSON() {
    const { code, why, remedy, courier } = this;
    return { code, why, remedy, courier };
  }

  /** The same as one that a person may accept. */
  acceptable(): Refusal {
    return new Refusal(this.code, because({ id: 'acceptable', reason: this.#reason }), this.courier);
  }

  /** The same of one courier of several. */
  ofCourier(courier: string): Refusal {
    return new Refusal(this.code, this.#reason, courier);
  }
}
