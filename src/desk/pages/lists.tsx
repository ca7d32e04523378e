import type { VNode } from 'preact';
import type { Row } from '../../../reports/model.ts';
import { loosenedBy } from '../../app/approvals/policy.ts';
import { sumsOf } from '../../app/decisions/lines.ts';
import { isSamePerson } from '../../base/names.ts';
import type { DeskWord } from '../../words/sentences.ts';
import { KINDS } from '../deciding/imports.ts';
import type { Models } from '../models.ts';
import { DecisionLines } from './deciding.tsx';
import { SettlementKindField } from './parts/deciding-forms.tsx';
import { KnownRows } from './parts/fields.tsx';
import { ChoiceField, CourierField, Form, LabelledInput, MainButton, UndoForm } from './parts/form.tsx';
import { ListTable, TableLinks } from './parts/report-table.tsx';
import { Also, Shell } from './parts/shell.tsx';
import { dated, usePage } from './parts/words.ts';

export function ImportsPage({ imports, next }: Models['imports']): VNode {
  const { word } = usePage();
  const linkToFile = (_: object, place: number) => {
    const { sha256 } = imports[place]!;
    return (
      <a href={`/evidence/${sha256}`}>
        <code>{`${sha256.slice(0, 12)}…`}</code>
      </a>
    );
  };
  return (
    <Shell title={word('imports')}>
      <Form action="/imports" isSeenFirst class="decide" isUpload label={word('import-file')}>
        <label class="field long">
          <span>{word('drop-files')}</span>
          <input type="file" name="file" required multiple />
        </label>
        <ChoiceField
          label={word('what-it-holds')}
          name="kind"
          options={[['', word('recognised')], ...KINDS.map((kind) => [kind, word(`import-${kind}`)] as const)]}
        />
        <CourierField anyLabel="" />
        <LabelledInput label={word('account')} name="account" />
        <LabelledInput label={word('map')} name="map" />
        <MainButton>{word('import-file')}</MainButton>
      </Form>
      <ListTable
        name="imports"
        records={imports}
        next={next}
        extraColumns={[{ title: word('document'), cell: linkToFile }]}
      />
      <p>
        <a href="/decisions">{word('undo-in-decisions')}</a>
      </p>
    </Shell>
  );
}

