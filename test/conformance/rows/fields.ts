import { expect } from 'vitest';
import type { Check } from '../checks.ts';
import { type SampleName, samplesOf } from '../samples.ts';
import { NothingToTest, type Row } from './row.ts';

export type FieldTable = readonly (readonly [name: string, says: string, check: Check])[];

/**
 * One row for each field of a resource: every document of it that the service gives has the field, and in it what the
 * specification says; and a row that the service tells nothing which the specification does not name.
 *
 * @param optional names of fields that only some of the documents have
 */
export function fieldRows(
  resource: string,
  heading: string,
  samples: SampleName,
  table: FieldTable,
  optional: readonly string[] = [],
): Row[] {
  const prefix = resource.toLowerCase().replaceAll(' ', '-');
  const rows = table.map(
    ([name, says, check]): Row => ({
      id: `${prefix}.${name}`,
      section: heading,
      says: `${resource}, ${name}: ${says}`,
      async test(api) {
        const all = await samplesOf(api, samples);
        const found = optional.includes(name) ? all.filter((sample) => name in sample) : all;
        if (found.length === 0) throw new NothingToTest(`this server has no ${resource} with ${name}`);
        for (const [i, sample] of found.entries()) {
          const where = `${samples}[${i}].${name}`;
          expect(sample, where).toHaveProperty(name);
          check(sample[name], where);
        }
      },
    }),
  );
  const whole: Row = {
    id: `${prefix}.whole`,
    section: heading,
    says: `${resource}: its fields are those of the table`,
    async test(api) {
      const all = await samplesOf(api, samples);
      if (all.length === 0) throw new NothingToTest(`this server has no ${resource}`);
      const names = table.map(([name]) => name);
      for (const sample of all) {
        const given = Object.keys(sample);
        // Another server may tell more than the specification; the sandbox tells nothing that it does not name.
        if (api.target.sandbox !== null) expect(given.filter((name) => !names.includes(name))).toEqual([]);
        expect(names.filter((name) => !given.includes(name) && !optional.includes(name))).toEqual([]);
      }
    },
  };
  return [...rows, whole];
}
