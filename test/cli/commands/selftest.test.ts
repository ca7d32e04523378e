import { expect, it } from 'vitest';
import { selfTest } from '../../../src/app/selftest/index.ts';
import { CHECKS } from '../../../src/checks/catalogue/index.ts';
import type { Check } from '../../../src/checks/check.ts';
import { remit } from '../../helpers/cli.ts';
import { scratchFolder } from '../../helpers/folder.ts';

/** The codes between the two figures of the bridge. */
const STEPS = [
  'book-cod-differs',
  'cod-without-delivery',
  'fee-off-tariff',
  'fee-on-cancelled',
  'invoice-cod-total',
  'invoice-fee-total',
  'invoice-net',
  'order-amount-differs',
  'order-on-two-invoices',
  'order-repeated',
  'order-restated',
  'order-unknown',
];

/** A check that looks and sees nothing. */
const blind = (check: Check): Check => ({
  ...check,
  find: async () => ({ findings: [], compared: 0, notComparable: [] }),
});

it('finds what it plants for each check, and nothing else, without settings', async () => {
  const { code, stdout, stderr } = await remit(['selftest', '--json'], { cwd: scratchFolder() });
  expect([code, stderr]).toEqual([0, '']);
  const { ok, clean, checks } = JSON.parse(stdout);
  expect([ok, clean]).toEqual([true, true]);
  expect(checks.map((tested: { code: string }) => tested.code)).toEqual(CHECKS.map((check) => check.code));
  for (const { expected, found, ...tested } of checks) {
    expect(tested.ok).toBe(true);
    expect(found).toEqual({ ...expected, others: [] });
    expect(expected.findings).toBeGreaterThan(0);
    if (tested.unexplained !== null) expect(tested.unexplained).toEqual(expected.effects);
  }
  const steps = checks.filter(({ unexplained }: { unexplained: unknown }) => unexplained !== null);
  expect(steps.map((tested: { code: string }) => tested.code).sort()).toEqual(STEPS);
});

it('prints a table that can be filed', async () => {
  const now = new Date('2026-11-20T09:00:00Z');
  const { code, stdout } = await remit(['selftest'], { cwd: scratchFolder(), now });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^remit \S+ self-test, 2026-11-20 09:00:00 UTC\ncheck +planted +found +effect/);
  expect(stdout).toMatch(/\ninvoice-net +1 +1 +-2\.00 USD +-2\.00 USD +ok\n/);
  expect(stdout).toMatch(/\nclean books: nothing found, nothing unexplained\nall \d+ checks find what is planted/);
  expect((await remit(['selftest', '--quiet'], { cwd: scratchFolder() })).stdout).toBe('');
});

it('is not ok with a check that is blind, and says which', async () => {
  const checks = CHECKS.map((check) => (check.code === 'order-repeated' ? blind(check) : check));
  const { ok, clean, checks: tested } = await selfTest(checks);
  expect([ok, clean]).toEqual([false, true]);
  expect(tested.filter((each) => !each.ok)).toEqual([
    expect.objectContaining({ code: 'order-repeated', found: { findings: 0, effects: [], others: [] } }),
  ]);
});

it('is not ok with a check that sees what is not there, nor with one that counts twice', async () => {
  const of = (code: string) => CHECKS.find((check) => check.code === code)!;
  const net = of('invoice-net');
  const doubled: Check = {
    ...net,
    async find(context) {
      const looked = await net.find(context);
      const findings = looked.findings.map((finding) => ({
        ...finding,
        parts: finding.parts.map((part) => ({ ...part, effect: part.effect.times(2) })),
      }));
      return { ...looked, findings };
    },
  };
  const twice = await selfTest([doubled, of('order-repeated')]);
  expect(twice.checks.map(({ code, ok }) => [code, ok])).toEqual([
    ['invoice-net', false],
    ['order-repeated', true],
  ]);

  const jumpy: Check = { ...of('payment-overdue'), find: of('order-unknown').find };
  expect((await selfTest([of('order-unknown'), jumpy])).checks[0]).toMatchObject({
    ok: false,
    found: { others: ['payment-overdue'] },
  });
});
