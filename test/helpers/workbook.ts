import JSZip from 'jszip';

export interface ReadCell {
  /** `n` a number, `str` text, as the file says it. */
  readonly type: 'n' | 'str';
  /** As it stands in the file, entities resolved. */
  readonly value: string | null;
  readonly formula: string | null;
  /** Index of the cell's look. */
  readonly style: number;
}

export type ReadSheet = ReadonlyMap<string, ReadCell>;

export interface ReadWorkbook {
  readonly zip: JSZip;
  readonly sheets: ReadonlyMap<string, ReadSheet>;
  /** Name to range. */
  readonly names: ReadonlyMap<string, string>;
  readonly styles: string;
}

/** Reads what a workbook's files say, with no spreadsheet library in between. */
export async function readWorkbook(bytes: Buffer): Promise<ReadWorkbook> {
  const zip = await JSZip.loadAsync(bytes, { checkCRC32: true });
  const part = (path: string) => zip.file(path)!.async('string');
  const workbook = await part('xl/workbook.xml');
  const sheets = new Map<string, ReadSheet>();
  for (const [, attributes = ''] of workbook.matchAll(/<sheet ([^>]*)>/g)) {
    const [id, name] = [/sheetId="(\d+)"/, /name="([^"]*)"/].map((pattern) => pattern.exec(attributes)![1]!);
    sheets.set(plain(name!), cellsOf(await part(`xl/worksheets/sheet${id}.xml`)));
  }
  const names = [...workbook.matchAll(/<definedName (?:[^>]*? )?name="([^"]*)"[^>]*>([^<]*)</g)];
  return {
    zip,
    sheets,
    names: new Map(names.map(([, name, range]) => [name!, plain(range!)])),
    styles: await part('xl/styles.xml'),
  };
}

/** The value of a cell that has a name, such as `USD_NET_DUE`. */
export function named({ names, sheets }: ReadWorkbook, name: string): ReadCell | undefined {
  const [, sheet, column, line] = /^'?([^'!]+)'?!\$([A-Z]+)\$(\d+)$/.exec(names.get(name) ?? '')!;
  return sheets.get(sheet!)!.get(`${column}${line}`);
}

function cellsOf(xml: string): ReadSheet {
  const cells = new Map<string, ReadCell>();
  for (const [, attributes = '', content = ''] of xml.matchAll(/<c ([^>]*?)(?:\/>|>(.*?)<\/c>)/gs)) {
    const value = /<v>(.*?)<\/v>/s.exec(content)?.[1];
    const formula = /<f(?: [^>]*)?>(.*?)<\/f>/s.exec(content)?.[1];
    cells.set(/r="([A-Z]+\d+)"/.exec(attributes)![1]!, {
      type: /t="(?:str|s)"/.test(attributes) ? 'str' : 'n',
      value: value === undefined ? null : plain(value),
      formula: formula === undefined ? null : plain(formula),
      style: Number(/s="(\d+)"/.exec(attributes)?.[1] ?? 0),
    });
  }
  return cells;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function plain(xml: string): string {
  return xml.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d+));/g, (_, name?: string, code?: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : ENTITIES[name]!,
  );
}

/** A sheet's rows as text, formulas behind their results: for goldens that people can read. */
export function sheetText(sheet: ReadSheet): string {
  const rows = new Map<number, string[]>();
  for (const [address, { value, formula }] of sheet) {
    if (value === null && formula === null) continue;
    const row = Number(/\d+/.exec(address)![0]);
    const shown = `${address} ${JSON.stringify(value)}${formula === null ? '' : ` =${formula}`}`;
    rows.set(row, [...(rows.get(row) ?? []), shown]);
  }
  return [...rows.values()].map((cells) => `${cells.join('\n')}\n`).join('');
}
