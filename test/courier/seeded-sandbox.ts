import path from 'node:path';
import { startSandbox } from '../../src/sandbox/index.ts';
import { openStore } from '../../src/sandbox/store/open.ts';
import { seedWorld } from '../../src/sandbox/world/seed.ts';
import { scratchFolder } from '../helpers/folder.ts';

/** Runs the delivery company's service over a small world of October 2026, and tells a merchant's key. */
export async function usingSandbox<T>(
  results: 'flat' | 'array' | 'wrapper' | 'object',
  use: (access: { baseUrl: string; apiKey: string }) => Promise<T>,
): Promise<T> {
  const file = path.join(scratchFolder(), 'service.db');
  const store = openStore(file);
  const months = { from: '2026-10', to: '2026-10' };
  const asOf = new Date('2026-11-05T00:00:00Z');
  const { merchants } = seedWorld(store, { months, orders: 60, seed: 'client', asOf, plant: false });
  store.close();
  const sandbox = await startSandbox({ file, port: 0, host: '127.0.0.1', results });
  try {
    return await use({ baseUrl: sandbox.url, apiKey: merchants[0]?.key ?? '' });
  } finally {
    await sandbox.close();
  }
}
