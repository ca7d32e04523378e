import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * What stands between a program and a server, and can be cut at a moment that a test chooses: the server is gone then.
 */
export interface CuttingProxy {
  /** The same address by way of the proxy. */
  through(url: string): string;
  /** From here on the program's messages are counted, and the line is cut at one of them; null to count only. */
  cutAt(message: number | null, when?: 'before' | 'after'): void;
  /** How many messages there were since. */
  count(): number;
  close(): Promise<void>;
}

/** A line that was cut says nothing any more, and nobody answers a new one. */
export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let seen = 0;
  let cut: number | null = null;
  let isAfter = false;
  const isCut = () => cut !== null && seen >= cut;
  const cutAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut()) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
    far.on('data', (bytes) => void near.write(bytes));
    near.on('data', (bytes) => {
      seen += 1;
      if (!isCut()) far.write(bytes);
      // What was sent last is done, and nobody hears of it: a commit too.
      else if (isAfter && seen === cut) far.write(bytes, () => setTimeout(cutAll, 20));
      else cutAll();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = (server.address() as AddressInfo).port;
  return {
    through: (url) => url.replace(`:${port}/`, `:${own}/`),
    cutAt(message, when = 'before') {
      seen = 0;
      cut = message;
      isAfter = when === 'after';
    },
    count: () => seen,
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
