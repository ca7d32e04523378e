import { Command } from '@commander-js/extra-typings';
import { didYouMean } from '../../base/edit-distance.ts';
import { UsageError } from '../../base/errors.ts';
import { quoted } from '../../base/text.ts';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

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
      'after',
      example('remit show invoice 10009', 'remit show order "#653"', 'remit show receipt 41', 'remit show 10009'),
    )
    .action((kind, id, options) => start('show', { kind, id, ...options }, show));

export const completes = async () => ({ kind: KINDS });

interface ShowInput extends SettingInput {
  readonly kind: string;
  readonly id: string | undefined;
}

interface ShowOneInput extends SettingInput {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
}

/** Shows what is named by its kind and id, or by its id alone. */
async function show(session: Session, { kind: word, id, ...input }: ShowInput): Promise<number> {
  const kind = KINDS.find((one) => one === word);
  if (kind !== undefined && id !== undefined) return showOne(session, { kind, id, ...input });
  if (kind !== undefined) throw new UsageError(`which ${kind} is not said`, `Name it: remit show ${kind} ID`);
  if (id !== undefined) {
    throw new UsageError(
      `there is nothing of the kind ${quoted(word)} to show`,
      didYouMean(word, KINDS) ?? `The kinds are ${KINDS.join(', ')}.`,
    );
  }
  const { findBooksThing } = await import('../../app/show/find.ts');
  const found = await findBooksThing(await session.books(settingFlags(input)), word);
  return showOne(session, { ...found, ...input });
}

/** Shows one thing. */
export async function showOne(session: Session, { kind, id, ...input }: ShowOneInput): Promise<number> {
  const [app, lines] = await Promise.all([import('../../app/show/index.ts'), import('../lines/show.ts')]);
  const books = await session.books(settingFlags(input));
  const print = (value: unknown, text: () => string[]) =>
    session.json ? session.resultJson(value) : session.result(text().join('\n'));
  switch (kind) {
    case 'invoice': {
      const shown = await app.showBooksInvoice(books, id);
      print(shown, () => lines.invoiceLines(shown));
      break;
    }
    case 'order': {
      const shown = await app.showBooksOrder(books, id);
      print(shown, () => lines.orderLines(shown));
      break;
    }
    case 'receipt': {
      const shown = await app.showBooksReceipt(books, id);
      print(shown, () => lines.receiptLines(shown));
      break;
    }
    case 'close': {
      const shown = await app.showBooksClose(books, id);
      print(shown, () => lines.closeLines(shown));
      break;
    }
    case 'mismatch': {
      const shown = await app.showBooksMismatch(books, id);
      print(shown, () => lines.mismatchLines(shown));
      break;
    }
    case 'run': {
      const shown = await app.showBooksRun(books, id);
      print(shown, () => lines.runLines(shown));
    }
  }
  return 0;
}
