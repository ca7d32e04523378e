import { LedgerError, RemitError } from '../../../base/errors.ts';
import { describePlace, type ServerPlace } from '../../../base/place.ts';

type Explanation = readonly [message: string, hint: string];

const AGAIN = 'Run the command again when it is there; what was done is kept.';

/** What the server refuses, by SQLSTATE: the longest beginning that fits. */
const STATES: Readonly<Record<string, (name: string, place: ServerPlace, message: string) => Explanation>> = {
  '28': (name, { user }) => [
    `${name} refuses ${user === null ? 'the user' : `the user ${JSON.stringify(user)}`}: the password is wrong or missing, or the server does not let this machine in`,
    'Give the password in PGPASSWORD, ~/.pgpass or `ledger_password_command`, and look at pg_hba.conf of the server.',
  ],
  '3D000': (name, { database }) => [
    `${name}: there is no database ${JSON.stringify(database)} on that server`,
    `Make it with \`createdb\`, or correct the address.`,
  ],
  '3F000': (name, { schema, user }) => [
    `${name}: there is no schema ${JSON.stringify(schema)} that ${user === null ? 'the user' : `the user ${JSON.stringify(user)}`} may use`,
    'Have the owner run what `remit ledger grants` prints, or correct `schema` in the address.',
  ],
  '42501': (name, { user }, message) => [
    `${name}: the user ${JSON.stringify(user ?? '')} lacks a right: ${message}`,
    'Have the owner run what `remit ledger grants` prints.',
  ],
  '25006': (name) => [
    `${name} is a read-only copy of the database`,
    'Name the primary server as the ledger for what writes; reports may be read here.',
  ],
  '53300': (name) => [`${name} has no connection left`, 'Try again later, or raise max_connections on the server.'],
  '53': (name, _place, message) => [
    `${name} has run out of room: ${message}`,
    'Free some space or memory on the server; the ledger keeps everything that was written before.',
  ],
  '57P03': (name, _place, message) => [`${name} takes no connections now: ${message}`, AGAIN],
  '57P': (name) => [`${name} was shut down in the middle`, AGAIN],
  '57014': (name, _place, message) => [
    `${name} stopped a statement: ${message}`,
    'Raise statement_timeout for this user on the server, and run the command again.',
  ],
  '08': (name, _place, message) => [`${name}: the connection failed: ${message}`, AGAIN],
  '40': (name) => [
    `${name}: others wrote the same at the same time, again and again`,
    'Run the command again; nothing of it was written.',
  ],
  '55P03': (name) => [`${name} is busy: another program holds what is needed`, 'Run the command again.'],
  XX00: (name, _place, message) => [
    `${name} is damaged: ${message}`,
    'Run `remit verify`, and restore a backup of the database.',
  ],
};

/** Failures of the line, by the system's or the TLS library's code. */
const LINES: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: ['nothing answers there', 'Check host and port of the address, and that the server is running.'],
  ENOENT: ['there is no such socket', 'Check the folder of the socket in the address, and that the server is running.'],
  ENOTFOUND: ['there is no host of that name', 'Correct the host in the address.'],
  EAI_AGAIN: [
    'the name of the host could not be looked up',
    'Check the network connection and the host in the address.',
  ],
  ETIMEDOUT: ['the server gave no answer', 'Check host and port of the address, the network, and the firewall.'],
  EHOSTUNREACH: ['the host cannot be reached', 'Check the network connection and the host in the address.'],
  ENETUNREACH: ['the network cannot be reached', 'Check the network connection.'],
  ECONNRESET: ['the connection ended in the middle', AGAIN],
  EPIPE: ['the connection ended in the middle', AGAIN],
};

/** The driver has no codes for its own failures. */
const WORDS: readonly (readonly [words: RegExp, explained: Explanation])[] = [
  [
    /Connection terminated|connection error and is not queryable|server closed the connection|Cannot use a pool/i,
    LINES.ECONNRESET!,
  ],
  [/timeout (expired|exceeded)|Connection terminated due to connection timeout/i, LINES.ETIMEDOUT!],
  [
    /does not support SSL/i,
    [
      'the server does not encrypt the line',
      'Turn `ssl` on at the server; on a network that you trust, add `sslmode=disable` to the address.',
    ],
  ],
  [
    /password must be a string|no password|SASL/i,
    [
      'the server wants a password, and there is none, or it is wrong',
      'Give the password in PGPASSWORD, ~/.pgpass or `ledger_password_command`.',
    ],
  ],
];

const CERTIFICATE: Explanation = [
  "the server's certificate is not trusted",
  'Name its authority with `sslrootcert=FILE` in the address; `sslmode=require` encrypts without looking at it.',
];

/** Turns a failure of a server or of the way to it into an error that names the place and the remedy; anything else is returned as it came. */
export function explainServerFault(error: unknown, place: ServerPlace): unknown {
  if (error instanceof RemitError || !(error instanceof Error)) return error;
  const name = describePlace(place);
  const explained = ofState(error, place, name) ?? ofLine(error, name);
  return explained ? new LedgerError(explained[0], explained[1], { cause: error }) : error;
}

function ofState(error: Error, place: ServerPlace, name: string): Explanation | undefined {
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || !('severity' in error)) return undefined;
  const fitting = Object.keys(STATES)
    .filter((beginning) => code.startsWith(beginning))
    .sort((a, b) => b.length - a.length)[0];
  if (fitting !== undefined) return STATES[fitting]!(name, place, error.message);
  return [`${name}: ${error.message} (${code})`, 'Run `remit doctor`; if it finds nothing, report this.'];
}

function ofLine(error: Error, name: string): Explanation | undefined {
  const { code } = error as { code?: unknown };
  const inner = error instanceof AggregateError ? (error.errors[0] as { code?: unknown } | undefined)?.code : undefined;
  const known = LINES[String(code ?? inner)] ?? WORDS.find(([words]) => words.test(error.message))?.[1];
  const explained =
    known ?? (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|^ERR_(TLS|SSL)/.test(String(code)) ? CERTIFICATE : undefined);
  return explained && [`${name}: ${explained[0]}`, explained[1]];
}
