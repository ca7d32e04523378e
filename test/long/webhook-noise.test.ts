import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { HEADER, makeWorld, message, signed, startListening } from '../helpers/webhooks.ts';

/** Bad signatures a second, and for how long. */
const A_SECOND = 1_000;
const SECONDS = 5;

it('takes a real webhook within three seconds, while a thousand a second bear a wrong signature', async () => {
  const world = await makeWorld();
  await world.json(['sync', '2026-10', '--orders']);
  const listener = await startListening(world.folder, '--quiet');
  const { path } = listener.said.hooks[0]!;
  const pool = new Pool(listener.said.listens, { connections: 64 });
  onTestFinished(() => pool.destroy());
  const post = async (body: string, signature: string) => {
    const headers = { [HEADER]: signature, 'content-type': 'application/json' };
    const { statusCode, body: answer } = await pool.request({ method: 'POST', path, headers, body });
    await answer.dump();
    return statusCode;
  };
  const noise = message('A'.repeat(2_000), '2026-11-20T10:00:00Z');
  const wrong = signed(noise, 'a wrong secret');
  const began = performance.now();
  let [sent, refused] = [0, 0];
  const times: number[] = [];
  const waiting: Promise<void>[] = [];
  for (let real = 0; performance.now() - began < SECONDS * 1_000; ) {
    const due = Math.floor(((performance.now() - began) / 1_000) * A_SECOND);
    for (; sent < due; sent += 1) {
      waiting.push(
        post(noise, wrong).then((status) => {
          if (status === 401) refused += 1;
        }),
      );
    }
    if (performance.now() - began > 200 * (real + 1)) {
      real += 1;
      const body = message(`REAL-${real}`, '2026-11-20T10:00:00Z');
      const at = performance.now();
      waiting.push(
        post(body, signed(body)).then((status) => {
          expect(status).toBe(204);
          times.push(performance.now() - at);
        }),
      );
    }
    await sleep(5);
  }
  await Promise.all(waiting);
  times.sort((a, b) => a - b);
  const seconds = (performance.now() - began) / 1_000;
  process.stdout.write(
    `noise: ${sent} sent, ${refused} refused with 401 in ${seconds.toFixed(1)} s; ${times.length} real ones kept, median ${times[times.length >> 1]!.toFixed(0)} ms, slowest ${times.at(-1)!.toFixed(0)} ms\n`,
  );
  expect(refused).toBe(sent);
  expect(times.length).toBeGreaterThan(15);
  expect(times.at(-1)).toBeLessThan(3_000);
  await listener.stop();
});
