import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../../src/base/version.ts';
import { type Outcome, remit } from '../../helpers/cli.ts';

/** Asks a registry of this test, which answers once. */
async function ask(answer: unknown, { status = 200, json = false } = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(status).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { npm_config_registry: `http://user:secret@${host}/npm`, REMIT_API_KEY: 'a-key' };
  const outcome: Outcome = await remit(['update-check', ...(json ? ['--json'] : [])], { cwd: '/', env });
  return { ...outcome, requests, host };
}

/** This version with one of its numbers raised: by nine, so that a comparison of letters would go wrong. */
const raised = (part: number) =>
  VERSION.split('.')
    .map((number, at) => (at === part ? Number(number) + 9 : at > part ? 0 : number))
    .join('.');

const ours = (version: string) => ({ name: 'remit-books', version, bin: { remit: 'dist/bin/main.js' } });

describe('update-check', () => {
  it.each(['0.0.9', VERSION, `${VERSION}-rc.1`])('is content where the newest is %s', async (newest) => {
    const { code, stdout, stderr } = await ask(ours(newest));
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `installed ${VERSION}, newest ${newest}: up to date\n`,
      stderr: '',
    });
  });

  it.each([raised(2), raised(1), raised(0), `${raised(0)}-rc.1`])('exits with 1 where there is %s', async (newest) => {
    const { code, stdout, stderr } = await ask(ours(newest));
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: `installed ${VERSION}, newest ${newest}\n`,
      stderr: '',
    });
  });

  it('is JSON for programs', async () => {
    const { stdout, host } = await ask(ours('2.0.0'), { json: true });
    expect(JSON.parse(stdout)).toEqual({
      installed: VERSION,
      newest: '2.0.0',
      update: true,
      registry: `http://${host}/npm/`,
    });
  });

  it('sends the name of the package, and nothing else', async () => {
    const { requests, host } = await ask(ours('2.0.0'));
    expect(requests.map(({ method, url, headers }) => ({ method, url, headers }))).toEqual([
      {
        method: 'GET',
        url: '/npm/remit-books/latest',
        headers: { host, connection: 'keep-alive', accept: 'application/json' },
      },
    ]);
  });

  it.each([
    [
      'another program',
      { name: 'remit-books', version: '2.4.1' },
      200,
      'has another program under the name remit-books',
    ],
    ['no package', {}, 404, 'has no package remit-books'],
    ['a failure', {}, 503, 'answered HTTP 503'],
    ['a page', '<html>', 200, 'answered something else than a package'],
    ['a version that is none', ours('1.0\u001b[31m'), 200, 'answered something else than a package'],
  ])('says when the registry answers with %s', async (_, answer, status, why) => {
    const { code, stdout, stderr, host } = await ask(answer, { status });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `remit: the registry ${host} ${why}\n  → Check the network, and the registry: --registry, or npm_config_registry in the environment.\n`,
    );
  });

  it('says when nobody answers, or the address is none', async () => {
    const asked = (registry: string) => remit(['update-check', '--registry', registry], { cwd: '/' });
    expect((await asked('http://127.0.0.1:9/')).stderr).toContain(
      'remit: the registry 127.0.0.1:9 gave no answer (ECONNREFUSED)\n',
    );
    expect((await asked('ftp://x/')).stderr).toContain('the address of the registry is no http address');
  });

  it('ends as interrupted where a person stops it while the registry is silent', async () => {
    const stop = new AbortController();
    const server = createServer(() => stop.abort());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { code, stderr } = await remit(['update-check', '--registry', registry], { cwd: '/', signal: stop.signal });
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringMatching(/^remit: interrupted/) });
  });
});
