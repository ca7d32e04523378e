import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from '../../helpers/folder.ts';
import { hasPostgres } from '../../helpers/postgres.ts';
import { asOwner, killServer, makeServer, PASSWORD } from '../../helpers/postgres-server.ts';
import { bringAll, startTeam } from '../../helpers/team.ts';

const DOCUMENT = readFileSync('docs/sharing.md', 'utf8');

/** What the page says to type or to write, but for the host. */
function blocks(port: number, of: 'sh' | 'toml'): string[] {
  const found = [...DOCUMENT.matchAll(new RegExp(`\`\`\`${of}\\n(.*?)\`\`\``, 'gs'))];
  return found.map(([, block]) => block!.replaceAll('db.example.com', `127.0.0.1:${port}`));
}

describe.skipIf(!hasPostgres)('docs/sharing.md', () => {
  it('sets up a ledger that a team shares, typed as it stands', async () => {
    const team = await startTeam();
    const server = await makeServer(scratchFolder());
    onTestFinished(async () => {
      await team.courier.close();
      await killServer(server);
    });
    const { port } = server;
    // Somebody administers the server who is no owner of a ledger.
    await asOwner(port, 'postgres', (client) =>
      client.query(`create role boss superuser login password '${PASSWORD}'`),
    );
    await bringAll(team, path.join(team.folder, 'ledger.db'));
    const bin = path.join(team.folder, 'bin');
    mkdirSync(bin);
    const stub = (name: string, line: string) => {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${line}\n`);
      chmodSync(path.join(bin, name), 0o755);
    };
    stub('pass', 'echo s3cret-of-the-owner');
    stub('remit', `exec ${process.execPath} ${path.resolve('dist/bin/main.js')} "$@"`);
    const { REMIT_LEDGER: _, ...environment } = team.environment('');
    const env = {
      ...environment,
      PATH: `${bin}:${process.env.PATH}`,
      HOME: team.folder,
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGUSER: 'boss',
      PGPASSWORD: PASSWORD,
    };
    const type = async (script: string, answers = '') => {
      // Without a terminal, what asks for a password reads it here.
      const child = spawn('bash', ['-ec', script], { cwd: team.folder, env, detached: true });
      child.stdin.end(answers);
      const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
      const code = child.exitCode ?? (await new Promise((resolve) => child.on('close', resolve)));
      return { code, out, err };
    };
    expect(await type(`psql -q postgres -c 'alter role remit_owner rename to first'`)).toMatchObject({ code: 0 });
    const [make, fill, roles] = blocks(port, 'sh');
    const settings = path.join(team.folder, 'remit.toml');
    writeFileSync(settings, `${blocks(port, 'toml')[0]}${readFileSync(settings, 'utf8')}`);
    expect(await type(make!, 's3cret-of-the-owner\n'.repeat(2))).toMatchObject({ code: 0 });
    expect(await type(fill!)).toMatchObject({ code: 0, out: expect.stringContaining('equal to') });
    const told = await type(
      'remit ledger grants | PGPASSWORD=$(pass x) psql -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -U remit_owner remit',
    );
    expect(told.err).toContain('the role remit_syncer is missing');
    expect(told.err).toContain('Have whoever administers the server run: create role remit_syncer');
    expect(await type(roles!, 'one-of-rana\n'.repeat(2))).toMatchObject({
      code: 0,
      err: expect.not.stringMatching(/error/i),
    });
    const asRana = `--ledger 'postgresql://rana:one-of-rana@127.0.0.1:${port}/remit'`;
    expect(await type(`remit report totals ${asRana} --json && remit verify ${asRana} --quiet`)).toMatchObject({
      code: 0,
    });
    expect((await type(`remit sync 2026-10 ${asRana} --quiet`)).err).toContain('permission denied');
  }, 120_000);
});
