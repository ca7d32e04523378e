/** One line of `remit doctor`. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** What to do about it; null when nothing is wrong. */
  readonly remedy: string | null;
}

/** A line about something that is in order. */
export function good(name: string, message: string): Finding {
  return { name, ok: true, message, remedy: null };
}

/** A line about something that is wrong, and what to do about it. */
export function bad(name: string, message: string, remedy: string): Finding {
  return { name, ok: false, message, remedy };
}
