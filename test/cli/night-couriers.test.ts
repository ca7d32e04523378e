import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { remit } from '../helpers/cli.ts';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { scratchFolder } from '../helpers/folder.ts';

it('a night that brings nothing of any courier fails, whatever mismatches are open', async () => {
  const cwd = scratchFolder();
  const couriers: FakeCourier[] = [];
  const tables = [];
  for (const name of ['cedar', 'swift']) {
    const rows = [{ order_id: name, cod: [['USD', '25.00']], delivery_fee: [['USD', '3.00']] }] as const;
    // The header takes 10.00 too much COD, and owes it.
    const invoice = invoiceOf(1, '2026-11-20T09:00:00Z', structuredClone(rows) as never, {
      ...{ cod: [['USD', '35.00']], net_due_to_merchant: [['USD', '32.00']] },
    });
    const courier = await startFakeCourier({ organisation: `Zahra at ${name}`, invoices: [invoice] });
    onTestFinished(() => courier.close());
    couriers.push(courier);
    tables.push(`[couriers.${name}]\napi_url = "${courier.url}"\napi_key_file = "${name}"\n`);
    writeFileSync(path.join(cwd, name), KEY, { mode: 0o600 });
  }
  writeFileSync(path.join(cwd, 'remit.toml'), `time_zone = "UTC"\nledger = "ledger.db"\n${tables.join('')}`);
  const night = async (day: number) => {
    const { code, stdout } = await remit(['night', '--json'], { cwd, now: new Date(`2026-12-0${day}T02:00:00Z`) });
    return [code, JSON.parse(stdout).sync.status];
  };
  expect(await night(1)).toEqual([3, 'complete']);
  const refuse: FakeCourier['world']['intercept'] = (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
    return true;
  };
  couriers[0]!.world.intercept = refuse;
  expect(await night(2)).toEqual([3, 'failed']);
  couriers[1]!.world.intercept = refuse;
  expect(await night(3)).toEqual([1, 'failed']);
  rmSync(path.join(cwd, 'swift'));
  expect(await night(4)).toEqual([2, 'failed']);
});
