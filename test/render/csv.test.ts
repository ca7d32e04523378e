import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { said } from '../../src/base/sentence.ts';
import { money, rendered, reportOf, rowsOf, text } from '../helpers/render.ts';

/** An independent reader of RFC 4180. */
function parseCsv(csv: string): string[][] {
  const records: string[][] = [[]];
  let field = '';
  let quoted = false;
  for (let i = 0; i < csv.length; i += 1) {
    const c = csv[i]!;
    if (quoted) {
      if (c !== '"') field += c;
      else if (csv[i + 1] === '"') {
        field += '"';
        i += 1;
      } else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') {
      records.at(-1)!.push(field);
      field = '';
    } else if (c === '\r' && csv[i + 1] === '\n') {
      records.at(-1)!.push(field);
      field = '';
      records.push([]);
      i += 1;
    } else field += c;
  }
  records.pop();
  return records;
}

/** Marks that turn a line round or have no width, by code point. */
const UNSEEN: readonly [number, number][] = [
  [0x061c, 0x061c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

function isKept(character: string): boolean {
  const code = character.codePointAt(0)!;
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0xfffe || code === 0xffff;
  const isUnseen = UNSEEN.some(([first, last]) => code >= first && code <= last);
  return (!isControl && !isUnseen) || '\t\n\r'.includes(character);
}

async function csvOf(texts: readonly string[]): Promise<string[]> {
  const csv = (await rendered(reportOf([text('text')], rowsOf(texts)), 'csv')).toString();
  return parseCsv(csv)
    .slice(1)
    .map(([field]) => field ?? '');
}

describe('a report as CSV', () => {
  it('has a header of field names and ends its lines with CR LF', async () => {
    const rows = [{ order_id: '007', cod: '-12.50' }];
    const csv = await rendered(
      reportOf([text('order_id'), money('cod')], rows, { notes: () => [said('A note.')] }),
      'csv',
    );
    expect(csv.toString()).toBe('order_id,cod\r\n007,-12.50\r\n');
  });

  it('starts with a byte order mark when asked to', async () => {
    const csv = await rendered(reportOf([text('text')], []), 'csv', { bom: true });
    expect(csv.toString('hex', 0, 3)).toBe('efbbbf');
  });

  it.each(['a\n=1+1', 'a\r=1+1', '\r=1', 'a\r\nb'])(
    'quotes the line breaks within %j, lone ones too',
    async (value) => {
      const csv = (await rendered(reportOf([text('text')], rowsOf([value])), 'csv')).toString();
      // What a reader sees that takes any unquoted CR or LF for the end of a row, as spreadsheets do.
      const rows = csv.replace(/"(?:[^"]|"")*"/g, 'QUOTED').split(/\r\n|\r|\n/);
      expect(rows).toEqual(['text', 'QUOTED', '']);
    },
  );

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1', '\0x', '=cmd|"/c calc"!A1', '-2+3'])(
    'makes %j harmless',
    async (value) => {
      const [field] = await csvOf([value]);
      expect(field).toMatch(/^'/);
      expect(field).not.toMatch(/\0/);
    },
  );

  it('leaves negative money as numbers, and an absent cell empty', async () => {
    const csv = await rendered(reportOf([money('cod'), text('text')], [{ cod: '-12.50' }]), 'csv');
    expect(csv.toString()).toBe('cod,text\r\n-12.50,\r\n');
  });

  it('gives every other text back as it was, but for control characters and marks that nobody sees', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), async (texts) => {
        const fields = await csvOf(texts);
        const clean = texts.map((t) => [...t].filter(isKept).join(''));
        expect(fields.map((field, i) => (field === `'${clean[i]}` ? clean[i] : field))).toEqual(clean);
      }),
    );
  });
});
