import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeCourier, invoiceOf, KEY, startFakeCourier } from '../helpers/courier.ts';
import { type RunningDesk, startDesk } from '../helpers/desk.ts';
import { scratchFolder } from '../helpers/folder.ts';

interface Sync {
  readonly id: number;
  readonly status: string;
  readonly progress: Readonly<Record<'months' | 'invoices' | 'orders' | 'faults', number>>;
  readonly said: string;
}

let courier: FakeCourier;
let desk: RunningDesk;
let folder: string;

beforeEach(async () => {
  courier = await startFakeCourier({
    invoices: Array.from({ length: 8 }, (_, at) =>
      invoiceOf(10_001 + at, '2026-10-01T10:00:00+03:00', [
        { order_id: `O${at}`, cod: [['USD', '10.00']], delivery_fee: [['USD', '3.00']] },
      ]),
    ),
  });
  folder = scratchFolder();
  writeFileSync(path.join(folder, 'remit.toml'), `api_url = "${courier.url}"\n`);
  desk = await startDesk([], { cwd: folder, env: { REMIT_API_KEY: KEY } });
  await desk.enter();
});
afterEach(async () => {
  await desk.stop();
  await courier.close();
});

async function ended(id: number): Promise<Sync> {
  for (;;) {
    const sync = await desk.json<Sync>(`/api/v1/syncs/${id}`);
    if (sync.status !== 'running') return sync;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
const begin = async (body: object = {}) => JSON.parse((await desk.post('/api/v1/syncs', body)).text) as Sync;

/** Answers nothing more until the function that it returns is called. */
function holdUp(): () => void {
  const held: (() => void)[] = [];
  courier.world.intercept = (request, response, place) => {
    if (!/^\/invoices?\/\d+/.test(place) || request.headers['x-waited']) return false;
    held.push(() => {
      request.headers['x-waited'] = '1';
      courier.replay(request, response);
    });
    return true;
  };
  return () => {
    delete courier.world.intercept;
    for (const go of held) go();
  };
}

describe('a sync at the desk', () => {
  it('brings a month, says how far it is, and checks the months again', async () => {
    const started = await desk.post('/api/v1/syncs', { period: '2026-10' });
    expect(started.status).toBe(202);
    const { id } = JSON.parse(started.text) as Sync;
    expect(await ended(id)).toEqual({
      id,
      status: 'complete',
      progress: { months: 1, invoices: 8, orders: 0, faults: 0 },
      said: 'Synced: 8 invoices read, 0 orders new or changed. The months are checked again.',
    });
    const { rows } = await desk.json<{ rows: object[] }>('/api/v1/');
    expect(rows).toMatchObject([{ period: '2026-10', cod: '80.00' }]);
    const page = await desk.send(`/syncs/${id}`, { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(page.text).toContain('role="status"');
    expect(page.headers.refresh).toBeUndefined();
  });

  it('runs alone, can be cancelled, and keeps what it had brought', async () => {
    const go = holdUp();
    const { id } = await begin({ period: '2026-10' });
    const second = await desk.post('/api/v1/syncs', {});
    expect([second.status, JSON.parse(second.text)]).toMatchObject([409, { error: { code: 'busy' } }]);
    const page = await desk.send(`/syncs/${id}`, { headers: { cookie: desk.cookie, accept: 'text/html' } });
    expect(page.headers.refresh).toBe('1');
    expect(page.text).toContain('>Cancel</button>');
    // Pages are read while it runs.
    expect((await desk.send('/', { headers: { cookie: desk.cookie } })).status).toBe(200);
    expect((await desk.submit(`/syncs/${id}/cancel`, {})).status).toBe(303);
    go();
    expect(await ended(id)).toMatchObject({ status: 'cancelled', said: expect.stringContaining('cancelled') });
    const { id: again } = await begin({ period: '2026-10' });
    expect(await ended(again)).toMatchObject({ status: 'complete' });
  });

  it('says why it failed, and what it is asked wrongly', async () => {
    courier.world.intercept = (_, response) => {
      response.writeHead(401).end('{}');
      return true;
    };
    const { id } = await begin({ period: '2026-10' });
    const failed = await ended(id);
    expect(failed.status).toBe('failed');
    expect(failed.said).toMatch(/key/);
    expect(failed.said).not.toContain('{');
    expect(JSON.stringify(failed)).not.toContain(KEY);
    expect((await desk.post('/api/v1/syncs', { period: '2026-13' })).status).toBe(422);
    expect((await desk.post('/api/v1/syncs', { months: 3 })).status).toBe(400);
    expect((await desk.send('/api/v1/syncs/99', { headers: { cookie: desk.cookie } })).status).toBe(404);
    const home = await desk.submit('/syncs', { period: '2026-10' });
    expect([home.status, home.headers.location]).toEqual([303, '/syncs/2']);
    await ended(2);
  });
});
