import { describe, expect, test } from 'vitest';
import type { InvoiceListItem } from '../../src/api/wire.ts';
import type { Page } from '../../src/courier/index.ts';
import { ContractError } from '../../src/errors.ts';
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

  test('the next page is fetched while onPage works, and no more than one ahead', async () => {
    await against(listServer([6, 5, 4, 3, 2, 1]), async (client, { seen }) => {
      const asked: number[] = [];
      await client.walkInvoices(OCTOBER, async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        asked.push(seen.length);
      });
      expect(asked).toEqual([2, 3, 3]);
    });
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
      (response, _, turn) => answerJson(response, SHAPES.flat([listItem(turn)], 9, `?page=${(turn % 2) + 1}`)),
      async (client, { seen }) => {
        const error = await failureOf(client.walkInvoices(OCTOBER, (page) => void pages.push(numbersOf(page))));
        expect(error).toBeInstanceOf(ContractError);
        expect(error.message).toMatch(/the list does not end: the page .* names .* as its next, which was read before/);
        expect(seen).toHaveLength(3);
      },
    );
    expect(pages).toEqual([[1], [2], [3]]);
  });

  test('when page after page brings nothing new', async () => {
    await against(
      (response, _, turn) => answerJson(response, SHAPES.flat([listItem(1)], 9, `?page=${turn + 1}`)),
      async (client, { seen }) => {
        const error = await failureOf(client.walkInvoices(OCTOBER, () => {}));
        expect(error).toBeInstanceOf(ContractError);
        expect(error.message).toContain('is the 10th in a row that holds nothing new');
        expect(seen).toHaveLength(11);
      },
    );
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
