import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  feeDifferences,
  RateCard,
  type TariffLine,
  type TariffSubject,
  tariffFaults,
} from '../../../src/imports/tariff.ts';
import { eachField, PRICE_FIGURES } from '../../../src/money/fields.ts';

const ANY = { courier: null, workflow: null, district: null, area: null, merchantLocation: null, from: null, to: null };
const line = (place: string, fields: Partial<TariffLine> = {}): TariffLine => ({
  ...ANY,
  place,
  currency: 'USD',
  fee: 30_000n,
  charge: 'delivery',
  ...eachField(PRICE_FIGURES, () => null),
  ...fields,
});
const order = (fields: Partial<TariffSubject> = {}): TariffSubject => ({
  workflow: 'STANDARD',
  district: 'Beirut',
  areas: ['17', 'HMR', 'Hamra', 'الحمرا'],
  merchantLocations: ['3', 'Main shop'],
  day: '2026-10-09',
  packages: 1,
  cod: new Map(),
  weight: null,
  ...fields,
});
const places = (lines: readonly TariffLine[], subject = order()) => {
  const agreed = new RateCard(lines).agreed(subject);
  return agreed.kind === 'none' ? agreed.kind : `${agreed.kind} ${agreed.lines.map(({ place }) => place).join(' ')}`;
};

