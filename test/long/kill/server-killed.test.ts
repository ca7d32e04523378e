import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { hasPostgres, runFolder } from '../../helpers/postgres.ts';
import { asOwner, killServer, makeServer, startServer, urlOf } from '../../helpers/postgres-server.ts';
import { randomFrom } from '../../helpers/random.ts';
import { startRemit } from '../../helpers/remit.ts';
import { bringAll, startTeam, type Team } from '../../helpers/team.ts';

/** How often the server is killed; more by `REMIT_KILL_ROUNDS=50`, at other moments by `REMIT_KILL_SEED`. */
const ROUNDS = Number(process.env.REMIT_KILL_ROUNDS ?? 2);
const SEED = Number(process.env.REMIT_KILL_SEED ?? 1);

let team: Team;
/**
 * How many requests there were, and how many are answered: others wait, so that no sync ends before its server is
 * killed.
 */
let [asked, answered] = [0, Number.POSITIVE_INFINITY];
let held: (() => void)[] = [];
beforeEach(async () => {
  team = await startTeam();
  team.courier.world.intercept = (request, response) => {
    if (request.headers['x-waited']) return false;
    request.headers['x-waited'] = 'yes';
    asked += 1;
    const answer = () => team.courier.replay(request, response);
    if (asked > answered) held.push(answer);
    // Late answers, so that there is something to be killed between.
    else setTimeout(answer, 15);
    return true;
  };
});

function answerAll(): void {
  answered = Number.POSITIVE_INFINITY;
  for (const answer of held) answer();
  held = [];
}
afterEach(() => team.courier.close());

const SYNC = ['sync', '2026-10', '--orders', '--full', '--quiet'];

describe.skipIf(!hasPostgres)('kill -9 of the server and all its processes', () => {
  it('in the middle of a sync: told in a sentence; started again, the next sync equals one that nothing happened to', {
    timeout: 120_000 + ROUNDS * 10_000,
  }, async () => {
    const folder = path.join(runFolder(), `killed-${process.pid}`);
    mkdirSync(folder);
    let server = await makeServer(folder);
    onTestFinished(() => killServer(server));
    const { port } = server;
    for (const name of ['hit', 'clean'])
      await asOwner(port, 'postgres', (client) => client.query(`create database ${name}`));
    const [hit, clean] = [urlOf(port, 'hit'), urlOf(port, 'clean')];
    await bringAll(team, clean);

    const random = randomFrom(SEED);
    for (let round = 0; round < ROUNDS; round += 1) {
      [asked, answered] = [0, 1 + Math.floor(random() * 7)];
      const { child, ended } = startRemit(SYNC, team.environment(hit), team.folder);
      while (child.exitCode === null && asked < answered) await wait(2);
      await wait(random() * 15);
      await killServer(server);
      answerAll();
      const { code, stdout, stderr } = await ended;
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringMatching(
          /^remit: postgresql:\/\/remit_owner@127[^\n]*(ended in the middle|was shut down in the middle|was lost|nothing answers)[^\n]*\n {2}→ [^\n]+\n$/,
        ),
      ]);
      server = await startServer(folder, port);
      // Killed before anything was written, there is no ledger yet.
      const verified = await team.run(hit, 'verify', '--deep', '--json');
      if (verified.code !== 0) expect(verified.stderr).toContain('there is no ledger at');
    }
    await bringAll(team, hit);
    for (const url of [hit, clean]) expect((await team.run(url, 'check', '--json')).code).toBe(3);
    for (const report of ['totals', 'invoices', 'orders', 'mismatches', 'ageing', 'roll-forward', 'lag']) {
      const format = ['report', report, '--json'];
      expect([report, await team.run(hit, ...format)]).toEqual([report, await team.run(clean, ...format)]);
    }
    expect(await contentOf(port, 'hit')).toEqual(await contentOf(port, 'clean'));
    const verified = await team.run(hit, 'verify', '--deep', '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, problems: [] });
  });
});

/** What the ledger says, without when and by which run it was learnt. */
async function contentOf(port: number, database: string): Promise<Record<string, string[]>> {
  return asOwner(port, database, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'remit'::regnamespace and relkind = 'r'
        and relname not in ('run', 'listing', 'evidence', 'evidence_pack', 'chain', 'mismatch_event') and relname not like 'kysely%' order by 1`,
    );
    const content: Record<string, string[]> = {};
    for (const { name } of tables.rows) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from remit.${name}`);
      content[name] = rows
        .map((row) => JSON.stringify(row, (key, value) => (LEARNT.test(key) ? undefined : value)))
        .sort();
    }
    return content;
  });
}

const LEARNT =
  /evidence_id$|^import_id$|^id$|^source$|^(read|delivered_seen|superseded|seen|first_seen|last_seen)_at$|_(run|walk)$|^run_id$|part$|^at$/;
