import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/sqlite.ts';
import { scratchFolder } from '../helpers/folder.ts';

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

describe('a database file', () => {
  it.skipIf(process.platform === 'win32')("that is made is its owner's alone, with what SQLite keeps beside it", () => {
    const file = path.join(scratchFolder(), 'a.db');
    const before = process.umask(0o022);
    const db = openDatabase(file);
    db.exec('pragma journal_mode = wal; create table t (a)');
    expect(['', '-wal', '-shm'].map((ending) => modeOf(file + ending))).toEqual(['600', '600', '600']);
    db.close();
    process.umask(before);
  });

  it.skipIf(process.platform === 'win32')('that is there already keeps its permissions: a group may share it', () => {
    const file = path.join(scratchFolder(), 'a.db');
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    openDatabase(file).close();
    expect(modeOf(file)).toBe('640');
  });

  it('is not made where it must exist, and not by reading', () => {
    const file = path.join(scratchFolder(), 'a.db');
    for (const options of [{ fileMustExist: true }, { readonly: true }]) {
      expect(() => openDatabase(file, options)).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN' }));
    }
    expect(existsSync(file)).toBe(false);
  });

  it('that cannot be made is reported by SQLite', () => {
    const folder = scratchFolder();
    expect(() => openDatabase(folder)).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN' }));
    expect(() => openDatabase(path.join(folder, 'none', 'a.db'))).toThrow(TypeError);
  });
});