describe('the rate card', () => {
  const all = [
    line('any'),
    line('workflow', { workflow: 'STANDARD' }),
    line('location', { merchantLocation: '3' }),
    line('location+workflow', { merchantLocation: 'main shop', workflow: 'standard' }),
    line('district', { district: 'BEIRUT ' }),
    line('district+location+workflow', { district: 'Beirut', merchantLocation: '3', workflow: 'STANDARD' }),
    line('area', { area: 'hamra' }),
  ];

  it('lets the most specific line win: area, district, pickup location, workflow', () => {
    const order_ = [
      'area',
      'district+location+workflow',
      'district',
      'location+workflow',
      'location',
      'workflow',
      'any',
    ];
    for (const [at, winner] of order_.entries()) {
      const left = all.filter(({ place }) => !order_.slice(0, at).includes(place));
      expect(places(left)).toBe(`agreed ${winner}`);
      expect(places(left.toReversed())).toBe(`agreed ${winner}`);
    }
    expect(places([])).toBe('none');
  });

  it('knows an area by its name, its code or its id', () => {
    for (const area of ['Hamra', 'hmr', '17', ' الحمرا ']) expect(places([line('area', { area })])).toBe('agreed area');
    expect(places([line('area', { area: 'Verdun' })])).toBe('none');
    expect(places([line('area', { area: '17' })], order({ areas: [] }))).toBe('none');
  });

  it('holds from its first day to its last', () => {
    const dated = line('dated', { from: '2026-10-01', to: '2026-10-09' });
    expect(places([dated])).toBe('agreed dated');
    expect(places([dated], order({ day: '2026-10-01' }))).toBe('agreed dated');
    expect(places([dated], order({ day: '2026-09-30' }))).toBe('none');
    expect(places([dated], order({ day: '2026-10-10' }))).toBe('none');
  });

  it('takes the winning lines together as the price, and nothing of a less specific one', () => {
    const card = new RateCard([
      line('area USD', { area: 'Hamra' }),
      line('area LBP', { area: 'Hamra', currency: 'LBP', fee: 5n, per_package: 4n }),
      line('any EUR', { currency: 'EUR', fee: 7n }),
    ]);
    const agreed = card.agreed(order({ packages: 3 }));
    expect(agreed.kind === 'agreed' && Object.fromEntries(agreed.fees)).toEqual({ USD: 30_000n, LBP: 17n });
  });

  it('says where two lines are about one area after all', () => {
    expect(places([line('name', { area: 'Hamra' }), line('code', { area: 'HMR' })])).toBe('tie code name');
  });

  it('finds what trying every line finds', () => {
    const name = fc.constantFrom(null, 'a', 'b');
    const lines = fc.array(fc.record({ workflow: name, district: name, area: name, merchantLocation: name }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(lines, (scopes) => {
        const card = [...new Map(scopes.map((scope) => [JSON.stringify(scope), scope])).values()];
        const subject = order({ workflow: 'a', district: 'a', areas: ['a'], merchantLocations: ['a'] });
        const weigh = (scope: (typeof card)[number]) =>
          (scope.area ? 8 : 0) + (scope.district ? 4 : 0) + (scope.merchantLocation ? 2 : 0) + (scope.workflow ? 1 : 0);
        const covering = card.filter((scope) => Object.values(scope).every((value) => value === null || value === 'a'));
        const best = covering.sort((a, b) => weigh(b) - weigh(a))[0];
        const expected = best ? `agreed ${JSON.stringify(best)}` : 'none';
        expect(
          places(
            card.map((scope) => line(JSON.stringify(scope), scope)),
            subject,
          ),
        ).toBe(expected);
      }),
    );
  });
});

describe('a rate card that cannot be imported', () => {
  const message = (...lines: TariffLine[]) => tariffFaults(lines).map(({ explanation }) => explanation.message);

  it('has two lines that tie, and names both', () => {
    expect(message(line('t.csv:2', { area: 'Hamra' }), line('t.csv:9', { area: ' HAMRA' }))).toEqual([
      't.csv:2 and t.csv:9 cover the same orders in USD from the first day on: neither is more specific',
    ]);
    expect(message(line('t.csv:2', { to: '2026-06-30' }), line('t.csv:3', { from: '2026-06-30' }))).toEqual([
      't.csv:2 and t.csv:3 cover the same orders in USD from 2026-06-30 on: neither is more specific',
    ]);
  });

  it('finds a tie with a long line behind a short one', () => {
    const long = line('long', { from: '2026-01-01', to: '2026-12-31' });
    const short = line('short', { from: '2026-02-01', to: '2026-02-28' });
    const later = line('later', { from: '2026-06-01' });
    expect(tariffFaults([later, short, long]).map(({ lines }) => lines.map(({ place }) => place))).toEqual([
      ['long', 'short'],
      ['long', 'later'],
    ]);
  });

  it('has a line that ends before it begins', () => {
    expect(message(line('t.csv:4', { from: '2026-02-01', to: '2026-01-31' }))).toEqual([
      't.csv:4: it holds from 2026-02-01 to 2026-01-31, which is no time at all',
    ]);
  });

  it('is not one with prices that follow on each other, or in several currencies', () => {
    const old = line('old', { to: '2026-06-30' });
    const present = line('new', { from: '2026-07-01' });
    expect(message(old, present, { ...old, currency: 'LBP' }, line('workflow', { workflow: 'RETURN' }))).toEqual([]);
  });
});

describe('fees beside the agreed ones', () => {
  it('differ per currency, and one that a side does not name is nothing there', () => {
    const charged = new Map([
      ['USD', 35_000n],
      ['LBP', 10n],
      ['EUR', 1n],
    ]);
    const agreed = new Map([
      ['USD', 30_000n],
      ['GBP', 4n],
      ['EUR', 1n],
    ]);
    expect(feeDifferences(charged, agreed)).toEqual([
      { currency: 'GBP', agreed: 4n, charged: 0n, effect: 4n },
      { currency: 'LBP', agreed: 0n, charged: 10n, effect: -10n },
      { currency: 'USD', agreed: 30_000n, charged: 35_000n, effect: -5_000n },
    ]);
  });
});

describe('the price of an order of which not all is known', () => {
  const card = (...lines: TariffLine[]) => new RateCard(lines);
  const little = order({ areas: [], merchantLocations: [] });
  const unknown = new Set(['area', 'merchantLocation', 'packages'] as const);

  it('is told where nothing of what is unknown could change it', () => {
    const price = card(line('1'), line('2', { district: 'Beirut' }), line('3', { merchantLocation: '7' }));
    // A district is more specific than a pickup place, and what is agreed for another district is not for this one.
    expect(price.agreedWithout(little, unknown)).toMatchObject({ kind: 'agreed', lines: [{ place: '2' }] });
    const other = card(
      line('1'),
      line('2', { district: 'Tyre', area: '17' }),
      line('3', { area: '17', to: '2026-01-01' }),
    );
    expect(other.agreedWithout(little, unknown)).toMatchObject({ kind: 'agreed', lines: [{ place: '1' }] });
    expect(card(line('1', { district: 'Tyre' })).agreedWithout(little, unknown)).toEqual({ kind: 'none' });
  });

  it('is not told where a line that goes by it might win, or where it counts packages', () => {
    expect(card(line('1'), line('2', { area: '17' })).agreedWithout(little, unknown)).toBeNull();
    expect(card(line('1', { merchantLocation: '7' })).agreedWithout(little, unknown)).toBeNull();
    expect(card(line('1', { per_package: 5_000n })).agreedWithout(little, unknown)).toBeNull();
    const nowhere = order({ district: null, areas: [], merchantLocations: [] });
    const byDistrict = card(line('1'), line('2', { district: 'Tyre' }));
    expect(byDistrict.agreedWithout(nowhere, new Set(['district', 'area', 'packages'] as const))).toBeNull();
    expect(byDistrict.agreedWithout(little, unknown)).toMatchObject({ lines: [{ place: '1' }] });
  });
});
