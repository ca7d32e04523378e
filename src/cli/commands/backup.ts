import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { FileError } from '../../errors.ts';
import { backupLedger } from '../../ledger/backup.ts';
import type { Session } from '../session.ts';
import { type SettingInput, settingFlags } from '../settings-flags.ts';
import { sizeText } from '../sync-lines.ts';

export interface BackupInput extends SettingInput {
  readonly file: string;
  readonly force?: boolean;
}

/** `remit backup FILE`: a live copy of the ledger. */
export async function backup(session: Session, input: BackupInput): Promise<number> {
  const config = await session.config(settingFlags(input));
  const target = path.resolve(session.io.cwd, input.file);
  if (!existsSync(path.dirname(target))) {
    throw new FileError(`there is no folder ${path.dirname(target)}`, 'Make it, or name another file.');
  }
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) {
    throw new FileError(`${target} is a folder`, 'Name a file in it for the copy.');
  }
  if (existsSync(target) && !input.force) {
    throw new FileError(`${target} exists already`, 'Name another file, or replace it with --force.');
  }
  await backupLedger(config.ledger, target);
  const { size } = statSync(target);
  if (session.json) session.resultJson({ ledger: config.ledger, file: target, bytes: size });
  else session.result(session.quiet ? target : `${target}  ${sizeText(size)}, checked`);
  return 0;
}
