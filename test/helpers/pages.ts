import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';

const MAIN = path.resolve('dist/bin/main.js');

/**
 * Stand-ins for npm and npx, on the PATH before the real ones: `npx remit-books` is this checkout's build, `npm run
 * demo` is what package.json says of it, and what would install or test all over again is only looked up.
 */
export function standIns(folder: string): string {
  const bin = path.join(folder, '.bin');
  mkdirSync(bin);
  const write = (name: string, script: string) => {
    writeFileSync(path.join(bin, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  };
  const run = `exec "${process.execPath}" "${MAIN}"`;
  write('remit', `${run} "$@"`);
  write('npx', `[ "$1" = remit-books ] || { echo "npx $1 is not expected here" >&2; exit 1; }\nshift\n${run} "$@"`);
  write(
    'npm',
    `case "$*" in ci|test) ;; "run demo") ${run} demo ;; *) echo "npm $* is not expected here" >&2; exit 1 ;; esac`,
  );
  return bin;
}

/** A port that nobody listens on, in the place of the page's: whatever runs on this machine, the page is tested. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** After a block that starts a service in the background, the wait that a reader needs no words for. */
export function waitsFor(block: string): string[] {
  const ports = [...block.matchAll(/--port (\d+).*&\s*$/gm)].map(([, port]) => port);
  return ports.map((port) => `until (echo > /dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.1; done`);
}
