import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ImportFileError } from '../../../src/base/errors.ts';
import { readSafely } from '../../../src/imports/formats/read-safely.ts';
import { parseColumnMap } from '../../../src/imports/maps/parse-map.ts';
import { pdfOf, statementPdf, streamOf, writtenPdf } from '../../helpers/pdf/write.ts';

const parsed = parseColumnMap('bank', {
  kind: 'receipts',
  currency: 'USD',
  columns: { date: 'Date', text: 'Description', debit: 'Debit', credit: 'Credit', balance: 'Balance' },
});
if (!('map' in parsed)) throw new Error(parsed.faults.join());
const { map } = parsed;

const PAGE =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
const onePage = (content: string, ...more: string[]) =>
  pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    PAGE,
    content,
    FONT,
    ...more,
  ]);
const packed = (bytes: Buffer) => streamOf(deflateSync(bytes).toString('latin1'), '/Filter /FlateDecode');
const sound = statementPdf();

const HOSTILE: Readonly<Record<string, Buffer>> = {
  'a stream that unpacks to a gigabyte': onePage(packed(Buffer.alloc(1_000_000_000, 'q '))),
  'a stream that is packed twenty times': onePage(
    streamOf(
      Array.from({ length: 20 })
        .reduce((data: Buffer) => deflateSync(data), Buffer.alloc(50_000_000))
        .toString('latin1'),
      `/Filter [${'/FlateDecode '.repeat(20)}]`,
    ),
  ),
  'lists within lists': onePage(streamOf('q'), `${'['.repeat(200_000)}${']'.repeat(200_000)}`),
  'a page within lists': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids ${'['.repeat(100_000)}3 0 R${']'.repeat(100_000)} /Count 1 >>`,
    PAGE,
  ]),
  'a billion pages': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>',
    PAGE,
    streamOf('q'),
    FONT,
  ]),
  'pages that hold themselves': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 900 >>',
  ]),
  'more pages than are read': writtenPdf(Array.from({ length: 1_200 }, (_, i) => [[40, 40, `page ${i}`]])),
  'a page that draws itself': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>',
    streamOf('/X Do'),
    streamOf('/X Do /X Do', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>'),
  ]),
  'no table of contents': Buffer.from(sound.toString('latin1').replace(/xref[\s\S]*$/, ''), 'latin1'),
  'a table of contents that points to itself': Buffer.from(
    sound.toString('latin1').replace(/trailer <</, 'trailer << /Prev 9 /XRefStm 9'),
    'latin1',
  ),
  'an object that is itself': pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '2 0 R']),
  'a million texts': onePage(streamOf(`BT /F 9 Tf ${'1 0 Td (1) Tj '.repeat(1_000_000)} ET`)),
  'a text of ten million letters': onePage(streamOf(`BT /F 9 Tf 40 700 Td (${'9'.repeat(10_000_000)}) Tj ET`)),
  'a giant font': pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    PAGE,
    streamOf('BT /F 9 Tf 40 700 Td (AAAA) Tj ET'),
    '<< /Type /Font /Subtype /TrueType /BaseFont /Giant /FirstChar 0 /LastChar 255 /FontDescriptor 6 0 R /ToUnicode 8 0 R >>',
    '<< /Type /FontDescriptor /FontName /Giant /Flags 4 /FontFile2 7 0 R >>',
    packed(Buffer.concat([Buffer.from('0001000000ff', 'hex'), Buffer.alloc(60_000_000, 0xff)])),
    packed(
      Buffer.from(
        `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${'1 beginbfrange <0000> <ffff> <0000> endbfrange '.repeat(5_000)} endcmap`,
      ),
    ),
  ]),
  'only its first bytes': sound.subarray(0, 40),
  'half of it': sound.subarray(0, sound.length / 2),
  'noise after its first bytes': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 0xe7)]),
};

describe('a PDF', () => {
  it.each(Object.entries(HOSTILE))(
    'with %s costs its limits at most, and one sentence',
    { timeout: 60_000 },
    async (name, bytes) => {
      const began = performance.now();
      const outcome = await readSafely('receipts', { bytes, name: 'hostile.pdf' }, { map, cpuSeconds: 10 }).then(
        (file) => file,
        (error: unknown) => error,
      );
      expect(performance.now() - began).toBeLessThan(50_000);
      if (!(outcome instanceof Error)) return expect(outcome, name).toMatchObject({ statements: [{ balanced: true }] });
      expect(outcome).toBeInstanceOf(ImportFileError);
      expect(outcome.message).not.toMatch(/[\r\n]/);
      expect((outcome as ImportFileError).hint).not.toBe('');
    },
  );

  it('runs no script, asks for nothing, and is read as it stands', async () => {
    let asked = 0;
    const server = createServer((_, answer) => {
      asked += 1;
      answer.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const script = `/OpenAction << /S /JavaScript /JS (app.launchURL('${url}')) >> /AA << /WC << /S /URI /URI (${url}) >> >> /AcroForm << /XFA (<xdp:xdp xmlns:xdp='${url}'/>) /Fields [] >>`;
    const bytes = Buffer.from(sound.toString('latin1').replace('/Type /Catalog', `/Type /Catalog ${script}`), 'latin1');
    const read = await readSafely('receipts', { bytes, name: 'script.pdf' }, { map });
    expect(read.statements).toMatchObject([{ balanced: true, lines: [{}, {}, {}] }]);
    expect(asked).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });
});
