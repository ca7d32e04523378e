import { LedgerBusyError } from '../../base/errors.ts';
import { because, isWork, type Work } from '../../words/errors/ledger.ts';

export type { Work };

/** The text with which a lock tells others who holds it, and since when: `import 2026-11-23T08:07:12Z`. */
export function describeHolder(work: Work): string {
  return `${work} ${new Date().toISOString().slice(0, 19)}Z`;
}

/**
 * The error for a lock that another process holds.
 *
 * @param name the ledger, as messages name it
 * @param holder a text that begins as {@link describeHolder} writes it; null if it could not be read
 */
export function busyError(name: string, holder: string | null): LedgerBusyError {
  const [, work, day, time] = /^([a-z]+) (\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z/.exec(holder ?? '') ?? [];
  const known = work !== undefined && isWork(work) ? work : null;
  const since = day === undefined ? null : `${day} ${time} UTC`;
  return new LedgerBusyError(because({ id: 'ledger-locked', ledger: name, work: known, since }));
}
