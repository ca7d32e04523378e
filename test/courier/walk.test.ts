import { describe, expect, test } from 'vitest';
import type { InvoiceListItem } from '../../src/api/wire.ts';
import { ContractError } from '../../src/base/errors.ts';
import type { Page } from '../../src/courier/index.ts';
import { walkList } from '../../src/courier/walk.ts';
import { against, answerJson, failureOf, type Handler, listItem, SHAPES } from './support.ts';

const OCTOBER = { year: 2026, month: 10 };

/** A list of numbered invoices, newest first, in pages of two; `change` may alter it before the `turn`-th request. */
function listServer(numbers: number[], change: (numbers: number[], turn: number) => void = () => {}): Handler {
  return (response, { url }, turn) => {
    change(numbers, turn);
    const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
    const rows = numbers.slice((page - 1) * 2, page * 2);
    if (page > 1 && rows.length === 0)
      return answerJson(response, { error: 'true', message: 'Resource not found.' }, 404);
    const next = page * 2 < numbers.length ? `?year=2026&month=10&page=${page + 1}` : null;
    const items = rows.map((number) => listItem(number));
    answerJson(response, SHAPES.flat(items, numbers.length, next));
  };
}

const numbersOf = (page: Page<InvoiceListItem>) => page.items.map((item) => (item.raw as { number: number }).number);

describe('a list that stands still', () => {
  test('is walked once, its pages in order', async () => {
    const pages: number[][] = [];
    await against(listServer([5, 4, 3, 2, 1]), async (client) => {
      const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
      expect(walk).toEqual({ complete: true, statedCount: 5, seenCount: 5, walks: 1 });
    });
    expect(pages).toEqual([[5, 4], [3, 2], [1]]);
  });

  test('that is empty is complete', async () => {
    await against(listServer([]), async (client) => {
      const walk = await client.walkInvoices(OCTOBER, () => {});
      expect(walk).toEqual({ complete: true, statedCount: 0, seenCount: 0, walks: 1 });
    });
  });

  test.each([
    [1, [3, 4, 5, 6, 6, 6]],
    [2, [5, 6, 6, 6, 6, 6]],
  ])('twice as many as go at once (%i) are fetched while onPage works, and no more', async (concurrency, expected) => {
    const numbers = Array.from({ length: 12 }, (_, i) => 12 - i);
    await against(
      listServer(numbers),
      async (client, { seen }) => {
        const asked: number[] = [];
        await client.walkInvoices(OCTOBER, async () => {
          // What is to come comes, however busy the machine is; more would come within these milliseconds.
          while (seen.length < expected[asked.length]!) await new Promise(setImmediate);
          await new Promise((resolve) => setTimeout(resolve, 50));
          asked.push(seen.length);
        });
        expect(asked).toEqual(expected);
      },
      { concurrency },
    );
  });

  test('items that cannot be read count as seen: the list is whole', async () => {
    const items = [{ ...listItem(1), cod: 'x' }, { number: null }, { number: null }, 'nonsense'];
    await against(
      (response) => answerJson(response, SHAPES.flat(items, 4, null)),
      async (client) => {
        const walk = await client.walkInvoices(OCTOBER, () => {});
        expect(walk).toEqual({ complete: true, statedCount: 4, seenCount: 4, walks: 1 });
      },
    );
  });
});

