import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultOf } from '../../src/api/decode.ts';
import { type Operation, operations } from '../../src/api/operations.ts';
import { ErrorBody } from '../../src/api/wire.ts';
import { Api } from './api.ts';
import { type Contract, decoderFaults, type MediaType } from './contract.ts';
import { isForeign, startSandbox, type Target } from './server.ts';

const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];

describe.skipIf(isForeign)(
  "The sandbox's OpenAPI document (skipped elsewhere: the specification asks for none)",
  () => {
    let target: Target;
    let api: Api;
    let contract: Contract;

    beforeAll(async () => {
      target = await startSandbox();
      api = await Api.open(target);
      if (api.contract === null) throw new Error('the sandbox has no /openapi.json');
      contract = api.contract;
    });

    afterAll(async () => {
      await api?.close();
      await target?.close();
    });

    const entry = (operation: Operation) => {
      const found = contract.find(
        operation.method,
        new URL(operation.path, target.url).pathname.replaceAll(/%7B\w+%7D/g, '1'),
      );
      if (found === undefined) throw new Error(`the document has no ${operation.method} ${operation.path}`);
      return found;
    };

    const names = (parameters: readonly { name: string; in: string }[] | undefined, where: string) =>
      (parameters ?? []).filter((each) => each.in === where).map(({ name }) => name);

    /** Each example of a place in the document. */
    const examplesOf = ({ example, examples }: MediaType): unknown[] =>
      example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example];

    test('is OpenAPI 3.1, valid by an independent validator', async () => {
      expect(contract.document.openapi).toMatch(/^3\.1\./);
      const { valid, errors } = await new Validator().validate(structuredClone(contract.document) as never);
      expect(errors).toBeUndefined();
      expect(valid).toBe(true);
    });

    test('describes the 18 operations and no other, each with an id of its own', () => {
      const described = contract.described.map(
        ({ path, method }) => `${method.toUpperCase()} ${path.replace(/^\//, '')}`,
      );
      const wanted = Object.values<Operation>(operations).map(({ path, method }) => `${method} ${path}`);
      expect(described.sort()).toEqual(wanted.sort());
      expect(described).toHaveLength(18);
      expect(new Set(contract.described.map(({ operation }) => operation.operationId)).size).toBe(18);
    });

    test('asks for the key in X-Api-Key', () => {
      const { components, security } = contract.document;
      const [name] = Object.keys(security?.[0] ?? {});
      expect(components?.securitySchemes?.[name as string]).toMatchObject({
        type: 'apiKey',
        in: 'header',
        name: 'X-Api-Key',
      });
    });

    describe.each(Object.entries<Operation>(operations))('%s', (_name, operation) => {
      test('has the parameters that the client sends, and a summary', () => {
        const { parameters, summary } = entry(operation).operation;
        expect(names(parameters, 'path')).toEqual(Object.keys(operation.pathParams.properties));
        expect(names(parameters, 'query').sort()).toEqual(Object.keys(operation.query.properties).sort());
        expect(summary).toMatch(/\w/);
      });

      test('has an example of its answer, which its schema and the client read', () => {
        const { operation: described, path, method } = entry(operation);
        const [status, response] = Object.entries(described.responses).find(([code]) => code.startsWith('2')) ?? [];
        const media = response?.content?.['application/json'] as MediaType;
        const examples = examplesOf(media);
        expect(examples.length).toBeGreaterThan(0);
        for (const example of examples) {
          const at = ['paths', path, method, 'responses', status as string, 'content', 'application/json', 'schema'];
          expect(contract.faultsBy(at, example)).toEqual([]);
          expect(decoderFaults(operation, Number(status), example)).toEqual([]);
        }
      });

      test('has an example of its body in each encoding, if it takes one, which its schema reads', () => {
        const { operation: described, path, method } = entry(operation);
        if (operation.body === null) {
          expect(described.requestBody).toBeUndefined();
          return;
        }
        const content = described.requestBody?.content ?? {};
        expect(Object.keys(content)).toEqual(BODY_TYPES);
        for (const [type, media] of Object.entries(content)) {
          const examples = examplesOf(media);
          expect(examples.length).toBeGreaterThan(0);
          const at = ['paths', path, method, 'requestBody', 'content', type, 'schema'];
          for (const example of examples) expect(contract.faultsBy(at, example)).toEqual([]);
        }
      });

      test('has the errors that it can answer with, each with an example in the form of errors', () => {
        const { responses } = entry(operation).operation;
        const expected = ['401', '500'];
        if (operation.body !== null) expected.push('400', '413', '415');
        if (Object.keys(operation.query.properties).length > 0) expected.push('400');
        if (operation.path.includes('{')) expected.push('404');
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(expected));
        for (const [status, { content }] of Object.entries(responses).filter(([code]) => Number(code) >= 400)) {
          const examples = examplesOf(content?.['application/json'] as MediaType);
          expect(examples.length, status).toBeGreaterThan(0);
          for (const example of examples) {
            expect(faultOf(ErrorBody, example), status).toBeNull();
            const { error } = example as ErrorBody;
            expect(error).toBe(operation.path.startsWith('invoices/') ? true : 'true');
          }
        }
      });
    });
  },
);
