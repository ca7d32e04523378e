import type { VNode } from 'preact';
import type { Row } from '../../../reports/model.ts';
import { loosenedBy } from '../../app/approvals/policy.ts';
import { sumsOf } from '../../app/decisions/lines.ts';
import { SETTLEMENTS } from '../../app/decisions/settle.ts';
import { isSamePerson } from '../../base/names.ts';
import type { DeskWord } from '../../words/sentences.ts';
import type { DeskContext } from '../context.ts';
import { KINDS } from '../deciding/imports.ts';
import type { Models } from '../models.ts';
import { DecisionLines } from './parts/decision-lines.tsx';
import { KnownRows } from './parts/fields.tsx';
import { ChoiceField, CourierField, FileField, Form, LabelledInput } from './parts/form.tsx';
import { ListTable } from './parts/list-table.tsx';
import { Shell } from './parts/shell.tsx';
import { Around } from './parts/table-links.tsx';
import { dated, wordsOf } from './parts/words.ts';

/** Files that were imported, and the form that imports more. */
export function ImportsPage({ imports, next }: Models['imports'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const linkToFile = (_: object, place: number) => {
    const { sha256 } = imports[place]!;
    return (
      <a href={`/evidence/${sha256}`}>
        <code>{`${sha256.slice(0, 12)}…`}</code>
      </a>
    );
  };
  return (
    <Shell desk={desk} title={word('imports')}>
      <Form desk={desk} action="/imports" isSeenFirst class="decide" isUpload label={word('import-file')}>
        <FileField label={word('drop-files')} name="file" />
        <ChoiceField
          label={word('what-it-holds')}
          name="kind"
          options={[['', word('recognised')], ...KINDS.map((kind) => [kind, word(`import-${kind}`)] as const)]}
        />
        <CourierField desk={desk} any="" />
        <LabelledInput label={word('account')} name="account" />
        <LabelledInput label={word('map')} name="map" />
        <button type="submit" class="first">
          {word('import-file')}
        </button>
      </Form>
      <ListTable
        name="imports"
        records={imports}
        next={next}
        desk={desk}
        more={[{ title: word('document'), cell: linkToFile }]}
      />
      <p>
        <a href="/decisions">{word('undo-in-decisions')}</a>
      </p>
    </Shell>
  );
}

/** The closes of months, with those that were opened again. */
export function ClosesPage({ closes, next }: Models['closes'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const records = closes.map(({ reopened, ...close }) => ({
    ...close,
    reopened_at: reopened?.at ?? null,
    reopened_by: reopened?.by ?? null,
    reopened_reason: reopened?.reason ?? null,
  }));
  return (
    <Shell desk={desk} title={word('closes')}>
      <ListTable
        name="closes"
        records={records}
        next={next}
        desk={desk}
        unsorted={['reopened_at', 'reopened_by', 'reopened_reason']}
        draw={{
          period: ({ period }) => (
            <td>
              <a href={`/closes/${period}`}>{String(period)}</a>
            </td>
          ),
        }}
      />
    </Shell>
  );
}

/** What was settled without a receipt, and the form that settles more. */
export function SettlementsPage({ settlements, next }: Models['settlements'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('settlements')}>
      <Form desk={desk} action="/settlements" isSeenFirst class="decide" label={word('settle')}>
        <LabelledInput label={word('invoice')} name="invoices" required />
        <CourierField desk={desk} />
        <ChoiceField
          label={word('kind')}
          name="as"
          options={[['', word('choose')], ...SETTLEMENTS.map((kind) => [kind, word(kind)] as const)]}
          required
        />
        <LabelledInput label={word('amount')} name="amount" required />
        <LabelledInput label={word('currency')} name="currency" />
        <LabelledInput label={word('note')} name="note" class="long" required />
        <button type="submit" class="first">
          {word('settle')}
        </button>
      </Form>
      <ListTable name="settlements" records={settlements} next={next} desk={desk} />
      <p>
        <a href="/decisions">{word('undo-in-decisions')}</a>
      </p>
    </Shell>
  );
}

/** What people decided, the latest first. Undoing one decides its opposite: nothing is erased. */
export function DecisionsPage({ decisions, next }: Models['decisions'], desk: DeskContext): VNode {
  const { language, word } = wordsOf(desk);
  const records = decisions.map(({ kind, to_status, ...decision }) => {
    const decided = language.say({ id: 'desk-decision', kind });
    const status = language.statuses[to_status as keyof typeof language.statuses] ?? to_status;
    return { ...decision, kind: status === null ? decided : `${decided}: ${status}` };
  });
  return (
    <Shell desk={desk} title={word('decisions')}>
      <p class="hint">{word('decisions-hint')}</p>
      <ListTable
        name="decisions"
        records={records}
        next={next}
        desk={desk}
        more={[{ title: word('undo'), cell: (_, place) => <Undo entry={decisions[place]!} desk={desk} /> }]}
      />
    </Shell>
  );
}

type DecisionEntry = Models['decisions']['decisions'][number];

/** The form that decides the opposite. */
function Undo({
  entry: { id, undo },
  desk,
}: {
  readonly entry: DecisionEntry;
  readonly desk: DeskContext;
}): VNode | null {
  const { word } = wordsOf(desk);
  if (undo === null || desk.readOnly) return null;
  return (
    <details>
      <summary>{word('undo')}</summary>
      <Form desk={desk} action={`/decisions/${id}/undo`} isSeenFirst class="inline" values={{ back: desk.link({}) }}>
        <LabelledInput label={word('reason')} name="reason" required />
        <button type="submit" aria-label={`${word('undo')} ${id}`}>
          {word('undo')}
        </button>
      </Form>
    </details>
  );
}

/** Decisions that wait for a second person, and those that were approved, refused or withdrawn. */
export function ApprovalsPage({ approvals, next }: Models['approvals'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  return (
    <Shell desk={desk} title={word('approvals')}>
      <p class="hint">{word('approvals-hint')}</p>
      {approvals.length === 0 && <p>{word('no-approvals')}</p>}
      {approvals.map((proposal) => (
        <ProposalSection proposal={proposal} desk={desk} />
      ))}
      <Around next={next} desk={desk} />
    </Shell>
  );
}

interface ProposalProps {
  readonly proposal: Models['approvals']['approvals'][number];
  readonly desk: DeskContext;
}

/** A proposal: who made it and who decided about it, what it would do, and, while it waits, its form. */
function ProposalSection({ proposal, desk }: ProposalProps): VNode {
  const { word } = wordsOf(desk);
  const { id, what, at, by, request, lines, status, decided_by: decidedBy, decided_at: decidedAt, note } = proposal;
  return (
    <section>
      <h2>{`${id}: ${word(`waiting-${what}`)}`}</h2>
      <p>
        <bdi>{by}</bdi> · <bdi>{dated(at, desk)}</bdi> · <b>{word(`approval-${status}`)}</b>
        {decidedBy !== null && (
          <>
            {': '}
            <bdi>{decidedBy}</bdi>
            {decidedAt !== null && (
              <>
                {' · '}
                <bdi>{dated(decidedAt, desk)}</bdi>
              </>
            )}
          </>
        )}
        {note !== null && (
          <>
            {' · '}
            <bdi>{note}</bdi>
          </>
        )}
      </p>
      <Facts request={request} desk={desk} />
      {/* Only a change of the settings, which has no lines, has old and new values. */}
      {'old' in request ? (
        <KnownRows of={loosenedBy(request.old, request.new)} desk={desk} caption={word(`waiting-${what}`)} />
      ) : (
        <DecisionLines lines={lines} sums={sumsOf(lines)} desk={desk} />
      )}
      {status === 'waiting' && <Approve proposal={proposal} desk={desk} />}
    </section>
  );
}

/** The form that approves or refuses a proposal; whoever made it can only withdraw it. */
function Approve({ proposal, desk }: ProposalProps): VNode | null {
  const { language, word } = wordsOf(desk);
  const { id, by, made_by: madeBy, request, lines } = proposal;
  const isByReader = [by, ...madeBy].some((person) => isSamePerson(person, desk.user));
  const about =
    'month' in request
      ? { of: language.month(request.month) }
      : { sums: sumsOf(lines).map(({ amount, currency }) => ({ amount, currency })) };
  return (
    <Form
      desk={desk}
      action={`/approvals/${id}/approve`}
      also={[`/approvals/${id}/refuse`]}
      class="decide"
      label={`${word('approve')} ${id}`}
    >
      {isByReader && <p class="hint">{word('own-proposal')}</p>}
      <LabelledInput label={word('note')} name="note" class="long" />
      {!isByReader && (
        <button type="submit" class="first">
          {language.say({ id: 'decide', decision: 'approve', ...about })}
        </button>
      )}
      <button type="submit" formAction={`/approvals/${id}/refuse`}>
        {word(isByReader ? 'withdraw-proposal' : 'refuse')}
      </button>
    </Form>
  );
}

type ProposedRequest = ProposalProps['proposal']['request'];

/** The kind of a match's difference, of a settlement, or of an imported file (`receipts`); null for any other. */
function kindOf(request: ProposedRequest) {
  if ('difference' in request) return request.difference;
  return 'kind' in request ? request.kind : null;
}

/** The kind and the reason of a proposal, which its lines do not say. */
function Facts({ request, desk }: { readonly request: ProposedRequest; readonly desk: DeskContext }): VNode {
  const { word } = wordsOf(desk);
  const kind = kindOf(request);
  const facts: readonly (readonly [name: DeskWord, text: string | null])[] = [
    ['kind', kind === null || kind === 'receipts' ? null : word(kind)],
    ['rate', 'rate' in request ? (request.rate ?? null) : null],
    ['note', 'note' in request ? request.note : null],
    ['with-open', 'withOpen' in request ? request.withOpen : null],
  ];
  return (
    <>
      {facts.map(
        ([name, text]) =>
          text !== null && (
            <p>
              {`${word(name)}: `}
              <bdi>{text}</bdi>
            </p>
          ),
      )}
    </>
  );
}

/** Saved views: pages with their filters, under a name. */
export function ViewsPage({ views, next }: Models['views'], desk: DeskContext): VNode {
  const { word } = wordsOf(desk);
  const remove = (_: object, place: number) => {
    const { name } = views[place]!;
    return (
      <Form desk={desk} action="/views/remove" class="inline" values={{ name }}>
        <button type="submit" aria-label={`${word('remove')} ${name}`}>
          {word('remove')}
        </button>
      </Form>
    );
  };
  const link = ({ name }: Row) => (
    <td dir="auto">
      <a href={views.find((view) => view.name === name)!.address}>{String(name)}</a>
    </td>
  );
  return (
    <Shell desk={desk} title={word('views')}>
      <ListTable
        name="views"
        records={views}
        next={next}
        desk={desk}
        draw={{ name: link }}
        more={[{ title: word('remove'), cell: remove }]}
      />
    </Shell>
  );
}
