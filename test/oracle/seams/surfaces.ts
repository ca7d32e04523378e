import { tieFaults } from '../balances/custody.ts';
import { decimal, unitsOfSum } from '../units.ts';
import { Books } from './books.ts';
import { COURIERS, CURRENCIES } from './plan.ts';
import type { Play } from './play.ts';

type Row = Readonly<Record<string, string | number | null>>;
interface Report {
  readonly rows: readonly Row[];
  readonly totals: readonly Row[];
  readonly notes: readonly string[];
}

/** A decimal with a sign, in ten-thousandths. */
export function amountOf(text: string | number | null | undefined): bigint {
  const said = String(text ?? '0');
  return said.startsWith('-') ? -unitsOfSum(said.slice(1)) : unitsOfSum(said);
}

export async function read(play: Play, ...argv: string[]): Promise<Report> {
  return JSON.parse(await play.must([0, 1, 3], 'report', ...argv, '--format', 'json')) as Report;
}

/** Whether a row is of a courier, by its name of today, and of a currency. */
export function isRowOf(play: Play, courier: string, currency: string): (row: Row) => boolean {
  return (row) => row.courier === play.names.get(courier) && row.currency === currency;
}

/** Every surface that the design names, month by month. @param isWhole with those that take longest */
export async function compareSurfaces(play: Play, isWhole: boolean): Promise<void> {
  const months = play.months();
  const balances = play.balances;
  const same = (what: string, said: bigint, due: bigint) => {
    if (said !== due) play.faults.push(`${what} is ${decimal(said)}, not ${decimal(due)}`);
  };
  const begins = balances.begins();
  const rolled = await read(play, 'roll-forward', `${months[0]}..${months.at(-1)}`);
  const journal = isWhole ? await read(play, 'journal', `${months[0]}..${months.at(-1)}`) : null;
  for (const [index, month] of months.entries()) {
    const closing = balances.closing(month);
    const items = balances.items(month);
    // One month a night, each in its turn.
    const isTurn = isWhole || index === play.facts.length % months.length;
    const openItems = isTurn ? await read(play, 'open-items', month) : null;
    const ageing = isWhole ? await read(play, 'ageing', month) : null;
    const dashboard = isWhole ? await read(play, 'dashboard', month) : null;
    const { notes } = isWhole ? await read(play, 'custody', month) : { notes: [] };
    for (const courier of COURIERS) {
      const due = new Map(CURRENCIES.map((currency) => [currency, closing.get(`${courier} ${currency}`) ?? 0n]));
      const own = notes.filter((note) => note.startsWith(`${play.names.get(courier)}: `));
      play.faults.push(...tieFaults(`${month} ${courier}`, own, due));
      for (const currency of CURRENCIES) {
        const due = closing.get(`${courier} ${currency}`) ?? 0n;
        const isOwn = isRowOf(play, courier, currency);
        const where = `${month} ${courier} ${currency}`;
        const line = rolled.rows.find((row) => row.period === month && isOwn(row));
        if (!line && !play.plan.span.everyMonth) continue;
        if (!line && month >= (begins.get(`${courier} ${currency}`) ?? '9999')) play.faults.push(`${where}: no line`);
        same(`${where}: closing of the roll-forward`, amountOf(line?.closing), due);
        const next = rolled.rows.find((row) => row.period === months[index + 1] && isOwn(row));
        if (next) same(`${where}: opening after it`, amountOf(next.opening), due);
        for (const [title, report] of Object.entries({ 'open items': openItems, ageing })) {
          if (report === null) continue;
          const sum = report.rows.filter(isOwn).reduce((all, row) => all + amountOf(row.open), 0n);
          same(`${where}: ${title}`, sum, due);
          const total = report.totals.filter(isOwn).reduce((all, row) => all + amountOf(row.open), 0n);
          same(`${where}: total of ${title}`, total, due);
        }
        if (openItems) {
          const unallocated = openItems.rows
            .filter((row) => row.kind === 'unallocated' && isOwn(row))
            .reduce((sum, row) => sum + amountOf(row.open), 0n);
          same(`${where}: unallocated`, unallocated, items.get(`${courier} ${currency} unallocated`) ?? 0n);
        }
        if (dashboard) {
          const said = dashboard.rows.find(
            (row) => row.section === 'balance' && row.figure === 'closing' && isOwn(row),
          );
          same(`${where}: closing of the dashboard`, amountOf(said?.amount), due);
        }
        if (journal) {
          const own = journal.rows.filter(
            (row) =>
              isOwn(row) &&
              ['Courier receivable', 'Unallocated receipts'].includes(String(row.account)) &&
              String(row.date).slice(0, 7) <= month,
          );
          const said = own.reduce((sum, row) => sum + amountOf(row.debit) - amountOf(row.credit), 0n);
          same(`${where}: receivable of the journal`, said, due);
        }
      }
    }
  }
}

/** What is outstanding of each month's invoices by `report totals`, and the home page of the desk. */
export async function compareToday(play: Play): Promise<void> {
  const months = play.months();
  const range = `${months[0]}..${months.at(-1)}`;
  const books = new Books(play.facts);
  const { rows } = await read(play, 'totals', range);
  const rolled = await read(play, 'roll-forward', range);
  const items = play.balances.items('9999-12');
  const home = await play.atDesk(async (desk) =>
    Promise.all(
      [...play.names.values()].map((name) =>
        desk.json<{ table: Report; balance: Report }>(`/?courier=${encodeURIComponent(name)}&period=${range}`),
      ),
    ),
  );
  for (const courier of COURIERS) {
    for (const currency of CURRENCIES) {
      const isOwn = isRowOf(play, courier, currency);
      const where = `${courier} ${currency}`;
      for (const month of months) {
        const due = books
          .invoicesOf(courier)
          .filter(({ issued }) => issued.startsWith(month))
          .reduce((sum, { id }) => sum + (items.get(`${courier} ${currency} ${id}`) ?? 0n), 0n);
        const said = amountOf(rows.find((row) => row.period === month && isOwn(row))?.outstanding);
        if (said !== due)
          play.faults.push(`${month} ${where}: ${decimal(said)} outstanding in totals, not ${decimal(due)}`);
      }
      const lines = (report: Report) => report.rows.filter(isOwn).map(({ period, closing }) => `${period} ${closing}`);
      const shown = home.flatMap(({ balance }) => lines(balance));
      for (const line of shown)
        if (!lines(rolled).includes(line))
          play.faults.push(`home of the desk, ${where}: ${line} is in no roll-forward`);
      if (shown.length === 0 && lines(rolled).length > 0) play.faults.push(`home of the desk shows no ${where}`);
    }
  }
}

interface PrintedClose {
  readonly couriers: readonly {
    readonly courier: string;
    readonly figures: { readonly roll_forward: readonly Row[] };
  }[];
}

export function compareClose(play: Play, { couriers }: PrintedClose, month: string): void {
  for (const [key, due] of play.balances.closing(month)) {
    const [courier, currency] = key.split(' ') as [string, string];
    const own = couriers.find((one) => one.courier === play.names.get(courier));
    const line = own?.figures.roll_forward.find((row) => row.currency === currency);
    if (!line && !play.plan.span.everyMonth) continue;
    if (amountOf(line?.closing) !== due)
      play.faults.push(
        `close ${month} ${key}: it closes with ${decimal(amountOf(line?.closing))}, not ${decimal(due)}`,
      );
  }
}
