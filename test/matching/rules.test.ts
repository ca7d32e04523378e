import { describe, expect, it } from 'vitest';
import { matchInPart } from '../../src/matching/manual.ts';
import { matchReceipts } from '../../src/matching/match-receipts.ts';
import type { MoneyToMatch } from '../../src/matching/model.ts';
import { brief, invoice, nextRun, receipt } from './sides.ts';

const options = { matchDays: 21 };
const run = (receipts: MoneyToMatch['receipts'], invoices: MoneyToMatch['invoices'], held: MoneyToMatch['held'] = []) =>
  matchReceipts({ receipts, invoices, held, options });

describe('rule 1, the number in the text', () => {
  it('matches one or several when the sum tallies, whatever the date', () => {
    const outcome = run(
      [
        receipt('a', '100.00', { text: 'INV-10009', date: '2025-01-01' }),
        receipt('b', '70.50', { text: '10010, 10011' }),
        receipt('c', '9.00', { text: 'cash', invoiceHint: '41' }),
      ],
      [invoice(10009, '100.00'), invoice(10010, '50.00'), invoice(10011, '20.50'), invoice(41, '9.00')],
    );
    expect(brief(outcome)).toEqual(['named a → 10009', 'named c → 41', 'named b → 10010+10011']);
    expect(outcome.matches.every(({ difference }) => difference === 0n)).toBe(true);
    expect(outcome.unmatched).toEqual({ receipts: [], invoices: [] });
  });

  it('sets what the merchant owes on one invoice against the others', () => {
    const outcome = run(
      [receipt('a', '80.00', { text: '10009 10010' })],
      [invoice(10009, '100'), invoice(10010, '-20')],
    );
    expect(brief(outcome)).toEqual(['named a → 10009+10010']);
  });

  it('takes the choice of named invoices that tallies, and none where two do', () => {
    const invoices = [invoice(10009, '100'), invoice(10010, '50'), invoice(10011, '70')];
    expect(brief(run([receipt('a', '170', { text: '10009 10010 10011' })], invoices))).toEqual([
      'named a → 10009+10011',
    ]);
    const twice = run(
      [receipt('a', '150', { text: '10009 10010 10011' })],
      [...invoices.slice(0, 2), invoice(10011, '50')],
    );
    expect(twice.matches).toEqual([]);
    expect(twice.ambiguous[0]?.ways.map((way) => way.invoices)).toEqual([
      [10009, 10010],
      [10009, 10011],
    ]);
  });

  it('does not take a bare short number for an invoice unless it tallies', () => {
    const invoices = [invoice(41, '30'), invoice(10009, '100')];
    expect(brief(run([receipt('a', '100', { text: 'INV 10009, 41 orders' })], invoices))).toEqual(['named a → 10009']);
    expect(run([receipt('a', '12', { text: 'for 41 orders' })], invoices).matches).toEqual([]);
  });
});

