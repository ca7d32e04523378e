import type { VNode } from 'preact';
import { countGrouped } from '../../../base/counted.ts';
import { instantForPeople } from '../../../base/instant.ts';
import type { Language } from '../../../words/index.ts';
import { DEFINED } from '../../../words/sentences.ts';
import { filled, inPieces, Slot } from '../../html/stream.tsx';
import { Table } from '../../html/table.tsx';
import { originFacts, runStatus } from '../about.ts';
import type { SaidStatement } from '../in-language.ts';

/** The last sheet: what each figure means, and which runs and documents stand behind it. */
export async function* about(statement: SaidStatement, language: Language): AsyncGenerator<string> {
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
      <Facts
        of={DEFINED.map((term) => [say({ id: 'statement/term', term }), say({ id: 'statement/definition', term })])}
      />
      <h3>{say({ id: 'statement/origin' })}</h3>
      <Facts of={originFacts(statement, say)} />
      <h3>{say({ id: 'statement/runs' })}</h3>
      <Table class="block list" heads={[...runs.map(title), { title: 'remit' }, ...times.map(title)]}>
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
      </Table>
      <h3>{say({ id: 'statement/documents' })}</h3>
      <p class="hint">{say({ id: 'statement/documents-hint' })}</p>
      <Table class="block list" heads={documents.map(title)}>
        <Slot name="documents" />
      </Table>
    </>
  );
  yield* filled(sheet, {
    documents: () =>
      inPieces(statement.documents, ({ invoice_number, sha256, size, run_id, received_at }) => (
        <Codes of={[String(invoice_number), sha256, countGrouped(size), String(run_id), timeOf(received_at)]} />
      )),
  });
}

/** A text without such a letter is an address, a version or a number, whose signs stay in their places on a page from right to left. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** What is what: terms beside what they mean. */
export function Facts({ of }: { readonly of: readonly (readonly [term: string, text: string])[] }): VNode {
  return (
    <dl>
      {of.map(([term, text]) => (
        <div>
          <dt>{term}</dt>
          <dd>{RIGHT_TO_LEFT.test(text) ? text : <bdi dir="ltr">{text}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
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

function timeOf(iso: string | null): string {
  return iso === null ? '' : instantForPeople(iso).replace(/ UTC$/, '');
}
