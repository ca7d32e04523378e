import { Validator } from '@seriousme/openapi-schema-validator';
import { Value } from '@sinclair/typebox/value';
import { expect, test } from 'vitest';
import { type Operation, type OperationName, operations } from '../../../src/api/operations.ts';
import { openApiDocument } from '../../../src/sandbox/openapi/document.ts';
import { EXAMPLES } from '../../../src/sandbox/openapi/examples.ts';
import { runService } from './support.ts';

test('the document is valid OpenAPI 3.1 in every shape, and describes the 18 operations', async () => {
  for (const shape of ['flat', 'array', 'wrapper', 'object'] as const) {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(openApiDocument(shape)));
    expect([valid, errors]).toEqual([true, undefined]);
    expect(validator.version).toBe('3.1');
  }
  const paths = openApiDocument('flat').paths as Record<string, Record<string, { responses: object }>>;
  const described = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(described).toHaveLength(18);
  for (const { responses } of described)
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '500', '503']));
});

test('the examples are what the schemas describe', () => {
  for (const [id, { response, body }] of Object.entries<Operation>(operations)) {
    const example = EXAMPLES[id as OperationName];
    expect([id, [...Value.Errors(response, example.answer)]]).toEqual([id, []]);
    if (body) expect([id, [...Value.Errors(body, example.body)]]).toEqual([id, []]);
  }
});

test('the document, the page, the logo and the tracking page are open to everyone; other methods get 405', async () => {
  const { url, get, send } = await runService();
  const origin = new URL(url).origin;
  expect(await (await fetch(`${origin}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' });
  const page = await fetch(`${origin}/docs`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
  const logo = await fetch((await get('profile/')).body.logo_url);
  expect(
    Buffer.from(await logo.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect((await fetch(`${origin}/track/NONE/`)).status).toBe(404);
  const refused = await send('orders/', { method: 'DELETE' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  expect((await get('orders')).status).toBe(404);
});
