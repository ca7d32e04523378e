import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ApiError, ContractError, InterruptedError } from '../../src/base/errors.ts';
import { createClient } from '../../src/courier/index.ts';
import { API_KEY, against, answerJson, failureOf, type Handler, PROFILE, usingServer } from './support.ts';

/** What goes wrong before it goes well. */
const TROUBLES: Record<string, (response: ServerResponse) => void> = {
  'a 429': (response) => answerJson(response, {}, 429),
  'a 500': (response) => answerJson(response, { error: 'true', message: 'Unexpected error.' }, 500),
  'a 502 in HTML': (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
  'a 503': (response) => answerJson(response, {}, 503),
  'a 504': (response) => answerJson(response, {}, 504),
  'a reset before the answer': (response) => response.socket?.resetAndDestroy(),
  'a reset in the body': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"organisation');
    setTimeout(() => response.socket?.resetAndDestroy(), 20);
  },
  'a body shorter than its content-length': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 }).write('{"a":1}');
    setTimeout(() => response.socket?.end(), 20);
  },
  'a chunked body that stops': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"organisation_name":"x"}');
    setTimeout(() => response.socket?.end(), 20);
  },
  'JSON that stops in the middle': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"organisation_name": "x'),
  'an empty body': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
  'bytes that are no UTF-8': (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  'gzip that stops in the middle': (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .end(gzipSync(JSON.stringify(PROFILE)).subarray(0, 40)),
  'no answer in time': () => {},
};

/** Only what never answers needs a short limit: anything else would meet it on a busy machine. */
const limitFor = (trouble: string) => (trouble === 'no answer in time' ? { timeoutMs: 1_000 } : {});

const twiceThenWell =
  (trouble: (response: ServerResponse) => void): Handler =>
  (response, _, turn) =>
    turn <= 2 ? trouble(response) : answerJson(response, PROFILE);

describe('a read survives', () => {
  test.each(Object.entries(TROUBLES))('%s', async (name, trouble) => {
    await against(
      twiceThenWell(trouble),
      async (client, { seen }, waits) => {
        expect((await client.profile()).value).toEqual(PROFILE);
        expect(seen).toHaveLength(3);
        expect(waits).toHaveLength(2);
        expect(client.stats).toMatchObject({ requests: 3, retries: 2 });
      },
      limitFor(name),
    );
  });
});

describe('a read that never goes well fails with one sentence and a remedy', () => {
  test.each([
    ['a 429', ApiError, /^GET http:\S+\/profile\/ answered 429, in 3 attempts$/],
    ['a 500', ApiError, /answered 500: Unexpected error\., in 3 attempts$/],
    ['a 502 in HTML', ApiError, /answered 502, in 3 attempts$/],
    [
      'a reset before the answer',
      ApiError,
      /^the connection to 127\S+ broke before the answer was whole \(\w+\): GET \S+ failed, in 3 attempts$/,
    ],
    ['a body shorter than its content-length', ApiError, /^the connection to \S+ broke before the answer was whole/],
    ['a chunked body that stops', ApiError, /^the connection to \S+ broke before the answer was whole/],
    ['JSON that stops in the middle', ContractError, /answered JSON that cannot be parsed, in 3 attempts$/],
    ['an empty body', ContractError, /answered nothing, in 3 attempts$/],
    ['no answer in time', ApiError, /^127\S+ sent no whole answer in time/],
  ])('%s', async (name, kind, message) => {
    await against(
      (response) => TROUBLES[name]?.(response),
      async (client, { seen }) => {
        const error = await failureOf(client.profile());
        expect(error).toBeInstanceOf(kind);
        expect(error.message).toMatch(message);
        expect(error.hint).toMatch(/\.$/);
        expect(seen).toHaveLength(3);
        if (error instanceof ContractError) expect(error.body).toBeInstanceOf(Buffer);
      },
      { maxAttempts: 3, ...limitFor(name) },
    );
  });
});

test('a body that could not be parsed is on the error, as received', async () => {
  await against(
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"x": 1,}'),
    async (client) => {
      const error = await failureOf(client.profile());
      expect((error as ContractError).body?.toString()).toBe('{"x": 1,}');
    },
  );
});

