import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_REFERENCE_RULE, REFERENCE_STEPS, type ReferenceRule } from '../../../src/base/settings.ts';
import { linkReferences, referenceKey } from '../../../src/imports/references.ts';

const of = (side: string, references: readonly (string | null)[]) =>
  references.map((reference, at) => ({ id: `${side}${at}`, reference }));

function linked(own: (string | null)[], courier: (string | null)[], rule: ReferenceRule = DEFAULT_REFERENCE_RULE) {
  const links = linkReferences(of('own', own), of('courier', courier), rule);
  return {
    links: links.linked.map((pair) => `${pair.by} ${pair.own.id}=${pair.courier.id}`),
    ambiguous: links.ambiguous.map(({ key, own: mine, courier: theirs }) =>
      [key, ...mine.map(({ id }) => id), ...theirs.map(({ id }) => id)].join(' '),
    ),
    own: links.ownOnly.map(({ id }) => id),
    courier: links.courierOnly.map(({ id }) => id),
  };
}
const only = (link: string) => ({ links: [link], ambiguous: [], own: [], courier: [] });
const none = { links: [], ambiguous: [], own: ['own0'], courier: ['courier0'] };

it('the short way to a key leads where the long one does', () => {
  const steps = fc.subarray([...REFERENCE_STEPS]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii' }), steps, (reference, rule) => {
      // A mark that nobody sees makes it a reference that is not plain.
      expect(referenceKey(reference, rule)).toBe(referenceKey(`\u200b${reference}`, rule));
    }),
  );
});

describe('references of both books', () => {
  it.each([
    ['7001', '7001', 'exact'],
    ['#7001', '7001', 'rule'],
    [' 7001\t', '7001', 'rule'],
    ['# 7001', '7001', 'rule'],
    ['ab-7', 'AB-7', 'rule'],
    ['７００１', '7001', 'rule'],
    ['re\u0301f', 'r\u00e9f', 'rule'],
    ['\u200f7001', '7001', 'rule'],
    ['STRASSE', 'straße', 'rule'],
    ['\uFEE1\uFEE2', '\u0645\u0645', 'rule'],
  ])('%j is %j', (own, courier, by) => {
    expect(linked([own], [courier])).toEqual(only(`${by} own0=courier0`));
  });

  it.each([
    ['007', '7'],
    ['##7001', '7001'],
    ['70 01', '7001'],
    ['', ''],
    [' ', ' '],
    ['#', ''],
    [null, null],
  ])('%j is not %j', (own, courier) => {
    expect(linked([own], [courier])).toEqual(none);
  });

  it('lose their leading zeros only when told', () => {
    expect(linked(['#007'], ['7'], ['trim', 'drop-hash', 'drop-zeros'])).toEqual(only('rule own0=courier0'));
    expect(linked(['000'], ['0'], ['drop-zeros'])).toEqual(only('rule own0=courier0'));
    expect(linked(['#7001'], ['7001'], [])).toEqual(none);
  });

  it('are taken as they are first', () => {
    expect(linked(['7001', '#7001'], ['#7001', '7001'])).toEqual({
      links: ['exact own0=courier1', 'exact own1=courier0'],
      ambiguous: [],
      own: [],
      courier: [],
    });
  });

  it('that the rule makes equal are all listed, none is chosen', () => {
    expect(linked(['#7001', ' 7001'], ['7001'])).toEqual({
      links: [],
      ambiguous: ['7001 own0 own1 courier0'],
      own: [],
      courier: [],
    });
    expect(linked(['7001'], ['7001', '7001']).ambiguous).toEqual(['7001 own0 courier0 courier1']);
  });

  it('put every order into one place, however they are ordered', () => {
    const reference = fc.constantFrom('7', '#7', ' 7', '07', 'a', 'A', '', null);
    fc.assert(
      fc.property(fc.array(reference, { maxLength: 8 }), fc.array(reference, { maxLength: 8 }), (own, courier) => {
        const { links, ambiguous, own: mine, courier: theirs } = linked(own, courier);
        const told = [
          ...links.flatMap((link) => link.split(' ')[1]!.split('=')),
          ...ambiguous.flatMap((one) => one.split(' ').filter((part) => /^(own|courier)\d/.test(part))),
          ...mine,
          ...theirs,
        ];
        expect(told.sort()).toEqual([...of('own', own), ...of('courier', courier)].map(({ id }) => id).sort());
        const [a, b] = [of('own', own), of('courier', courier)];
        const turned = linkReferences(a.toReversed(), b.toReversed(), DEFAULT_REFERENCE_RULE);
        const pairs = turned.linked.map((pair) => `${pair.by} ${pair.own.id}=${pair.courier.id}`);
        expect(pairs.sort()).toEqual(links.sort());
      }),
    );
  });
});
