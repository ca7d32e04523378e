import { Argument, Command } from '@commander-js/extra-typings';
import { example, ledgerOption, type Start } from '../command.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

const KINDS = ['invoice', 'order', 'receipt', 'mismatch', 'run', 'close'] as const;

export const declare = (start: Start) =>
  new Command('show')
    .summary('all that is known of one invoice, order, receipt, mismatch, run or close')
    .description(
      'Shows all that is known of one thing: what each document says of it, its history, and what was found.',
    )
    .addArgument(new Argument('<kind>', 'what it is').choices(KINDS))
    .argument('<id>', 'its number or id; a mismatch’s may be shortened while it is unique; of a close the month')
    .addOption(ledgerOption())
    .addHelpText('after', example('remit show invoice 10009', 'remit show order 86DW546HQX', 'remit show receipt 41'))
    .action((kind, id, options) => start('show', { kind, id, ...options }, showOne));

interface ShowInput extends SettingInput {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
}

/** Shows one thing. */
export async function showOne(session: Session, { kind, id, ...input }: ShowInput): Promise<number> {
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
