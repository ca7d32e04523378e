import path from 'node:path';
import { ConfigError } from '../errors.ts';

/** Where a ledger is: a file of this machine, or a database of a server. */
export type Place = FilePlace | ServerPlace;

export interface FilePlace {
  readonly kind: 'file';
  /** Absolute. */
  readonly file: string;
}

export interface ServerPlace {
  readonly kind: 'server';
  readonly url: URL;
  /** The schema of the database that holds the tables. */
  readonly schema: string;
}

/**
 * Reads the setting that names a ledger: a path, or `postgresql://user@host/database?schema=remit`.
 *
 * @param folder what a relative path starts from
 * @throws ConfigError for an address that cannot be understood; no password is repeated
 */
export function placeOf(setting: string, folder = process.cwd()): Place {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(setting)) return { kind: 'file', file: path.resolve(folder, setting) };
  if (!/^postgres(?:ql)?:\/\//i.test(setting) || !URL.canParse(setting)) {
    throw new ConfigError(
      `the ledger's address ${JSON.stringify(withoutPassword(setting))} cannot be understood`,
      'Name a file, or a database as postgresql://user@host/database?schema=remit.',
    );
  }
  const url = new URL(setting);
  const schema = url.searchParams.get('schema') ?? 'remit';
  url.searchParams.delete('schema');
  return { kind: 'server', url, schema };
}

/** A place for a message: the file's path, or the server's address without its password. */
export function describePlace(place: Place): string {
  if (place.kind === 'file') return place.file;
  const { username, host, pathname } = place.url;
  return `postgresql://${username === '' ? '' : `${username}@`}${host}${pathname}?schema=${place.schema}`;
}

function withoutPassword(address: string): string {
  return address.replace(/(:\/\/[^:/?#]*):[^/?#]*@/, '$1:***@').slice(0, 200);
}
