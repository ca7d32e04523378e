import type { Section } from '../../page.ts';
import type { Statement } from '../model.ts';
import { custodySection } from './custody.ts';
import { dueSection } from './due.ts';
import { historySections } from './history.ts';
import { mismatchesSection, notCheckedSection } from './mismatches.ts';
import { sinceSection } from './since.ts';

/**
 * The sections that are not on the first page, which is signed.
 *
 * @param bridge the whole bridge, if that page shortens it
 */
export function detailSections(
  statement: Statement,
  currencies: readonly string[],
  bridge: readonly Section[] = [],
): readonly Section[] {
  return [
    custodySection(statement, currencies),
    dueSection(statement, currencies),
    ...bridge,
    sinceSection(statement, currencies),
    mismatchesSection(statement, currencies),
    notCheckedSection(statement),
    ...historySections(statement, currencies),
  ];
}
