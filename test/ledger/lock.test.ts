import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LedgerBusyError } from '../../src/errors.ts';
import { takeLock } from '../../src/ledger/dialect/sqlite/lock.ts';
import { temporaryFolder } from '../helpers/sync.ts';

test('is held against others until it is released', () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const release = takeLock(file);
  expect(() => takeLock(file)).toThrow(LedgerBusyError);
  release();
  takeLock(file)();
});

test.skipIf(process.platform === 'win32')('is the same for whoever comes through a link', () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const link = path.join(temporaryFolder(), 'other-name.db');
  writeFileSync(file, '');
  symlinkSync(file, link);
  const release = takeLock(link);
  expect(() => takeLock(file)).toThrow(LedgerBusyError);
  release();
});
