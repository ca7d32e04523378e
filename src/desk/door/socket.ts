import { chmodSync, existsSync, lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { UsageError } from '../../base/errors.ts';
import { deskError } from '../../words/errors/desk.ts';

/** The desk's user and group may connect, and nobody else. */
const MODE = 0o660;

/** Removes a socket on which nobody listens any more. @throws UsageError for anything else at that path */
export async function clearSocket(path: string, platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform === 'win32') throw new UsageError(deskError({ id: 'no-sockets-here' }));
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket()) {
    // The error's id means: not a socket.
    throw new UsageError(deskError({ id: 'no-socket', path }));
  }
  if (await isListening(path)) throw new UsageError(deskError({ id: 'socket-taken', path }));
  rmSync(path);
}

/** Lets the socket's group connect. Until then only its owner can, under the usual umask of 022. */
export function openSocket(path: string): void {
  chmodSync(path, MODE);
}

/** A failure of `listen`, as a UsageError if the port or socket is not available; any other error is unchanged. */
export function notAvailable(error: unknown, portOrSocket: number | string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (!['EADDRINUSE', 'EACCES', 'ENOENT', 'EINVAL', 'ERR_SOCKET_BAD_PORT'].includes(code)) return error;
  const what = typeof portOrSocket === 'string' ? 'socket' : 'port';
  return new UsageError(deskError({ id: 'not-available', what, at: String(portOrSocket), code }));
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Any other error, such as EACCES, may be that of a socket on which somebody listens.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'));
  });
}
