import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../src/sandbox/store/open.ts';
import { startRemit } from '../../helpers/remit.ts';
import { callers, newFile, orderBody, runService } from './support.ts';

/** The service in a process of its own. */
async function runProcess(file: string): Promise<{ url: string; child: ChildProcess }> {
  const { child } = startRemit(['sandbox', 'serve', '--data', file, '--json', '--quiet'], {});
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout!, 'data');
  return { url: JSON.parse(String(line)).url, child };
}

test('every write that was answered survives kill -9', async () => {
  const { file, key, pickup } = newFile();
  const answered: string[] = [];
  for (let round = 0; round < 3; round++) {
    const { url, child } = await runProcess(file);
    const { post } = callers(url, key);
    const writing = Array.from({ length: 8 }, async () => {
      for (;;) {
        answered.push((await post('orders/', orderBody(pickup))).body.order_id);
        // The other callers' writes are under way.
        if (answered.length >= 20 * (round + 1)) child.kill('SIGKILL');
      }
    });
    await Promise.allSettled(writing);
  }
  const store = openStore(file);
  expect(store.db.pragma('integrity_check', { simple: true })).toBe('ok');
  const kept = new Set(store.db.prepare('select order_id from delivery_order').pluck().all());
  expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  expect(
    store.get<{ n: number }>(
      'select count(*) as n from delivery_order where order_id not in (select order_id from statestamp)',
    ),
  ).toEqual({ n: 0 });
  store.close();
});

test('two processes that write to one file lose nothing and decide each thing once', async () => {
  const { file, key, pickup } = newFile();
  const [one, two] = await Promise.all([runProcess(file), runProcess(file)]);
  const services = [callers(one.url, key), callers(two.url, key)];
  const created = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      services[n % 2]?.post('orders/', orderBody(pickup, { reference_id: `R${n}` })),
    ),
  );
  expect(created.map((answer) => answer?.status)).toEqual(created.map(() => 201));
  for (const service of services) expect((await service.get('orders/')).body.count).toBe(60);
  expect((await services[0]?.get('customers/'))?.body.count).toBe(1);

  const { order_id } = created[0]?.body ?? {};
  const moves = await Promise.all(
    Array.from({ length: 10 }, (_, n) => services[n % 2]?.post(`orders/${order_id}/request-pickup/`)),
  );
  expect(moves.filter((answer) => answer?.status === 200)).toHaveLength(1);
});

test('50 connections at once get right answers', async () => {
  const { get, post, pickup } = await runService();
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      const { body } = await post('orders/', orderBody(pickup, { reference_id: `R${n}`, cod: [['USD', `${n}.25`]] }));
      return [body.reference_id, (await get(`orders/${body.order_id}/`)).body.cod];
    }),
  );
  expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => [`R${n}`, [['USD', `${n}.25`]]]));
  expect((await get('orders/')).body.count).toBe(50);
});