describe('rule 2, one receipt and one invoice', () => {
  it.each([
    ['2026-10-04', []],
    ['2026-10-05', ['equal a → 1']],
    ['2026-10-26', ['equal a → 1']],
    ['2026-10-27', []],
  ])('matches from the invoice’s day to the 21st after it: %s', (date, expected) => {
    expect(brief(run([receipt('a', '100.00', { date })], [invoice(1, '100.00')]))).toEqual(expected);
  });

  it('leaves a receipt that could be either of two invoices', () => {
    const outcome = run([receipt('a', '100')], [invoice(1, '100'), invoice(2, '100')]);
    expect(outcome.matches).toEqual([]);
    expect(outcome.ambiguous).toEqual([
      {
        receipt: 'a',
        currency: 'USD',
        amount: 1_000_000n,
        rule: 'equal',
        ways: [
          { receipts: ['a'], invoices: [1] },
          { receipts: ['a'], invoices: [2] },
        ],
        tooMany: false,
      },
    ]);
    expect(outcome.unmatched.receipts).toEqual([]);
  });

  it('gives the invoice to the earlier of two equal receipts, and the other is unmatched', () => {
    const outcome = run([receipt('b', '100', { date: '2026-10-12' }), receipt('a', '100')], [invoice(1, '100')]);
    expect(brief(outcome)).toEqual(['equal a → 1']);
    expect(outcome.unmatched.receipts).toEqual(['b']);
  });

  it('becomes clear once another receipt has taken the other invoice', () => {
    const outcome = run(
      [receipt('a', '100'), receipt('b', '100', { text: '#10009' })],
      [invoice(10009, '100'), invoice(10010, '100')],
    );
    expect(brief(outcome)).toEqual(['named b → 10009', 'equal a → 10010']);
  });

  it('never crosses currencies', () => {
    const outcome = run([receipt('a', '100', { text: '10009' })], [invoice(10009, '100', { currency: 'LBP' })]);
    expect(outcome.matches).toEqual([]);
    expect(outcome.unmatched).toEqual({ receipts: ['a'], invoices: [{ number: 10009, currency: 'LBP' }] });
  });

  it('compares to the last digit', () => {
    expect(run([receipt('a', '100.0001')], [invoice(1, '100')]).matches).toEqual([]);
  });
});

describe('rule 3, one receipt and several invoices', () => {
  const four = [invoice(1, '10'), invoice(2, '20'), invoice(3, '40'), invoice(4, '80')];

  it('matches the only set', () => {
    expect(brief(run([receipt('a', '90')], four))).toEqual(['set a → 1+4']);
  });

  it('leaves two sets alone and lists both', () => {
    const outcome = run([receipt('a', '30')], [invoice(1, '10'), invoice(2, '20'), invoice(3, '25'), invoice(4, '5')]);
    expect(outcome.ambiguous[0]?.ways.map((way) => way.invoices)).toEqual(
      expect.arrayContaining([
        [1, 2],
        [3, 4],
      ]),
    );
  });

  it('does not use invoices that were not issued yet', () => {
    const later = four.map((one) => ({ ...one, date: '2026-10-10' }));
    expect(run([receipt('a', '90')], later).matches).toEqual([]);
  });

  it('matches a run by date that is longer than a set may be', () => {
    const nets = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 1000].map((net, at) =>
      invoice(at + 1, String(net), { date: `2026-09-${String(at + 1).padStart(2, '0')}` }),
    );
    const total = nets.slice(0, 13).reduce((sum, { net }) => sum + net, 0n) / 10_000n;
    expect(brief(run([receipt('a', String(total))], nets))).toEqual(['run a → 1+2+3+4+5+6+7+8+9+10+11+12+13']);
  });

  it.each([
    [12, ['set a → 1+3']],
    [13, []],
  ])('reaches back beyond match_days for a set while no more than 12 are outstanding: %i', (count, expected) => {
    const nets = Array.from({ length: count }, (_, at) => {
      return invoice(at + 1, `${2 ** at}.00`, { date: `2026-08-${String(at + 1).padStart(2, '0')}` });
    });
    expect(brief(run([receipt('a', '5')], nets))).toEqual(expected);
    expect(brief(run([receipt('a', '6')], nets))).toEqual([expect.stringMatching(/^(set|run) a → 2\+3$/)]);
  });

  it('books neither of two receipts that would need the same invoice', () => {
    const outcome = run(
      [receipt('a', '30'), receipt('b', '50', { date: '2026-10-12' })],
      [invoice(1, '10'), invoice(2, '20'), invoice(3, '40')],
    );
    expect(outcome.matches).toEqual([]);
    expect(outcome.ambiguous.map(({ receipt }) => receipt)).toEqual(['a', 'b']);
  });

  it('explains what a named invoice is short by no rests of others', () => {
    // 10.04 too little for 10009, and what two others were paid too much happens to come to just that.
    const rests = [
      invoice(1, '100', { matched: 1_050_000n }),
      invoice(2, '100', { matched: 1_050_400n }),
      invoice(3, '100', { matched: 980_000n }),
    ];
    const short = [receipt('a', '89.96', { text: '10009' })];
    expect(brief(run(short, [invoice(10009, '100'), ...rests, invoice(4, '70')]))).toEqual(['named-part a → 10009']);
    // A whole invoice that the merchant owes on is no rest, and may have been set off.
    const setOff = run([receipt('a', '80', { text: '10009' })], [invoice(10009, '100'), invoice(4, '-20')]);
    expect(setOff.ambiguous[0]?.ways.map((way) => way.invoices)).toEqual([[4, 10009], [10009]]);
  });

  it('keeps to the sets that hold what the text names', () => {
    const invoices = [invoice(10001, '10'), invoice(10002, '20'), invoice(10003, '25'), invoice(10004, '5')];
    const outcome = run([receipt('a', '30', { text: '10003' })], invoices);
    expect(outcome.ambiguous[0]?.ways.map((way) => way.invoices)).toEqual([[10003, 10004], [10003]]);
  });
});

