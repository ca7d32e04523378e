import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type HeldImport,
  type LinesOfFile,
  planOverlap,
  planUndo,
  type StatementLine,
} from '../../../src/imports/overlap.ts';

const RUNS = Number(process.env.REMIT_PROPERTY_RUNS ?? 400);

/** A ledger of receipts, as small as it can be: rows by key, imports by number. */
class Ledger {
  readonly rows = new Map<number, StatementLine>();
  imports: HeldImport<number, number>[] = [];
  #next = 1;

  import(id: number, file: LinesOfFile) {
    const plan = planOverlap(this.imports, file);
    const lines = file.lines.map((line, at) => {
      const receipt = plan.lines[at]!.receipt ?? this.#next++;
      if (!this.rows.has(receipt)) this.rows.set(receipt, line);
      return { ...line, receipt };
    });
    this.imports.push({ id, format: file.format, lines });
    return plan;
  }

  undo(id: number) {
    const { removed, moved } = planUndo(this.imports, id);
    for (const row of removed) this.rows.delete(row);
    this.imports = this.imports
      .filter((one) => one.id !== id)
      .map((one) => ({
        ...one,
        lines: one.lines.map((line, at) => {
          const move = moved.find((change) => change.id === one.id && change.line === at);
          return move ? { ...line, receipt: move.to } : line;
        }),
      }));
    return removed;
  }

  /** What is held, as money: how many lines of each account, day, amount and currency. */
  money(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { account, date, amount, currency } of this.rows.values()) {
      const key = [account, date, amount, currency].join(' ');
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }
}

const line = (amount: number, text: string, fields: Partial<StatementLine> = {}): StatementLine => ({
  account: 'LB1',
  bankId: null,
  date: '2026-10-09',
  amount: BigInt(amount),
  currency: 'USD',
  text,
  ...fields,
});
const file = (format: string, ...lines: StatementLine[]): LinesOfFile => ({ format, lines });

describe('two files of one account', () => {
  it('hold a line of both once, and equal lines of one as often as it does', () => {
    const ledger = new Ledger();
    expect(ledger.import(1, file('csv', line(5, 'COD'), line(5, 'COD'), line(7, 'x'))).added).toBe(3);
    const again = ledger.import(2, file('csv', line(5, ' cod '), line(5, 'COD'), line(5, 'COD'), line(8, 'y')));
    expect(again).toMatchObject({ added: 2, known: { id: 0, text: 2, amount: 0 } });
    expect(Object.values(ledger.money())).toEqual([3, 1, 1]);
  });

  it('do not fold lines of other words in one format, and compare by count across formats', () => {
    const ledger = new Ledger();
    ledger.import(1, file('csv', line(5, 'A')));
    expect(ledger.import(2, file('csv', line(5, 'B'))).added).toBe(1);
    const ofx = ledger.import(3, file('ofx', line(5, 'NAME A B'), line(5, 'NAME A B'), line(5, 'third')));
    expect(ofx).toMatchObject({ added: 1, known: { amount: 2 } });
  });

  it('know a line by the bank’s id, whatever its words', () => {
    const ledger = new Ledger();
    ledger.import(1, file('ofx', line(5, 'A', { bankId: '77' }), line(5, 'A', { bankId: '78' })));
    const next = ledger.import(2, file('ofx', line(5, 'changed', { bankId: '78' }), line(5, 'A', { bankId: '79' })));
    expect(next).toMatchObject({ added: 0, known: { id: 1, text: 1 } });
    expect(next.lines).toEqual([
      { receipt: 2, by: 'id', isRenamed: false },
      { receipt: 1, by: 'text', isRenamed: true },
    ]);
  });

  it.each([{ amount: 6n }, { date: '2026-10-10' }, { currency: 'EUR' }])(
    'hold another movement under a used id: %o',
    (other) => {
      const ledger = new Ledger();
      ledger.import(1, file('ofx', line(5, 'A', { bankId: '77' })));
      const next = ledger.import(2, file('ofx', line(5, 'A', { bankId: '77', ...other })));
      expect(next).toMatchObject({ added: 1, usedAgain: [0] });
      expect(ledger.import(3, file('ofx', line(5, 'A', { bankId: '77', ...other })))).toMatchObject({
        added: 0,
        usedAgain: [],
      });
    },
  );

  it('of remit 1.0 took it for the same, and a file that comes now does not', () => {
    const used = line(6, 'B', { bankId: '77' });
    const first = { id: 1, format: 'ofx', idsAlone: true, lines: [{ ...line(5, 'A', { bankId: '77' }), receipt: 1 }] };
    expect(planOverlap([first], { format: 'ofx', idsAlone: true, lines: [used] }).lines).toEqual([
      { receipt: 1, by: 'id', isRenamed: false },
    ]);
    const second = { id: 2, format: 'ofx', idsAlone: true, lines: [{ ...used, receipt: 1 }] };
    expect(planOverlap([first, second], { format: 'ofx', lines: [used] }).added).toBe(1);
  });

  it('are other lines under other ids where the running balance says so', () => {
    const ledger = new Ledger();
    ledger.import(1, file('csv', line(5, 'A', { bankId: '1', balance: 10n })));
    expect(ledger.import(2, file('csv', line(5, 'A', { bankId: '2', balance: 15n }))).added).toBe(1);
    const third = ledger.import(3, file('csv', line(5, 'A', { bankId: '3', balance: 15n })));
    expect(third.lines).toEqual([{ receipt: 2, by: 'text', isRenamed: true }]);
  });

  it('do not trust an id that stands twice in a file, or on another account', () => {
    const ledger = new Ledger();
    ledger.import(1, file('ofx', line(5, 'A', { bankId: '0' }), line(5, 'B', { bankId: '0' })));
    expect(Object.values(ledger.money())).toEqual([2]);
    expect(ledger.import(2, file('ofx', line(5, 'C', { bankId: '0', account: 'LB2' }))).added).toBe(1);
  });

  it('of other accounts, days or currencies have nothing in common', () => {
    const ledger = new Ledger();
    ledger.import(1, file('csv', line(5, 'A')));
    for (const [at, change] of [{ account: 'LB2' }, { date: '2026-10-10' }, { currency: 'EUR' }].entries()) {
      expect(ledger.import(2 + at, file('ofx', line(5, 'A', change))).added).toBe(1);
    }
    expect(ledger.import(9, file('camt', line(5, 'A', { account: 'lb 1' }))).added).toBe(0);
  });
});

