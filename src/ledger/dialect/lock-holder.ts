import { because, isWork, type Work } from '../../words/errors/ledger.ts';

export type { Work };

import { LedgerBusyError } from '../../base/errors.ts';

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
  return new LedgerBusyError(
    because({
      id: 'at-work',
      ledger: name,
      work: work !== undefined && isWork(work) ? work : null,
      since: day === undefined ? null : `${day} ${time} UTC`,
    }),
  );
}
