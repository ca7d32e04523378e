import { type Explanation, LedgerAwayError, LedgerError, RemitError } from '../../../base/errors.ts';
import { describePlace, type ServerPlace } from '../../../base/place.ts';
import { databasesError } from '../../../words/errors/databases.ts';

/** How an error of the server is explained, by the longest beginning of its SQLSTATE. */
const STATES: Readonly<Record<string, (ledger: string, place: ServerPlace, message: string) => Explanation>> = {
  '28': (ledger, { user }) => databasesError({ id: 'user-refused', ledger, user }),
  '3D000': (ledger, { database }) => databasesError({ id: 'no-database', ledger, database }),
  '3F000': (ledger, { schema, user }) => databasesError({ id: 'no-schema', ledger, schema, user }),
  '42501': (ledger, { user }, message) => databasesError({ id: 'right-lacking', ledger, user: user ?? '', message }),
  '25006': (ledger) => databasesError({ id: 'read-only-copy', ledger }),
  '53300': (ledger) => databasesError({ id: 'no-connection-left', ledger }),
  '53': (ledger, _place, message) => databasesError({ id: 'out-of-room', ledger, message }),
  '57P03': (ledger, _place, message) => databasesError({ id: 'no-connections-now', ledger, message }),
  '57P': (ledger) => databasesError({ id: 'shut-down', ledger }),
  '57014': (ledger, _place, message) => databasesError({ id: 'statement-stopped', ledger, message }),
  '08': (ledger, _place, message) => databasesError({ id: 'connection-failed', ledger, message }),
  '40': (ledger) => databasesError({ id: 'others-wrote', ledger }),
  '55P03': (ledger) => databasesError({ id: 'server-busy', ledger }),
  XX00: (ledger, _place, message) => databasesError({ id: 'server-damaged', ledger, message }),
};

/** SQLSTATEs of a server that will be there again: shut down, starting, connection failed, no connection left. */
const AWAY_STATES = /^(57P|08|53300)/;

const ENDED = databasesError({ id: 'connection-ended' });
const NO_ANSWER = databasesError({ id: 'no-answer' });

/** How a failed connection is explained, by the code of the operating system. */
const CONNECTION_CODES: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: databasesError({ id: 'nothing-answers' }),
  ENOENT: databasesError({ id: 'no-such-socket' }),
  ENOTFOUND: databasesError({ id: 'no-such-host' }),
  EAI_AGAIN: databasesError({ id: 'host-not-looked-up' }),
  ETIMEDOUT: NO_ANSWER,
  EHOSTUNREACH: databasesError({ id: 'host-unreachable' }),
  ENETUNREACH: databasesError({ id: 'network-unreachable' }),
  ECONNRESET: ENDED,
  EPIPE: ENDED,
};

/** The driver's own failures, which have no code: they are recognised by their words. */
const DRIVER_MESSAGES: readonly (readonly [words: RegExp, explained: Explanation])[] = [
  [/timeout (expired|exceeded)|Connection terminated due to connection timeout/i, NO_ANSWER],
  [
    /Connection terminated|connection error and is not queryable|server closed the connection|Cannot use a pool/i,
    ENDED,
  ],
  [/does not support SSL/i, databasesError({ id: 'no-encryption' })],
  [/password must be a string|no password|SASL/i, databasesError({ id: 'password-wanted' })],
];

const CERTIFICATE_CODE = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_VERIFY|^ERR_(TLS|SSL)/;
const CERTIFICATE = databasesError({ id: 'certificate-not-trusted' });

/** Turns a failure of a server or its connection into an error with place and remedy; returns others unchanged. */
export function explainServerFault(error: unknown, place: ServerPlace): unknown {
  if (error instanceof RemitError || !(error instanceof Error)) return error;
  const name = describePlace(place);
  const byServer = explainState(error, place, name);
  if (byServer) {
    const isAway = AWAY_STATES.test(String(codeOf(error)));
    return new (isAway ? LedgerAwayError : LedgerError)(byServer, { cause: error });
  }
  const byConnection = explainConnection(error, name);
  return byConnection ? new LedgerAwayError(byConnection, { cause: error }) : error;
}

/** Explains an error that the server gave, by its SQLSTATE; undefined for any other error. */
function explainState(error: Error, place: ServerPlace, name: string): Explanation | undefined {
  const code = codeOf(error);
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || !('severity' in error)) return undefined;
  const longestBeginning = Object.keys(STATES)
    .filter((beginning) => code.startsWith(beginning))
    .sort((a, b) => b.length - a.length)[0];
  if (longestBeginning !== undefined) return STATES[longestBeginning]!(name, place, error.message);
  return databasesError({ id: 'server-says', ledger: name, message: error.message, code });
}

/** Explains an error of the connection; undefined for any other error. */
function explainConnection(error: Error, name: string): Explanation | undefined {
  // Of a server with several addresses Node gives the errors of all, in one error without a code.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined;
  const code = codeOf(error) ?? codeOf(first);
  const why =
    CONNECTION_CODES[String(code)] ??
    DRIVER_MESSAGES.find(([words]) => words.test(error.message))?.[1] ??
    (CERTIFICATE_CODE.test(String(code)) ? CERTIFICATE : undefined);
  return why && databasesError({ id: 'at-server', ledger: name, why });
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
