import { UsageError } from '../../errors.ts';

/** Which invoices a fault strikes: named ones, and each other one with a probability. */
export interface Struck {
  readonly numbers: ReadonlySet<number>;
  readonly probability: number;
}

/** What goes wrong, how often. Probabilities are from 0 (never) to 1 (always). */
export interface Faults {
  /** Milliseconds by which an answer is held back, from and to. */
  readonly latency: readonly [least: number, most: number];
  /** 500 before anything is done. */
  readonly serverError: number;
  /** 429 before anything is done, with this many seconds in Retry-After. */
  readonly tooMany: number;
  readonly retryAfter: number;
  /** The work is done, and the connection closed without an answer. */
  readonly drop: number;
  /** The connection is closed after half of the answer. */
  readonly truncate: number;
  /** A page after the first one lacks its first item, as when the list moved up between two pages. */
  readonly drift: number;
  /** Invoices that are in no list and answer 404. */
  readonly vanish: Struck;
  /** Invoices whose first order's fee is a dollar more than it was. */
  readonly restate: Struck;
  readonly seed: string;
}

const GRAMMAR =
  'Write parts with commas between: latency=50..200,500=0.05,429=0.05:retry-after=2,drop=0.02,truncate=0.02,drift=0.1,vanish=10003,restate=10005,seed=7';

type Mutable = { -readonly [Name in keyof Faults]: Faults[Name] };

/** One reader a name; each returns whether it understood the value. */
const READERS: Readonly<Record<string, (faults: Mutable, value: string) => boolean>> = {
  latency(faults, value) {
    const match = /^(\d{1,6})(?:\.\.(\d{1,6}))?$/.exec(value);
    if (!match) return false;
    const least = Number(match[1]);
    faults.latency = [least, Number(match[2] ?? match[1])];
    return faults.latency[1] >= least;
  },
  '500': (faults, value) => {
    faults.serverError = probability(value);
    return faults.serverError >= 0;
  },
  '429'(faults, value) {
    const match = /^([^:]+)(?::retry-after=(\d{1,5}))?$/.exec(value);
    faults.tooMany = probability(match?.[1] ?? '');
    faults.retryAfter = Number(match?.[2] ?? 1);
    return faults.tooMany >= 0;
  },
  drop: (faults, value) => {
    faults.drop = probability(value);
    return faults.drop >= 0;
  },
  truncate: (faults, value) => {
    faults.truncate = probability(value);
    return faults.truncate >= 0;
  },
  drift: (faults, value) => {
    faults.drift = probability(value);
    return faults.drift >= 0;
  },
  vanish: (faults, value) => {
    const struck = strike(faults.vanish, value);
    if (struck) faults.vanish = struck;
    return struck !== undefined;
  },
  restate: (faults, value) => {
    const struck = strike(faults.restate, value);
    if (struck) faults.restate = struck;
    return struck !== undefined;
  },
  seed: (faults, value) => {
    faults.seed = value;
    return value !== '';
  },
};

/**
 * Reads `--faults`: parts `name=value` with commas between (docs/sandbox-faults.md). What is not named never happens.
 *
 * @throws UsageError that names the part which cannot be understood
 */
export function parseFaults(spec: string): Faults {
  const faults: Mutable = {
    latency: [0, 0],
    serverError: 0,
    tooMany: 0,
    retryAfter: 1,
    drop: 0,
    truncate: 0,
    drift: 0,
    vanish: { numbers: new Set(), probability: 0 },
    restate: { numbers: new Set(), probability: 0 },
    seed: '1',
  };
  for (const part of spec.split(',').map((text) => text.trim())) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(equals, 0));
    const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
    if (!reader?.(faults, part.slice(equals + 1))) {
      throw new UsageError(`--faults has a part that cannot be understood: ${JSON.stringify(part)}`, GRAMMAR);
    }
  }
  return faults;
}

/** From 0 to 1, or -1 where the text is no probability. */
function probability(text: string): number {
  return /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?|\.\d{1,9})$/.test(text) ? Number(text) : -1;
}

/** An invoice's number (a whole number from 2 on) or a probability, beside what earlier parts named. */
function strike(known: Struck, text: string): Struck | undefined {
  const chance = probability(text);
  if (chance >= 0) return { ...known, probability: chance };
  if (!/^\d{1,15}$/.test(text)) return undefined;
  return { ...known, numbers: new Set([...known.numbers, Number(text)]) };
}
