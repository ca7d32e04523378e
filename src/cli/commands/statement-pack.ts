import path from 'node:path';
import { counted } from '../../base/counted.ts';
import type { LanguageCode } from '../../words/index.ts';
import type { PersonInput, Session, Texts } from '../session.ts';

interface PackInput extends PersonInput, Texts<'out'> {
  readonly month: string;
  readonly split?: 'currency' | undefined;
  readonly lang: LanguageCode;
}

/** Makes a close pack, sound or not. Exits with 1 if the ledger is not sound or the self-test failed. */
export async function writePack(session: Session, { month, out, split, lang, ...flags }: PackInput): Promise<number> {
  const { makeClosePack } = await import('../../app/close-pack/make.ts');
  const { openProgress } = await import('../progress.ts');
  const { incompleteLines } = await import('../lines/check.ts');
  const books = await session.books(flags);
  const progress = openProgress(session);
  const pack = await makeClosePack(books, {
    month,
    out: out === undefined ? null : path.resolve(session.io.cwd, out),
    split: split !== undefined,
    language: lang,
    by: await session.person(flags.by),
    onPart: (done, total) => {
      if (done === 0) progress.begin({ brings: 'parts' }, total);
      else progress.advance(1);
    },
  }).finally(() => progress.end());
  const { statements, missing } = pack;
  const isOne = statements.length + missing.length === 1;
  for (const { courier, result } of statements) {
    for (const line of incompleteLines(result)) session.warn(isOne ? line : `${courier}: ${line}`);
  }
  for (const courier of missing) session.warn(`${courier} holds nothing of ${month}: the pack has nothing of it`);
  const { folder, manifest, manifest_sha256, verified, tested } = pack;
  if (session.json) {
    const figures = statements.flatMap(({ courier, figures: courierFigures }) =>
      courierFigures.map((figure) => ({ courier_name: courier, ...figure })),
    );
    session.resultJson({ folder, ...manifest, manifest_sha256, figures, verified: verified.ok, selftest: tested.ok });
  } else {
    session.result(folder);
    if (!session.quiet) {
      session.result(
        `${month}, ${manifest.status}: ${counted(manifest.files.length, 'file')}, chain ${manifest.chain_head ?? 'none'}`,
      );
      session.result(`manifest.json  ${manifest_sha256}`);
    }
  }
  if (manifest.status === 'draft') {
    session.warn(`${month} is not closed: the pack is of a draft; \`remit close ${month}\` closes it`);
  }
  if (!verified.ok)
    session.warn(`the ledger is not sound: ${counted(verified.problems.length, 'problem')}, in verify.json`);
  if (!tested.ok) session.warn('the self-test failed: selftest.json says where');
  return verified.ok && tested.ok ? 0 : 1;
}
