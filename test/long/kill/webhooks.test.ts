import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeOf } from '../../../src/base/place.ts';
import { usingLedger } from '../../../src/ledger/index.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { randomFrom } from '../../helpers/random.ts';
import { startRemit } from '../../helpers/remit.ts';
import { type Listening, makeWorld, message, send } from '../../helpers/webhooks.ts';

/** More by `REMIT_WEBHOOK_KILLS=200`; other moments by `REMIT_KILL_SEED`. */
const ROUNDS = Number(process.env.REMIT_WEBHOOK_KILLS ?? 3);
const SEED = Number(process.env.REMIT_KILL_SEED ?? 1);
const SENDERS = 6;

describe.each(['SQLite', ...(hasPostgres ? ['PostgreSQL'] : [])])('remit listen on %s', (database) => {
  it(`killed at any moment, ${ROUNDS} times, loses no message that it answered with 204`, async () => {
    const ledger = database === 'PostgreSQL' ? (await newDatabase()).url : null;
    const world = await makeWorld({ ledger });
    await world.json(['sync', '2026-10', '--orders']);
    const random = randomFrom(SEED);
    const answered = new Set<string>();
    let [sent, killed] = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { child, ended } = startRemit(['listen', '--json', '--quiet'], {}, world.folder);
      onTestFinished(() => void child.kill('SIGKILL'));
      const line = await new Promise<string>((resolve) => child.stdout!.once('data', (data) => resolve(String(data))));
      const { listens, hooks } = JSON.parse(line) as Listening;
      const url = listens + hooks[0]!.path;
      let isOver = false;
      const senders = Array.from({ length: SENDERS }, async () => {
        while (!isOver) {
          sent += 1;
          const id = `ORDER-${sent}`;
          if ((await send(url, message(id, '2026-11-20T10:00:00Z'))) === 204) answered.add(id);
        }
      });
      // A busy machine takes long for the first ones.
      for (const before = answered.size; answered.size < before + 2; ) await sleep(5);
      await sleep(Math.floor(random() * 200));
      child.kill('SIGKILL');
      await ended;
      killed += 1;
      isOver = true;
      await Promise.all(senders);
    }
    const place = placeOf(ledger ?? path.join(world.folder, 'ledger.db'));
    const held = await usingLedger(place, { readOnly: true }, ({ db }) =>
      db.selectFrom('webhook').select('order_id').execute(),
    );
    const ids = new Set(held.map(({ order_id }) => order_id));
    const lost = [...answered].filter((id) => !ids.has(id));
    process.stdout.write(
      `${database}: ${killed} kills, ${sent} sent, ${answered.size} answered with 204, ${lost.length} lost\n`,
    );
    expect(answered.size).toBeGreaterThan(ROUNDS);
    expect(lost).toEqual([]);
    expect((await world.json<{ ok: boolean }>(['verify', '--deep'])).ok).toBe(true);
  });
});
