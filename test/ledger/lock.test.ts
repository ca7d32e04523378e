import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LedgerBusyError } from '../../src/base/errors.ts';
import { takeLock } from '../../src/ledger/dialect/sqlite/lock.ts';
import { temporaryFolder } from '../helpers/sync.ts';

test('is held against others until it is released', () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const release = takeLock(file, 'sync');
  expect(() => takeLock(file, 'sync')).toThrow(LedgerBusyError);
  release();
  takeLock(file, 'sync')();
});

test.skipIf(process.platform === 'win32')('is the same for whoever comes through a link', () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  const link = path.join(temporaryFolder(), 'other-name.db');
  writeFileSync(file, '');
  symlinkSync(file, link);
  const release = takeLock(link, 'import');
  expect(() => takeLock(file, 'sync')).toThrow(LedgerBusyError);
  release();
});

test('says what holds it, and since when', () => {
  const file = path.join(temporaryFolder(), 'ledger.db');
  takeLock(file, 'sync')();
  const release = takeLock(file, 'import');
  const day = new Date().toISOString().slice(0, 10);
  const words = `an import is at work on ${file}, since ${day} `;
  expect(() => takeLock(file, 'sync')).toThrow(words);
  // The holder is not kept waiting by those who read its name.
  expect(() => takeLock(file, 'close')).toThrow(words);
  release();
  takeLock(file, 'close')();
});

test('of a courier keeps out that courier and the whole ledger, and no other ledger', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'ledger.db');
  const release = takeLock(file, 'sync', 0, 'swift');
  expect(() => takeLock(file, 'sync', 0, 'swift')).toThrow(LedgerBusyError);
  expect(() => takeLock(file, 'close')).toThrow('a sync is at work on');
  // In one process they would wait for each other for ever.
  expect(() => takeLock(file, 'sync', 0, 'cedar')).toThrow(LedgerBusyError);
  takeLock(path.join(folder, 'ledger.swift.db'), 'close')();
  release();
  const whole = takeLock(file, 'close');
  expect(() => takeLock(file, 'sync', 0, 'swift')).toThrow('a close is at work on');
  takeLock(path.join(folder, 'ledger.swift.db'), 'sync')();
  whole();
  takeLock(file, 'sync', 0, 'swift')();
});
