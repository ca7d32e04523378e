import { isDeepStrictEqual } from 'node:util';
import type { ReturnsConvention } from '../../base/returns.ts';
import { headerKey } from '../formats/text-forms.ts';
import { type Headers, headersOf } from './headers.ts';
import { SETTLEMENT_FIELDS } from './settlement-map.ts';

export const IMPORT_KINDS = ['orders', 'receipts', 'settlement', 'tariff', 'rates'] as const;
/** The kinds of files that are imported; `remit import` has a command for each. */
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const ORDER_FIELDS = ['reference', 'ordered_on', 'status', 'currency', 'cod', 'district', 'note'] as const;
/** The day, the amount in one column or two, and the words of a movement. */
const MOVEMENT_FIELDS = ['date', 'amount', 'debit', 'credit', 'sign', 'currency', 'text'] as const;
export const RECEIPT_FIELDS = [...MOVEMENT_FIELDS, 'counterparty', 'account', 'id', 'invoice', 'balance'] as const;
/** A price says for which orders and days it holds, what is charged, and for which COD and weight. */
const SCOPE_FIELDS = ['courier', 'workflow', 'district', 'area', 'merchant_location', 'from', 'to'] as const;
const CHARGE_FIELDS = ['currency', 'fee', 'per_package', 'charge', 'percent', 'min', 'max'] as const;
const SLAB_FIELDS = ['cod_from', 'cod_to', 'weight_from', 'weight_to'] as const;
export const TARIFF_FIELDS = [...SCOPE_FIELDS, ...CHARGE_FIELDS, ...SLAB_FIELDS] as const;
export const RATE_FIELDS = ['date', 'from', 'to', 'rate'] as const;

/** For each kind, the fields to which a map may give a column, and those to which it must. */
export const MAP_FIELDS: Readonly<Record<ImportKind, Record<'required' | 'all', readonly string[]>>> = {
  orders: { required: ['reference'], all: ORDER_FIELDS },
  receipts: { required: ['date'], all: RECEIPT_FIELDS },
  settlement: { required: ['invoice', 'issued_on', 'cod'], all: SETTLEMENT_FIELDS },
  tariff: { required: ['fee'], all: TARIFF_FIELDS },
  rates: { required: RATE_FIELDS, all: RATE_FIELDS },
};

/** The formats of files that can be imported. */
export const FORMATS = ['csv', 'xlsx', 'pdf', 'ofx', 'camt.052', 'camt.053', 'camt.054', 'mt940', 'qif'] as const;
export type Format = (typeof FORMATS)[number];

/** How a file is read: `[maps.NAME]` of remit.toml, or a built-in map. `ColumnMap<string>` has one file's headers. */
export interface ColumnMap<HeaderNames extends Headers = Headers> {
  readonly name: string;
  readonly kind: ImportKind;
  readonly format?: Format;
  /**
   * Field to header. If empty, a built-in map's columns are used, with the other settings of this map. A settlement's
   * keys may be `cod.LBP` for one currency's column, `charges.handling` for a kind of charge, `taxes.wht` for a tax.
   */
  readonly columns: Readonly<Record<string, HeaderNames>>;
  readonly date?: string;
  readonly decimal?: '.' | ',';
  readonly thousands?: string;
  readonly currency?: string;
  /** Receipts: the account, if the file has none. */
  readonly account?: string;
  /** Tariffs: the courier whose prices they are, if the file names none. */
  readonly courier?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly skip_rows?: number;
  readonly sheet?: string;
  /** Receipts: the words of the `sign` column for money that came in. */
  readonly credit_words?: readonly string[];
  /** Settlements: the first words of a row that states the totals of the rows above it. */
  readonly totals_row?: string;
  /** Settlements: how RETURN rows count in computed totals, by the courier's setting; as stated if absent. */
  readonly returns?: ReturnsConvention;
  /** Built-in maps only: an export that no columns describe, whose orders have several rows each. */
  readonly shop?: 'shopify' | 'woocommerce';
}

/** The later map reads a file as the earlier one did: all is equal, but it may name more headers for a field. */
export function readsAlike(earlier: ColumnMap, later: ColumnMap): boolean {
  const { columns: earlierColumns, ...earlierSettings } = earlier;
  const { columns: laterColumns, ...laterSettings } = later;
  const fields = Object.keys(earlierColumns);
  if (fields.length !== Object.keys(laterColumns).length) return false;
  // The earlier map was stored as JSON, which drops undefined values.
  if (!isDeepStrictEqual(earlierSettings, JSON.parse(JSON.stringify(laterSettings)))) return false;
  return fields.every((field) => {
    const keys = new Set(headersOf(laterColumns[field] ?? []).map(headerKey));
    return headersOf(earlierColumns[field]!).every((header) => keys.has(headerKey(header)));
  });
}
