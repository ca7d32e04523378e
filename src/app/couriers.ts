import { LedgerError, UsageError } from '../base/errors.ts';
import { type MonthSettings, readMonths, readMonthsToCheck } from '../checks/facts/months.ts';
import { type Ledger, ofCourier, SOLE_COURIER, wholeLedger } from '../ledger/index.ts';
import { readCouriers } from '../ledger/queries/couriers.ts';
import { type LedgerReader, monthsHeld } from '../ledger/queries/index.ts';
import { because } from '../words/errors/books.ts';

/** Settings as far as they say which couriers there are. */
export interface CourierChoice {
  /** `[couriers.NAME]`: what each courier sets for itself, by name. */
  readonly couriers?: Readonly<Record<string, object>>;
  /** Whether the settings of a courier stand at the top too, in no table of their own. */
  readonly hasSole?: boolean;
  /** What stands at the top, also where these settings are one courier's: those of a courier without a table. */
  readonly sole?: object;
  /** `--courier`; null for all. */
  readonly courier?: string | null;
}

/** A courier of the books. */
export interface Courier<C = unknown> {
  /** What its rows bear. */
  readonly key: string;
  readonly name: string;
  /** The settings of the books, with its own in their places. */
  readonly config: C;
  /** Whether the settings name it; one that they no longer name keeps its rows. */
  readonly isSet: boolean;
}

/**
 * The couriers that a command is about, by name: those of the settings, and those that the ledger holds.
 *
 * @throws UsageError for a name that no courier has
 */
export async function couriersOf<C extends CourierChoice>(db: LedgerReader, config: C): Promise<Courier<C>[]> {
  const held = await readCouriers(wholeLedger(db));
  const taken = new Set(held.map(({ key }) => key));
  const settings = config.couriers ?? {};
  // One that was renamed is still found by the name it began with, until the settings have the new one: it is no new courier.
  const heldAs = (set: string) =>
    held.find(({ name }) => name === set) ??
    held.find(({ key, name }) => key === set && !Object.hasOwn(settings, name));
  const couriers: Courier<C>[] = Object.entries(settings).map(([set, own]) => {
    const one = heldAs(set) ?? { key: freeKey(set, taken), name: set };
    return { ...one, config: { ...config, ...own }, isSet: true };
  });
  const known = new Set(couriers.map(({ key }) => key));
  const hasSole = config.hasSole ?? couriers.length === 0;
  const top = { ...config, ...config.sole };
  for (const { key, name } of held) {
    if (known.has(key)) continue;
    const isSet = key === SOLE_COURIER && hasSole;
    couriers.push({ key, name, config: isSet ? top : { ...top, ...namesOnly(name) }, isSet });
  }
  if (hasSole && !couriers.some(({ key }) => key === SOLE_COURIER)) {
    couriers.push({ key: SOLE_COURIER, name: SOLE_COURIER, config: top, isSet: true });
  }
  couriers.sort((a, b) => (a.name < b.name ? -1 : 1));
  const named = couriers.map((one) => besideOthers(one, couriers));
  const { courier = null } = config;
  if (courier === null) return named;
  const chosen = named.filter(({ key, name }) => name === courier || key === courier);
  if (chosen.length > 0) return chosen;
  throw new UsageError(because({ id: 'no-courier', courier, couriers: couriers.map(({ name }) => name) }));
}

/** The courier with the others in its settings: what is theirs is not its own. */
function besideOthers<C extends CourierChoice>(one: Courier<C>, all: readonly Courier<C>[]): Courier<C> {
  if (all.length === 1) return one;
  const others = all.flatMap(({ key, name, config }) =>
    key === one.key ? [] : [{ key, name, receipts: (config as { receipts?: unknown }).receipts ?? NO_RECEIPTS }],
  );
  return { ...one, config: { ...one.config, name: one.name, others } };
}

/** What papers call a courier that the settings no longer name: the titles at the top are another's. */
const namesOnly = (name: string) => ({ courierTitle: name, courierAddress: null, courierEmail: null });

const NO_RECEIPTS = { payers: [], accounts: [] };

/** A key that no courier has: the name, unless a courier that was renamed has it. */
function freeKey(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const key = n === 1 ? name : `${name}-${n}`;
    if (!taken.has(key) && (n > 1 || key !== SOLE_COURIER)) return key;
  }
}

/**
 * The one courier that a command is about.
 *
 * @throws UsageError where the books have several and none was named
 */
export async function oneCourier<C extends CourierChoice>(ledger: Ledger, config: C): Promise<Courier<C>> {
  const [only, ...others] = await couriersOf(ledger.db, config);
  if (others.length === 0) return only!;
  const names = [only!, ...others].map(({ name }) => name);
  throw new UsageError(because({ id: 'which-courier', couriers: names }));
}

/** A courier of which there is nothing to show, and why. */
export interface LackingCourier {
  readonly courier: string;
  readonly error: LedgerError;
}

/**
 * The couriers that have a month where none is asked for.
 *
 * @returns those that have one, or the first where none has; and, to be named, those of which nothing came yet
 */
export async function couriersWithMonths<C extends CourierChoice & MonthSettings>(
  ledger: Ledger,
  config: C,
  asked: readonly string[] | null,
): Promise<{ readonly couriers: Courier<C>[]; readonly lacking: LackingCourier[] }> {
  const couriers = await couriersOf(ledger.db, config);
  if (asked !== null || couriers.length < 2) return { couriers, lacking: [] };
  const held: Courier<C>[] = [];
  const lacking: LackingCourier[] = [];
  for (const courier of couriers) {
    if ((await readMonths(ledgerOf(ledger, courier).db, courier.config)).length > 0) held.push(courier);
    else lacking.push({ courier: courier.name, error: new LedgerError(because({ id: 'nothing-of-courier' })) });
  }
  return held.length > 0 ? { couriers: held, lacking } : { couriers: couriers.slice(0, 1), lacking: [] };
}

/** A courier, and the months of it that are checked; null for all that it holds. */
export interface CourierMonths<C = unknown> {
  readonly courier: Courier<C>;
  readonly months: readonly string[] | null;
}

/**
 * What a check looks at, courier by courier. Where no month is asked for, it is what the courier holds, and what any other holds since:
 * one whose sync fails, or whose sheets do not come, is not passed over in silence, and one in the settings of which nothing came at all
 * lacks every month.
 */
export async function monthsToCheck<C extends CourierChoice & MonthSettings>(
  ledger: Ledger,
  { config, now }: { readonly config: C; readonly now: () => Date },
  asked: readonly string[] | null,
): Promise<CourierMonths<C>[]> {
  const couriers = await couriersOf(ledger.db, config);
  if (asked !== null || couriers.length < 2) return couriers.map((courier) => ({ courier, months: asked }));
  const all = await readMonthsToCheck(wholeLedger(ledger.db), config.timeZone, now());
  if (all.length === 0) return [{ courier: couriers[0]!, months: null }];
  const each: CourierMonths<C>[] = [];
  for (const courier of couriers) {
    const [first = courier.isSet ? all[0] : undefined] = await monthsHeld(ledgerOf(ledger, courier).db);
    if (first !== undefined) each.push({ courier, months: all.filter((month) => month >= first) });
  }
  return each;
}

/** The ledger as one courier's. */
export function ledgerOf(ledger: Ledger, { key }: Pick<Courier, 'key'>): Ledger {
  return { ...ledger, db: ofCourier(ledger.db, key) };
}
