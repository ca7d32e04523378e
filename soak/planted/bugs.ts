/** A mistake in the product that the simulator must find. */
export interface Bug {
  readonly name: string;
  readonly world: 'findings' | 'balances';
  /** The seed of the world that it is played in: of those tried, the one that finds it soonest. */
  readonly seed: number;
  /** A source file, without its ending. */
  readonly file: string;
  /** What stands there, once, as it is written and as it is compiled. */
  readonly from: string;
  readonly to: string;
}

export const BUGS: readonly Bug[] = [
  {
    name: 'an item is missed when the list shifts while it is read',
    world: 'findings',
    seed: 29,
    file: 'src/courier/walk',
    from: 'counts.size === 1 && page !== GONE',
    to: 'page !== GONE',
  },
  {
    name: 'what an incomplete walk did not show is marked as vanished',
    world: 'findings',
    seed: 1,
    file: 'src/sync/listing',
    from: 'complete: walk.complete && distrust === null,',
    to: 'complete: true,',
  },
  {
    name: 'a detail that came at the second attempt is not kept',
    world: 'findings',
    seed: 1,
    file: 'src/sync/invoices',
    from: 'await storeDetails(session, details);',
    to: 'if (session.client.stats.retries === 0) await storeDetails(session, details);',
  },
  {
    name: 'a detail and its rows are stored in two transactions',
    world: 'findings',
    seed: 71,
    file: 'src/sync/invoices',
    from: 'await applyInvoices(trx, brought);',
    to: `for (const text of ['commit', 'begin immediate']) await trx.executeQuery({ sql: text, parameters: [], query: {} });
      await applyInvoices(trx, brought);`,
  },
  {
    name: 'sums are made by floats and rounded to cents',
    world: 'findings',
    seed: 1,
    file: 'src/money/sum',
    from: 'add(total, { currency, amount: added })',
    to: '{ currency, amount: ZERO.plus(Math.round((Number(total.amount) + Number(added)) * 100) / 100) }',
  },
  {
    name: 'EUR is added to USD in our figure',
    world: 'findings',
    seed: 1,
    file: 'src/checks/bridge/index',
    from: 'totals.add(currency, net)',
    to: "totals.add(currency === 'EUR' ? 'USD' : currency, net)",
  },
  {
    name: 'a file that is imported again is taken again',
    world: 'balances',
    seed: 2,
    file: 'src/app/import/index',
    from: 'const earlier = await findImported(trx, read.kind, body.sha256);',
    to: 'const earlier = undefined;',
  },
  {
    name: 'the Paid flag counts though receipts of the whole payment window show no money',
    world: 'balances',
    seed: 12,
    file: 'src/matching/settle',
    from: 'paying > 0 || holdsAll(held, date, addDays(date, lagDays))',
    to: 'paying > 0',
  },
  {
    name: "a month's balance leaves out its last day",
    world: 'balances',
    seed: 202,
    file: 'src/matching/balance',
    from: 'if (movement.date <= day)',
    to: 'if (movement.date < day)',
  },
  {
    name: 'decisions do not extend the chain',
    world: 'balances',
    seed: 58,
    file: 'src/ledger/evidence/append',
    from: 'head = chainOf(head, row);',
    to: "head = piece.kind === 'decision' ? head : chainOf(head, row);",
  },
  {
    name: 'the chain leaves out what of a document could not be read',
    world: 'balances',
    seed: 22,
    file: 'src/ledger/evidence/chain',
    from: "  'fault',\n",
    to: '',
  },
  {
    name: 'an agreed difference does not reduce what the Paid flag settles',
    world: 'balances',
    seed: 188,
    file: 'src/matching/settle',
    from: 'outstanding: net - named - flagged',
    to: 'outstanding: net - flagged',
  },
  {
    name: 'an invoice whose row looks the same is never read again',
    world: 'findings',
    seed: 11,
    file: 'src/sync/plan',
    from: 'return held.read_at < staleBefore[kind] ? kind : null;',
    to: 'return null;',
  },
  {
    name: 'an invoice that could not be read once is not read again',
    world: 'findings',
    seed: 1,
    file: 'src/sync/plan',
    from: "return 'superseded';",
    to: 'return null;',
  },
  {
    name: 'an order counts on an invoice that has vanished',
    world: 'findings',
    seed: 73,
    file: 'src/checks/facts/billed-orders',
    from: 'live: invoices.filter(([first]) => first.isLive)',
    to: 'live: invoices',
  },
  {
    name: 'an invoice is overdue a day early',
    world: 'findings',
    seed: 379,
    file: 'src/checks/catalogue/payment-overdue',
    from: 'ageOf(line) > overdueDays',
    to: 'ageOf(line) >= overdueDays',
  },
  {
    name: "days are taken by the machine's zone instead of the books'",
    world: 'balances',
    seed: 3368,
    file: 'src/base/day',
    from: 'const days = ZONES.get(zone) ?? new ZoneDays(zone);',
    to: 'const days = new ZoneDays(process.env.TZ ?? zone);',
  },
  {
    name: 'a settlement that was undone still counts',
    world: 'balances',
    seed: 188,
    file: 'src/ledger/queries/receipts/matches',
    from: 'm.removed_at is null`;',
    to: '1 = 1`;',
  },
  {
    name: 'the last pages of the order book are not kept',
    world: 'findings',
    seed: 29,
    file: 'src/sync/page-batch',
    from: 'if (pages.length === 0)',
    to: 'if (pages.length < 25)',
  },
  {
    name: 'decimals beyond two are cut off when an amount is read',
    world: 'findings',
    seed: 1,
    file: 'src/money/units',
    from: "const units = BigInt(whole + digits.padEnd(DECIMALS, '0'));",
    to: "const units = BigInt(whole + digits.slice(0, 2).padEnd(DECIMALS, '0'));",
  },
  {
    name: 'a restated invoice keeps its first figures',
    world: 'findings',
    seed: 11,
    file: 'src/ledger/write/invoices',
    from: 'before?.detail_sha256 !== detail_sha256',
    to: '!before',
  },
  {
    name: 'what becomes known after a close is booked in the closed month',
    world: 'balances',
    seed: 22,
    file: 'src/checks/facts/balances/book',
    from: 'const closed = close ? this.#closed.filter(({ id }) => id < close.id) : this.#closed;',
    to: 'const closed = close ? this.#closed.filter(({ id }) => id < close.id) : [];',
  },
];
