import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type Exchange, type Manner } from './answers.ts';
import type { ServerState } from './documents.ts';

export const API_KEY = 'key-of-the-oracle-world';

export interface WorldServer {
  /** Ends with `/v1/external/`. */
  readonly url: string;
  /** What was shown since the last call. */
  take(): Exchange[];
  close(): Promise<void>;
}

/** Serves a state, whatever it is at each request, and keeps what it showed. */
export async function startWorldServer(state: ServerState, manner: Manner): Promise<WorldServer> {
  let shown: Exchange[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const known = request.headers['x-api-key'] === API_KEY;
    const given = known
      ? answer(state, manner, url)
      : { status: 401, body: '{"error":"true","message":"No.","details":""}' };
    const path = url.pathname.replace(/^\/v1\/external/, '');
    shown.push({ ...given, path, query: Object.fromEntries(url.searchParams) });
    response.writeHead(given.status, { 'content-type': 'application/json' }).end(given.body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/external/`,
    take() {
      const taken = shown;
      shown = [];
      return taken;
    },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