describe('rule 4, several receipts and one invoice', () => {
  it('matches them together', () => {
    const outcome = run([receipt('a', '60'), receipt('b', '40', { date: '2026-10-12' })], [invoice(1, '100')]);
    expect(brief(outcome)).toEqual(['several-receipts a+b → 1']);
    expect(outcome.matches[0]?.invoices).toEqual([{ number: 1, amount: 1_000_000n }]);
  });

  it('leaves parts that could be put together in two ways', () => {
    const outcome = run([receipt('a', '60'), receipt('b', '40'), receipt('c', '40')], [invoice(1, '100')]);
    expect(outcome.matches).toEqual([]);
    expect(outcome.ambiguous.map(({ receipt }) => receipt)).toEqual(['b', 'c', 'a']);
    expect(outcome.ambiguous[2]?.ways).toEqual([
      { receipts: ['b', 'a'], invoices: [1] },
      { receipts: ['c', 'a'], invoices: [1] },
    ]);
  });
});

describe('rule 5, a named invoice in part or too much', () => {
  it('takes the whole receipt', () => {
    const outcome = run(
      [receipt('a', '95', { text: '10009' }), receipt('b', '120', { text: '10010' })],
      [invoice(10009, '100'), invoice(10010, '100')],
    );
    expect(outcome.matches.map(({ rule, difference }) => [rule, difference])).toEqual([
      ['named-part', -50_000n],
      ['named-part', 200_000n],
    ]);
    expect(outcome.unmatched.receipts).toEqual([]);
  });

  it('pays several named invoices oldest first, and what is too much goes to the last', () => {
    const invoices = [invoice(10010, '50', { date: '2026-10-01' }), invoice(10009, '100')];
    const short = run([receipt('a', '120', { text: '10009, 10010' })], invoices);
    expect(short.matches[0]?.invoices).toEqual([
      { number: 10010, amount: 500_000n },
      { number: 10009, amount: 700_000n },
    ]);
    const over = run([receipt('a', '170', { text: '10009, 10010' })], invoices);
    expect(over.matches[0]?.invoices).toEqual([
      { number: 10010, amount: 500_000n },
      { number: 10009, amount: 1_200_000n },
    ]);
  });

  it('takes equal receipts of a day in an order that their ids have no part in', () => {
    const invoices = [invoice(10009, '100'), invoice(10010, '50')];
    const named = ([first, second]: readonly [string, string]) =>
      run([receipt(first, '150', { text: '10009 10010' }), receipt(second, '150', { text: '10010 10009' })], invoices);
    expect(brief(named(['a', 'b']))).toEqual(['named a → 10009+10010', 'named-part b → 10010']);
    expect(brief(named(['b', 'a']))).toEqual(['named b → 10009+10010', 'named-part a → 10010']);
  });

  it('leaves to people the rest of a receipt that a person matched in part to the invoice', () => {
    const invoices = [invoice(10009, '55'), invoice(10010, '20')];
    const restOf = (text: string) => {
      const input = { receipts: [receipt('a', '100', { text })], invoices, options };
      const next = nextRun(input, [matchInPart({ ...input, invoices: invoices.slice(0, 1) })]);
      return matchReceipts(next);
    };
    expect(restOf('INV 10009')).toMatchObject({ matches: [], unmatched: { receipts: ['a'] } });
    expect(brief(restOf('INV 10009, 10010'))).toEqual(['named-part a → 10010']);
  });

  it('takes the second payment of an invoice that was paid', () => {
    const twice = ['a', 'b'].map((id) => receipt(id, '100', { text: '10009' }));
    expect(brief(run(twice, [invoice(10009, '100')]))).toEqual(['named a → 10009', 'named-part b → 10009']);
  });
});

