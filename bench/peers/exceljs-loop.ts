/**
 * A plain loop over exceljs' streaming writer: as many cells as asked for, of the kinds that a statement's rows have,
 * with the number formats without which nobody could read its amounts and dates.
 */
import ExcelJS from 'exceljs';

const [filename = '', cells = '0'] = process.argv.slice(2);
const COLUMNS = 19;
const AMOUNTS = 9;
const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ filename, useStyles: true });
const sheet = workbook.addWorksheet('Orders');
sheet.columns = Array.from({ length: COLUMNS }, (_, i) => ({
  width: 14,
  ...(i === 3 ? { style: { numFmt: 'yyyy-mm-dd' } } : {}),
  ...(i >= COLUMNS - AMOUNTS ? { style: { numFmt: '#,##0.00' } } : {}),
}));
const rows = Math.ceil(Number(cells) / COLUMNS);
for (let i = 0; i < rows; i += 1) {
  const cod = (500 + ((i * 7_919) % 20_000)) / 100;
  const texts = [`ORD${String(i).padStart(9, '0')}`, 'USD', new Date(Date.UTC(2026, 9, 1 + (i % 28))), `SHOP-${i}`];
  const states = ['Beirut', 'STANDARD', 'DELIVERED', 'PAID_TO_MERCHANT', ''];
  const amounts = [cod, 3.5, cod - 3.5, cod, 3.5, cod, 3.5, cod - 3.5, 0];
  sheet.addRow([String(100_000 + Math.floor(i / 750)), ...texts, ...states, ...amounts]).commit();
  // The compressor gets its turn, or all rows would wait for it in memory.
  if (i % 500 === 0) await new Promise(setImmediate);
}
await workbook.commit();
