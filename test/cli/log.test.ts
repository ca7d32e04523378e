import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outcome, remit } from '../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

const bill = (number: number) =>
  invoiceOf(number, '2026-10-05T09:00:00Z', [
    { order_id: `O${number}`, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] },
  ]);

let courier: FakeCourier;
beforeAll(async () => {
  courier = await startFakeCourier({ invoices: [bill(1), { ...bill(2), detail: { cod: 'much' } }] });
});
afterAll(() => courier.close());

function at(cwd: string, ...argv: string[]): Promise<Outcome> {
  const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY, REMIT_LEDGER: 'ledger.db' };
  return remit(argv, { cwd, env, now: new Date('2026-11-20T09:00:00Z') });
}

const events = ({ stderr }: Outcome) =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('--log-format json writes a line an event, with its run, and nothing else on standard error', async () => {
  const cwd = scratchFolder();
  const sync = await at(cwd, 'sync', '2026-10', '--log-format', 'json');
  expect(sync.code).toBe(1);
  const lines = events(sync);
  expect(lines.every(({ at: time, level, event }) => time && level && event)).toBe(true);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 'info', event: 'done', label: '2026-10 invoices', value: expect.any(Number) }),
  );
  expect(lines).toContainEqual(expect.objectContaining({ level: 'warning', event: 'note' }));
  expect(lines).toContainEqual(expect.objectContaining({ event: 'synced', run: 1, status: 'partial' }));
  expect(lines.at(-1)).toMatchObject({ level: 'error', event: 'failed', run: 1, code: 'partial', exit_code: 1 });

  const check = await at(cwd, 'check', '2026-10', '--log-format', 'json', '--json');
  expect(events(check)).toContainEqual(expect.objectContaining({ event: 'checked', period: '2026-10' }));
  expect(JSON.parse(check.stdout).period).toBe('2026-10');

  const wrong = await at(cwd, 'chekc', '--log-format', 'json');
  expect(events(wrong)).toEqual([
    expect.objectContaining({ level: 'error', event: 'failed', code: 'usage', exit_code: 2 }),
  ]);
});

it('--quiet leaves out what is well, never what is missing or wrong, in either format', async () => {
  const cwd = scratchFolder();
  const sync = await at(cwd, 'sync', '2026-10', '--quiet');
  expect([sync.code, sync.stdout]).toEqual([1, '']);
  expect(sync.stderr).toMatch(/^warning: .+\n(warning: .+\n)*remit: not everything could be brought/);
  const check = await at(cwd, 'check', '2026-10', '--quiet');
  expect(check.stderr).toBe(
    'warning: 2026-10 is incomplete: no detail of invoice 2 was ever read; run `remit sync 2026-10`\n',
  );
  expect(events(await at(cwd, 'check', '2026-10', '--quiet', '--log-format', 'json'))).toEqual([
    expect.objectContaining({
      level: 'warning',
      event: 'note',
      message: expect.stringContaining('no detail of invoice 2 was ever read'),
    }),
  ]);
});

it('a failure shows what it quotes, obeys none of it, and with --verbose says what caused it', async () => {
  const cwd = scratchFolder();
  const name = `x\u001b[2J\u202e${'y'.repeat(10_000)}`;
  writeFileSync(path.join(cwd, 'remit.toml'), `"${name.replace('\u001b', '\\u001b')}" = 1\nledger = 5\n`);
  const { stderr } = await remit(['doctor'], { cwd });
  const { stderr: failed, code } = await remit(['check', '--verbose'], { cwd });
  expect(code).toBe(2);
  for (const text of [stderr, failed]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the point
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(5_000);
  }
  expect(failed).toContain('has 2 faults');
  expect(failed).toContain('ConfigError');
});

it('a mistyped command is no log format', async () => {
  expect((await at(scratchFolder(), 'json')).stderr).toMatch(/^remit: /);
  expect(events(await at(scratchFolder(), 'json', '--log-format', 'json'))).toMatchObject([{ event: 'failed' }]);
});
