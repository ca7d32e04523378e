import fs, { type PathLike } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import pg from 'pg';
import { loadSqlite } from './sqlite.ts';

/** What a write is counted as: `commit` is counted once it is on the disk, before the caller knows of it. */
export type Counted = 'write' | 'commit';
type Tick = (counted: Counted) => void;

/**
 * Calls back before each write of this process: a statement that changes an SQLite file or ends a transaction on it,
 * any statement that is sent to a server, and what makes, fills, renames or removes a file. It calls back after each
 * commit too.
 */
export function countWrites(tick: Tick): void {
  ofSqlite(tick);
  ofServer(tick);
  ofFiles(() => tick('write'));
}

function ofSqlite(tick: Tick): void {
  const Database = loadSqlite();
  const probe = new Database(':memory:');
  const statement = Object.getPrototypeOf(probe.prepare('select 1'));
  probe.close();
  for (const name of ['run', 'get', 'all', 'iterate'] as const) {
    const own = statement[name];
    statement[name] = function (this: { readonly: boolean; source: string }, ...values: unknown[]) {
      const ends = /^\s*(begin|commit|rollback)/i.exec(this.source)?.[1]?.toLowerCase();
      if (!this.readonly || ends) tick('write');
      const result = own.apply(this, values);
      if (ends === 'commit') tick('commit');
      return result;
    };
  }
}

function ofServer(tick: Tick): void {
  const client = pg.Client.prototype as unknown as Record<'query', (...given: unknown[]) => unknown>;
  const own = client.query;
  client.query = function (this: unknown, ...given: unknown[]) {
    tick('write');
    const answered = own.apply(this, given);
    const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text?: string })?.text;
    if (answered instanceof Promise && /^\s*commit/i.test(text ?? ''))
      return answered.then((result) => {
        tick('commit');
        return result;
      });
    return answered;
  };
}

const SYNCHRONOUS = [
  'writeSync',
  'writeFileSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'copyFileSync',
  'linkSync',
] as const;
const PROMISED = ['writeFile', 'rename', 'rm', 'unlink', 'copyFile', 'link', 'open'] as const;

function ofFiles(tick: () => void): void {
  const ticking = (own: (...given: never[]) => unknown) =>
    function (this: unknown, ...given: never[]) {
      const isOutput = typeof given[0] === 'number' && (given[0] as number) <= 2;
      if (!isOutput) tick();
      return own.apply(this, given);
    };
  const require = createRequire(import.meta.url);
  const [sync, promised] = [require('node:fs'), require('node:fs/promises')] as Record<string, never>[];
  for (const name of SYNCHRONOUS) sync![name] = ticking(sync![name]!) as never;
  for (const name of PROMISED) promised![name] = ticking(promised![name]!) as never;
  const createWriteStream = fs.createWriteStream;
  fs.createWriteStream = ((file: PathLike, options: never) => {
    tick();
    return createWriteStream(file, options);
  }) as typeof fs.createWriteStream;
  syncBuiltinESMExports();
}
