/** A table as CSV (RFC 4180): a head, then its rows; lines end in CRLF. */
export function csvText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
