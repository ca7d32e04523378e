import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningDesk, startDesk } from '../../helpers/desk.ts';
import { deskBooks } from '../../helpers/desk-books.ts';
import type { OwnBooks } from '../../helpers/own-books.ts';
import { hasPostgres, newDatabase } from '../../helpers/postgres.ts';
import { randomFrom } from '../../helpers/random.ts';
import { type Ended, type Started, startRemit } from '../../helpers/remit.ts';

/** Kills on each database; more by `REMIT_DECISION_KILLS=300`, between other writes by `REMIT_KILL_SEED`. */
const KILLS = Number(process.env.REMIT_DECISION_KILLS ?? 4);
const SEED = Number(process.env.REMIT_KILL_SEED ?? 1);
const HOOK = path.resolve('test/helpers/kill-at-write.cjs');

let books: OwnBooks;
let env: Record<string, string>;
/** The finding that is resolved and claimed, about invoice 10002. */
let short: string;
const running: { stop(): Promise<unknown> }[] = [];

const LINES = ['2026-10-01,-9.00,USD,Rent,', '2026-10-21,20.00,USD,Cedar Road 10002,', '2026-11-30,-9.00,USD,Rent,'];
const receipts = (lines: readonly string[]) => `date,amount,currency,text,invoice\n${lines.join('\n')}\n`;

/** Books of which 10001 is open, and 10002 is 27.00 short; their ledger is a file, or on a server. */
async function open(database: Database): Promise<void> {
  books = await deskBooks('[receipts]\npayers = ["Cedar Road"]');
  env = {};
  books.file('bank.csv', receipts(LINES));
  await books.json(['import', 'receipts', 'bank.csv']);
  const { stdout } = await books.remit(['check', '2026-10', '--json']);
  const found = JSON.parse(stdout).mismatches as { id: string; code: string }[];
  short = found.find(({ code }) => code === 'remittance-short')!.id;
  if (database === 'SQLite') return;
  const { url } = await newDatabase();
  expect((await books.remit(['ledger', 'copy', url, '--quiet'])).code).toBe(0);
  env = { REMIT_LEDGER: url };
}

type Database = 'SQLite' | 'PostgreSQL';

const now = () => new Date();
const remit = (...argv: string[]) => books.remit(argv, { env, now: now() });

/** Runs a command until nobody else is at work. */
async function run<T>(...argv: string[]): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    const { code, stdout, stderr } = await remit(...argv, '--json');
    if (code === 0) return JSON.parse(stdout);
    if (tries > 50) throw new Error(`${argv.join(' ')}: ${stderr}`);
    await wait(100);
  }
}

/** A process that is killed just before its n-th write. */
const killAt = () => path.join(books.folder, 'kill-at');
function startKilled(argv: readonly string[], nth: number | null): Started {
  if (nth !== null) writeFileSync(killAt(), String(nth));
  const more = { NODE_OPTIONS: `--require ${HOOK}`, KILL_AT: killAt(), TZ: 'UTC' };
  return startRemit(argv, { ...env, ...more }, books.folder);
}

beforeEach(() => {
  running.splice(0);
});
afterEach(async () => {
  for (const one of running) await one.stop();
});

