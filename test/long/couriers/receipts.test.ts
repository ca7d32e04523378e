import { expect, it } from 'vitest';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { randomFrom } from '../../helpers/random.ts';

const WORLDS = Number(process.env.REMIT_COURIER_WORLDS ?? 2);
const SEED = Number(process.env.REMIT_COURIER_SEED ?? 1);

const NAMES = ['cedar', 'north', 'swift'] as const;
type Name = (typeof NAMES)[number];

const SETTINGS = `time_zone = "UTC"
${NAMES.map((name) => `[couriers.${name}]\nkind = "files"\nmap = "sheet"\npayers = ["${name.toUpperCase()} DELIVERY"]`).join('\n')}
[maps.sheet]
kind = "settlement"
currency = "USD"
columns = { invoice = "Payout", issued_on = "Date", order = "AWB", cod = "COD", fee = "Fee" }
`;

/** Payouts whose numbers and nets the couriers share, and one bank account that all pay into. */
function worldOf(random: () => number) {
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const one = <T>(of: readonly T[]) => of[int(0, of.length - 1)]!;
  const nets = [20, 35, 50, 55, 85];
  const payouts = NAMES.flatMap((courier) =>
    Array.from({ length: int(1, 5) }, (_, nth) => ({ courier, number: 101 + nth, net: one(nets), day: int(1, 9) })),
  );
  const holders = (number: number) =>
    payouts.filter((payout) => payout.number === number).map(({ courier }) => courier);
  const lines = Array.from({ length: int(4, 12) }, () => {
    const { courier, number, net } = one(payouts);
    const amount = random() < 0.8 ? net : one(nets);
    const named = random() < 0.4;
    const kind = int(0, 9);
    // Nobody's: another name, whatever the amount. Of two: nobody can say whose.
    if (kind === 0) return { amount, text: 'GROCERIES', whose: null };
    if (kind === 1)
      return { amount, text: `${one(NAMES)} cedar delivery and north delivery`.toUpperCase(), whose: null };
    if (kind === 2) {
      const having = holders(number);
      return { amount, text: `transfer ${number}`, whose: having.length === 1 ? having[0]! : null };
    }
    return { amount, text: `${courier.toUpperCase()} DELIVERY${named ? ` ${number}` : ''}`, whose: courier };
  });
  return { payouts, lines };
}

type World = ReturnType<typeof worldOf>;

async function playIn(books: OwnBooks, { payouts, lines }: World): Promise<void> {
  for (const name of NAMES) {
    const rows = payouts
      .filter(({ courier }) => courier === name)
      .map(({ number, net, day }) => `${number},2026-10-0${day},${name}-${number},${net + 2}.00,2.00`);
    const file = books.file(`${name}.csv`, `Payout,Date,AWB,COD,Fee\n${rows.join('\n')}\n`);
    await books.json(['import', 'settlement', file, '--courier', name]);
  }
  const bank = lines.map(({ amount, text }) => `2026-10-12,${amount}.00,USD,${text}`);
  await books.json(['import', 'receipts', books.file('bank.csv', `date,amount,currency,text\n${bank.join('\n')}\n`)]);
}

interface Listed {
  readonly courier: Name;
  readonly id: number;
  readonly receipts: readonly number[];
  readonly invoices: readonly number[];
}

it.each(Array.from({ length: WORLDS }, (_, nth) => SEED * 100_003 + nth))(
  'no receipt is matched across couriers, by rule or by hand (world %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const world = worldOf(random);
    const books = ownBooks(SETTINGS);
    await playIn(books, world);
    const listed = async () => (await books.json<{ matches: Listed[] }>(['match', 'list'])).matches;
    const matches = await listed();
    const across = matches.filter(({ courier, receipts }) =>
      receipts.some((receipt) => world.lines[receipt - 1]!.whose !== courier),
    );
    expect(across).toEqual([]);
    // By hand too: what one courier's match holds, no other takes.
    for (const { courier, receipts } of matches.slice(0, 2)) {
      const { courier: other, number } = world.payouts.find((payout) => payout.courier !== courier)!;
      const argv = ['match', 'add', String(receipts[0]), String(number), '--courier', other];
      const { code, stderr } = await books.remit([...argv, '--difference', 'other', '--note', 'x']);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`is matched to invoices of ${courier}`)]);
    }
    expect(await listed()).toEqual(matches);
    const used = matches.flatMap(({ receipts }) => receipts);
    const reported = await books.json<{ rows: { receipt: number; courier: Name | null }[] }>(['report', 'receipts']);
    // Each line stands once, whosever it is.
    expect(reported.rows.map(({ receipt }) => receipt).sort((a, b) => a - b)).toEqual(
      world.lines.map((_, at) => at + 1),
    );
    expect(new Set(used).size).toBe(used.length);
    if (seed % 10 === 0) await books.verify();
  },
);
