import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { invoiceOf, startFakeCourier } from '../../helpers/courier.ts';
import { type OwnBooks, ownBooks } from '../../helpers/own-books.ts';
import { CEDAR, cedar, PAYOUT_118, TOTAL_118 } from '../../helpers/settlements.ts';
import { query, syncInto } from '../../helpers/sync.ts';

const FILES = '[couriers.cedar]\nkind = "files"\nmap = "cedar"\n';

/** The invoices of all couriers, by the courier's name; nets in ledger units. */
function invoicesOf({ folder }: OwnBooks): { courier: string; number: number; net: number }[] {
  return query(
    path.join(folder, 'ledger.db'),
    'select courier, number, net_due_to_merchant_units as net from invoices order by courier, number',
  );
}

describe('settlement sheets beside other couriers', () => {
  it('are of the courier that is named, or of the only one that sends sheets, and read by its map', async () => {
    const two = ownBooks(`${CEDAR}${FILES}[couriers.pine]\nkind = "files"\n`);
    const sheet = two.file('october.csv', cedar(...PAYOUT_118, TOTAL_118));
    const refused = await two.remit(['import', 'settlement', sheet]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--courier cedar, or --courier pine');
    expect(await two.json(['import', 'settlement', sheet, '--courier', 'cedar'])).toMatchObject({ new: 3 });
    expect(await two.json(['import', 'settlement', sheet, '--courier', 'pine', '--map', 'cedar'])).toMatchObject({
      new: 3,
    });
    expect(invoicesOf(two)).toEqual([
      { courier: 'cedar', number: 118, net: 1_203_100 },
      { courier: 'pine', number: 118, net: 1_203_100 },
    ]);
  });

  it('leave the invoices of an API as they are, also where both have a number', async () => {
    const courier = await startFakeCourier({
      invoices: [
        invoiceOf(118, '2026-10-31T12:00:00Z', [
          { order_id: 'A', cod: [['USD', '10.00']], delivery_fee: [['USD', '1.00']] },
        ]),
      ],
    });
    onTestFinished(() => courier.close());
    const books = ownBooks(`${CEDAR}${FILES}`);
    await syncInto(path.join(books.folder, 'ledger.db'), courier);
    const sheet = books.file('october.csv', cedar(...PAYOUT_118, TOTAL_118));
    const taken = await books.json<{ import: number }>(['import', 'settlement', sheet, '--courier', 'cedar']);
    expect(invoicesOf(books).map(({ net }) => net)).toEqual([1_203_100, 90_000]);
    expect(await books.remit(['courier', 'rename', 'cedar', 'cedar-two'])).toMatchObject({ code: 0 });
    expect(await books.json(['import', 'list'])).toMatchObject({ imports: [{ courier: 'cedar-two' }] });
    // The settings still have its former name, and the map with it.
    const again = books.file('again.csv', cedar(...PAYOUT_118, TOTAL_118).replaceAll('118,', '119,'));
    expect(await books.remit(['import', 'settlement', again, '--courier', 'cedar-two', '--dry-run'])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await books.remit(['import', 'settlement', again, '--courier', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"nobody"'),
    });
    await books.json(['import', 'undo', String(taken.import), '--reason', 'not ours']);
    expect(invoicesOf(books).map(({ net }) => net)).toEqual([90_000]);
  });
});
