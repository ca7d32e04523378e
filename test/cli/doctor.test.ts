import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier();
});
afterAll(() => courier.close());

function makeBooks(url = courier.url): string {
  const folder = scratchFolder();
  writeFileSync(path.join(folder, 'api-key'), KEY, { mode: 0o600 });
  writeFileSync(path.join(folder, 'remit.toml'), `api_url = "${url}"\napi_key_file = "api-key"\nmax_attempts = 1\n`);
  return folder;
}

interface Finding {
  name: string;
  ok: boolean;
  message: string;
  remedy: string | null;
}

async function findings(cwd: string, now?: Date): Promise<{ code: number; bad: Finding[]; all: Finding[] }> {
  const { code, stdout } = await remit(['doctor', '--json'], { cwd, ...(now ? { now } : {}) });
  expect(stdout).not.toContain(KEY);
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Finding[] };
  const bad = checks.filter((finding) => !finding.ok);
  expect(ok).toBe(bad.length === 0);
  for (const finding of checks) expect(finding.remedy === null).toBe(finding.ok);
  return { code, bad, all: checks };
}

describe('remit doctor', () => {
  it('finds nothing where all is well, in one line each', async () => {
    const folder = makeBooks();
    const { code, stdout } = await remit(['doctor'], { cwd: folder });
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.every((line) => line.startsWith('✓ '))).toBe(true);
    expect(lines.map((line) => line.split(/\s+/)[1])).toEqual([
      'settings',
      'key',
      'address',
      'connection',
      'encryption',
      'clock',
      'account',
      'sqlite',
      'disk',
      'ledger',
    ]);
    expect(stdout).toContain('"Zahra Store"');
  });

  it('shows the name of the account without what a terminal would obey', async () => {
    const folder = makeBooks();
    courier.world.organisation = 'Za\u009B31mhra\u202E\u001B[2J';
    try {
      const { stdout } = await remit(['doctor'], { cwd: folder });
      expect(stdout).toContain('the key is accepted, for "Za');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal obeys is what is looked for
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/);
    } finally {
      courier.world.organisation = 'Zahra Store';
    }
  });

  it('looks at the ledger', async () => {
    const folder = makeBooks();
    await remit(['sync', '2026-10'], { cwd: folder });
    const { code, all } = await findings(folder);
    expect(code).toBe(0);
    expect(all.at(-1)?.message).toMatch(/ledger\.db is sound: 1 month, last sync .* \(complete\)$/);
    writeFileSync(path.join(folder, 'ledger.db'), 'no ledger '.repeat(500));
    expect((await findings(folder)).bad.map(({ name }) => name)).toEqual(['ledger']);
  });

  it('names a missing key, and looks at the rest all the same', async () => {
    const folder = makeBooks();
    rmSync(path.join(folder, 'api-key'));
    const { code, bad } = await findings(folder);
    expect(code).toBe(1);
    expect(bad.map(({ name }) => name)).toEqual(['key']);
  });

  it('names a key that the API refuses', async () => {
    const folder = makeBooks();
    writeFileSync(path.join(folder, 'api-key'), 'another-key-0123456789');
    const { bad } = await findings(folder);
    expect(bad).toMatchObject([{ name: 'account', message: expect.stringContaining('refused the API key (401)') }]);
  });

  it('names an API that does not answer', async () => {
    const gone = await startFakeCourier();
    await gone.close();
    const { code, bad } = await findings(makeBooks(gone.url));
    expect(code).toBe(1);
    expect(bad).toMatchObject([{ name: 'connection', message: expect.stringContaining('ECONNREFUSED') }]);
  });

  it('names a clock that cannot be right, also where no other clock can be asked', async () => {
    const gone = await startFakeCourier();
    await gone.close();
    const { bad } = await findings(makeBooks(gone.url), new Date('1999-01-01T00:00:00Z'));
    expect(bad).toMatchObject([
      { name: 'connection' },
      { name: 'clock', message: 'the clock of this machine says 1999-01-01' },
    ]);
  });

  it('names a clock that is wrong', async () => {
    const { bad } = await findings(makeBooks(), new Date(Date.now() - 3_600_000));
    expect(bad).toMatchObject([{ name: 'clock', message: expect.stringMatching(/^3\d{3} s behind the API's$/) }]);
  });

  it('names what is wrong in the settings', async () => {
    const folder = makeBooks();
    writeFileSync(path.join(folder, 'remit.toml'), 'overdu_days = 3\n');
    const { code, bad } = await findings(folder);
    expect(code).toBe(1);
    expect(bad).toMatchObject([{ name: 'settings', remedy: 'Did you mean `overdue_days`?' }]);
  });

  it('names a host that is not known', async () => {
    const { bad } = await findings(makeBooks('https://courier.invalid/v1/external/'));
    expect(bad.map(({ name }) => name)).toEqual(['connection']);
  });
});
