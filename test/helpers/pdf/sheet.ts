import { type Random, seededRandom } from '../../../src/sandbox/random.ts';

/** A row as a page shows it. `next` rows are the further lines of an entry; `total` rows state a sum. */
export interface SheetRow {
  readonly cells: readonly string[];
  readonly is?: 'total' | 'next';
}

/** What a maker puts on pages. */
export interface Sheet {
  readonly isRightToLeft: boolean;
  readonly font: string;
  /** In points. */
  readonly size: number;
  readonly padding: number;
  readonly lines: boolean;
  readonly align: 'top' | 'middle';
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly footer: string | null;
  readonly headers: readonly string[];
  /** Of each column, in centimetres. */
  readonly widths: readonly number[];
  /** Columns of figures, which stand at the end of their cells. */
  readonly figures: ReadonlySet<number>;
  readonly repeats: boolean;
  /** The rows, a page break between two lists. */
  readonly pages: readonly (readonly SheetRow[])[];
}

export type Truth =
  | {
      readonly kind: 'receipts';
      readonly lines: readonly (readonly [date: string, amount: string, reference: string])[];
    }
  | {
      readonly kind: 'settlement';
      readonly rows: readonly (readonly [order: string, cod: string, kept: string, net: string])[];
    };

export interface Drawn {
  readonly name: string;
  readonly sheet: Sheet;
  readonly map: Readonly<Record<string, unknown>>;
  readonly truth: Truth;
}

export const LAYOUTS = [
  'arabic-bank',
  'two-line',
  'page-totals',
  'repeated-heads',
  'footers',
  'wrapped',
  'arabic-courier',
  'newest-first',
] as const;
export type Layout = (typeof LAYOUTS)[number];

const FONTS = ['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Condensed'];
const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩';

/** Draws a variant of a layout; the same seed gives the same. With `spoil`, one figure of it is printed wrong. */
export function drawn(layout: Layout, variant: number, spoil = false): Drawn {
  const random = seededRandom(`${layout} ${variant}`);
  const name = `${layout}-${variant}${spoil ? '-spoilt' : ''}`;
  const made =
    layout === 'page-totals' || layout === 'footers' || layout === 'arabic-courier'
      ? courier(layout, random)
      : bank(layout, random);
  if (!spoil) return { name, ...made };
  return { name, ...made, sheet: spoilt(made.sheet, random) };
}

