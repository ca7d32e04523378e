import type { VNode } from 'preact';
import { bridgeLines, shortLines } from '../../../../reports/statement/bridge.ts';
import type { Statement } from '../../../../reports/statement/model.ts';
import { bridgeSection, outsideSection } from '../../../../reports/statement/sections/bridge.ts';
import { detailSections } from '../../../../reports/statement/sections/details.ts';
import { definitions, monthFacts, originFacts } from '../../../../reports/statement/sections/facts.ts';
import { summaryCurrencies } from '../../../../reports/statement/signing-page.ts';
import { countGrouped } from '../../../base/counted.ts';
import { instantForPeople } from '../../../base/instant.ts';
import type { Language } from '../../../words/index.ts';
import { DocumentPage, POLICY_WITH_PICTURE } from '../../html/page.tsx';
import { FactList, SectionOf } from '../../html/section.tsx';
import { filled, htmlOf, inPieces, Slot, streamed } from '../../html/stream.tsx';
import { HtmlTable } from '../../html/table.tsx';
import { runStatus } from '../about.ts';
import { inLanguage, printText, SHEETS } from '../in-language.ts';
import { annexTable, type RowsBelow } from './annex.tsx';
import { FirstPage } from './first-page.tsx';
import { printRules, STATEMENT_STYLE } from './style.ts';

/** Facts of the month that the first page leaves out or cuts: the details have them. */
const FACTS: readonly string[] = ['period', 'as-of', 'warning'];

/** The first sheet of the annex: what the page that people sign has no room for. */
function Details({ statement, language }: { readonly statement: Statement; readonly language: Language }): VNode {
  const currencies = summaryCurrencies(statement);
  const { proof } = statement;
  // Each step of the bridge and each kind of money outside of it has a line: the first page sums up small ones.
  const sections = detailSections(statement, currencies, [
    bridgeSection(statement, currencies, bridgeLines(proof, null)),
    outsideSection(statement, currencies, shortLines(proof, { isSplit: true })),
  ]);
  return (
    <>
      <FactList facts={monthFacts(statement).filter(({ name }) => FACTS.includes(name))} language={language} />
      {sections.map((section) => (
        <SectionOf section={section} language={language} />
      ))}
    </>
  );
}

type AnnexSheet = readonly [title: string, content: () => AsyncIterable<string> | Iterable<string>];

/**
 * A month's statement as one HTML file to print: the page that people sign, and the annex, with a sheet for each sheet
 * of the workbook. It loads nothing. The same ledger gives the same text.
 */
export async function* statementHtml(statement: Statement, language: Language): AsyncGenerator<string> {
  const worded = inLanguage(statement, language);
  const { month, merchant, tables } = worded;
  const { say } = language;
  const below: Partial<Record<(typeof SHEETS)[number], RowsBelow>> = {
    invoices: { heading: say({ id: 'statement/no-longer-listed' }), rows: tables.vanished },
    mismatches: { heading: say({ id: 'statement/resolved' }), rows: tables.resolved },
  };
  const sheets: readonly AnnexSheet[] = [
    [say({ id: 'statement/details' }), () => [htmlOf(<Details statement={statement} language={language} />)]],
    ...SHEETS.map((name): AnnexSheet => [tables[name].title, () => annexTable(tables[name], language, below[name])]),
    [say({ id: 'statement/about' }), () => aboutSheet(statement, language)],
  ];
  const marginTexts = printText(worded, language);
  // The name of a sheet's CSS page, of its class, and of the slot for its content.
  const nameOf = (index: number) => `sheet${index + 1}`;
  const printed = sheets.map(([title], index) => ({ name: nameOf(index), title }));
  // CSS in which the words are in quotes, and the two counters between them are not.
  const pages = `"${say({ id: 'workbook/page-of-pages', page: '" counter(page) "', pages: '" counter(pages) "' })}"`;
  const css = `${STATEMENT_STYLE}${printRules(printed, marginTexts, pages, language.isRightToLeft)}`;
  const heading = `${merchant}: ${say({ id: 'statement/heading', monthInWords: language.month(month) })}`;
  const document = (
    <DocumentPage title={heading} language={language} css={css} policy={POLICY_WITH_PICTURE}>
      <FirstPage statement={statement} language={language} />
      {sheets.map(([title], index) => (
        <section class={nameOf(index)}>
          <h2>{title}</h2>
          <Slot name={nameOf(index)} />
        </section>
      ))}
      <footer>{marginTexts.origin}</footer>
    </DocumentPage>
  );
  yield* streamed(document, Object.fromEntries(sheets.map(([, content], index) => [nameOf(index), content])));
}

/** The last sheet: what each figure means, and the runs and documents that it comes from. */
async function* aboutSheet(statement: Statement, language: Language): AsyncGenerator<string> {
  const { say } = language;
  const runs = ['run', 'command', 'status'] as const;
  const times = ['started-at', 'finished-at'] as const;
  const documents = ['invoice', 'document-hash', 'bytes', 'run', 'received-at'] as const;
  const title = (name: (typeof runs | typeof times | typeof documents)[number]) => ({
    title: say({ id: `statement/${name}` }),
  });
  const sheet = (
    <>
      <h3>{say({ id: 'statement/definitions' })}</h3>
      <FactList facts={definitions()} language={language} />
      <h3>{say({ id: 'statement/origin' })}</h3>
      <FactList facts={originFacts(statement)} language={language} />
      <h3>{say({ id: 'statement/runs' })}</h3>
      <HtmlTable class="block list" heads={[...runs.map(title), { title: 'remit' }, ...times.map(title)]}>
        {statement.runs.map(({ id, command, status, remit_version, started_at, finished_at }) => (
          <Codes
            of={[
              String(id),
              command,
              runStatus(status, language),
              remit_version,
              timeOf(started_at),
              timeOf(finished_at),
            ]}
          />
        ))}
      </HtmlTable>
      <h3>{say({ id: 'statement/documents' })}</h3>
      <p class="hint">{say({ id: 'statement/documents-hint' })}</p>
      <HtmlTable class="block list" heads={documents.map(title)}>
        <Slot name="documents" />
      </HtmlTable>
    </>
  );
  yield* filled(sheet, {
    documents: () =>
      inPieces(statement.documents, ({ invoice_number, sha256, size, run_id, received_at }) => (
        <Codes of={[String(invoice_number), sha256, countGrouped(size), String(run_id), timeOf(received_at)]} />
      )),
  });
}

function Codes({ of }: { readonly of: readonly string[] }): VNode {
  return (
    <tr>
      {of.map((text) => (
        <td class="code">{text}</td>
      ))}
    </tr>
  );
}

/** Without `UTC`, which the headings of times have. */
function timeOf(iso: string | null): string {
  return iso === null ? '' : instantForPeople(iso).replace(/ UTC$/, '');
}