describe('a list that changes meanwhile is walked again', () => {
  test('when an invoice is issued between two pages', async () => {
    const pages: number[][] = [];
    const issue = (numbers: number[], turn: number) => turn === 2 && numbers.unshift(6);
    await against(listServer([5, 4, 3, 2, 1], issue), async (client) => {
      const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
      expect(walk).toEqual({ complete: true, statedCount: 6, seenCount: 6, walks: 2 });
    });
    // The first walk saw 4 twice and 6 never.
    expect(pages).toEqual([
      [5, 4],
      [4, 3],
      [2, 1],
      [6, 5],
      [4, 3],
      [2, 1],
    ]);
  });

  test('when an invoice goes between two pages, which hides another', async () => {
    const pages: number[][] = [];
    const remove = (numbers: number[], turn: number) => turn === 2 && numbers.shift();
    await against(listServer([5, 4, 3, 2, 1], remove), async (client) => {
      const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
      expect(walk).toEqual({ complete: true, statedCount: 4, seenCount: 4, walks: 2 });
    });
    expect(pages.slice(0, 2)).toEqual([
      [5, 4],
      [2, 1],
    ]);
  });

  test('when it shrinks so far that the page it named is gone', async () => {
    const remove = (numbers: number[], turn: number) => turn === 2 && numbers.splice(0, 1);
    await against(listServer([3, 2, 1], remove), async (client) => {
      const walk = await client.walkInvoices(OCTOBER, () => {});
      expect(walk).toEqual({ complete: true, statedCount: 2, seenCount: 2, walks: 2 });
    });
  });

  test('and after three walks it is reported as not complete', async () => {
    const grow = (numbers: number[]) => numbers.unshift((numbers[0] as number) + 1);
    await against(listServer([5, 4, 3, 2, 1], grow), async (client) => {
      const walk = await client.walkInvoices(OCTOBER, () => {});
      expect(walk).toMatchObject({ complete: false, walks: 3 });
    });
  });

  test('a count that is wrong for ever is reported as not complete', async () => {
    await against(
      (response) => answerJson(response, SHAPES.flat([listItem(1)], 2, null)),
      async (client, { seen }) => {
        const walk = await client.walkInvoices(OCTOBER, () => {});
        expect(walk).toEqual({ complete: false, statedCount: 2, seenCount: 1, walks: 3 });
        expect(seen).toHaveLength(3);
      },
    );
  });
});

describe('without a stated count', () => {
  test('a list on one page is complete', async () => {
    await against(
      (response) => answerJson(response, [[listItem(1)]]),
      async (client) => {
        const walk = await client.walkInvoices(OCTOBER, () => {});
        expect(walk).toEqual({ complete: true, statedCount: null, seenCount: 1, walks: 1 });
      },
    );
  });

  const countless =
    (numberOnFirstPage: (turn: number) => number): Handler =>
    (response, { url }, turn) =>
      answerJson(response, {
        results: [listItem(url.includes('page=2') ? 1 : numberOnFirstPage(turn))],
        next: url.includes('page=2') ? null : '?page=2',
      });

  test('several pages were the whole list when a second walk sees the same', async () => {
    await against(
      countless(() => 2),
      async (client) => {
        const walks: number[] = [];
        const walk = await client.walkInvoices(OCTOBER, (_page, walkNumber) => void walks.push(walkNumber));
        expect(walk).toEqual({ complete: true, statedCount: null, seenCount: 2, walks: 2 });
        expect(walks).toEqual([1, 1, 2, 2]);
      },
    );
  });

  test('nothing proves it while each walk sees something else', async () => {
    await against(
      countless((turn) => 10 + turn),
      async (client) => {
        const walk = await client.walkInvoices(OCTOBER, () => {});
        expect(walk).toEqual({ complete: false, statedCount: null, seenCount: 2, walks: 3 });
      },
    );
  });
});

