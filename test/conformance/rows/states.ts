import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { DELIVERY_STATES, type InvoiceDetail, type Order, PAYMENT_STATES } from '../../../src/api/wire.ts';
import type { Api } from '../api.ts';
import { newOrder } from '../makers.ts';
import { bill, type DeliveryState, LATER_STATES, move, orderIn, pay } from '../operator.ts';
import { samplesOf } from '../samples.ts';
import { NothingToTest, section } from './row.ts';

const states = ({ delivery_state, payment_state }: Order) => ({ delivery_state, payment_state });
const stamps = (order: Order) => (order.statestamps ?? []).map(({ timestamp: _, ...stamp }) => stamp);

/** Refuses a move, and shows that the order stands as it stood. */
async function refuses(api: Api, order: Order, action: 'cancel' | 'request-pickup'): Promise<string> {
  const path = `orders/${order.order_id}/`;
  const before = await api.read<Order>(path);
  const error = await api.refused(400, 'POST', `${path}${action}/`);
  expect(error.message).toBe('Validation failed.');
  expect(await api.read<Order>(path)).toEqual(before);
  return error.details;
}

/** Moves that no row of the specification refuses, but that the sandbox does. */
const NOT_CANCELLABLE: readonly DeliveryState[] = ['DELIVERED', 'DELIVERED_AT_WAREHOUSE'];

