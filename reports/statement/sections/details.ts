import type { Section } from '../../page.ts';
import type { Statement } from '../model.ts';
import { custodySection } from './custody.ts';
import { dueSection } from './due.ts';
import { historySections } from './history.ts';
import { mismatchesSection } from './mismatches.ts';
import { notCheckedSection } from './not-checked.ts';
import { sinceSection } from './since.ts';

/** What the page that one signs has no room for. @param bridge the whole bridge, where that page has it in short */
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
