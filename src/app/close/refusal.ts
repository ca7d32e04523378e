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

/** Why a month cannot be closed or opened again, and what to do about it. As JSON it is in English. */
export class Refusal {
  readonly code: RefusalCode;
  readonly explanation: Explanation;
  /** The courier in whose books the reason is, where there are several couriers. */
  readonly courier: string | undefined;

  /** The reason without the courier's name. */
  readonly #reason: Explanation;

  constructor(code: RefusalCode, reason: Explanation, courier?: string) {
    this.code = code;
    this.#reason = reason;
    this.explanation = courier === undefined ? reason : because({ id: 'of-courier', courier, reason });
    this.courier = courier;
  }

  /** Reasons for a person to read: one that several couriers share is there once, with their names. */
  static joinAlike(reasons: readonly Refusal[]): Refusal[] {
    const alike = groupBy(reasons, (one) =>
      JSON.stringify([one.code, one.courier === undefined, one.#reason.message, one.#reason.hint]),
    );
    return [...alike.values()].map((group) => {
      const [first] = group as [Refusal];
      const couriers = group.flatMap(({ courier }) => courier ?? []);
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

  /** The same reason, with the advice that a person may close the month in spite of it. */
  acceptable(): Refusal {
    return new Refusal(this.code, because({ id: 'acceptable', reason: this.#reason }), this.courier);
  }

  /** The same reason, with the name of the courier where there are several. */
  ofCourier(courier: string): Refusal {
    return new Refusal(this.code, this.#reason, courier);
  }
}