/** A desk in a process of its own, with a person who is let in. */
async function startVictim() {
  rmSync(killAt(), { force: true });
  const { child, ended } = startKilled(['serve', '--by', 'rana', '--no-open', '--json'], null);
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text.split('\n')[0]!);
    });
    void ended.then(({ stderr }) => reject(new Error(stderr)));
  });
  const { open_url, url } = JSON.parse(line) as { open_url: string; url: string };
  const { origin } = new URL(url);
  const answer = await request(open_url);
  await answer.body.dump();
  const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0]!;
  return {
    send: async (address: string, headers: Record<string, string>, body: string): Promise<Sent> => {
      const own = { origin, cookie, 'sec-fetch-site': 'same-origin' };
      const sent = await request(new URL(address, origin), {
        method: 'POST',
        headers: headers.authorization ? headers : { ...own, ...headers },
        body,
      });
      return { status: sent.statusCode, text: await sent.body.text() };
    },
    stop: async (): Promise<Ended> => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

interface Sent {
  readonly status: number;
  readonly text: string;
}

/** What is decided in a round: as a command, as a request, and how often it is in the books. */
interface Deciding {
  readonly argv: readonly string[];
  readonly address: string;
  readonly body: object;
  readonly times: () => Promise<number>;
  /** Undoes it, so that the next round can decide it again. */
  readonly undo: () => Promise<unknown>;
}

interface Row {
  readonly id: number | string;
  readonly note: string;
  readonly undone_at: string | null;
}

function decisionOf(round: number): Deciding {
  const note = `round ${round}`;
  const settled = async () => (await run<{ settlements: Row[] }>('settle', 'list')).settlements;
  const own = async () => (await settled()).filter((row) => row.note === note && row.undone_at === null);
  const undo = async () => {
    for (const { id } of await own()) await run('settle', 'undo', String(id), '--reason', 'the next round');
  };
  const times = async () => (await own()).length;
  if (round % 3 === 0) {
    const argv = ['settle', '10001', '--as', 'other', '--amount', '0.01', '--note', note];
    const body = { invoices: [10001], as: 'other', amount: '0.01', note };
    return { argv, address: '/settlements', body, times, undo: async () => {} };
  }
  if (round % 3 === 1) {
    const argv = ['mismatch', 'resolve', short, '--settle', '--note', note];
    return { argv, address: '/mismatches/resolve', body: { ids: [short], note, settle: true }, times, undo };
  }
  const claims = async () => {
    const { claims } = await run<{ claims: { claim: { state: string } }[] }>('dispute', 'list');
    return claims.filter(({ claim }) => claim.state === 'claimed').length;
  };
  const argv = ['dispute', short, '--out', `claim-${round}.txt`];
  const withdraw = () => run('dispute', 'withdraw', short, '--note', 'the next round');
  return { argv, address: '/claims', body: { ids: [short] }, times: claims, undo: withdraw };
}

/**
 * Sends it until it is decided: a database that is busy, or holds what a killed process began, decides nothing and says
 * so.
 */
async function insist(send: () => Promise<Sent>): Promise<Sent> {
  for (let tries = 0; ; tries += 1) {
    const answer = await send();
    const isBusy = answer.status === 503 || (answer.status === 409 && /"(busy|ledger)"/.test(answer.text));
    if (!isBusy || tries > 100) return answer;
    await wait(100);
  }
}

/** What becomes of a request at a desk that is killed: its answer, or none. */
async function sendTo(victim: Awaited<ReturnType<typeof startVictim>>, sent: () => Promise<Sent>) {
  const answer = await sent().catch(() => null);
  const { code } = await victim.stop();
  return { answer, code };
}

describe.each([
  { database: 'SQLite', isThere: true },
  { database: 'PostgreSQL', isThere: hasPostgres },
] as const)('a decision that is killed between any two writes, on $database', ({ database, isThere }) => {
  it.skipIf(!isThere)(
    `is made once and has one answer, ${KILLS} times: by command, at desks and by programs, beside others`,
    { timeout: 120_000 + KILLS * 60_000 },
    async () => {
      await open(database);
      const other: RunningDesk = await startDesk([], { cwd: books.folder, now, env });
      running.push(other);
      await other.enter();
      const made = await run<{ token: string }>('serve', 'token', '--role', 'clerk', '--name', 'ERP', '--by', 'rana');
      const random = randomFrom(SEED);
      /** How many writes each kind of decision has, as far as it is known: nothing is to be killed after its last. */
      const most = new Map<string, number>();
      let killed = 0;
      for (let round = 0; killed < KILLS; round += 1) {
        const way = (['command', 'desk', 'program'] as const)[Math.floor(round / 3) % 3]!;
        const beside = (['nothing', 'the same', 'others'] as const)[Math.floor(round / 9) % 3]!;
        const { argv, address, body, times, undo } = decisionOf(round);
        const kind = `${way} ${address}`;
        const nth = 1 + Math.floor(random() * (most.get(kind) ?? 60));
        const told = { round, way, beside, address, nth };
        const busy = () =>
          Promise.all(
            ['a', 'b', 'c'].map((which) =>
              other.post('/api/v1/settlements', { invoices: [10001], as: 'fx', amount: '0.01', note: which }),
            ),
          );
        if (way === 'command') {
          const preview = await remit(...argv, '--dry-run', '--json');
          const { stale_after: seen } = JSON.parse(preview.stdout) as { stale_after: string };
          const once = [...argv, '--seen', seen, '--json'];
          const first = startKilled(once, nth);
          const [{ code }] = await Promise.all([
            first.ended,
            beside === 'the same' ? remit(...once) : undefined,
            beside === 'others' && address !== '/settlements' ? busy() : undefined,
          ]);
          rmSync(killAt(), { force: true });
          if (code === null) killed += 1;
          else most.set(kind, Math.max(4, Math.floor(nth * 0.9)));
          let again = await remit(...once);
          for (
            let tries = 0;
            (again.code === 4 || /database is locked/.test(again.stderr)) && tries < 100;
            tries += 1
          ) {
            await wait(100);
            again = await remit(...once);
          }
          expect([told, again.code, again.stderr]).toEqual([told, expect.toBeOneOf([0, 1, 2]), again.stderr]);
          if (again.code === 2) expect([told, JSON.parse(again.stderr).error.code]).toEqual([told, 'stale']);
        } else {
          const victim = await startVictim();
          running.push(victim);
          const type = { 'content-type': 'application/json', accept: 'application/json' };
          const form = new URLSearchParams({ form: `form-${round}` });
          for (const [name, value] of Object.entries(body)) form.append(name, [value].flat().join(','));
          const program = {
            ...type,
            authorization: `Bearer ${made.token}`,
            'idempotency-key': `key-${round}`,
          };
          const send = async (to: typeof victim.send): Promise<Sent> =>
            way === 'program'
              ? to(`/api/v1${address}`, program, JSON.stringify(body))
              : to(address, { 'content-type': 'application/x-www-form-urlencoded' }, form.toString());
          const atOther: typeof victim.send = (at, headers, text) =>
            other.send(at, {
              method: 'POST',
              headers: headers.authorization
                ? headers
                : { origin: other.origin, cookie: other.cookie, 'sec-fetch-site': 'same-origin', ...headers },
              body: text,
            });
          writeFileSync(killAt(), String(nth));
          const [{ answer, code }, same] = await Promise.all([
            sendTo(victim, () => send(victim.send)),
            beside === 'the same' ? insist(() => send(atOther)) : undefined,
            beside === 'others' ? busy() : undefined,
          ]);
          if (answer === null) killed += 1;
          else most.set(kind, Math.max(4, Math.floor(nth * 0.9)));
          expect([told, code]).toEqual([told, null]);
          const isWell = way === 'program' ? 200 : 303;
          const answers = [await insist(() => send(atOther)), await insist(() => send(atOther)), same ?? null];
          if (answer?.status === isWell) answers.push(answer);
          for (const one of answers.filter((each) => each !== null)) {
            expect([told, one.status, one.text]).toEqual([told, isWell, answers[0]!.text]);
          }
        }
        expect([told, await times()]).toEqual([told, 1]);
        await undo();
      }
      const { stdout } = await remit('verify', '--deep', '--json');
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, problems: [] });
      process.stderr.write(`${database}: ${killed} kills, each decided once\n`);
    },
  );

  it.skipIf(!isThere)(
    `import undo leaves no finding that rests on what is gone, ${Math.ceil(KILLS / 4)} times`,
    { timeout: 120_000 + KILLS * 60_000 },
    async () => {
      await open(database);
      const random = randomFrom(SEED);
      const findings = async () => {
        const { mismatches } = await run<{ mismatches: { id: string; status: string }[] }>('mismatch', 'list');
        return mismatches.map(({ id, status }) => `${id} ${status}`).sort();
      };
      const lastImport = async () => {
        const { imports } = await run<{ imports: { id: number; undone_at: string | null }[] }>('import', 'list');
        return imports.findLast(({ undone_at }) => undone_at === null)?.id ?? null;
      };
      const before = await findings();
      let without: string[] | null = null;
      let most = 60;
      for (let killed = 0; killed < Math.ceil(KILLS / 4); ) {
        const id = String(await lastImport());
        const nth = 1 + Math.floor(random() * most);
        const { code } = await startKilled(['import', 'undo', id, '--reason', 'the wrong one', '--json'], nth).ended;
        rmSync(killAt(), { force: true });
        if (code === null) killed += 1;
        else most = Math.max(4, Math.floor(nth * 0.9));
        const isUndone = (await lastImport()) === null;
        const left = await findings();
        if (isUndone) without ??= left;
        expect([nth, left]).toEqual([nth, isUndone ? without : before]);
        if (!isUndone) await run('import', 'undo', id, '--reason', 'the wrong one');
        without ??= await findings();
        expect([nth, await findings()]).toEqual([nth, without]);
        await run('import', 'receipts', 'bank.csv');
        await remit('check', '2026-10');
        expect([nth, await findings()]).toEqual([nth, before]);
      }
      expect(without).not.toEqual(before);
      expect(existsSync(killAt())).toBe(false);
    },
  );
});
