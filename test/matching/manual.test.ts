import { describe, expect, it } from 'vitest';
import { matchByHand } from '../../src/matching/manual.ts';
import { outstandingOf } from '../../src/matching/model.ts';
import { invoice, receipt, sum } from './sides.ts';

describe('a match by hand', () => {
  it('is made when both sides tally', () => {
    const match = matchByHand({
      receipts: [receipt('a', '60'), receipt('b', '90')],
      invoices: [invoice(2, '50'), invoice(1, '100')],
    });
    expect(match).toMatchObject({ rule: 'manual', difference: 0n, differenceKind: null, named: [] });
    expect(match.invoices).toEqual([
      { number: 1, amount: 1_000_000n },
      { number: 2, amount: 500_000n },
    ]);
  });

  it.each([
    ['95', '100', -50_000n],
    ['103', '100', 30_000n],
    ['-5', '-2', -30_000n],
  ])('names the difference of %s for %s, and leaves nothing outstanding', (paid, net, difference) => {
    const asked = invoice(1, net);
    const match = matchByHand({
      receipts: [receipt('a', paid)],
      invoices: [asked],
      difference: { kind: 'bank-charge', note: null },
    });
    expect(match).toMatchObject({ difference, differenceKind: 'bank-charge' });
    expect(sum(match.invoices)).toBe(sum(match.receipts));
    expect(outstandingOf({ ...asked, matched: sum(match.invoices), named: sum(match.named) })).toBe(0n);
  });

  it('is refused with both figures when the rest has no name', () => {
    const ask = () => matchByHand({ receipts: [receipt('a', '95')], invoices: [invoice(1, '100')] });
    expect(ask).toThrow('the receipts come to 95.00 USD and the invoices ask for 100.00 USD, 5.00 USD apart');
  });

  it.each([
    ['nothing to name', ['100'], ['100'], {}, { kind: 'rounding', note: null }, 'there is no difference to name'],
    ['other without a word', ['99'], ['100'], {}, { kind: 'other', note: ' ' }, 'called "other" without a word why'],
    ['no receipt', [], ['100'], {}, undefined, 'needs a receipt and an invoice'],
    ['no invoice', ['100'], [], {}, undefined, 'needs a receipt and an invoice'],
    ['another currency', ['100'], ['100'], { currency: 'LBP' }, undefined, 'LBP and USD cannot be matched'],
    ['used up', ['100'], ['100'], { left: 0n }, undefined, 'matched already'],
  ] as const)('is refused: %s', (_, receipts, invoices, fields, difference, message) => {
    const request = {
      receipts: receipts.map((amount, at) => receipt(`r${at}`, amount, fields)),
      invoices: invoices.map((net, at) => invoice(at + 1, net)),
      ...(difference ? { difference } : {}),
    };
    expect(() => matchByHand(request)).toThrow(message);
  });

  it('is refused when one is named twice', () => {
    const twice = [receipt('a', '50'), receipt('a', '50')];
    expect(() => matchByHand({ receipts: twice, invoices: [invoice(1, '100')] })).toThrow('receipt a is named twice');
  });
});
