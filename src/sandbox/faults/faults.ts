import { UsageError } from '../../base/errors.ts';

/** The invoices that a fault strikes: those with these numbers, and any other with a probability. */
export interface StruckInvoices {
  readonly numbers: ReadonlySet<number>;
  readonly probability: number;
}

/** A webhook is never sent, is sent twice, is held back so that later ones overtake it, has a wrong signature. */
export type WebhookFault = 'drop' | 'double' | 'disorder' | 'forge';

/** The faults to simulate, and how often. Probabilities are from 0 (never) to 1 (always). */
export interface Faults {
  /** The delay of an answer, in milliseconds. */
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
  readonly vanish: StruckInvoices;
  /** Invoices that charge one dollar more for their first order. */
  readonly restate: StruckInvoices;
  /** Invoices whose detail has amounts that cannot be read. */
  readonly malformed: StruckInvoices;
  /** Months, `YYYY-MM`, whose invoice list states one invoice more than it shows. */
  readonly incomplete: ReadonlySet<string>;
  /** A field in the first order of each page has lists nested this deep; 0: no such field. */
  readonly deep: number;
  /** The order book never ends: every page has new ids. */
  readonly endless: boolean;
  /** The largest page size that is granted above 100; 0: none. */
  readonly pageSize: number;
  /** The profile repeats the caller's key in its name. */
  readonly echo: boolean;
  /** An order page unpacks to this many megabytes; 0: it does not. */
  readonly bomb: number;
  /** The most requests of a key in a minute and in a month (UTC), after which it gets 429; 0: no limit. */
  readonly perMinute: number;
  readonly perMonth: number;
  readonly webhook: Readonly<Record<WebhookFault, number>>;
  readonly seed: string;
}

const GRAMMAR =
  'Write parts with commas between: latency=50..200,500=0.05,429=0.05:retry-after=2,drop=0.02,truncate=0.02,drift=0.1,vanish=10003,restate=10005,seed=7 (docs/sandbox-faults.md has all)';

type Mutable = { -readonly [Name in keyof Faults]: Faults[Name] };

/** Reads the value of a part into the faults. @returns false if it cannot be read */
type Reader = (faults: Mutable, value: string) => boolean;

/** The names of the fields that hold a type. */
type FieldOf<Type> = { [Name in keyof Faults]: Faults[Name] extends Type ? Name : never }[keyof Faults];

const READERS: Readonly<Record<string, Reader>> = {
  latency(faults, value) {
    // `50..200`, or `50` for always the same
    const match = /^(\d{1,6})(?:\.\.(\d{1,6}))?$/.exec(value);
    if (!match) return false;
    const least = Number(match[1]);
    const most = Number(match[2] ?? match[1]);
    faults.latency = [least, most];
    return most >= least;
  },
  '500': probabilityInto('serverError'),
  '429'(faults, value) {
    // `0.05:retry-after=2`
    const match = /^([^:]+)(?::retry-after=(\d{1,5}))?$/.exec(value);
    faults.retryAfter = Number(match?.[2] ?? 1);
    return probabilityInto('tooMany')(faults, match?.[1] ?? '');
  },
  drop: probabilityInto('drop'),
  truncate: probabilityInto('truncate'),
  drift: probabilityInto('drift'),
  vanish: invoicesInto('vanish'),
  restate: invoicesInto('restate'),
  malformed: invoicesInto('malformed'),
  incomplete(faults, value) {
    faults.incomplete = new Set([...faults.incomplete, value]);
    return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);
  },
  deep: wholeNumberInto('deep'),
  endless(faults, value) {
    faults.endless = true;
    return value === 'orders';
  },
  'page-size': wholeNumberInto('pageSize'),
  echo(faults, value) {
    faults.echo = true;
    return value === 'key';
  },
  bomb: wholeNumberInto('bomb'),
  'per-minute': wholeNumberInto('perMinute'),
  'per-month': wholeNumberInto('perMonth'),
  'webhook-drop': webhookProbabilityInto('drop'),
  'webhook-double': webhookProbabilityInto('double'),
  'webhook-disorder': webhookProbabilityInto('disorder'),
  'webhook-forge': webhookProbabilityInto('forge'),
  seed(faults, value) {
    faults.seed = value;
    return value !== '';
  },
};

/**
 * Reads `--faults`: parts `name=value` with commas between (docs/sandbox-faults.md). A fault that is not named never
 * happens.
 *
 * @throws UsageError that quotes the part that cannot be read
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

function probabilityInto(field: FieldOf<number>): Reader {
  return (faults, value) => {
    faults[field] = probabilityOf(value);
    return !Number.isNaN(faults[field]);
  };
}

function webhookProbabilityInto(fault: WebhookFault): Reader {
  return (faults, value) => {
    faults.webhook = { ...faults.webhook, [fault]: probabilityOf(value) };
    return !Number.isNaN(faults.webhook[fault]);
  };
}

/** Reads a whole number from 1 to 999,999. */
function wholeNumberInto(field: FieldOf<number>): Reader {
  return (faults, value) => {
    faults[field] = Number(value);
    return /^[1-9]\d{0,5}$/.test(value);
  };
}

/** Reads an invoice's number, which is added to those of earlier parts, or a probability for all other invoices. */
function invoicesInto(field: FieldOf<StruckInvoices>): Reader {
  return (faults, value) => {
    const struck = faults[field];
    const probability = probabilityOf(value);
    if (!Number.isNaN(probability)) {
      faults[field] = { ...struck, probability };
      return true;
    }
    faults[field] = { ...struck, numbers: new Set([...struck.numbers, Number(value)]) };
    return /^\d{1,15}$/.test(value);
  };
}

/** A probability from 0 to 1, such as `0.05`, `.05` or `1`; NaN for any other text. */
function probabilityOf(text: string): number {
  return /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?|\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
}
