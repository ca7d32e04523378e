import { Command } from '@commander-js/extra-typings';
import { didYouMean } from '../../base/edit-distance.ts';
import { UsageError } from '../../base/errors.ts';
import { cleanText, quoted } from '../../base/text.ts';
import type { sectionsText } from '../../render/section-text.ts';
import { example, ledgerOption, printAnswer, type Start } from '../command.ts';
import type { Session, SettingInput, Texts } from '../session.ts';

const KINDS = ['invoice', 'order', 'receipt', 'mismatch', 'run', 'close'] as const;

export const declare = (start: Start) =>
  new Command('show')
    .summary('all that is known of one invoice, order, receipt, mismatch, run or close')
    .description(
      'Shows all that is known of one thing: what each document says of it, its history, and what was found. Name its kind, or only its number, id or reference.',
    )
    .argument('<kind>', `${KINDS.join(', ')}; or what is shown, where its kind is clear`)
    .argument(
      '[id]',
      'its number or id; for an order also its reference, for a close its month; a mismatch’s id may be shortened while it is unique',
    )
    .addOption(ledgerOption())
    .addHelpText(
      ...example('remit show invoice 10009', 'remit show order "#653"', 'remit show receipt 41', 'remit show 10009'),
    )
    .action((kind, id, options) => start('show', { kind, id, ...options }, show));

export const completes = async () => ({ kind: KINDS });

export type ShowInput = SettingInput & Texts<'id'> & { readonly kind: string };

export interface ShowOneInput extends SettingInput {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
}

/** Shows a thing by its kind and id, or by its id alone. */
export async function show(session: Session, { kind: word, id, ...input }: ShowInput): Promise<number> {
  const kind = KINDS.find((name) => name === word);
  if (kind !== undefined && id !== undefined) return showOne(session, { kind, id, ...input });
  if (kind !== undefined) throw new UsageError(`which ${kind} is not said`, `Name it: remit show ${kind} ID`);
  if (id !== undefined) {
    const remedy = didYouMean(word, KINDS) ?? `The kinds are ${KINDS.join(', ')}.`;
    throw new UsageError(`there is nothing of the kind ${quoted(word)} to show`, remedy);
  }
  const { findBooksThing } = await import('../../app/show/find.ts');
  const found = await findBooksThing(await session.books(input), word);
  return showOne(session, { ...found, ...input });
}

export async function showOne(session: Session, { kind, id, ...input }: ShowOneInput): Promise<number> {
  const app = await import('../../app/show/index.ts');
  const pages = await import('../../app/show/pages.ts');
  const books = await session.books(input);
  const name = cleanText(id, 80);
  switch (kind) {
    case 'invoice': {
      const shown = await app.showBooksInvoice(books, id);
      const next = evidenceCommand(shown.number_text);
      return print(session, shown, `invoice ${cleanText(shown.number_text, 80)}`, pages.invoicePage, next);
    }
    case 'order': {
      const shown = await app.showBooksOrder(books, id);
      const next = shown.record ? evidenceCommand(shown.order_id) : null;
      return print(session, shown, `order ${cleanText(shown.order_id, 80)}`, pages.orderPage, next);
    }
    case 'receipt':
      return print(session, await app.showBooksReceipt(books, id), `receipt ${name}`, pages.receiptPage);
    case 'close':
      return print(session, await app.showBooksClose(books, id), `closes of ${name}`, pages.closePage);
    case 'run':
      return print(session, await app.showBooksRun(books, id), `run ${name}`, pages.runPage, 'remit report evidence');
    case 'mismatch': {
      const { mismatchShownLines } = await import('../lines/mismatches.ts');
      const shown = await app.showBooksMismatch(books, id);
      return printAnswer(session, shown, () => mismatchShownLines(shown));
    }
  }
}

/** @param next a command to run next */
async function print<Shown>(
  session: Session,
  shown: Shown,
  title: string,
  page: (shown: Shown) => Parameters<typeof sectionsText>[0],
  next: string | null = null,
): Promise<number> {
  const render = await import('../../render/section-text.ts');
  const hint = next === null ? '' : `\nNext: \`${next}\``;
  return printAnswer(session, shown, async () => {
    const text = await render.sectionsText(page(shown), session.tableOptions);
    return `${title}\n\n${text.trimEnd()}${hint}`;
  });
}

/** The command that lists the documents; null for an id with characters that a shell would obey. */
function evidenceCommand(id: string): string | null {
  return /^\w[\w./:-]*$/.test(id) ? `remit evidence ${id} --diff` : null;
}