describe('a list that does not end is stopped', () => {
  test('when a page names one that was read', async () => {
    const pages: number[][] = [];
    await against(
      (response, { url }) => {
        const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
        answerJson(response, SHAPES.flat([listItem(page)], 9, `?page=${page < 3 ? page + 1 : 2}`));
      },
      async (client, { seen }) => {
        const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
        expect(walk).toMatchObject({ complete: false, statedCount: 9, seenCount: 3, walks: 1 });
        expect(walk.fault).toBeInstanceOf(ContractError);
        expect(walk.fault?.message).toMatch(
          /the list does not end: the page .* names .* as its next, which was read before/,
        );
        expect(seen.length).toBeLessThanOrEqual(5);
      },
      { concurrency: 1 },
    );
    expect(pages).toEqual([[1], [2], [3]]);
  });

  test('when page after page brings nothing new', async () => {
    await against(
      (response, _, turn) => answerJson(response, SHAPES.flat([listItem(1)], 9, `?page=${turn + 1}`)),
      async (client, { seen }) => {
        const { complete, fault } = await client.walkInvoices(OCTOBER, () => {});
        expect(complete).toBe(false);
        expect(fault?.message).toContain('is the 10th in a row that holds nothing new');
        expect(seen).toHaveLength(11);
      },
      { concurrency: 1 },
    );
  });

  test.each([1, 4])(
    'when every page brings something new, long after the stated count (concurrency %i)',
    async (concurrency) => {
      const pageOf100 = (page: number) => Array.from({ length: 100 }, (_, i) => listItem(page * 100 + i));
      await against(
        (response, { url }) => {
          const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
          answerJson(response, SHAPES.flat(pageOf100(page), 250, `?year=2026&month=10&page=${page + 1}`));
        },
        async (client, { seen }) => {
          const walk = await client.walkInvoices(OCTOBER, () => {});
          expect(walk).toMatchObject({ complete: false, statedCount: 250, seenCount: 1600, walks: 1 });
          expect(walk.fault?.message).toMatch(
            /does not end: the page \S+page=16 brings it to 1600 items where 250 are stated/,
          );
          expect(seen.length).toBeLessThanOrEqual(16 + 2 * concurrency);
        },
        { concurrency },
      );
    },
  );

  test('when its count grows with every page', async () => {
    await against(
      (response, _, turn) => {
        const items = Array.from({ length: 100 }, (_, i) => listItem(turn * 100 + i));
        answerJson(response, SHAPES.flat(items, turn * 100 + 100, `?page=${turn + 1}`));
      },
      async (client) => {
        const { complete, fault, seenCount } = await client.walkInvoices(OCTOBER, () => {});
        expect([complete, seenCount, fault?.message]).toEqual([false, 1500, expect.stringContaining('does not end')]);
      },
      { concurrency: 1 },
    );
  });

  test('when no count is stated and the pages never end', async () => {
    let page = 0;
    const fetchPage = async (url: string) => {
      const raw = { number: ++page };
      const items = [{ ok: true as const, value: raw, index: 0, raw }];
      const next = `https://x.example/?page=${page + 1}`;
      return { items, count: null, next, url, body: Buffer.alloc(0), receivedAt: new Date(), status: 200 };
    };
    const idOf = ({ raw }: { raw: { number: number } }) => String(raw.number);
    const walk = await walkList({ first: 'https://x.example/', fetchPage, idOf, ahead: 4 }, () => {});
    expect(walk).toMatchObject({ complete: false, statedCount: null, seenCount: 10_000, walks: 1 });
    expect(walk.fault?.message).toContain('is the 10000th, states no count, and names another');
  });
});

test('a failure of onPage ends the walk with that failure', async () => {
  await against(listServer([5, 4, 3, 2, 1]), async (client) => {
    const error = await failureOf(
      client.walkInvoices(OCTOBER, () => {
        throw new RangeError('the disk is full');
      }),
    );
    expect(error.message).toBe('the disk is full');
  });
});

test('a page that fails ends the walk after the pages before it were handed on', async () => {
  const pages: number[][] = [];
  await against(
    (response, request, turn) =>
      turn === 2
        ? answerJson(response, { message: 'Unexpected error.' }, 400)
        : listServer([3, 2, 1])(response, request, turn),
    async (client) => {
      const error = await failureOf(client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page))));
      expect(error.message).toContain('was refused with 400: Unexpected error.');
    },
  );
  expect(pages).toEqual([[3, 2]]);
});

test('orders are walked by their order_id', async () => {
  const order = { workflow: 'RETURN', cod: [], delivery_state: 'CREATED', payment_state: 'UNPAID' };
  await against(
    (response) =>
      answerJson(
        response,
        SHAPES.wrapper(
          [
            { ...order, order_id: 'A' },
            { ...order, order_id: 'A' },
          ],
          2,
          null,
        ),
      ),
    async (client, { seen }) => {
      expect(await client.walkOrders(() => {})).toEqual({ complete: false, statedCount: 2, seenCount: 1, walks: 3 });
      expect(seen[0]?.url).toBe('/v1/external/orders/?page_size=7');
    },
    { pageSize: 7 },
  );
});

