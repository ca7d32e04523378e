import path from 'node:path';
import { Dice } from '../test/oracle/world/dice.ts';
import type { Place } from './chain.ts';
import type { Counts } from './counts.ts';
import { COURIER_URL } from './courier.ts';
import type { Disk } from './disk.ts';
import type { Log } from './log.ts';

/** Makes an empty place for the ledger of a world. */
export type NewPlace = (disk: Disk) => Promise<Place>;

/** What every world needs. */
export interface Stage {
  readonly log: Log;
  readonly counts: Counts;
  readonly newPlace: NewPlace;
  /** Whether there is another night to play. */
  readonly hasNight: () => boolean;
}

/** How a world went: what was wrong, after which of its nights. */
export interface Played {
  readonly nights: number;
  readonly faults: readonly string[];
}

export const DISK_MEGABYTES = 96;

/** A ledger in a file of the books folder. */
export const inFile: NewPlace = async (disk) => ({ file: path.join(disk.books, 'ledger.db') });

/** Zones of the books. At 03:00 to 09:59 UTC it is the same day in each of them. */
const BOOK_ZONES = [
  'UTC',
  'Asia/Beirut',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'Pacific/Kiritimati',
];
/** Zones of the machine, which are nobody's business. */
const MACHINE_ZONES = [
  'UTC',
  'Asia/Beirut',
  'America/Los_Angeles',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'Asia/Tehran',
];

export const bookZone = (seed: number): string => new Dice(seed ^ 0x20e).pick(BOOK_ZONES);

/** Moves the machine to another zone. */
export function travel(dice: Dice): string {
  process.env.TZ = dice.pick(MACHINE_ZONES);
  return process.env.TZ;
}

/** What a world's remit.toml says. */
export function settings(place: Place, zone: string, more: readonly string[] = []): string {
  return [
    `api_url = "${COURIER_URL}"`,
    'timeout_seconds = 1',
    // One request at a time: what is shown while a list shifts then depends on the seed alone.
    'concurrency = 1',
    `time_zone = "${zone}"`,
    ...('url' in place ? [`ledger = "${place.url}"`] : []),
    ...more,
    '',
  ].join('\n');
}
