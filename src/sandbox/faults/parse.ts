import { UsageError } from '../../base/errors.ts';

/** The invoices that a fault strikes: those named, and any other with a probability. */
export interface Struck {
  readonly numbers: ReadonlySet<number>;
  readonly probability: number;
}

export type WebhookFault = 'drop' | 'double' | 'disorder' | 'forge';

/** What goes wrong, and how often. Probabilities run from 0 (never) to 1 (always). */
export interface Faults {
  /** The least and the most milliseconds by which an answer is delayed. */
  readonly latency: readonly [least: number, most: number];
  /** A 500; nothing was done. */
  readonly serverError: number;
  /** A 429 with `retryAfter` seconds in Retry-After; nothing was done. */
  readonly tooMany: number;
  readonly retryAfter: number;
  /** The work is done, then the connection closes without an answer. */
  readonly drop: number;
  /** The connection closes after half of the answer. */
  readonly truncate: number;
  /** A later page lacks its first item, as when the list grew between two pages. */
  readonly drift: number;
  /** Invoices that no list shows and that answer 404. */
  readonly vanish: Struck;
  /** Invoices that charge one dollar more for their first order. */
  readonly restate: Struck;
  /** Invoices whose detail holds amounts that cannot be read. */
  readonly malformed: Struck;
  /** Months, `YYYY-MM`, whose invoice list states one invoice more than it shows. */
  readonly incomplete: ReadonlySet<string>;
  /** A field of the first order of each page nests this deep; 0: no such field. */
  readonly deep: number;
  /** The order book never ends: every page has new ids. */
  readonly endless: boolean;
  /** The largest page size that is granted above 100; 0: none. */
  readonly pageSize: number;
  /** The profile repeats the caller's key in its name. */
  readonly echo: boolean;
  /** An order page unpacks to this many megabytes; 0: it does not. */
  readonly bomb: number;
  /** The most requests of a key in a minute and in a month (UTC); the next are answered 429 until it ends; 0: no limit. */
  readonly perMinute: number;
  readonly perMonth: number;
  /** A webhook is never sent, is sent twice, is held back so that later ones overtake it, bears a wrong signature. */
  readonly webhook: Readonly<Record<WebhookFault, number>>;
  readonly seed: string;
}

const GRAMMAR =
  'Write parts with commas between: latency=50..200,500=0.05,429=0.05:retry-after=2,drop=0.02,truncate=0.02,drift=0.1,vanish=10003,restate=10005,seed=7 (docs/sandbox-faults.md has all)';

type Mutable = { -readonly [Name in keyof Faults]: Faults[Name] };

/** One reader a name. Each returns whether it could read the value. */
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
  malformed: (faults, value) => {
    const struck = strike(faults.malformed, value);
    if (struck) faults.malformed = struck;
    return struck !== undefined;
  },
  incomplete: (faults, value) => {
    faults.incomplete = new Set([...faults.incomplete, value]);
    return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);
  },
  deep: (faults, value) => {
    faults.deep = whole(value);
    return faults.deep > 0;
  },
  endless: (faults, value) => {
    faults.endless = true;
    return value === 'orders';
  },
  'page-size': (faults, value) => {
    faults.pageSize = whole(value);
    return faults.pageSize > 0;
  },
  echo: (faults, value) => {
    faults.echo = true;
    return value === 'key';
  },
  bomb: (faults, value) => {
    faults.bomb = whole(value);
    return faults.bomb > 0;
  },
  'per-minute': (faults, value) => {
    faults.perMinute = whole(value);
    return faults.perMinute > 0;
  },
  'per-month': (faults, value) => {
    faults.perMonth = whole(value);
    return faults.perMonth > 0;
  },
  'webhook-drop': webhookFault('drop'),
  'webhook-double': webhookFault('double'),
  'webhook-disorder': webhookFault('disorder'),
  'webhook-forge': webhookFault('forge'),
  seed: (faults, value) => {
    faults.seed = value;
    return value !== '';
  },
};

/**
 * Reads `--faults`: parts `name=value` with commas between (docs/sandbox-faults.md). What is not named never happens.
 *
 * @throws UsageError that quotes the part which cannot be read
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
    malformed: { numbers: new Set(), probability: 0 },
    incomplete: new Set(),
    deep: 0,
    endless: false,
    pageSize: 0,
    echo: false,
    bomb: 0,
    perMinute: 0,
    perMonth: 0,
    webhook: { drop: 0, double: 0, disorder: 0, forge: 0 },
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

function webhookFault(name: WebhookFault): (faults: Mutable, value: string) => boolean {
  return (faults, value) => {
    faults.webhook = { ...faults.webhook, [name]: probability(value) };
    return faults.webhook[name] >= 0;
  };
}

/** A probability from 0 to 1; -1 where the text is not one. */
function probability(text: string): number {
  return /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?|\.\d{1,9})$/.test(text) ? Number(text) : -1;
}

/** A whole number from 1 to 999,999; 0 where the text is not one. */
function whole(text: string): number {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
}

/** Adds an invoice's number (a whole number from 2 on) or a probability to what earlier parts named. */
function strike(known: Struck, text: string): Struck | undefined {
  const chance = probability(text);
  if (chance >= 0) return { ...known, probability: chance };
  if (!/^\d{1,15}$/.test(text)) return undefined;
  return { ...known, numbers: new Set([...known.numbers, Number(text)]) };
}
