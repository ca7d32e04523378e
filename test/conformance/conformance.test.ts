import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as wire from '../../src/api/wire.ts';
import { Api } from './api.ts';
import { rows } from './rows/index.ts';
import { NothingToTest, type Row } from './rows/row.ts';
import { isForeign, startTarget, type Target } from './server.ts';

let target: Target;
let api: Api;

beforeAll(async () => {
  target = await startTarget();
  api = await Api.open(target);
});

afterAll(async () => {
  await api?.close();
  await target?.close();
});

/** Why a row cannot be asked of this server; null where it can. */
function reasonToSkip({ choice, needs = [] }: Row): string | null {
  if (!isForeign) return null;
  if (choice !== undefined)
    return `the specification does not show it, and this row holds the sandbox's choice: ${choice}`;
  if (needs.includes('operator')) return "only the sandbox's operator can bring it about";
  if (needs.includes('other-key') && target.otherKey === null) return 'REMIT_CONFORMANCE_OTHER_KEY is not set';
  if (needs.includes('openapi') && api.contract === null) return 'this server has no /openapi.json';
  return null;
}

const sections = [...new Set(rows.map((row) => row.section))];
const FIRST_SECTION = `### ${sections[0]}\n`;

/** A row as docs/conformance.md lists it. */
function lineOf({ id, says, choice }: Row): string {
  return `- \`${id}\` ${says}${choice === undefined ? '' : ` *(choice: ${choice})*`}`;
}

describe.each(sections)('%s', (heading) => {
  for (const row of rows.filter(({ section }) => section === heading)) {
    test(`${row.id}: ${row.says}`, async (context) => {
      const reason = reasonToSkip(row);
      if (reason !== null) context.skip(reason);
      try {
        await row.test(api);
      } catch (error) {
        if (isForeign && error instanceof NothingToTest) context.skip(error.message);
        throw error;
      }
    });
  }
});

describe('The suite itself', () => {
  test('every row has an id of its own', () => {
    const ids = rows.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  test("every choice of the sandbox's table has a row, and every row's choice is in the table", () => {
    const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/service.md'), 'utf8');
    const [, table = ''] = page.split('| topic | choice |');
    const topics = [...table.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, topic]) => topic).filter((t) => t !== 'topic');
    const tested = new Set(rows.flatMap(({ choice }) => (choice === undefined ? [] : [choice])));
    expect(topics.length).toBeGreaterThan(20);
    expect([...tested].sort()).toEqual([...topics].sort());
  });

  test('docs/conformance.md lists the rows', async () => {
    const file = path.resolve(import.meta.dirname, '../../docs/conformance.md');
    const [head] = readFileSync(file, 'utf8').split(FIRST_SECTION) as [string];
    const lists = sections.map((heading) => {
      const own = rows.filter(({ section }) => section === heading);
      return `### ${heading}\n\n${own.map(lineOf).join('\n')}\n`;
    });
    await expect(`${head}${lists.join('\n')}`).toMatchFileSnapshot(file);
  });

  test('every field of every resource has a row', () => {
    const resources = {
      order: wire.Order,
      'integration-item': wire.IntegrationItem,
      statestamp: wire.Statestamp,
      customer: wire.Customer,
      'customer-location': wire.CustomerLocation,
      area: wire.Area,
      'reduced-area': wire.ReducedArea,
      'pickup-location': wire.PickupLocation,
      'invoice-list-item': wire.InvoiceListItem,
      'invoice-detail': wire.InvoiceDetail,
      'invoice-entry': wire.InvoiceOrder,
      'organisation-profile': wire.Profile,
    };
    const ids = new Set(rows.map(({ id }) => id));
    const fields = Object.entries(resources).flatMap(([name, schema]) =>
      Object.keys(schema.properties).map((field) => `${name}.${field}`),
    );
    // `locations` stands in a customer only where it is switched on, and has rows of its own.
    expect(fields.filter((field) => !ids.has(field))).toEqual(['customer.locations']);
  });

  test('every answer that the OpenAPI document describes was seen, but for failures of the server', () => {
    if (isForeign || api.contract === null) return;
    const described = api.contract.described.flatMap(({ operation }) =>
      Object.keys(operation.responses)
        .filter((status) => Number(status) < 500 && status !== '429')
        .map((status) => `${operation.operationId} ${status}`),
    );
    expect(described.filter((answer) => !api.seen.has(answer))).toEqual([]);
  });
});
