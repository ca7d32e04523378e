import { LedgerBusyError } from '../../base/errors.ts';

/** What a command does to a ledger while it keeps others out. */
export type Work = 'sync' | 'import' | 'close' | 'reopen' | 'copy' | 'migration';

const NAMES: Readonly<Record<Work, string>> = {
  sync: 'a sync',
  import: 'an import',
  close: 'a close',
  reopen: 'a reopen',
  copy: 'a copy of another ledger',
  migration: 'an update of its schema',
};

/** What a lock says of its holder, for those who find it taken: `import 2026-11-23T08:07:12Z`. */
export function describeHolder(work: Work): string {
  return `${work} ${new Date().toISOString().slice(0, 19)}Z`;
}

/**
 * The error of a lock that is taken.
 *
 * @param name the ledger, as messages name it
 * @param holder a text that begins with what {@link describeHolder} said; null where it cannot be had
 */
export function busy(name: string, holder: string | null): LedgerBusyError {
  const [, work, day, time] = /^([a-z]+) (\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z/.exec(holder ?? '') ?? [];
  const who = work !== undefined && work in NAMES ? NAMES[work as Work] : 'another command';
  const since = day === undefined ? '' : `, since ${day} ${time} UTC`;
  return new LedgerBusyError(
    `${who} is at work on ${name}${since}`,
    'Wait until it has finished, then run the command again.',
  );
}
