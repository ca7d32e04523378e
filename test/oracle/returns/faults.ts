/**
 * Faults that are planted in a world of returns, each with what must be found of it. Shares no code with the product.
 */
import { countsFee, type Dice, type Expected, type Invoice, type Row, type World, worth } from './world.ts';

type Fault = (world: World, invoice: Invoice, dice: Dice) => Expected;

const wrong = (code: string, place: 0 | 1 | 2): Fault =>
  function plant(_, invoice, dice) {
    const by = dice.cents(1, 900) * dice.one([1n, -1n]);
    const effect = place === 1 ? -by : by;
    // The net follows the header's own figures, but where it is what is wrong.
    const off: [bigint, bigint, bigint] = [0n, 0n, effect];
    if (place < 2) off[place] = by;
    invoice.wrong.set('USD', off);
    return { code, invoice: invoice.number, order: null, currency: 'USD', period: invoice.period, effect };
  };

const returned = (invoice: Invoice) => invoice.rows.find(({ isReturn }) => isReturn)!;
const about = (code: string, { number, period }: Invoice, { id, currency }: Row) => ({
  ...{ code, invoice: number, order: id, currency, period },
});

/** The row departs from its record. */
const differs = (field: 'cod' | 'fee', isReturn: boolean): Fault =>
  function plant({ convention }, invoice, dice) {
    const row = invoice.rows.find((each) => each.isReturn === isReturn)!;
    const by = dice.cents(1, 200);
    row[field] += by;
    const none = isReturn && field === 'fee' && !countsFee(convention);
    const effect = none ? null : worth(convention, isReturn, field === 'cod' ? by : 0n, field === 'fee' ? by : 0n);
    return { ...about('order-amount-differs', invoice, row), effect };
  };

const FAULTS: Readonly<Record<string, Fault>> = {
  'a wrong net': wrong('invoice-net', 2),
  'a wrong COD in the header': wrong('invoice-cod-total', 0),
  'a wrong fee in the header': wrong('invoice-fee-total', 1),
  'the COD of a return': differs('cod', true),
  'the fee of a return': differs('fee', true),
  'the COD of an order': differs('cod', false),
  'a return twice on its invoice': ({ convention }, invoice) => {
    const row = returned(invoice);
    invoice.rows.push({ ...row });
    return { ...about('order-repeated', invoice, row), effect: worth(convention, true, row.cod, row.fee) };
  },
  'a return on a later invoice too': ({ convention, invoices }, invoice) => {
    const row = returned(invoices[invoices.indexOf(invoice) - CLEAN]!);
    invoice.rows.push({ ...row });
    const effect = worth(convention, true, row.cod, row.fee);
    return { ...about('order-on-two-invoices', invoice, row), invoice: null, effect };
  },
  'a return that nobody has a record of': ({ convention }, invoice) => {
    const row = returned(invoice);
    row.record = null;
    return { ...about('order-unknown', invoice, row), effect: worth(convention, true, row.cod, row.fee) };
  },
  'a return that was not handed over': ({ convention }, invoice) => {
    const row = returned(invoice);
    row.state = 'AWAITING_RETURN';
    return { ...about('cod-without-delivery', invoice, row), effect: worth(convention, true, row.cod, 0n) };
  },
  'a return on no invoice': ({ convention, forgotten }, _, dice) => {
    const [cod, fee] = [dice.cents(300, 5_000) * (convention === 'as-stated' ? -1n : 1n), dice.cents(100, 400)];
    const id = `F${forgotten.length}`;
    forgotten.push({ id, isReturn: true, currency: 'USD', cod, fee, state: 'DELIVERED', record: { cod, fee } });
    return {
      ...{ code: 'delivered-not-invoiced', invoice: null, order: id, currency: 'USD', period: '2026-09' },
      effect: -worth(convention, true, cod, fee),
    };
  },
};

/** So many invoices stay clean, so that the convention can be learnt. */
const CLEAN = 4;

/** Plants some faults, at most four, each on an invoice of its own. */
export function plantFaults(world: World, dice: Dice, count: number): void {
  const spare = world.invoices.slice(CLEAN);
  for (let nth = 0; nth < count; nth += 1) {
    const invoice = spare[nth]!;
    world.expected.push(FAULTS[dice.one(Object.keys(FAULTS))]!(world, invoice, dice));
  }
}
