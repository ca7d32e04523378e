import { expect, it } from 'vitest';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';

const TOML = `time_zone = "UTC"
[couriers.cedar]
kind = "files"
map = "plain"
[couriers.olive]
kind = "files"
map = "plain"
[maps.plain]
kind = "settlement"
columns = { invoice = "Payout", issued_on = "Date", reference = "Ref", cod = "COD", fee = "Fee" }
currency = "USD"
`;
const HEAD = 'courier,workflow,currency,fee';

async function twoCouriers(): Promise<OwnBooks> {
  const books = ownBooks();
  books.file('remit.toml', TOML);
  for (const [courier, number] of [
    ['cedar', 41],
    ['olive', 71],
  ]) {
    const sheet = `Payout,Date,Ref,COD,Fee\n${number},2026-10-20,${courier}-1,50.00,3.00\n`;
    const file = books.file(`${courier}.csv`, sheet);
    await books.json(['import', 'settlement', file, '--courier', String(courier)]);
  }
  return books;
}

interface Closed {
  readonly status: string;
  readonly reasons?: readonly { code: string; why: string }[];
  readonly couriers?: readonly { courier: string; not_checked: readonly { code: string; why: string }[] }[];
}

/** Imports a rate card. @returns the import's id */
async function card(books: OwnBooks, ...lines: string[]): Promise<string> {
  const { import: id } = await books.json<{ import: number }>([
    ...['import', 'tariff', books.file(`card-${lines.join(' ')}.csv`, `${[HEAD, ...lines].join('\n')}\n`)],
  ]);
  return String(id);
}

async function close(books: OwnBooks): Promise<Closed> {
  return JSON.parse((await books.remit(['close', '2026-10', '--first', '--by', 'Rana', '--json'])).stdout);
}

it('a courier that never had a price closes without the checks of fees, whatever card another has', async () => {
  const books = await twoCouriers();
  const wrong = await card(books, 'cedar,STANDARD,USD,2.00');
  await books.json(['import', 'undo', wrong, '--reason', 'of last year']);
  await card(books, 'cedar,STANDARD,USD,3.00');
  const { status, couriers } = await close(books);
  expect(status).toBe('closed');
  const olive = couriers!.find(({ courier }) => courier === 'olive')!;
  const ofFees = olive.not_checked.filter(({ code }) => code.startsWith('fee-'));
  expect(ofFees.map(({ code }) => code)).toContain('fee-off-tariff');
  for (const { code, why } of ofFees) {
    if (code !== 'fee-on-cancelled') expect(why).toContain('no line of the rate card is of this courier');
  }
  await books.verify();
});

it.each(['olive,STANDARD,USD,3.00', ',STANDARD,USD,3.00'])(
  'a courier whose prices (%s) were taken back is refused',
  async (line) => {
    const books = await twoCouriers();
    const taken = await card(books, line);
    await card(books, 'cedar,STANDARD,USD,3.00');
    await books.json(['import', 'undo', taken, '--reason', 'wrong']);
    const { status, reasons } = await close(books);
    expect(status).toBe('refused');
    expect(reasons!.map(({ code, why }) => [code, why])).toEqual([
      ['not-checked', expect.stringMatching(/^olive: fee-off-tariff, fee-no-tariff could not look/)],
    ]);
  },
);
