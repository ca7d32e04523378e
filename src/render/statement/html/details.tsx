import type { VNode } from 'preact';
import { bridgeLines, shortLines } from '../../../../reports/statement/bridge.ts';
import { type Statement, summaryCurrencies } from '../../../../reports/statement/index.ts';
import { bridgeSection, outsideSection } from '../../../../reports/statement/sections/bridge.ts';
import { dueSection } from '../../../../reports/statement/sections/due.ts';
import { monthFacts } from '../../../../reports/statement/sections/facts.ts';
import { historySections } from '../../../../reports/statement/sections/history.ts';
import { mismatchesSection } from '../../../../reports/statement/sections/mismatches.ts';
import { notCheckedSection } from '../../../../reports/statement/sections/not-checked.ts';
import { sinceSection } from '../../../../reports/statement/sections/since.ts';
import type { Language } from '../../../words/index.ts';
import { Facts, SectionOf } from '../../html/section.tsx';

const FACTS: readonly string[] = ['period', 'as-of', 'warning'];

/** What the page that one signs has no room for. */
export function Details({
  statement,
  language,
}: {
  readonly statement: Statement;
  readonly language: Language;
}): VNode {
  const currencies = summaryCurrencies(statement);
  const { proof } = statement;
  const sections = [
    dueSection(statement, currencies),
    bridgeSection(statement, currencies, bridgeLines(proof, null)),
    outsideSection(statement, currencies, shortLines(proof, { isWhole: true })),
    sinceSection(statement, currencies),
    mismatchesSection(statement, currencies),
    notCheckedSection(statement),
    ...historySections(statement, currencies),
  ];
  return (
    <>
      <Facts facts={monthFacts(statement).filter(({ name }) => FACTS.includes(name))} language={language} />
      {sections.map((section) => (
        <SectionOf section={section} language={language} />
      ))}
    </>
  );
}
