import type { Explanation } from '../../base/errors.ts';
import { groupBy } from '../../base/group.ts';
import { closeError } from '../../words/errors/close.ts';

type ObjectionCode =
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
export class Objection {
  readonly code: ObjectionCode;
  readonly explanation: Explanation;
  /** The reason without the courier's name. */
  readonly reason: Explanation;
  /** The courier in whose books the reason is, where there are several couriers. */
  readonly courier: string | undefined;

  constructor(code: ObjectionCode, reason: Explanation, courier?: string) {
    this.code = code;
    this.reason = reason;
    this.explanation = courier === undefined ? reason : closeError({ id: 'of-courier', courier, reason });
    this.courier = courier;
  }

  /** Joins the reasons that several couriers share, so that a person reads each once, with the couriers' names. */
  static joinAlike(reasons: readonly Pick<Objection, 'code' | 'reason' | 'courier'>[]): Objection[] {
    const alike = groupBy(reasons, (one) =>
      JSON.stringify([one.code, one.courier === undefined, one.reason.message, one.reason.hint]),
    );
    return [...alike.values()].map((group) => {
      const { code, reason } = group[0]!;
      const couriers = group.flatMap(({ courier }) => courier ?? []);
      return new Objection(code, reason, couriers.length === 0 ? undefined : couriers.join(', '));
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

  /** The same reason; its remedy also says how to close the month in spite of it. */
  withWayToAccept(): Objection {
    return new Objection(this.code, closeError({ id: 'acceptable', reason: this.reason }), this.courier);
  }

  /** The same reason, with the name of the courier in whose books it is. */
  inBooksOf(courier: string): Objection {
    return new Objection(this.code, this.reason, courier);
  }
}
