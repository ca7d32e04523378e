import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { remit } from '../../helpers/cli.ts';
import { KEY, startFakeCourier } from '../../helpers/courier.ts';
import { scratchFolder } from '../../helpers/folder.ts';

describe('remit api, outside a books folder', () => {
  it('needs an address and a key, and no ledger', async () => {
    const courier = await startFakeCourier();
    const cwd = scratchFolder();
    const env = { REMIT_API_URL: courier.url, REMIT_API_KEY: KEY };
    const { code, stdout, stderr } = await remit(['api', 'profile'], { cwd, env });
    await courier.close();
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ organisation_name: 'Zahra Store' });
    expect((await remit(['api', 'profile'], { cwd })).stderr).toContain('the address of the API is not set');
    expect((await remit(['report', 'totals'], { cwd, env })).stderr).toContain('is not a books folder');
  });

  it('reads a 204 without a body as done: so a cancelled order may be answered', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { REMIT_API_URL: `http://127.0.0.1:${port}/v1/external/`, REMIT_API_KEY: KEY };
    const cancel = ['api', 'cancel-order', 'order_id=A1'];
    const cwd = scratchFolder();
    try {
      expect(await remit(cancel, { cwd, env })).toEqual({
        code: 0,
        stdout: 'Done (204); the answer has no body.\n',
        stderr: '',
      });
      expect(await remit([...cancel, '--json'], { cwd, env })).toMatchObject({ code: 0, stdout: 'null\n' });
    } finally {
      server.close();
    }
    expect(asked).toEqual(Array(2).fill('POST /v1/external/orders/A1/cancel/'));
  });

  it('shows a request without a key', async () => {
    const env = { REMIT_API_URL: 'https://api.example.com/v1/external/' };
    const { code, stdout } = await remit(['api', 'profile', '--dry-run'], { cwd: scratchFolder(), env });
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'GET https://api.example.com/v1/external/profile/']);
  });

  it('names what it does not understand before any setting that is missing', async () => {
    const cwd = scratchFolder();
    expect((await remit(['api', 'profil'], { cwd })).stderr).toContain('the API has no operation "profil"');
    expect((await remit(['api', 'order', 'id=1'], { cwd })).stderr).toContain('has no "id"');
  });
});