describe('a text that names an invoice', () => {
  it('pays that invoice in part, though another asks for the amount', () => {
    const invoices = [invoice(1000, '300'), invoice(1001, '50')];
    expect(brief(run([receipt('a', '50', { text: 'part payment INV 1000' })], invoices))).toEqual([
      'named-part a → 1000',
    ]);
    expect(brief(run([receipt('a', '50', { text: 'دفعة من فاتورة رقم ١٠٠٠' })], invoices))).toEqual([
      'named-part a → 1000',
    ]);
  });

  it('takes what is too much, though another asks for the amount', () => {
    const invoices = [invoice(10009, '100', { matched: 1_000_000n }), invoice(10010, '100')];
    expect(brief(run([receipt('a', '100', { text: 'INV 10009' })], invoices))).toEqual(['named-part a → 10009']);
  });

  it('is ambiguous where its invoice with others comes to the amount', () => {
    const outcome = run([receipt('a', '130', { text: 'INV 10009' })], [invoice(10009, '100'), invoice(10010, '30')]);
    expect(outcome.matches).toEqual([]);
    expect(outcome.ambiguous.map(({ ways }) => ways.map(({ invoices }) => invoices))).toEqual([
      [[10009, 10010], [10009]],
    ]);
  });

  it('that may name an open invoice makes the receipt ambiguous where another asks for the amount', () => {
    const text = 'payment for 41 orders';
    const ways = (outcome: ReturnType<typeof run>) =>
      outcome.ambiguous.map((one) => one.ways.map((way) => way.invoices));
    const equal = run([receipt('a', '100', { text })], [invoice(41, '30'), invoice(10009, '100')]);
    expect([equal.matches, ways(equal)]).toEqual([[], [[[10009], [41]]]]);
    const set = run([receipt('a', '90', { text })], [invoice(41, '30'), invoice(42, '50'), invoice(43, '40')]);
    expect([set.matches, ways(set)]).toEqual([[], [[[42, 43], [41]]]]);
    const parts = [receipt('a', '60', { text }), receipt('b', '40')];
    const several = run(parts, [invoice(41, '7'), invoice(10009, '100')]);
    expect([several.matches, ways(several)]).toEqual([[], [[[10009]], [[10009], [41]]]]);
    // Once that invoice is paid, the number is the number of the orders.
    const paid = run(
      [receipt('a', '100', { text })],
      [invoice(41, '30', { matched: 300_000n }), invoice(10009, '100')],
    );
    expect(brief(paid)).toEqual(['equal a → 10009']);
  });

  it('is never booked by amount where the invoice asks for another currency alone', () => {
    const invoices = [invoice(10009, '8950000', { currency: 'LBP' }), invoice(10010, '100')];
    const outcome = run([receipt('a', '100', { text: 'INV 10009' })], invoices);
    expect(outcome.matches).toEqual([]);
    expect(outcome.unmatched.receipts).toEqual(['a']);
  });

  it('takes no more back than from the invoices that a debit names', () => {
    const receipts = [
      receipt('a', '170', { text: '10009, 10010' }),
      receipt('d', '-170', { date: '2026-10-14', text: '10009 returned' }),
    ];
    const outcome = run(receipts, [invoice(10009, '100'), invoice(10010, '70')]);
    expect(brief(outcome)).toEqual(['named a → 10009+10010']);
    expect(outcome.ambiguous[0]?.ways.map((way) => way.invoices)).toEqual([[10009, 10010], [10009]]);
  });

  it('keeps a debit from what another invoice was paid too much', () => {
    const invoices = [invoice(10009, '100', { matched: 1_000_000n }), invoice(10010, '50', { matched: 700_000n })];
    expect(brief(run([receipt('d', '-20', { text: 'INV 10009' })], invoices))).toEqual(['named-part d → 10009']);
  });
});

