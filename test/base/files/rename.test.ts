import { describe, expect, it } from 'vitest';
import { explainWriteFault } from '../../../src/base/files/read.ts';
import { renameOver } from '../../../src/base/files/replace.ts';

/** A system on which each attempt fails with the next code, until none is left. */
function system(platform: NodeJS.Platform, codes: readonly string[]) {
  const left = [...codes];
  const waits: number[] = [];
  let attempts = 0;
  const move = async () => {
    attempts += 1;
    const code = left.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  return {
    by: { platform, move, wait: async (milliseconds: number) => void waits.push(milliseconds) },
    waits,
    attempts: () => attempts,
  };
}

describe('renameOver', () => {
  it('tries again on Windows, where other programs hold a file open for a moment', async () => {
    const windows = system('win32', ['EPERM', 'EACCES', 'EBUSY']);
    await renameOver('a', 'b', windows.by);
    expect(windows.attempts()).toBe(4);
    expect(windows.waits).toEqual([10, 25, 50]);
  });

  it('gives up after some three seconds, and the reader is told to close the file', async () => {
    const windows = system(
      'win32',
      Array.from({ length: 20 }, () => 'EPERM'),
    );
    const fault = await renameOver('a', 'b', windows.by).catch((error: unknown) => error);
    expect(windows.waits.reduce((sum, each) => sum + each, 0)).toBe(3_085);
    expect(explainWriteFault(fault, 'C:\\books\\2026-10.xlsx', { noun: 'file', flag: '--out' })).toMatchObject({
      message: 'C:\\books\\2026-10.xlsx cannot be written: it is open in another program',
      hint: 'Close it there and run the command again.',
    });
  });

  it('does not wait for what does not pass, nor on systems where an open file is no obstacle', async () => {
    for (const [platform, code] of [
      ['win32', 'ENOSPC'],
      ['linux', 'EPERM'],
      ['darwin', 'EACCES'],
    ] as const) {
      const other = system(platform, [code]);
      await expect(renameOver('a', 'b', other.by)).rejects.toMatchObject({ code });
      expect(other.waits).toEqual([]);
    }
  });
});
