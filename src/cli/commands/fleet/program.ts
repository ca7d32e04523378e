import { statSync } from 'node:fs';
import path from 'node:path';
import type { FleetProgram } from '../../../app/fleet/fleet.ts';
import { ConfigError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/text.ts';
import { userOf } from '../../person.ts';
import type { Session } from '../../session.ts';

/** What a use case of the fleet is lent. Its folder is the one of `-C`, or the current one. @throws ConfigError where that is none */
export function fleetProgram({ io, directory, note }: Session): FleetProgram {
  const { env, now, signal } = io;
  const folder = path.resolve(io.cwd, directory ?? '.');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(
      `-C names ${folder}, which is not a folder`,
      `Make it with: remit fleet init ${shellWord(folder)}`,
    );
  return { folder, env, now, signal, note, by: userOf(io) };
}
