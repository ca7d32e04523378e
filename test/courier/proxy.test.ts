import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { API_KEY, answerJson, PROFILE, usingClient, usingServer } from './support.ts';

afterEach(() => vi.unstubAllEnvs());

/** A proxy that tunnels everything to one origin, and notes where it was asked to go. */
async function usingProxy<T>(target: string, use: (url: string, asked: string[]) => Promise<T>): Promise<T> {
  const asked: string[] = [];
  const proxy = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(500).end();
  });
  proxy.on('connect', (request, client, head) => {
    asked.push(request.url ?? '');
    const upstream = net.connect(Number(new URL(target).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked);
  } finally {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  }
}

test('HTTP_PROXY is used for the API, and left out for this machine and for NO_PROXY', async () => {
  await usingServer(
    (response) => answerJson(response, PROFILE),
    async ({ origin, baseUrl, seen }) => {
      await usingProxy(origin, async (proxyUrl, asked) => {
        vi.stubEnv('http_proxy', proxyUrl);
        await usingClient('http://courier.invalid/v1/external/', (client) => client.profile());
        expect(asked).toEqual(['courier.invalid:80']);
        expect(seen[0]?.headers).toMatchObject({ host: 'courier.invalid', 'x-api-key': API_KEY });

        await usingClient(baseUrl, (client) => client.profile());
        expect(asked).toHaveLength(1);

        vi.stubEnv('no_proxy', 'courier.invalid');
        await expect(
          usingClient('http://courier.invalid/', (client) => client.profile(), { maxAttempts: 1 }),
        ).rejects.toThrow(/courier\.invalid/);
        expect(asked).toHaveLength(1);
      });
    },
  );
});
