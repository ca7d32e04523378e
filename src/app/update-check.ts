import { InstallationError, InterruptedError } from '../base/errors.ts';
import { jsonOf } from '../base/text.ts';
import { VERSION } from '../base/version.ts';
import { type AttemptFailed, openConnections, send } from '../courier/transport.ts';

/** The installed version beside the newest one that a registry has. */
interface UpdateCheck {
  readonly installed: string;
  readonly newest: string;
  /** Whether the newest is newer than the installed one. */
  readonly update: boolean;
  readonly registry: string;
}

/** The name under which remit is in the registry. */
const PACKAGE = 'remit-books';
/** The program in remit's own package: another package may have taken its name. */
const REMIT_PROGRAM = 'dist/bin/main.js';
const LIMIT_MS = 30_000;
/** `1.1.0`, or a pre-release such as `1.1.0-rc.1`. */
const SEMVER = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[0-9A-Za-z.-]{1,100})?$/;

/**
 * Asks an npm registry for its newest version of remit. One request, which names the package and sends nothing of this
 * machine or its books.
 *
 * @param registry its address, such as `https://registry.npmjs.org/`
 * @throws InstallationError when it cannot be asked, or has no remit; InterruptedError when the signal ends it
 */
export async function checkForUpdate(registry: string, signal: AbortSignal): Promise<UpdateCheck> {
  const address = registry.endsWith('/') ? registry : `${registry}/`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) {
    const hint = 'Correct --registry, or npm_config_registry in the environment.';
    throw new InstallationError('the address of the registry is no http address', hint);
  }
  const base = new URL(address);
  const newest = newestIn(await ask(new URL(`${PACKAGE}/latest`, base), signal), base.host);
  return { installed: VERSION, newest, update: isNewer(newest, VERSION), registry: base.origin + base.pathname };
}

async function ask(url: URL, stop: AbortSignal): Promise<string> {
  const connections = openConnections(url, 1);
  const request = { method: 'GET', url: url.href, headers: { accept: 'application/json' }, body: null } as const;
  const { status, body } = await send(connections, request, { timeoutMs: LIMIT_MS, stop })
    .catch((error: AttemptFailed) => {
      if (stop.aborted) throw new InterruptedError('interrupted');
      throw unanswered(url.host, `gave no answer (${error.code})`, error);
    })
    .finally(() => connections.destroy());
  if (status === 404) throw unanswered(url.host, `has no package ${PACKAGE}`);
  if (status !== 200) throw unanswered(url.host, `answered HTTP ${status}`);
  return body.toString('utf8');
}

function newestIn(body: string, host: string): string {
  const { version, bin } = (jsonOf(body) ?? {}) as { version?: unknown; bin?: { remit?: unknown } };
  if (typeof version !== 'string' || !SEMVER.test(version)) {
    throw unanswered(host, 'answered something else than a package');
  }
  if (bin?.remit !== REMIT_PROGRAM) throw unanswered(host, `has another program under the name ${PACKAGE}`);
  return version;
}

function unanswered(host: string, what: string, cause?: unknown): InstallationError {
  const hint = 'Check the network, and the registry: --registry, or npm_config_registry in the environment.';
  return new InstallationError(`the registry ${host} ${what}`, hint, { cause });
}

/** Compares the numbers; if they are equal, a version is newer than its pre-releases, and those go by the alphabet. */
function isNewer(one: string, other: string): boolean {
  const [, ...first] = SEMVER.exec(one)!;
  const [, ...second] = SEMVER.exec(other)!;
  const differing = [0, 1, 2].find((part) => Number(first[part]) !== Number(second[part]));
  if (differing !== undefined) return Number(first[differing]) > Number(second[differing]);
  // `~` sorts after every pre-release: it stands for a version that is none.
  const [pre, otherPre] = [first[3] ?? '~', second[3] ?? '~'];
  return pre > otherPre;
}