export function ClosesPage({ closes, next }: Models['closes']): VNode {
  const { word } = usePage();
  // The list cannot be sorted by these three: the closes that are sorted have them within `reopened`.
  const records = closes.map(({ reopened, ...close }) => ({
    ...close,
    reopened_at: reopened?.at ?? null,
    reopened_by: reopened?.by ?? null,
    reopened_reason: reopened?.reason ?? null,
  }));
  return (
    <Shell title={word('closes')}>
      {closes.length === 0 && <p>{word('no-closes')}</p>}
      <ListTable
        name="closes"
        records={records}
        next={next}
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

export function SettlementsPage({ settlements, next }: Models['settlements']): VNode {
  const { word } = usePage();
  return (
    <Shell title={word('settlements')}>
      <Form action="/settlements" isSeenFirst class="decide" label={word('settle')}>
        <LabelledInput label={word('invoice')} name="invoices" required />
        <CourierField />
        <SettlementKindField />
        <LabelledInput label={word('amount')} name="amount" required />
        <LabelledInput label={word('currency')} name="currency" />
        <LabelledInput label={word('note')} name="note" class="long" required />
        <MainButton>{word('settle')}</MainButton>
      </Form>
      <ListTable name="settlements" records={settlements} next={next} />
      <p>
        <a href="/decisions">{word('undo-in-decisions')}</a>
      </p>
    </Shell>
  );
}

/** What people decided, the latest first. Undoing one decides its opposite: nothing is erased. */
export function DecisionsPage({ decisions, next }: Models['decisions']): VNode {
  const { desk, language, word } = usePage();
  const records = decisions.map(({ kind, to_status, ...decision }) => {
    const decided = language.say({ id: 'desk-decision', kind });
    const status = language.statuses[to_status as keyof typeof language.statuses] ?? to_status;
    return { ...decision, kind: status === null ? decided : `${decided}: ${status}` };
  });
  const undoForm = (_: object, place: number) => {
    const { id, undo } = decisions[place]!;
    if (undo === null || desk.readOnly) return null;
    return <UndoForm action={`/decisions/${id}/undo`} name="undo" id={id} />;
  };
  return (
    <Shell title={word('decisions')}>
      <p class="hint">{word('decisions-hint')}</p>
      <ListTable
        name="decisions"
        records={records}
        next={next}
        extraColumns={[{ title: word('undo'), cell: undoForm }]}
      />
    </Shell>
  );
}

/** Decisions that wait for a second person, and those that were approved, refused or withdrawn. */
export function ApprovalsPage({ approvals, next }: Models['approvals']): VNode {
  const { word } = usePage();
  return (
    <Shell title={word('approvals')}>
      <p class="hint">{word('approvals-hint')}</p>
      {approvals.length === 0 && <p>{word('no-approvals')}</p>}
      {approvals.map((proposal) => (
        <ProposalSection proposal={proposal} />
      ))}
      <TableLinks next={next} />
    </Shell>
  );
}

interface ProposalProps {
  readonly proposal: Models['approvals']['approvals'][number];
}

/** A proposal: who made it and who decided about it, what it would do, and, while it waits, its form. */
function ProposalSection({ proposal }: ProposalProps): VNode {
  const { desk, word } = usePage();
  const { id, what, at, by, request, lines, status, decided_by: decidedBy, decided_at: decidedAt, note } = proposal;
  return (
    <section>
      <h2>{`${id}: ${word(`waiting-${what}`)}`}</h2>
      <p>
        <bdi>{by}</bdi> · <bdi>{dated(at, desk)}</bdi> · <b>{word(`approval-${status}`)}</b>
        {decidedBy !== null && <Also after=": ">{decidedBy}</Also>}
        {decidedBy !== null && decidedAt !== null && <Also after=" · ">{dated(decidedAt, desk)}</Also>}
        {note !== null && <Also after=" · ">{note}</Also>}
      </p>
      <Facts request={request} />
      {/* Only a change of the settings, which has no lines, has old and new values. */}
      {'old' in request ? (
        <KnownRows of={loosenedBy(request.old, request.new)} caption={word(`waiting-${what}`)} />
      ) : (
        <DecisionLines lines={lines} sums={sumsOf(lines)} />
      )}
      {status === 'waiting' && <Approve proposal={proposal} />}
    </section>
  );
}

/** The form that approves or refuses a proposal; whoever made it can only withdraw it. */
function Approve({ proposal }: ProposalProps): VNode | null {
  const { desk, language, word } = usePage();
  const { id, by, made_by: madeBy, request, lines } = proposal;
  const isByReader = [by, ...madeBy].some((person) => isSamePerson(person, desk.user));
  const about =
    'month' in request
      ? { of: language.month(request.month) }
      : { sums: sumsOf(lines).map(({ amount, currency }) => ({ amount, currency })) };
  return (
    <Form
      action={`/approvals/${id}/approve`}
      also={[`/approvals/${id}/refuse`]}
      class="decide"
      label={`${word('approve')} ${id}`}
    >
      {isByReader && <p class="hint">{word('own-proposal')}</p>}
      <LabelledInput label={word('note')} name="note" class="long" />
      {!isByReader && <MainButton>{language.say({ id: 'decide', decision: 'approve', ...about })}</MainButton>}
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
function Facts({ request }: { readonly request: ProposedRequest }): VNode {
  const { word } = usePage();
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
              <Also after={`${word(name)}: `}>{text}</Also>
            </p>
          ),
      )}
    </>
  );
}

/** Saved views: pages with their filters, under a name. */
export function ViewsPage({ views, next }: Models['views']): VNode {
  const { word } = usePage();
  const remove = (_: object, place: number) => {
    const { name } = views[place]!;
    return (
      <Form action="/views/remove" class="inline" values={{ name }}>
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
    <Shell title={word('views')}>
      {views.length === 0 && <p>{word('no-views')}</p>}
      <ListTable
        name="views"
        records={views}
        next={next}
        draw={{ name: link }}
        extraColumns={[{ title: word('remove'), cell: remove }]}
      />
    </Shell>
  );
}