export const stateRows = section('States and transitions', [
  {
    id: 'states.new',
    says: 'A new order is CREATED and UNPAID, on no invoice, with one statestamp of those states',
    async test(api) {
      const order = await newOrder(api);
      expect(order).toMatchObject({ delivery_state: 'CREATED', payment_state: 'UNPAID', merchant_invoice: null });
      expect(stamps(order)).toEqual([{ delivery_state: 'CREATED', payment_state: 'UNPAID' }]);
      const at = Date.parse(String(order.statestamps?.[0]?.timestamp));
      expect(Math.abs(at - Date.now())).toBeLessThan(120_000);
    },
  },
  {
    id: 'states.stamps',
    says: 'statestamps are the chronological history of both states; the last is where the order stands',
    async test(api) {
      for (const sample of await samplesOf(api, 'orders')) {
        const order = sample as Order;
        const moments = (order.statestamps ?? []).map(({ timestamp }) => Date.parse(timestamp));
        expect(moments).toEqual([...moments].sort((a, b) => a - b));
        expect(stamps(order).at(-1)).toEqual(states(order));
        expect(stamps(order)[0]).toEqual({ delivery_state: 'CREATED', payment_state: 'UNPAID' });
      }
    },
  },
  {
    id: 'states.stamps.moment',
    says: 'The timestamp of a statestamp is the moment of the change',
    async test(api) {
      const { order_id } = await newOrder(api);
      await sleep(20);
      await api.post(`orders/${order_id}/request-pickup/`);
      const { statestamps } = await api.read<Order>(`orders/${order_id}/`);
      const [created, requested] = (statestamps ?? []).map(({ timestamp }) => Date.parse(timestamp)) as [
        number,
        number,
      ];
      expect(requested).toBeGreaterThan(created);
      expect(Math.abs(requested - Date.now())).toBeLessThan(120_000);
    },
  },
  ...DELIVERY_STATES.map((state) => ({
    id: `states.delivery.${state}`,
    says: `${state} is a delivery_state`,
    needs: ['operator'] as const,
    test: async (api: Api) => expect((await orderIn(api, state)).delivery_state).toBe(state),
  })),
  ...PAYMENT_STATES.map((state) => ({
    id: `states.payment.${state}`,
    says: `${state} is a payment_state`,
    async test(api: Api) {
      const seen = (await samplesOf(api, 'statestamps')).some(({ payment_state }) => payment_state === state);
      if (!seen && api.target.sandbox === null) throw new NothingToTest(`no order of this server was ever ${state}`);
      expect(seen).toBe(true);
    },
  })),
  {
    id: 'states.request-pickup',
    says: 'POST request-pickup of an order in CREATED succeeds',
    async test(api) {
      const { order_id } = await newOrder(api);
      const reply = await api.post(`orders/${order_id}/request-pickup/`);
      expect(reply.status, reply.text).toBeLessThan(300);
    },
  },
  {
    id: 'states.request-pickup.next',
    says: 'The state after request-pickup is not shown: PICKUP_REQUESTED, stamped',
    choice: 'request-pickup',
    async test(api) {
      const created = await newOrder(api);
      await api.post(`orders/${created.order_id}/request-pickup/`);
      const order = await api.read<Order>(`orders/${created.order_id}/`);
      expect(states(order)).toEqual({ delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID' });
      expect(stamps(order)).toEqual([...stamps(created), states(order)]);
    },
  },
  {
    id: 'states.request-pickup.twice',
    says: 'POST request-pickup of an order that is no longer in CREATED is an error',
    async test(api) {
      const order = await newOrder(api);
      await api.post(`orders/${order.order_id}/request-pickup/`);
      await refuses(api, order, 'request-pickup');
    },
  },
  ...LATER_STATES.map((state) => ({
    id: `states.request-pickup.from.${state}`,
    says: `POST request-pickup of an order in ${state} is an error`,
    needs: ['operator'] as const,
    async test(api: Api) {
      expect(await refuses(api, await orderIn(api, state), 'request-pickup')).toContain('CREATED');
    },
  })),
  {
    id: 'states.cancel',
    says: 'POST cancel of an order that can be cancelled succeeds',
    async test(api) {
      const { order_id } = await newOrder(api);
      const reply = await api.post(`orders/${order_id}/cancel/`);
      expect(reply.status, reply.text).toBeLessThan(300);
    },
  },
  ...DELIVERY_STATES.filter((state) => state !== 'CANCELLED' && !NOT_CANCELLABLE.includes(state)).map((state) => ({
    id: `states.cancel.from.${state}`,
    says: `An order in ${state} can be cancelled; the next state is not shown: CANCELLED, stamped, UNPAID as before`,
    choice: 'Cancel',
    needs: ['operator'] as const,
    async test(api: Api) {
      const before = await orderIn(api, state);
      await api.post(`orders/${before.order_id}/cancel/`);
      const order = await api.read<Order>(`orders/${before.order_id}/`);
      expect(states(order)).toEqual({ delivery_state: 'CANCELLED', payment_state: before.payment_state });
      expect(stamps(order)).toEqual([...stamps(before), states(order)]);
    },
  })),
  {
    id: 'states.cancel.delivered',
    says: 'A delivered order is refused with a 400 validation error, whose details say that it cannot be cancelled',
    needs: ['operator'],
    async test(api) {
      expect(await refuses(api, await orderIn(api, 'DELIVERED'), 'cancel')).toMatch(
        /delivered orders cannot be cancelled/i,
      );
    },
  },
  {
    id: 'states.cancel.refusals',
    says: 'Other refusals of cancel are not shown: collected at the warehouse, or on an invoice',
    choice: 'Cancel',
    needs: ['operator'],
    async test(api) {
      await refuses(api, await orderIn(api, 'DELIVERED_AT_WAREHOUSE'), 'cancel');
      const billed = await orderIn(api, 'DELIVERED');
      bill(api);
      await refuses(api, billed, 'cancel');
    },
  },
  {
    id: 'states.cancel.again',
    says: 'What cancelling a cancelled order does is not shown: it succeeds and changes nothing',
    choice: 'Cancel',
    async test(api) {
      const { order_id } = await orderIn(api, 'CANCELLED');
      const before = await api.read<Order>(`orders/${order_id}/`);
      expect((await api.post(`orders/${order_id}/cancel/`)).status).toBe(200);
      expect(await api.read<Order>(`orders/${order_id}/`)).toEqual(before);
    },
  },
  {
    id: 'states.delivery.moves',
    says: 'The remaining moves of the delivery state are not shown: to the customer, back after a failure, collected there, or given up',
    choice: 'Other delivery-state moves',
    needs: ['operator'],
    async test(api) {
      const { order_id } = await orderIn(api, 'DELIVERED');
      const path = `orders/${order_id}/`;
      const way = DELIVERY_STATES.slice(0, DELIVERY_STATES.indexOf('DELIVERED') + 1);
      expect(stamps(await api.read<Order>(path)).map((stamp) => stamp.delivery_state)).toEqual(way);

      const failed = await orderIn(api, 'IN_TRANSIT');
      const lastThree = async () => {
        const order = await api.read<Order>(`orders/${failed.order_id}/`);
        return stamps(order)
          .slice(-3)
          .map((stamp) => stamp.delivery_state);
      };
      move(api, failed.order_id, 'fail');
      expect(await lastThree()).toEqual(['PICKED_UP_FOR_DELIVERY', 'IN_TRANSIT', 'AT_WAREHOUSE']);
      move(api, failed.order_id, 'return', 'handover');
      expect(await lastThree()).toEqual(['AT_WAREHOUSE', 'AWAITING_RETURN', 'DELIVERED_AT_WAREHOUSE']);
      expect(() => move(api, failed.order_id, 'deliver')).toThrow(/does not allow deliver/);
      const returned = await orderIn(api, 'AWAITING_RETURN');
      move(api, returned.order_id, 'return');
      expect((await api.read<Order>(`orders/${returned.order_id}/`)).delivery_state).toBe('CANCELLED');
    },
  },
  {
    id: 'states.payment.moves',
    says: 'The moves of the payment state are not shown: the cash goes from the customer to the merchant, step by step',
    choice: 'Payment states',
    needs: ['operator'],
    async test(api) {
      const { order_id } = await orderIn(api, 'DELIVERED', { cod: [['USD', '25.00']] });
      const paymentState = async () => (await api.read<Order>(`orders/${order_id}/`)).payment_state;
      expect(await paymentState()).toBe('PENDING_PAYMENT_BY_DRIVER');
      move(api, order_id, 'collect');
      expect(await paymentState()).toBe('PAID_BY_DRIVER');
      const number = bill(api);
      expect(await paymentState()).toBe('PENDING_PAYMENT_TO_MERCHANT');
      pay(api, number);
      expect(await paymentState()).toBe('PAID_TO_MERCHANT');
      const order = await api.read<Order>(`orders/${order_id}/`);
      expect([...new Set(stamps(order).map(({ payment_state }) => payment_state))]).toEqual([...PAYMENT_STATES]);
    },
  },
  {
    id: 'states.invoiced',
    says: 'merchant_invoice is null until the order is billed, then the invoice on which it was',
    needs: ['operator'],
    async test(api) {
      const { order_id, merchant_invoice } = await orderIn(api, 'DELIVERED');
      expect(merchant_invoice).toBeNull();
      const number = bill(api);
      expect((await api.read<Order>(`orders/${order_id}/`)).merchant_invoice).toBe(number);
      const { orders } = await api.read<InvoiceDetail>(`invoices/${number}/`);
      expect(orders.map((entry) => entry.order_id)).toContain(order_id);
    },
  },
]);
