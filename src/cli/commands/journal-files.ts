import path from 'node:path';
import { UsageError } from '../../base/errors.ts';
import type { JournalFormat } from '../../render/journal/formats.ts';
import type { JournalFile } from '../../render/journal/index.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';

export interface JournalInput extends SettingInput {
  readonly period: string | undefined;
  readonly out?: string | undefined;
  readonly asOf?: string | undefined;
  readonly opening?: boolean | undefined;
}

async function* piecesOf({ pieces }: JournalFile): AsyncGenerator<string> {
  yield* pieces;
}

/** Prints a journal for another program, or writes it: a format that takes one currency a file writes several beside each other. */
export async function writeJournal(session: Session, input: JournalInput, format: JournalFormat): Promise<number> {
  const [{ journalOfBooks }, { refuseOwnFiles }, { journalFileName }, { writeDocument }, { writePieces }] =
    await Promise.all([
      import('../../app/journal.ts'),
      import('../../app/books.ts'),
      import('../../render/journal/index.ts'),
      import('../../render/file.ts'),
      import('../../render/output.ts'),
    ]);
  const periods = await session.months(input.period);
  const asOf = await session.asOf(input.asOf);
  const books = await session.books(settingFlags(input));
  const files = await journalOfBooks(books, { periods, format, asOf, opening: input.opening === true });
  if (input.out === undefined) {
    const [file] = files;
    if (files.length > 1) {
      throw new UsageError(
        `this journal is ${files.length} files: each courier has its own, and some programs take one currency and a limited number of lines a file`,
        'Name where they go: --out journal.csv; each gets its courier, currency and number. Or name a courier: --courier NAME.',
      );
    }
    await writePieces(session.io.stdout, piecesOf(file!));
    return 0;
  }
  const out = path.resolve(session.io.cwd, input.out);
  const targets = files.map((file) => journalFileName(out, file));
  for (const target of targets) refuseOwnFiles(books, target);
  for (const [at, file] of files.entries()) {
    await writeDocument(targets[at]!, async () => piecesOf(file));
    session.note(`wrote ${targets[at]}`);
  }
  return 0;
}