describe('money taken back', () => {
  const debit = (amount: string, text = 'Reversal') => receipt('d', amount, { date: '2026-10-14', text });

  it('undoes the earlier receipt of that amount, and the invoice asks for its money again', () => {
    const receipts = [receipt('a', '100'), debit('-100'), receipt('b', '100', { date: '2026-10-16' })];
    const outcome = run(receipts, [invoice(1, '100')]);
    expect(brief(outcome)).toEqual(['equal a → 1', 'taken-back d → 1', 'equal b → 1']);
    expect(outcome.matches[1]).toMatchObject({ reverses: 'a', invoices: [{ number: 1, amount: -1_000_000n }] });
  });

  it('undoes one that an earlier run matched', () => {
    const input = { receipts: [receipt('a', '100'), debit('-100')], invoices: [invoice(1, '100')], options };
    const first = matchReceipts({ ...input, receipts: [input.receipts[0]!] });
    const second = matchReceipts(nextRun(input, first.matches));
    expect(brief(second)).toEqual(['taken-back d → 1']);
    expect(matchReceipts(nextRun(nextRun(input, first.matches), second.matches)).matches).toEqual([]);
  });

  it('undoes a receipt only once', () => {
    const second = receipt('e', '-100', { date: '2026-10-15', text: 'Reversal' });
    const outcome = run([receipt('a', '100'), debit('-100'), second], [invoice(1, '100')]);
    expect(brief(outcome)).toEqual(['equal a → 1', 'taken-back d → 1']);
    expect(outcome.unmatched.receipts).toEqual(['e']);
  });

  it('cancels out with one that met no invoice', () => {
    const outcome = run([receipt('a', '33'), debit('-33')], [invoice(1, '100')]);
    expect(brief(outcome)).toEqual(['taken-back a+d → nothing']);
    expect(outcome.unmatched.receipts).toEqual([]);
  });

  it('is what an invoice was paid too much, or what the merchant owes on it', () => {
    expect(brief(run([debit('-20')], [invoice(1, '100', { matched: 1_200_000n })]))).toEqual(['equal d → 1']);
    expect(brief(run([debit('-20')], [invoice(1, '-20')]))).toEqual(['equal d → 1']);
    // However late: the reason speaks of no days.
    const [late] = run([{ ...debit('-20'), date: '2027-12-01' }], [invoice(1, '-20')]).matches;
    expect(late!.evidence).toBe('the amount is what invoice 1 alone was overpaid, or is owed on it');
  });

  it('takes from the invoice that it names', () => {
    const outcome = run([debit('-30', '10009')], [invoice(10009, '100', { matched: 1_000_000n })]);
    expect(outcome.matches[0]).toMatchObject({ rule: 'named-part', invoices: [{ number: 10009, amount: -300_000n }] });
  });

  it('is left alone where it could undo receipts of several invoices', () => {
    const receipts = [receipt('a', '100', { text: '10009' }), receipt('b', '100', { text: '10010' }), debit('-100')];
    const outcome = run(receipts, [invoice(10009, '100'), invoice(10010, '100')]);
    expect(outcome.ambiguous).toMatchObject([
      {
        receipt: 'd',
        rule: 'taken-back',
        ways: [
          { receipts: ['a', 'd'], invoices: [10009] },
          { receipts: ['b', 'd'], invoices: [10010] },
        ],
      },
    ]);
  });

  it('is unmatched where nothing explains it', () => {
    expect(run([debit('-7')], [invoice(1, '100')]).unmatched.receipts).toEqual(['d']);
  });
});