describe('numbered pages are asked for together once the count is known', () => {
  /** Answers only when so many requests are waiting at once, or none is to come: proves that they are sent together. */
  function together(size: number, server: Handler): Handler {
    let waiting: (() => void)[] = [];
    return (response, request, turn) => {
      if (turn === 1) return server(response, request, turn);
      waiting.push(() => server(response, request, turn));
      if (waiting.length < size) return;
      for (const answer of waiting.reverse()) answer();
      waiting = [];
    };
  }

  test('and handed on in order, though they come in any', async () => {
    const numbers = Array.from({ length: 18 }, (_, i) => 18 - i);
    const pages: number[][] = [];
    await against(
      together(4, listServer(numbers)),
      async (client, { seen }) => {
        const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
        expect(walk).toEqual({ complete: true, statedCount: 18, seenCount: 18, walks: 1 });
        expect(seen).toHaveLength(9);
      },
      { concurrency: 4 },
    );
    expect(pages.flat()).toEqual(numbers);
  });

  test('also where the server caps the page size and names its own in `next`', async () => {
    const numbers = Array.from({ length: 18 }, (_, i) => 18 - i);
    const capped: Handler = (response, { url }) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
      const items = numbers.slice((page - 1) * 2, page * 2).map((number) => listItem(number));
      const next = page < 9 ? `?year=2026&month=10&page_size=2&page=${page + 1}` : null;
      answerJson(response, SHAPES.flat(items, 18, next));
    };
    const pages: number[][] = [];
    await against(
      together(4, capped),
      async (client, { seen }) => {
        const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
        expect(walk).toEqual({ complete: true, statedCount: 18, seenCount: 18, walks: 1 });
        const addresses = seen.map(({ url }) => url.replace('/v1/external/invoices/?year=2026&month=10&', ''));
        const others = Array.from({ length: 8 }, (_, i) => `page_size=2&page=${i + 2}`);
        expect(addresses.toSorted()).toEqual(['page_size=100', ...others]);
      },
      { concurrency: 4 },
    );
    expect(pages.flat()).toEqual(numbers);
  });

  test('a page that fails ends the walk after every page before it was handed on', async () => {
    const pages: number[][] = [];
    const numbers = Array.from({ length: 18 }, (_, i) => 18 - i);
    const server: Handler = (response, request, turn) =>
      request.url.includes('page=4')
        ? answerJson(response, { message: 'No.' }, 400)
        : listServer(numbers)(response, request, turn);
    await against(together(4, server), async (client) => {
      const error = await failureOf(client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page))));
      expect(error.message).toContain('refused with 400: No.');
    });
    expect(pages).toHaveLength(3);
  });

  test('a count that is far too high asks for no more than a few pages in vain', async () => {
    const server: Handler = (response, { url }) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page') ?? 1);
      if (page > 2) return answerJson(response, { error: 'true', message: 'Invalid page.' }, 404);
      answerJson(response, SHAPES.flat([listItem(page)], Number.MAX_SAFE_INTEGER, page === 1 ? '?page=2' : null));
    };
    await against(server, async (client, { seen }) => {
      const walk = await client.walkInvoices(OCTOBER, () => {});
      expect(walk).toEqual({ complete: false, statedCount: Number.MAX_SAFE_INTEGER, seenCount: 2, walks: 3 });
      expect(seen.length).toBeLessThanOrEqual(3 * 9);
    });
  });

  test.each([
    ['an opaque cursor', (page: number) => `?cursor=${'xyz'[page]}${page}`],
    ['a number beside a cursor', (page: number) => `?page=${page + 1}&after=${page}`],
    ['a number under another name', (page: number) => `?p=${page + 1}`],
    ['another path', (page: number) => `/v1/external/invoices/more/?page=${page + 1}`],
  ])('but %s is followed page after page', async (_, nextOf) => {
    const pages: number[][] = [];
    let underWay = 0;
    let most = 0;
    const known: Handler = (response, { url }) => {
      const page = [1, 2, 3].find((each) => each > 1 && url.endsWith(nextOf(each - 1))) ?? 1;
      most = Math.max(most, ++underWay);
      setTimeout(() => {
        underWay--;
        answerJson(response, SHAPES.flat([listItem(page)], 3, page < 3 ? nextOf(page) : null));
      }, 20);
    };
    await against(known, async (client, { seen }) => {
      const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
      expect(walk).toEqual({ complete: true, statedCount: 3, seenCount: 3, walks: 1 });
      expect(seen).toHaveLength(3);
    });
    expect(pages).toEqual([[1], [2], [3]]);
    expect(most).toBe(1);
  });

  test('and a page that names another than was guessed is followed where it leads', async () => {
    const pages: number[][] = [];
    const nexts: Record<string, string | null> = { '': '?page=2', 2: '?page=2b', '2b': '?page=3', 3: null };
    const server: Handler = (response, { url }) => {
      const page = new URL(url, 'http://x').searchParams.get('page') ?? '';
      const number = ['', '2', '2b', '3'].indexOf(page) + 1;
      answerJson(response, SHAPES.flat([listItem(number)], 4, nexts[page] ?? null));
    };
    await against(server, async (client) => {
      const walk = await client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page)));
      expect(walk).toMatchObject({ complete: true, seenCount: 4, walks: 1 });
    });
    expect(pages).toEqual([[1], [2], [3], [4]]);
  });
});
