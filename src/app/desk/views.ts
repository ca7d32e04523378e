import { UsageError } from '../../base/errors.ts';
import { cleanText } from '../../base/text.ts';
import { appendEvidence } from '../../ledger/index.ts';
import { readEvidenceOfKinds } from '../../ledger/queries/evidence/decided.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { showingError } from '../../words/errors/showing.ts';
import { type Books, changeBooks, NO_FIGURES, readBooks } from '../books.ts';

/** A page of the desk with its filters, saved in the books under a name. */
export interface SavedView {
  readonly name: string;
  /** The page with its filters: `/mismatches?code=payment-overdue`. */
  readonly address: string;
  readonly by: string;
  readonly at: string;
}

const SAVED = 'view-saved';
const REMOVED = 'view-removed';

/** The saved views, sorted by name. */
export function listViews(books: Books): Promise<SavedView[]> {
  return readBooks(books, NO_FIGURES, readViews);
}

async function readViews(db: LedgerReader): Promise<SavedView[]> {
  const views = new Map<string, SavedView>();
  for (const { kind, subject: name, actor, at, data } of await readEvidenceOfKinds(db, [SAVED, REMOVED])) {
    if (kind === REMOVED) views.delete(name);
    else views.set(name, { name, address: JSON.parse(data!).address, by: actor!, at });
  }
  return [...views.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A path on the desk: nothing that a browser could take for another site, such as `//host` or `/\host`. */
const ADDRESS = /^\/(?![/\\])[\x21-\x7e]{0,1999}$/;

/** Saves a view, in place of one of the same name. @throws UsageError for a bad name or address */
export function saveView(books: Books, view: Omit<SavedView, 'at'>): Promise<SavedView> {
  const name = view.name.trim();
  if (name === '' || cleanText(name, 80) !== name) {
    throw new UsageError(showingError({ id: 'no-view-name', name: view.name })).at('name');
  }
  if (!ADDRESS.test(view.address)) {
    throw new UsageError(showingError({ id: 'no-view-address', address: view.address }));
  }
  return changeBooks(books, NO_FIGURES, async (trx) => {
    const { by, address } = view;
    const at = books.now();
    await appendEvidence(trx, { at, kind: SAVED, actor: by, subject: name, data: { address } });
    return { name, address, by, at: at.toISOString() };
  });
}

/** Takes a view away. @throws UsageError where there is none of that name */
export function removeView(books: Books, { name, by }: Pick<SavedView, 'name' | 'by'>): Promise<void> {
  return changeBooks(books, NO_FIGURES, async (trx) => {
    if (!(await readViews(trx)).some((view) => view.name === name)) {
      throw new UsageError(showingError({ id: 'no-view', name }));
    }
    await appendEvidence(trx, { at: books.now(), kind: REMOVED, actor: by, subject: name });
  });
}
