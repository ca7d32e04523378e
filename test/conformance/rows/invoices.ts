import { expect } from 'vitest';
import type { InvoiceDetail, InvoiceListItem } from '../../../src/api/wire.ts';
import { samplesOf } from '../samples.ts';
import { anInvoice } from './calls.ts';
import { section } from './row.ts';

export const invoiceRows = [
  ...section('Endpoints: Invoices', [
    {
      id: 'invoices.order',
      says: 'Invoices are listed newest first',
      async test(api) {
        const moments = (await samplesOf(api, 'invoices')).map(({ issued_at }) => Date.parse(String(issued_at)));
        expect(moments).toEqual([...moments].sort((a, b) => b - a));
      },
    },
    {
      id: 'invoices.metadata',
      says: 'The list is metadata only: no orders',
      async test(api) {
        for (const invoice of await samplesOf(api, 'invoices')) expect(invoice).not.toHaveProperty('orders');
      },
    },
    {
      id: 'invoices.month',
      says: 'year and month choose the invoices of that month, year alone those of the year',
      async test(api) {
        const { issued_at } = await anInvoice(api);
        const [year, month] = [Number(issued_at.slice(0, 4)), Number(issued_at.slice(5, 7))];
        const all = (await samplesOf(api, 'invoices')) as unknown as InvoiceListItem[];
        const ofMonth = await api.list<InvoiceListItem>('invoices/', { year, month, page_size: 100 });
        expect(ofMonth.items.length).toBeGreaterThan(0);
        expect(ofMonth.items.map(({ number }) => number).sort()).toEqual(
          all
            .filter((invoice) => invoice.issued_at.startsWith(issued_at.slice(0, 7)))
            .map(({ number }) => number)
            .sort(),
        );
        const ofYear = await api.list<InvoiceListItem>('invoices/', { year, page_size: 100 });
        expect(ofYear.items.every((invoice) => invoice.issued_at.startsWith(String(year)))).toBe(true);
        expect((await api.list('invoices/', { year: year - 40 })).count).toBe(0);
      },
    },
    {
      id: 'invoices.month.combined',
      says: 'month is combined with year; what it means alone, and which clock counts, is not shown: 400, UTC',
      choice: '`year`, `month`',
      async test(api) {
        expect((await api.refused(400, 'GET', 'invoices/', { query: { month: 10 } })).details).toMatch(/^month: /);
        for (let month = 1; month <= 12; month++) {
          const { items } = await api.list<InvoiceListItem>('invoices/', { year: 2026, month, page_size: 100 });
          const prefix = `2026-${String(month).padStart(2, '0')}-`;
          for (const { issued_at } of items) {
            expect(issued_at.startsWith(prefix)).toBe(true);
            expect(issued_at.endsWith('+00:00')).toBe(true);
          }
        }
      },
    },
    {
      id: 'invoices.status',
      says: 'The complete set of statuses is not shown: PENDING_PAYMENT, then PAID',
      choice: 'Invoice statuses',
      async test(api) {
        const seen = new Map(
          (await samplesOf(api, 'invoices')).map((invoice) => [invoice.status, invoice.status_display]),
        );
        expect(Object.fromEntries(seen)).toEqual({ PAID: 'Paid', PENDING_PAYMENT: 'Pending payment' });
      },
    },
    {
      id: 'invoices.detail',
      says: 'The detail has number, status, issued_at and money as the list, and its orders',
      async test(api) {
        for (const sample of await samplesOf(api, 'invoiceDetails')) {
          const detail = sample as unknown as InvoiceDetail;
          const { items } = await api.list<InvoiceListItem>('invoices/', { page_size: 100 });
          const listed = items.find(({ number }) => number === detail.number) as InvoiceListItem;
          const { status_display: _display, order_count, ...rest } = listed;
          const { orders, ...header } = detail;
          expect(header).toEqual(rest);
          expect(orders).toHaveLength(order_count);
        }
      },
    },
    {
      id: 'invoices.reconcile',
      says: 'An invoice without RETURN orders can be reconciled: its money is what its orders sum to, net being COD less fee',
      needs: ['operator'],
      async test(api) {
        const details = (await samplesOf(api, 'invoiceDetails')) as unknown as InvoiceDetail[];
        // How RETURN orders are dealt with is for each company to say.
        const plain = details.filter(({ orders }) => orders.every(({ workflow }) => workflow !== 'RETURN'));
        expect(plain.length).toBeGreaterThan(0);
        for (const { cod, delivery_fee, net_due_to_merchant, orders } of plain) {
          const sumOf = (lists: (typeof cod)[]) => {
            const sums = new Map<string, bigint>();
            for (const [currency, amount] of lists.flat() as [string, string][]) {
              sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount.replace('.', '')));
            }
            return sums;
          };
          const [paid, fees] = [sumOf(orders.map((o) => o.cod)), sumOf(orders.map((o) => o.delivery_fee))];
          for (const [currency, sum] of sumOf([cod])) expect(sum).toBe(paid.get(currency) ?? 0n);
          for (const [currency, sum] of sumOf([delivery_fee])) expect(sum).toBe(fees.get(currency) ?? 0n);
          for (const [currency, sum] of sumOf([net_due_to_merchant])) {
            expect(sum).toBe((paid.get(currency) ?? 0n) - (fees.get(currency) ?? 0n));
          }
          const currencies = [...new Set([...paid.keys(), ...fees.keys()])].sort();
          expect(net_due_to_merchant.map(([currency]) => currency).sort()).toEqual(currencies);
        }
      },
    },
  ]),
  ...section('Endpoints: Profile', [
    {
      id: 'profile.logo',
      says: 'What logo_url leads to is not shown: a PNG',
      choice: '`logo_url`',
      async test(api) {
        const { logo_url } = await api.read<{ logo_url: string }>('profile/');
        const logo = await api.send('GET', new URL(logo_url), { key: null });
        expect(logo.status).toBe(200);
        expect(logo.headers['content-type']).toBe('image/png');
      },
    },
  ]),
];
