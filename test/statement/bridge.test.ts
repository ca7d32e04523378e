import { expect, it } from 'vitest';
import { bridgeLines } from '../../reports/statement/bridge.ts';
import { proofOf } from '../../reports/statement/proof.ts';

it('the steps of several currencies stand in the order of the bridge, others after them', () => {
  const proof = (currency: string, ...codes: readonly string[]) =>
    proofOf({
      ...{ period: '2026-10', currency, courier: '0.00', ours: '0.00', unexplained: '0.00', outside: [] },
      ...{ resolved: '0.00', short: '0.00', steps: codes.map((code) => ({ code, count: 1, effect: '1.00' })) },
    });
  const figures = bridgeLines(
    [proof('LBP', 'invoice-net', 'receipt-x'), proof('USD', 'fee-off-tariff', 'order-z')],
    null,
  ).map(({ figure }) => figure);
  const steps = figures.slice(figures.indexOf('difference') + 1, figures.indexOf('explained'));
  expect(steps.slice(0, 2)).toEqual(['invoice-net', 'fee-off-tariff']);
  expect(steps.slice(2).sort()).toEqual(['order-z', 'receipt-x']);
});