describe('import undo', () => {
  it('removes only what no other import holds', () => {
    const ledger = new Ledger();
    ledger.import(1, file('csv', line(5, 'A'), line(7, 'B')));
    ledger.import(2, file('csv', line(7, 'B'), line(9, 'C')));
    expect(ledger.undo(1)).toEqual([1]);
    expect(ledger.undo(2)).toEqual([2, 3]);
    expect(ledger.rows.size).toBe(0);
  });

  it('leaves alone what the import had no part in, however it is recorded', () => {
    const twice = { id: 1, format: 'csv', lines: [{ ...line(5, 'A'), receipt: 1 }] };
    const again = { ...twice, id: 2, lines: [{ ...line(5, 'A'), receipt: 2 }] };
    const other = { id: 3, format: 'csv', lines: [{ ...line(7, 'B'), receipt: 3 }] };
    expect(planUndo([twice, again, other], 3)).toEqual({ removed: [3], moved: [] });
  });

  it('leaves one row where two held what may be one line', () => {
    const ledger = new Ledger();
    ledger.import(1, file('csv', line(5, 'A')));
    ledger.import(2, file('csv', line(5, 'B')));
    ledger.import(3, file('ofx', line(5, 'NAME')));
    ledger.undo(1);
    expect(ledger.rows.size).toBe(1);
    expect(ledger.imports.map(({ lines }) => lines[0]!.receipt)).toEqual(
      [...ledger.rows.keys()].flatMap((row) => [row, row]),
    );
  });
});