describe('waits', () => {
  test('grow exponentially, with full jitter', async () => {
    await against(
      (response) => answerJson(response, {}, 503),
      async (client, _, waits) => {
        await failureOf(client.profile());
        expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 5000]);
      },
      { random: () => 0.5, maxAttempts: 8 },
    );
  });

  test('are at least the seconds of Retry-After', async () => {
    await against(
      (response, _, turn) =>
        turn === 1 ? answerJson(response, {}, 429, { 'retry-after': '7' }) : answerJson(response, PROFILE),
      async (client, _, waits) => {
        await client.profile();
        expect(waits).toEqual([7000]);
      },
    );
  });

  test("reach to the date of Retry-After, by the server's own clock", async () => {
    const dates = { date: 'Fri, 20 Nov 2020 10:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2020 10:00:09 GMT' };
    await against(
      (response, _, turn) => (turn === 1 ? answerJson(response, {}, 503, dates) : answerJson(response, PROFILE)),
      async (client, _, waits) => {
        await client.profile();
        expect(waits).toEqual([9000]);
      },
    );
  });

  test('a Retry-After that is nonsense is not obeyed', async () => {
    await against(
      (response, _, turn) =>
        turn === 1 ? answerJson(response, {}, 429, { 'retry-after': 'soon' }) : answerJson(response, PROFILE),
      async (client, _, waits) => {
        await client.profile();
        expect(waits[0]).toBeLessThan(250);
      },
    );
  });

  test.each([
    '-5',
    '1.5',
    '1e9',
    'Infinity',
    '99999999999',
    '0x10',
    '7, 9',
    '',
    '2026',
    'Fri, 99 Nov 2026 99:99:99 GMT',
    '\u00ff',
  ])('a Retry-After of %j never makes a wait beyond the deadline, nor none that is a number', async (header) => {
    await against(
      (response, _, turn) =>
        turn === 1
          ? answerJson(response, {}, 429, { 'retry-after': header, date: 'nonsense' })
          : answerJson(response, PROFILE),
      async (client, _, waits) => {
        const outcome = await client.profile().then(
          () => 'well',
          (error: Error) => error.message,
        );
        if (outcome === 'well') for (const wait of waits) expect(wait >= 0 && wait < 120_000).toBe(true);
        else expect(outcome).toMatch(/answered 429, and asked to wait \d+ s$/);
      },
    );
  });

  test('a Retry-After beyond the deadline ends it at once, and says so', async () => {
    await against(
      (response) => answerJson(response, {}, 429, { 'retry-after': '3600' }),
      async (client, { seen }, waits) => {
        const error = await failureOf(client.profile());
        expect(error.message).toMatch(/answered 429, and asked to wait 3600 s$/);
        expect(error.status).toBe(429);
        expect(seen).toHaveLength(1);
        expect(waits).toEqual([]);
      },
    );
  });

  test('the deadline holds over all attempts', async () => {
    await usingServer(
      () => {},
      async ({ baseUrl, seen }) => {
        const client = createClient({ baseUrl, apiKey: API_KEY, timeoutMs: 200, deadlineMs: 500, maxAttempts: 99 });
        await failureOf(client.profile());
        // Two whole time limits, what is left of the deadline, and the fraction of a millisecond that a timer may fire
        // early.
        expect(seen.length).toBeLessThanOrEqual(4);
        await client.close();
      },
    );
  });
});

