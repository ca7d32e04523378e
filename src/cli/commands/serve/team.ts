import { ConfigError, UsageError } from '../../../base/errors.ts';
import { readRegularFile } from '../../../base/files/read.ts';
import { quoted, shellWord } from '../../../base/text.ts';
import type { Config } from '../../../config/index.ts';
import type { TeamOptions } from '../../../desk/door/team.ts';
import type { Session, Texts } from '../../session.ts';

/** How a team reaches the desk, as it was typed. */
export type TeamInput = Texts<'publicOrigin' | 'authHeader' | 'socket' | 'proxySecretFile'>;

/** Headers that browsers or the desk use: none of them can name a user. */
const RESERVED = /^(host|origin|cookie|authorization|content-(type|length)|x-remit-proxy-secret)$/i;
const SHORTEST_SECRET = 16;

/**
 * How a team reaches the desk; null for one person on this machine.
 *
 * @throws UsageError if the origin is no bare https origin, or nothing keeps others from posing as the proxy;
 *   ConfigError if the settings let nobody in, or the secret cannot be used
 */
export async function teamOf(
  session: Pick<Session, 'file'>,
  { publicOrigin, authHeader, socket, proxySecretFile }: TeamInput,
  roles: Config['desk'],
): Promise<TeamOptions | null> {
  if (publicOrigin === undefined) {
    const flags = { '--auth-header': authHeader, '--socket': socket, '--proxy-secret-file': proxySecretFile };
    const [flag] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
    if (flag === undefined) return null;
    const message = `${flag} is for a team, and where its proxy serves the desk is not said`;
    throw new UsageError(message, 'Add --public-origin.');
  }
  if (!isBareOrigin(publicOrigin)) {
    const remedy = 'Write it without a path: https://desk.example.com';
    throw new UsageError(`--public-origin ${quoted(publicOrigin, 100)} is no bare https origin`, remedy);
  }
  const canNameUsers = (header: string) => /^[A-Za-z0-9-]{1,60}$/.test(header) && !RESERVED.test(header);
  if (authHeader === undefined || !canNameUsers(authHeader)) {
    const remedy = 'Name one that the proxy sets and replaces, with --auth-header X-User.';
    throw new UsageError('in which header the proxy names the user is not said', remedy);
  }
  if (socket === undefined && proxySecretFile === undefined) {
    const remedy = 'Add --socket PATH, which only the proxy reaches, or --proxy-secret-file FILE.';
    throw new UsageError('nothing keeps another program on this machine from posing as the proxy', remedy);
  }
  if (roles.clerks.length === 0 && roles.readers.length === 0) {
    const remedy = 'Write: desk = { clerks = ["rana"], readers = ["auditor"] }';
    throw new ConfigError('[desk] in remit.toml lists nobody', remedy);
  }
  const secretFile = session.file(proxySecretFile);
  return {
    publicOrigin,
    authHeader,
    socket: session.file(socket),
    secret: secretFile && (await readSecret(secretFile)),
  };
}

function isBareOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.protocol === 'https:' && url.origin === text && /^[a-z0-9.-]+$/.test(url.hostname);
}

async function readSecret(file: string): Promise<string> {
  const check = ({ mode }: { readonly mode: number }) => {
    // Windows has no such permissions.
    if (process.platform === 'win32' || (mode & 0o077) === 0) return;
    throw new ConfigError(`the proxy's secret in ${file} can be read by others`, `Run: chmod 600 ${shellWord(file)}`);
  };
  const text = await readRegularFile(file, { maxBytes: 4_096, check }).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof ConfigError) throw error;
    const message = `the proxy's secret cannot be read from ${file} (${error.code ?? error.message})`;
    throw new ConfigError(message, 'Check the file.');
  });
  const secret = text.trim();
  if (secret.length >= SHORTEST_SECRET && /^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new ConfigError(
    `the proxy's secret in ${file} is shorter than ${SHORTEST_SECRET} characters, or has others than letters, digits and signs`,
    'Make one with: openssl rand -hex 32',
  );
}
