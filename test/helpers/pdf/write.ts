/** A text on a page: its place in points from the left and the top. */
type Text = readonly [left: number, top: number, text: string];

/** A PDF written by hand, in Helvetica; each page a list of texts. Small enough for tests that print nothing. */
export function writtenPdf(pages: readonly (readonly Text[])[], more: { readonly catalog?: string } = {}): Buffer {
  const content = (texts: readonly Text[]) =>
    texts
      .map(([left, top, text]) => `BT /F 9 Tf ${left} ${842 - top} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`)
      .join('\n');
  const kids = pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ');
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${more.catalog ?? ''} >>`,
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((texts, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> /Contents ${5 + i * 2} 0 R >>`,
      streamOf(content(texts)),
    ]),
  ]);
}

export function streamOf(content: string | Buffer, dictionary = ''): string {
  const bytes = Buffer.from(content as string, 'latin1');
  return `<< /Length ${bytes.length} ${dictionary} >>\nstream\n${bytes.toString('latin1')}\nendstream`;
}

/** A PDF of numbered objects, the first of which is its catalogue. */
export function pdfOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.7\n';
  const places = objects.map((object, i) => {
    const at = Buffer.byteLength(text, 'latin1');
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const start = Buffer.byteLength(text, 'latin1');
  const entries = places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** The texts of a table: a line for each row, a column at each place. */
function rowsAt(top: number, places: readonly number[], rows: readonly (readonly string[])[]): Text[] {
  return rows.flatMap((cells, row) =>
    cells.flatMap((text, i): Text[] => (text === '' ? [] : [[places[i]!, top + row * 16, text]])),
  );
}

const PLACES = [40, 110, 330, 420, 500];

/** A bank's statement of three movements, with its running balance. */
export function statementPdf(change: (row: readonly string[]) => readonly string[] = (row) => row): Buffer {
  return writtenPdf([
    [
      [40, 40, 'Example Bank S.A.L.'],
      ...rowsAt(90, PLACES, [
        ['Date', 'Description', 'Debit', 'Credit', 'Balance'],
        ...[
          ['01/10/2026', 'Opening balance', '', '', '1,000.00'],
          ['13/10/2026', 'EXAMPLE DELIVERY 10009', '', '250.00', '1,250.00'],
          ['14/10/2026', 'Fees', '5.50', '', '1,244.50'],
          ['20/10/2026', 'EXAMPLE DELIVERY 10011', '', '100.00', '1,344.50'],
        ].map(change),
      ]),
      [40, 780, 'Page 1 of 1'],
    ],
  ]);
}

/** What `remit.toml` says of {@link statementPdf}. */
export const STATEMENT_MAP =
  '[maps.bank]\nkind = "receipts"\ncurrency = "USD"\ncolumns = { date = "Date", text = "Description", debit = "Debit", credit = "Credit", balance = "Balance" }\n';

const PAYOUT_PLACES = [40, 110, 190, 290, 360, 430, 500];

/** A courier's payout of two orders, with its totals. @param above lines over the table */
export function payoutPdf(
  change: (row: readonly string[]) => readonly string[] = (row) => row,
  above: readonly Text[] = [],
): Buffer {
  return writtenPdf([
    [
      ...above,
      ...rowsAt(60, PAYOUT_PLACES, [
        ...[
          ['Payout', 'Paid on', 'AWB', 'COD', 'Fee', 'Net'],
          ['ES-902', '31/10/2026', 'CE-10001', '50.00', '3.00', '47.00'],
          ['ES-902', '31/10/2026', 'CE-10002', '20.00', '3.00', '17.00'],
          ['Total', '', '', '70.00', '6.00', '64.00'],
        ].map(change),
      ]),
    ],
  ]);
}

export const PAYOUT_MAP =
  '[maps.cedar]\nkind = "settlement"\ncurrency = "USD"\ncolumns = { invoice = "Payout", issued_on = "Paid on", order = "AWB", cod = "COD", fee = "Fee", net = "Net" }\n';
