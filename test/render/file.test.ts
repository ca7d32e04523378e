import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '../../src/base/errors.ts';
import { replaceFile } from '../../src/base/files/replace.ts';
import { renderReportToFile } from '../../src/render/report.ts';
import { reportOf, rowsOf, text } from '../helpers/render.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'remit-render-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, rows: Parameters<typeof reportOf>[1] = rowsOf(['new'])) =>
  renderReportToFile(reportOf([text('text')], rows), 'csv', file, { generatedAt: new Date(0) });

describe('writing a file', () => {
  it('replaces it whole and leaves nothing else behind', async () => {
    const file = path.join(folder, 'orders.csv');
    writeFileSync(file, 'old');
    await write(file);
    expect(readFileSync(file, 'utf8')).toBe('text\r\nnew\r\n');
    expect(readdirSync(folder)).toEqual(['orders.csv']);
  });

  it.each(['ENOSPC', 'EIO'])('keeps the old file when it fails halfway (%s)', async (code) => {
    const file = path.join(folder, 'orders.csv');
    writeFileSync(file, 'old');
    const rows = (function* () {
      yield { text: 'x'.repeat(200_000) };
      throw Object.assign(new Error('no'), { code });
    })();
    const error = await write(file, rows).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(FileError);
    if (code === 'ENOSPC') expect((error as FileError).message).toContain('the disk is full');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['orders.csv']);
  });

  it.each([
    ['LibreOffice', '.~lock.orders.xlsx#'],
    ['Excel', '~$orders.xlsx'],
  ])('refuses one that is open in %s, and names the way out', async (program, owner) => {
    const file = path.join(folder, 'orders.xlsx');
    writeFileSync(path.join(folder, owner), '');
    const error = await write(file).catch((e: unknown) => e as FileError);
    expect(error).toMatchObject({ code: 'file', message: `${file} is open in ${program}` });
    expect((error as FileError).hint).toContain(owner);
    expect(existsSync(file)).toBe(false);
  });

  it('refuses a folder that is not there, and a target that is a folder', async () => {
    await expect(write(path.join(folder, 'no', 'orders.csv'))).rejects.toThrow(/there is no folder .*no$/);
    await expect(write(folder)).rejects.toThrow(/is a folder/);
    const inTheWay = replaceFile(folder, async () => {}, { noun: 'folder', flag: null });
    await expect(inTheWay).rejects.toMatchObject({ hint: 'Move it away, or name another folder.' });
    await expect(write('/sys/kernel/orders.csv').catch((e) => Promise.reject(e.code))).rejects.toBe('file');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('refuses a read-only folder', async () => {
    chmodSync(folder, 0o500);
    await expect(write(path.join(folder, 'orders.csv'))).rejects.toThrow(/read-only/);
    chmodSync(folder, 0o700);
  });

  it.skipIf(process.platform === 'win32')('writes through a symbolic link', async () => {
    const real = path.join(folder, 'real.csv');
    writeFileSync(real, 'old');
    symlinkSync(real, path.join(folder, 'link.csv'));
    await write(path.join(folder, 'link.csv'));
    expect(readFileSync(real, 'utf8')).toContain('new');
    expect(readdirSync(folder).sort()).toEqual(['link.csv', 'real.csv']);
  });
});