describe('a change is not sent again where it may have been carried out', () => {
  const create = { phone_number: '+9613000000' };
  const notRepeated = Object.keys(TROUBLES).filter((name) => name !== 'a 429');

  test.each(notRepeated)('POST after %s', async (name) => {
    await against(
      (response) => TROUBLES[name]?.(response),
      async (client, { seen }) => {
        const error = await failureOf(client.createCustomer(create));
        expect(seen).toHaveLength(1);
        expect(`${error.message} ${error.hint}`).toMatch(/before you (have looked|send it again)/);
      },
      limitFor(name),
    );
  });

  test('PATCH after a reset', async () => {
    await against(
      (response) => response.socket?.resetAndDestroy(),
      async (client, { seen }) => {
        const error = await failureOf(client.updateCustomer(5, { name: 'x' }));
        expect(error.message).toContain('may or may not have been carried out');
        expect(seen).toHaveLength(1);
      },
    );
  });

  test('but it is after a 429, which did nothing', async () => {
    await against(
      (response, _, turn) => (turn === 1 ? answerJson(response, {}, 429) : answerJson(response, { id: 1 }, 201)),
      async (client, { seen }) => {
        expect((await client.createCustomer(create)).status).toBe(201);
        expect(seen.map(({ body }) => body)).toEqual([JSON.stringify(create), JSON.stringify(create)]);
      },
    );
  });

  test('and where the connection was refused', async () => {
    const port = await usingServer(
      () => {},
      async ({ origin }) => new URL(origin).port,
    );
    const waits: number[] = [];
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}/`,
      apiKey: API_KEY,
      sleep: async (ms) => void waits.push(ms),
    });
    const error = await failureOf(client.createCustomer(create));
    expect(error.message).toMatch(
      /^127.0.0.1:\d+ refuses connections \(ECONNREFUSED\): POST \S+ failed, in 5 attempts$/,
    );
    expect(waits).toHaveLength(4);
    await client.close();
  });

  test('an accepted change with an answer that breaks the contract says that it was accepted', async () => {
    await against(
      (response) => answerJson(response, { id: 'x' }, 201),
      async (client) => {
        const error = await failureOf(client.createCustomer(create));
        expect(error.message).toBe(
          'id: expected integer, got string "x"; the request was accepted (201): do not send it again before you have looked',
        );
      },
    );
    await against(
      (response) => void response.writeHead(201, { 'content-type': 'text/html' }).end('<h1>Thank you</h1>'),
      async (client) => {
        const { message } = await failureOf(client.createCustomer(create));
        expect(message).toContain('answered HTML, not JSON; the request was accepted (201): do not send it again');
      },
    );
  });
});

describe('Ctrl-C', () => {
  test('ends a request that is under way', async () => {
    const interrupt = new AbortController();
    await against(
      () => setTimeout(() => interrupt.abort(), 50),
      async (client) => {
        expect(await failureOf(client.profile())).toBeInstanceOf(InterruptedError);
        expect(await failureOf(client.profile())).toBeInstanceOf(InterruptedError);
      },
      { signal: interrupt.signal },
    );
  });

  test('ends a wait', async () => {
    const interrupt = new AbortController();
    await against(
      (response) => {
        answerJson(response, {}, 429, { 'retry-after': '3600' });
        setTimeout(() => interrupt.abort(), 50);
      },
      async (client) => expect(await failureOf(client.profile())).toBeInstanceOf(InterruptedError),
      { signal: interrupt.signal, sleep: undefined, deadlineMs: 7_200_000 },
    );
  });

  test('before the first request, nothing is sent', async () => {
    await against(
      (response) => answerJson(response, PROFILE),
      async (client, { seen }) => {
        expect(await failureOf(client.profile())).toBeInstanceOf(InterruptedError);
        expect(seen).toEqual([]);
      },
      { signal: AbortSignal.abort() },
    );
  });
});

test('a closed client says so, and closing ends what is under way', async () => {
  await against(
    () => {},
    async (client) => {
      const pending = failureOf(client.profile());
      await client.close();
      expect((await pending).message).toMatch(/^the client of .* was closed$/);
      expect((await failureOf(client.profile())).message).toMatch(/was closed$/);
    },
  );
});