/** What really happened on an account, and files that each show a part of it in their own words. */
const truth = fc.array(
  fc.record({ amount: fc.integer({ min: 1, max: 3 }), words: fc.constantFrom('COD', 'cod remit', 'fee') }),
  { minLength: 1, maxLength: 8 },
);
const cuts = fc.array(
  fc.record({
    format: fc.constantFrom('csv', 'ofx', 'camt'),
    from: fc.nat(8),
    length: fc.integer({ min: 0, max: 8 }),
    ids: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);
type Cut = { readonly format: string; readonly from: number; readonly length: number; readonly ids: boolean };

const cutFile = (real: readonly { readonly amount: number; readonly words: string }[], cut: Cut): LinesOfFile => ({
  format: cut.format,
  lines: real.slice(cut.from, cut.from + cut.length).map(({ amount, words }, at) => {
    const id = cut.ids ? `${cut.format}-${cut.from + at}` : null;
    return line(amount, cut.format === 'csv' ? words : `${cut.format} ${words.length}`, { bankId: id });
  }),
});

describe('whatever overlaps', () => {
  const files = fc.tuple(truth, cuts).map(([real, all]) => ({ real, files: all.map((cut) => cutFile(real, cut)) }));

  it('nothing is doubled beyond what happened, and no two lines of a file are folded', () => {
    fc.assert(
      fc.property(files, ({ real, files: all }) => {
        const ledger = new Ledger();
        for (const [at, one] of all.entries()) ledger.import(at, one);
        const happened: Record<string, number> = {};
        for (const { amount } of real)
          happened[`LB1 2026-10-09 ${amount} USD`] = (happened[`LB1 2026-10-09 ${amount} USD`] ?? 0) + 1;
        for (const [key, count] of Object.entries(ledger.money())) expect(count).toBeLessThanOrEqual(happened[key]!);
        for (const { lines } of ledger.imports) {
          expect(new Set(lines.map(({ receipt }) => receipt)).size).toBe(lines.length);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('the order of imports does not matter, and each again changes nothing', () => {
    fc.assert(
      fc.property(files, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), ({ files: all }, keys) => {
        const [forward, backward] = [new Ledger(), new Ledger()];
        for (const [at, one] of all.entries()) forward.import(at, one);
        const order = all.map((one, at) => ({ one, at })).sort((a, b) => keys[a.at]! - keys[b.at]!);
        for (const { one, at } of order) backward.import(at, one);
        expect(backward.money()).toEqual(forward.money());
        for (const [at, one] of all.entries()) expect(forward.import(100 + at, one).added).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('an undone import is as if it had never been', () => {
    fc.assert(
      fc.property(files, fc.nat(), ({ files: all }, pick) => {
        const undone = pick % all.length;
        const [ledger, without] = [new Ledger(), new Ledger()];
        for (const [at, one] of all.entries()) ledger.import(at, one);
        for (const [at, one] of all.entries()) if (at !== undone) without.import(at, one);
        ledger.undo(undone);
        expect(ledger.money()).toEqual(without.money());
        const held = new Set(ledger.imports.flatMap(({ lines }) => lines.map(({ receipt }) => receipt)));
        expect([...ledger.rows.keys()].sort()).toEqual([...held].sort());
      }),
      { numRuns: RUNS },
    );
  });

  it('files that are cut from one another never hold more than the longest', () => {
    fc.assert(
      fc.property(truth, fc.constantFrom('csv', 'ofx'), fc.boolean(), (real, format, ids) => {
        const ledger = new Ledger();
        for (let from = 0; from < real.length; from += 1) {
          for (const length of [1, 3, real.length])
            ledger.import(from * 10 + length, cutFile(real, { format, from, length, ids }));
        }
        expect(ledger.rows.size).toBe(real.length);
      }),
      { numRuns: 100 },
    );
  });
});

/**
 * What moved on an account, each movement of its own words, and files of stretches of days, whose ids the bank may give
 * anew or use again.
 */
const banks = fc.record({
  moved: fc.array(fc.record({ day: fc.integer({ min: 10, max: 16 }), amount: fc.integer({ min: 1, max: 2 }) }), {
    minLength: 1,
    maxLength: 10,
  }),
  files: fc.array(
    fc.record({
      from: fc.integer({ min: 10, max: 16 }),
      days: fc.integer({ min: 1, max: 7 }),
      ids: fc.constantFrom('kept', 'changed', 'of the place in the file', 'none'),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

describe('the bank’s ids', () => {
  it('changed, or used again for another day or amount: each movement of the days that files cover is held once', () => {
    fc.assert(
      fc.property(banks, ({ moved, files }) => {
        const ledger = new Ledger();
        const shown = new Set<number>();
        for (const [at, { from, days, ids }] of files.entries()) {
          const own = [...moved.entries()].filter(([, { day }]) => from <= day && day < from + days);
          const lines = own.map(([which, { day, amount }], place) => {
            // An id that is used again for the same day, amount and currency is the same line.
            const isAlone = moved.filter((one) => one.day === day && one.amount === amount).length === 1;
            const id = {
              kept: `k${which}`,
              changed: `c${at}-${which}`,
              'of the place in the file': isAlone ? `${place}` : `p${at}-${which}`,
              none: null,
            };
            return line(amount, `movement ${which}`, { bankId: id[ids], date: `2026-10-${day}` });
          });
          const plan = ledger.import(at, file('ofx', ...lines));
          // From the contract: new is what no file showed before, whatever its id.
          expect(plan.lines.map(({ by }) => by === 'new')).toEqual(own.map(([which]) => !shown.has(which)));
          for (const [which] of own) shown.add(which);
        }
        expect(ledger.rows.size).toBe(shown.size);
      }),
      { numRuns: RUNS },
    );
  });
});
