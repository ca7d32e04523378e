import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { scratchFolder } from '../helpers/folder.ts';

let courier: FakeCourier;
let desk: RunningDesk;
let folder: string;

beforeEach(async () => {
  courier = await startFakeCourier({
    invoices: [
      invoiceOf(10_001, '2026-10-01T10:00:00+03:00', [
        { order_id: 'A', cod: [['USD', '10.00']], delivery_fee: [['USD', '3.00']] },
      ]),
    ],
  });
  folder = scratchFolder();
  desk = await startDesk([], { cwd: folder });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
  await courier.close();
});

const page = (address: string) => desk.send(address, { headers: { cookie: desk.cookie, accept: 'text/html' } });
const settings = () => readFileSync(path.join(folder, 'remit.toml'), 'utf8');

describe('a folder without books', () => {
  it('opens with a page to set them up, and nothing is let in without the link', async () => {
    for (const address of ['/', '/mismatches', '/months/2026-10']) {
      const { status, headers } = await page(address);
      expect([address, status, headers.location]).toEqual([address, 303, '/setup']);
    }
    const { text } = await page('/setup');
    expect(text).toContain('<h1>Set up</h1>');
    expect(text).toContain('>Try the demo</button>');
    expect((await desk.send('/setup')).status).toBe(401);
    const foreign = await desk.submit('/setup', { how: 'demo' }, { headers: { origin: 'https://evil.test' } });
    expect(foreign.status).toBe(403);
    expect((await page('/setup?lang=ar')).text).toContain('dir="rtl"');
    expect(existsSync(path.join(folder, 'remit.toml'))).toBe(false);
  });

  it('tests the account at once, and says at its field what is wrong', async () => {
    const wrong = async (fields: Record<string, string>, field: string) => {
      const { status, text } = await desk.submit('/setup', fields);
      expect([field, status, text.includes(`aria-describedby="why-${field}"`)]).toEqual([field, 422, true]);
      expect(text).not.toContain('no-such-key');
      // No settings are there yet for a hint to name.
      for (const missing of ['REMIT_API', 'api_url in', 'api_key_file']) expect(text).not.toContain(missing);
    };
    await wrong({}, 'api_url');
    await wrong({ api_url: 'ftp://x' }, 'api_url');
    await wrong({ api_url: courier.url }, 'api_key');
    await wrong({ api_url: courier.url, api_key: 'no-such-key' }, 'api_key');
    await wrong({ api_url: 'http://127.0.0.1:9/v1/external/', api_key: KEY }, 'api_url');
    await wrong({ api_url: courier.url, api_key: KEY, time_zone: 'Mars' }, 'time_zone');
    await wrong({ sheets_of: 'cedar !!' }, 'sheets_of');
    await wrong({ sheets_of: 'cedar', merchant_name: 'x'.repeat(5_000) }, 'merchant_name');
    expect(existsSync(path.join(folder, 'remit.toml'))).toBe(false);
    expect(existsSync(path.join(folder, 'api-key'))).toBe(false);
  });

  it('becomes books by an API: the key in a file of its own, and the first sync runs', async () => {
    const fields = {
      api_url: courier.url,
      api_key: KEY,
      merchant_name: 'Zahra',
      base_currency: 'usd',
      payers: 'Cedar Road',
    };
    const { status, headers } = await desk.submit('/setup', fields);
    expect([status, headers.location]).toEqual([303, '/syncs/1']);
    expect(settings()).toContain('merchant_name = "Zahra"');
    expect(settings()).toContain('receipts = { payers = ["Cedar Road"] }');
    expect(settings()).toContain('accounting = { base_currency = "USD" }');
    expect(settings()).not.toContain(KEY);
    expect(statSync(path.join(folder, 'api-key')).mode & 0o077).toBe(0);
    for (;;) {
      const { status: how } = await desk.json<{ status: string }>('/api/v1/syncs/1');
      if (how === 'running') await new Promise((resolve) => setTimeout(resolve, 50));
      else break;
    }
    expect(await desk.json('/api/v1/syncs/1')).toMatchObject({ status: 'complete' });
    expect((await page('/')).text).toContain('Zahra');
    expect((await page('/setup')).status).toBe(404);
  });

  it('is set up once, however often it is asked, and by what can be read again', async () => {
    const odd = { sheets_of: 'cedar cedar', merchant_name: 'A\u007f"B', payers: 'x\u007f' };
    const both = await Promise.all([desk.submit('/setup', odd), desk.submit('/setup', { sheets_of: 'swift' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(settings().match(/\[couriers\.[a-z]+\]/g)).toHaveLength(1);
    expect((await page('/imports')).status).toBe(200);
  });

  it('becomes books of couriers that send sheets, or the demo', async () => {
    expect((await desk.submit('/setup', { sheets_of: 'cedar, swift' })).headers.location).toBe('/');
    expect(settings()).toContain('[couriers.cedar]');
    expect((await page('/')).text).toContain('These books hold no month yet');
    expect((await page('/imports')).status).toBe(200);
  });
});
