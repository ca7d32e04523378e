import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileError, ImportFileError, InterruptedError } from '../../../src/base/errors.ts';
import { readSafely, sampleSafely } from '../../../src/imports/formats/read-safely.ts';
import { bankFile, read } from '../../helpers/bank-files.ts';
import { scratchFolder } from '../../helpers/folder.ts';

const of = (text: string | Uint8Array, name: string) => ({
  bytes: typeof text === 'string' ? Buffer.from(text) : text,
  name,
});

/** The process in which a file is read now. */
async function readingProcess(): Promise<number> {
  for (;;) {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
        const isReader = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('read-child.js');
        if (Number(parent) === process.pid && isReader) return Number(pid);
      } catch {
        // It ended while it was looked at.
      }
    }
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

/** The most memory that a process has had, in MB; 0 once it has ended. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** What a chunk of the command line loads as soon as it is loaded, itself first. */
function loadedWith(chunk: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(chunk)) return loaded;
  loaded.add(chunk);
  const text = readFileSync(path.join('dist/bin', chunk), 'utf8');
  for (const [, next] of text.matchAll(/^const \w+ = require\("\.\/(.+?)"\)/gm)) loadedWith(next!, loaded);
  return loaded;
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    (result) => {
      throw new Error(`it was read: ${JSON.stringify(result)?.slice(0, 200)}`);
    },
    (error: Error) => error,
  );
}

describe('reading in a process of its own', () => {
  it('gives what reading here gives, from a path and from bytes', async () => {
    const here = read('receipts', bankFile('month.sta'), 'month.sta');
    expect(await readSafely('receipts', path.resolve('test/fixtures/books/month.sta'))).toEqual(here);
    expect(await readSafely('receipts', of(bankFile('month.sta'), '-'))).toEqual(here);
    const map = { name: 'q', kind: 'receipts', columns: {}, currency: 'USD' } as const;
    expect(await readSafely('receipts', of(bankFile('quicken.qif'), 'a.qif'), { map })).toEqual(
      read('receipts', bankFile('quicken.qif'), 'a.qif', map),
    );
  });

  it('gives the same error, with its place and the map to add', async () => {
    const error = await failure(
      readSafely('receipts', of('date,amount,currency,text,invoice\n03/04/2026,1,USD,x,', 'b.csv')),
    );
    expect(error).toBeInstanceOf(ImportFileError);
    expect(error).toMatchObject({ code: 'import', exitCode: 1, file: 'b.csv', line: 2, column: 'date' });
    expect((error as ImportFileError).map).toContain('date = "DD/MM/YYYY"');
  });

  it('refuses a file that is too large before it is read, a folder, and one that is not there', async () => {
    const folder = scratchFolder();
    const file = path.join(folder, 'a.csv');
    await writeFile(file, 'x'.repeat(2_000_000));
    expect((await failure(readSafely('receipts', file, { mostBytes: 1_048_576 }))).message).toContain(
      'it is larger than 1 MB',
    );
    expect(
      (await failure(readSafely('receipts', of('x'.repeat(2_000_000), '-'), { mostBytes: 1_048_576 }))).message,
    ).toContain('larger than 1 MB');
    expect(await failure(readSafely('receipts', folder))).toBeInstanceOf(FileError);
    expect((await failure(readSafely('receipts', path.join(folder, 'none')))).message).toContain(
      'there is no such file',
    );
  });

  it('ends a file that needs more memory, or more time, than a statement does', async () => {
    const many = `date,amount,currency,text,invoice\n${'2026-10-01,1.00,USD,xxxxxxxxxx,\n'.repeat(200_000)}`;
    const memory = await failure(readSafely('receipts', of(many, 'b.csv'), { memoryMb: 60 }));
    expect(memory).toBeInstanceOf(ImportFileError);
    expect(memory.message).toContain('it cannot be read within 60 MB');
    const time = await failure(readSafely('receipts', of(many, 'b.csv'), { cpuSeconds: 0.2 }));
    expect(time.message).toContain('it takes longer than 0.2 s of processor time to read');
  });

  it.runIf(process.platform === 'linux')(
    'keeps the memory that it promises, and counts only the time that it works',
    async () => {
      const many = `date,amount,currency,text,invoice\n${'2026-10-01,1.00,USD,xxxxxxxxxx,\n'.repeat(60_000)}`;
      const reading = readSafely('receipts', of(many, 'b.csv'), { cpuSeconds: 5 });
      const child = await readingProcess();
      // Longer than its limit, as on a machine that has no time for it.
      process.kill(child, 'SIGSTOP');
      await new Promise((resume) => setTimeout(resume, 5_500));
      process.kill(child, 'SIGCONT');
      let peak = 0;
      const look = setInterval(() => {
        peak = Math.max(peak, peakOf(child));
      }, 5);
      expect((await reading).statements[0]!.lines).toHaveLength(60_000);
      clearInterval(look);
      expect(peak).toBeGreaterThan(0);
      expect(peak).toBeLessThan(300);
    },
  );

  it('does not blame the file where the reading process cannot work', async () => {
    const fault = await failure(readSafely('receipts', of('date,amount\n', 'b.csv'), { memoryMb: Number.NaN }));
    expect(fault).toBeInstanceOf(ImportFileError);
    expect(fault.message).toBe('b.csv: the process that reads it ended with 9 and no answer');
  });

  it('shows headers, three rows and a guess, for a person to confirm', async () => {
    const rows = ['01/10/2026,"Sale, 10009",5.00', '02/10/2026,b,6.00', '03/10/2026,c,7.00', '04/10/2026,d,8.00'];
    const sample = await sampleSafely('receipts', of(`Booking Date,Narrative,Amount\n${rows.join('\n')}`, 'b.csv'));
    expect(sample).toEqual({
      headers: ['Booking Date', 'Narrative', 'Amount'],
      rows: [
        ['01/10/2026', 'Sale, 10009', '5.00'],
        ['02/10/2026', 'b', '6.00'],
        ['03/10/2026', 'c', '7.00'],
      ],
      values: [
        ['01/10/2026', '02/10/2026', '03/10/2026'],
        ['Sale, 10009', 'b', 'c'],
        ['5.00', '6.00', '7.00'],
      ],
      map: null,
      nearest: null,
      guess: {
        name: 'mine',
        kind: 'receipts',
        columns: { amount: 'Amount', date: 'Booking Date', text: 'Narrative' },
        currency: 'USD',
      },
    });
    const error = await failure(sampleSafely('receipts', of('<OFX></OFX>', 'a.ofx')));
    expect(error.message).toBe('a.ofx: it is ofx, which has no columns');
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    stop.abort();
    expect(await failure(readSafely('receipts', of('a,b\n', 'b.csv'), { signal: stop.signal }))).toBeInstanceOf(
      InterruptedError,
    );
  });
});

it('the process that reads a file loads neither ledger nor settings', () => {
  const chunks = [...loadedWith('read-child.js'), ...loadedWith('read-bytes.js')];
  expect(chunks).toContain('date-text.js');
  for (const others of ['books.js', 'settings.js', 'checks.js', 'upgrade.js']) {
    expect(readdirSync('dist/bin')).toContain(others);
    expect(chunks).not.toContain(others);
  }
});
