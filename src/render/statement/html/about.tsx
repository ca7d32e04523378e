import type { VNode } from 'preact';
import type { Statement } from '../../../../reports/statement/index.ts';
import { definitions, originFacts } from '../../../../reports/statement/sections/facts.ts';
import { countGrouped } from '../../../base/counted.ts';
import { instantForPeople } from '../../../base/instant.ts';
import type { Language } from '../../../words/index.ts';
import { Facts } from '../../html/section.tsx';
import { filled, inPieces, Slot } from '../../html/stream.tsx';
import { Table } from '../../html/table.tsx';
import { runStatus } from '../about.ts';

/** The last sheet: what each figure means, and which runs and documents stand behind it. */
export async function* about(statement: Statement, language: Language): AsyncGenerator<string> {
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
      <Facts facts={definitions()} language={language} />
      <h3>{say({ id: 'statement/origin' })}</h3>
      <Facts facts={originFacts(statement)} language={language} />
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