/** Cents as a page writes them. */
function written(cents: number, { digits, decimal, thousands, places = 2 }: Style): string {
  const whole = String(Math.trunc(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, thousands);
  const part = String(Math.abs(cents) % 100).padStart(2, '0');
  const text = `${cents < 0 ? '-' : ''}${whole}${places === 0 ? '' : decimal + part}`;
  return digits === 'arabic' ? arabic(text) : text;
}

function arabic(text: string): string {
  return text
    .replace(/\d/g, (digit) => ARABIC_DIGITS[Number(digit)]!)
    .replaceAll(',', '٬')
    .replaceAll('.', '٫');
}

interface Style {
  readonly digits: 'latin' | 'arabic';
  readonly decimal: string;
  readonly thousands: string;
  readonly places?: number;
}

const plain = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.trunc(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;

function look(random: Random): Pick<Sheet, 'font' | 'size' | 'padding' | 'lines' | 'align' | 'repeats'> {
  return {
    font: random.pick(FONTS),
    size: random.pick([7, 8, 9]),
    padding: random.pick([1, 2, 3, 4]),
    lines: random.chance(0.5),
    align: random.pick(['top', 'top', 'middle'] as const),
    repeats: true,
  };
}

const NAMES = [
  'EXAMPLE DELIVERY',
  'CEDAR EXPRESS',
  'Olive Market',
  'Water and power',
  'Rent of the shop',
  'ATM withdrawal',
];
const ARABIC_NAMES = [
  'شركة المثال للتوصيل',
  'سوق الزيتون',
  'كهرباء ومياه',
  'إيجار المحل',
  'سحب من الصراف الآلي',
  'عمولة تحويل',
];

function bank(layout: Layout, random: Random): Omit<Drawn, 'name'> {
  const isArabic = layout === 'arabic-bank';
  const isWide = layout === 'wrapped';
  const style: Style = {
    digits: isArabic && random.chance(0.6) ? 'arabic' : 'latin',
    decimal: '.',
    thousands: ',',
  };
  const count = random.int(6, layout === 'repeated-heads' ? 90 : 40);
  let day = 1;
  let held = random.int(1_000, 900_000) * (isWide ? 10_000 : 1);
  const opening = held;
  const movements = Array.from({ length: count }, () => {
    day = Math.min(28, day + (random.chance(0.4) ? 1 : 0));
    const cents = random.int(100, 250_000) * (isWide ? 20_000 : 1) * (random.chance(0.4) ? -1 : 1);
    held += cents;
    const date = `2026-10-${String(day).padStart(2, '0')}`;
    const number = 10_000 + random.int(0, 900);
    const long = random.chance(0.4) || isWide;
    const text = isArabic
      ? `${random.pick(ARABIC_NAMES)} ${long ? `فاتورة رقم ${number} عن طلبات الشهر الماضي في بيروت` : ''}`.trim()
      : `${random.pick(NAMES)} ${long ? `invoice ${number} for the orders of last month in Beirut and Tripoli` : number}`;
    return { date, cents, held, text, number };
  });
  const withBalance = layout !== 'repeated-heads' || random.chance(0.3);
  const oneColumn = layout === 'newest-first' && random.chance(0.5);
  const dayOf = (iso: string) => {
    const [y, m, d] = iso.split('-');
    const text = random.chance(0) ? iso : `${d}/${m}/${y}`;
    return style.digits === 'arabic' ? text.replace(/\d/g, (digit) => ARABIC_DIGITS[Number(digit)]!) : text;
  };
  const words = isArabic
    ? {
        date: 'التاريخ',
        text: 'البيان',
        debit: 'مدين',
        credit: 'دائن',
        amount: 'المبلغ',
        balance: 'الرصيد',
        ref: 'المرجع',
      }
    : {
        date: random.pick(['Date', 'Booking date']),
        text: random.pick(['Description', 'Details']),
        debit: random.pick(['Debit', 'Money out']),
        credit: random.pick(['Credit', 'Money in']),
        amount: 'Amount',
        balance: random.pick(['Balance', 'Running balance']),
        ref: 'Cheque no.',
      };
  type Field = keyof typeof words;
  // Moved columns: the reference may stand anywhere before the figures, and the date after the text.
  const lead: Field[] = random.chance(0.3) ? ['text', 'date'] : ['date', 'text'];
  if (random.chance(0.35)) lead.splice(random.int(0, 2), 0, 'ref');
  const money: Field[] = oneColumn ? ['amount'] : random.chance(0.3) ? ['credit', 'debit'] : ['debit', 'credit'];
  const fields: Field[] = [...lead, ...money, ...(withBalance ? (['balance'] as const) : [])];
  const narrow = isWide ? 1.9 : 2.5;
  const widthOf: Record<Field, number> = {
    date: 2.3,
    text: isWide ? 4 : random.pick([4.5, 5.5, 6.5]),
    ref: 2.2,
    debit: narrow,
    credit: narrow,
    amount: 2.6,
    balance: isWide ? 2 : 2.7,
  };
  const cellsOf = (values: Partial<Record<Field, string>>) => fields.map((field) => values[field] ?? '');
  const rows: SheetRow[] = [];
  const list = layout === 'newest-first' ? movements.toReversed() : movements;
  const open = isArabic ? 'الرصيد الافتتاحي' : random.pick(['Opening balance', 'Balance brought forward']);
  const close = isArabic ? 'الرصيد الختامي' : 'Closing balance';
  const inTable = withBalance && random.chance(0.7);
  const openRow = { cells: cellsOf({ text: open, balance: written(opening, style) }), is: 'total' as const };
  const closeRow = { cells: cellsOf({ text: close, balance: written(held, style) }), is: 'total' as const };
  if (inTable) rows.push(layout === 'newest-first' ? closeRow : openRow);
  for (const { date, cents, held: after, text, number } of list) {
    const amounts = oneColumn
      ? { amount: written(cents, style) }
      : cents < 0
        ? { debit: written(-cents, style) }
        : { credit: written(cents, style) };
    const two = layout === 'two-line';
    rows.push({
      cells: cellsOf({
        date: dayOf(date),
        text: two ? text.split(' invoice')[0]! : text,
        ref: String(number),
        ...amounts,
        balance: written(after, style),
      }),
    });
    if (two)
      rows.push({ cells: cellsOf({ text: `REF ${number} value ${date.slice(8)}.${date.slice(5, 7)}` }), is: 'next' });
  }
  if (inTable && random.chance(0.6)) rows.push(layout === 'newest-first' ? openRow : closeRow);
  const [out, came] = [-1, 1].map((sign) =>
    movements.filter(({ cents }) => Math.sign(cents) === sign).reduce((sum, { cents }) => sum + Math.abs(cents), 0),
  ) as [number, number];
  if (!oneColumn && (layout === 'wrapped' || random.chance(0.3))) {
    rows.push({
      cells: cellsOf({
        text: isArabic ? 'المجموع' : 'Total',
        debit: written(out, style),
        credit: written(came, style),
      }),
      is: 'total',
    });
  }
  const beside = inTable ? [] : [`${open}: ${written(opening, style)}`, `${close}: ${written(held, style)}`];
  const columns = {
    date: words.date,
    text: words.text,
    ...(oneColumn ? { amount: words.amount } : { debit: words.debit, credit: words.credit }),
    ...(withBalance ? { balance: words.balance } : {}),
    ...(fields.includes('ref') ? { invoice: words.ref } : {}),
  };
  return {
    map: {
      kind: 'receipts',
      currency: isWide ? 'LBP' : 'USD',
      date: 'DD/MM/YYYY',
      decimal: '.',
      thousands: ',',
      columns,
    },
    sheet: {
      ...look(random),
      repeats: layout === 'repeated-heads' || random.chance(0.7),
      isRightToLeft: isArabic,
      above: isArabic
        ? ['بنك المثال', 'كشف حساب رقم 0012345', ...beside]
        : ['Example Bank S.A.L.', 'Statement of account 0012345, 01/10/2026 to 31/10/2026', ...beside],
      below: random.chance(0.5) ? [isArabic ? 'شكرًا لكم' : 'Please report any error within 30 days.'] : [],
      footer: random.chance(0.5) ? (isArabic ? 'بنك المثال' : 'Example Bank S.A.L. Registered in Beirut 1234') : null,
      headers: fields.map((field) => words[field]),
      widths: fields.map((field) => widthOf[field]),
      figures: new Set(
        fields.flatMap((field, i) => (['debit', 'credit', 'amount', 'balance'].includes(field) ? [i] : [])),
      ),
      pages: [rows],
    },
    truth: {
      kind: 'receipts',
      lines: list.map(
        ({ date, cents, number }) => [date, plain(cents), fields.includes('ref') ? String(number) : ''] as const,
      ),
    },
  };
}

function courier(layout: Layout, random: Random): Omit<Drawn, 'name'> {
  const isArabic = layout === 'arabic-courier';
  const style: Style = { digits: isArabic && random.chance(0.5) ? 'arabic' : 'latin', decimal: '.', thousands: ',' };
  const words = isArabic
    ? {
        invoice: 'رقم الدفعة',
        issued_on: 'تاريخ الدفعة',
        order: 'رقم الشحنة',
        name: 'الزبون',
        cod: 'المحصل',
        fee: 'رسم التوصيل',
        handling: 'رسم التحصيل',
        net: 'الصافي',
      }
    : {
        invoice: random.pick(['Payout', 'Payout no.']),
        issued_on: 'Paid on',
        order: random.pick(['AWB', 'Tracking number']),
        name: 'Customer',
        cod: random.pick(['COD', 'COD amount collected']),
        fee: random.pick(['Delivery fee', 'Fee']),
        handling: 'COD handling',
        net: 'Net',
      };
  type Field = keyof typeof words;
  const lead: Field[] = ['invoice', 'issued_on', 'order'];
  if (random.chance(0.5)) lead.reverse();
  if (random.chance(0.6)) lead.splice(random.int(1, 3), 0, 'name');
  const fields: Field[] = [
    ...lead,
    'cod',
    ...(random.chance(0.3) ? (['handling', 'fee'] as const) : (['fee', 'handling'] as const)),
    'net',
  ];
  const count = random.int(5, 60);
  const rows = Array.from({ length: count }, (_, i) => {
    const cod = random.int(0, 60_000) * (random.chance(0.1) ? 0 : 1);
    const [fee, handling] = [random.int(200, 600), Math.round(cod / 100)];
    return {
      order: `CE-2026-${10_000 + i * 7}`,
      cod,
      fee,
      handling,
      net: cod - fee - handling,
      name: isArabic
        ? random.pick(['رنا خليل', 'كريم منصور من طرابلس'])
        : random.pick(['Rana Khalil', 'Karim Mansour of Tripoli, near the old harbour']),
    };
  });
  const day = style.digits === 'arabic' ? '٣١/١٠/٢٠٢٦' : '31/10/2026';
  const cellsOf = (values: Partial<Record<Field, string>>) => fields.map((field) => values[field] ?? '');
  type Sums = Pick<(typeof rows)[number], 'cod' | 'fee' | 'handling' | 'net'>;
  const money = ({ cod, fee, handling, net }: Sums) => ({
    cod: written(cod, style),
    fee: written(fee, style),
    handling: written(handling, style),
    net: written(net, style),
  });
  const sum = (some: readonly Sums[]) =>
    some.reduce(
      (all, one) => ({
        cod: all.cod + one.cod,
        fee: all.fee + one.fee,
        handling: all.handling + one.handling,
        net: all.net + one.net,
      }),
      { cod: 0, fee: 0, handling: 0, net: 0 },
    );
  const label = (text: string, values: Partial<Record<Field, string>>): SheetRow => ({
    cells: fields.map((field, i) => values[field] ?? (i === 0 ? text : '')),
    is: 'total',
  });
  const perPage = layout === 'page-totals' ? random.int(6, 18) : count;
  const isCarried = random.chance(0.4);
  const pages: SheetRow[][] = [];
  for (let from = 0; from < count; from += perPage) {
    const own = rows.slice(from, from + perPage);
    const page: SheetRow[] = own.map(({ order, name, ...amounts }) => ({
      cells: cellsOf({ invoice: 'ES-902', issued_on: day, order, name, ...money(amounts) }),
    }));
    if (layout === 'page-totals') {
      page.push(
        isCarried
          ? label('Carried forward', money(sum(rows.slice(0, from + perPage))))
          : label(random.pick(['Page total', 'Subtotal']), money(sum(own))),
      );
    }
    pages.push(page);
  }
  pages.at(-1)!.push(label(isArabic ? random.pick(['المجموع', 'الإجمالي']) : 'Total', money(sum(rows))));
  return {
    map: {
      kind: 'settlement',
      currency: 'USD',
      date: 'DD/MM/YYYY',
      decimal: '.',
      thousands: ',',
      ...(random.chance(0.5) && !isArabic ? { totals_row: 'Total' } : {}),
      columns: {
        invoice: words.invoice,
        issued_on: words.issued_on,
        order: words.order,
        cod: words.cod,
        net: words.net,
      },
      charges: { delivery: words.fee, handling: words.handling },
    },
    sheet: {
      ...look(random),
      isRightToLeft: isArabic,
      above: isArabic ? ['شركة المثال للتوصيل', 'كشف دفعة'] : ['Cedar Express', 'Payout to Olive Shop'],
      below: isArabic ? ['التوقيع'] : ['Received by', 'Amounts are in US dollars. Claims within 14 days.'],
      footer: layout === 'footers' ? 'Cedar Express, Beirut, +961 1 234 567, printed 31/10/2026 18:40' : null,
      headers: fields.map((field) => words[field]),
      widths: fields.map(
        (field) =>
          ({ invoice: 1.9, issued_on: 2.3, order: 2.9, name: 2.6, cod: 2.2, fee: 1.9, handling: 1.9, net: 2.2 })[field],
      ),
      figures: new Set(fields.flatMap((field, i) => (['cod', 'fee', 'handling', 'net'].includes(field) ? [i] : []))),
      pages,
    },
    truth: {
      kind: 'settlement',
      rows: rows.map(
        ({ order, cod, fee, handling, net }) => [order, plain(cod), plain(fee + handling), plain(net)] as const,
      ),
    },
  };
}

/** One figure of the sheet with another digit. */
function spoilt(sheet: Sheet, random: Random): Sheet {
  const page = random.int(0, sheet.pages.length - 1);
  const rows = sheet.pages[page]!;
  const places = rows.flatMap(({ cells, is }, row) =>
    is === undefined ? [...sheet.figures].filter((i) => /[\d٠-٩]/.test(cells[i]!)).map((cell) => ({ row, cell })) : [],
  );
  const { row, cell } = random.pick(places);
  const wrong = (text: string) =>
    text.replace(/[\d٠-٩](?=\D*$)/, (digit) => {
      const at = ARABIC_DIGITS.indexOf(digit);
      return at === -1 ? String((Number(digit) + 1) % 10) : ARABIC_DIGITS[(at + 1) % 10]!;
    });
  const changed = rows.map((one, i) =>
    i === row ? { ...one, cells: one.cells.map((text, j) => (j === cell ? wrong(text) : text)) } : one,
  );
  return { ...sheet, pages: sheet.pages.map((one, i) => (i === page ? changed : one)) };
}
