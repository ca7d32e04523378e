import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { passwordFromFile } from '../../../src/ledger/dialect/postgres/password-file.ts';
import { scratchFolder } from '../../helpers/folder.ts';

test.each([
  ['a line without a password is skipped', ['db:5432:books:ann', 'db:5432:books:ann:secret'], 'secret'],
  ['an empty password counts', ['db:5432:books:ann:', 'db:5432:books:ann:secret'], ''],
  ['a backslash at the end is a part of the password', ['db:5432:books:ann:secret\\'], 'secret\\'],
  ['a backslash escapes the next character', ['*:*:*:*:a\\:b\\\\c\\d'], 'a:b\\cd'],
  ['a password ends at a colon', ['*:5432:*:ann:secret:more'], 'secret'],
  ['an escaped asterisk fits only itself', ['\\*:*:*:*:other', '*:*:*:*:secret'], 'secret'],
  ['no line fits', ['# db:5432:books:ann:secret', '', 'db:5433:books:ann:secret', 'nonsense'], undefined],
])('of a password file, %s', (_, lines, password) => {
  const file = path.join(scratchFolder(), 'pgpass');
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
  const login = { host: 'db', port: 5432, database: 'books', user: 'ann' };
  expect(passwordFromFile(login, { PGPASSFILE: file })).toBe(password);
});
