import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { against, answerJson, failureOf, invoiceDetail, listItem, PROFILE, SHAPES } from './support.ts';

test.each([1, 3, 8])('never more than %i requests at once, over all operations and retries', async (concurrency) => {
  let open = 0;
  let most = 0;
  await against(
    async (response, { url }, turn) => {
      open++;
      most = Math.max(most, open);
      // The first answers wait for as many requests as may be open.
      while (most < concurrency) await new Promise(setImmediate);
      setTimeout(() => {
        open--;
        if (turn % 7 === 0) answerJson(response, {}, 503);
        else if (url.includes('profile')) answerJson(response, PROFILE);
        else if (url.includes('invoices/?')) answerJson(response, SHAPES.flat([listItem(1)], 1, null));
        else answerJson(response, invoiceDetail(1));
      }, 5);
    },
    async (client, { seen }) => {
      await Promise.all([
        ...Array.from({ length: 40 }, (_, index) => client.invoice(index)),
        ...Array.from({ length: 10 }, () => client.profile()),
        client.walkInvoices({ year: 2026, month: 10 }, () => {}),
      ]);
      expect(most).toBe(concurrency);
      expect(seen.length).toBe(client.stats.requests);
      expect(client.stats.requests - client.stats.retries).toBe(51);
    },
    { concurrency, maxAttempts: 20 },
  );
});

test('64 requests and 64 waits at once are no leak of listeners, and no warning of one is printed', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => void warnings.push(message);
  process.on('warning', onWarning);
  try {
    await against(
      (response, _, turn) => setTimeout(() => answerJson(response, PROFILE, turn <= 64 ? 503 : 200), 20),
      async (client) => {
        await Promise.all(Array.from({ length: 64 }, () => client.profile()));
      },
      { concurrency: 64, sleep: undefined },
    );
  } finally {
    process.off('warning', onWarning);
  }
  expect(warnings).toEqual([]);
});

test('connections are kept alive: as many as may be used at once, not one a request', async () => {
  const sockets = new Set<unknown>();
  await against(
    (response: ServerResponse) => {
      sockets.add(response.socket);
      setTimeout(() => answerJson(response, PROFILE), 2);
    },
    async (client) => {
      await Promise.all(Array.from({ length: 60 }, () => client.profile()));
      expect(sockets.size).toBeLessThanOrEqual(4);
    },
  );
});

test('a request that waits for its turn does not use up its own deadline', async () => {
  await against(
    (response) => setTimeout(() => answerJson(response, PROFILE), 200),
    async (client) => {
      const answers = await Promise.all(Array.from({ length: 16 }, () => client.profile()));
      expect(answers).toHaveLength(16);
    },
    { concurrency: 1, deadlineMs: 3_000 },
  );
});

test('a failure frees its place', async () => {
  await against(
    (response, _, turn) => (turn <= 4 ? answerJson(response, {}, 400) : answerJson(response, PROFILE)),
    async (client) => {
      for (let count = 0; count < 4; count++) await failureOf(client.profile());
      expect((await client.profile()).status).toBe(200);
    },
    { concurrency: 2 },
  );
});

test('bytes count the bodies that were received', async () => {
  await against(
    (response) => answerJson(response, PROFILE),
    async (client) => {
      const { body } = await client.profile();
      await client.profile();
      expect(client.stats).toEqual({ requests: 2, retries: 0, bytes: 2 * body.length });
    },
  );
});
