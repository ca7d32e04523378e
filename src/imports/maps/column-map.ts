import { isDeepStrictEqual } from 'node:util';
import type { ReturnsConvention } from '../../base/returns.ts';
import { headerKey } from '../formats/characters.ts';
import type { Format } from '../formats/format.ts';
import { type Headers, headersOf } from './headers.ts';
import { SETTLEMENT_FIELDS } from './settlement-map.ts';

export const IMPORT_KINDS = ['orders', 'receipts', 'settlement', 'tariff', 'rates'] as const;
/** What a file brings. */
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The fields that a map may give a column, of each kind; `required` ones every map with columns must give. */
export const MAP_FIELDS: Record<ImportKind, { readonly required: readonly string[]; readonly all: readonly string[] }> =
  {
    orders: {
      required: ['reference'],
      all: ['reference', 'ordered_on', 'status', 'currency', 'cod', 'district', 'note'],
    },
    receipts: {
      required: ['date'],
      all: [
        'date',
        'amount',
        'debit',
        'credit',
        'sign',
        'currency',
        'text',
        'counterparty',
        'account',
        'id',
        'invoice',
        'balance',
      ],
    },
    settlement: { required: ['invoice', 'issued_on', 'cod'], all: SETTLEMENT_FIELDS },
    tariff: {
      required: ['fee'],
      all: [
        'courier',
        'workflow',
        'district',
        'area',
        'merchant_location',
        'from',
        'to',
        'currency',
        'fee',
        'per_package',
        'charge',
        'percent',
        'min',
        'max',
        'cod_from',
        'cod_to',
        'weight_from',
        'weight_to',
      ],
    },
    rates: { required: ['date', 'from', 'to', 'rate'], all: ['date', 'from', 'to', 'rate'] },
  };

/** A shop's export whose rows need more than a column each: one order on several rows, COD known by the way it was paid. */
export type Shop = 'shopify' | 'woocommerce';

/** How a file is read: `[maps.NAME]` of remit.toml, or a built-in one. Of one file, `ColumnMap<string>` names its own headers. */
export interface ColumnMap<Named extends Headers = Headers> {
  readonly name: string;
  readonly kind: ImportKind;
  readonly format?: Format;
  /**
   * Field → header. Empty: the built-in map that fits the headers, with the settings of this one. Of a settlement, a column a currency is
   * `cod.LBP`, a kind of charge `charges.handling`, a tax `taxes.wht`.
   */
  readonly columns: Readonly<Record<string, Named>>;
  readonly date?: string;
  readonly decimal?: '.' | ',';
  readonly thousands?: string;
  readonly currency?: string;
  /** Receipts: the account, where the file does not say it. */
  readonly account?: string;
  /** Tariffs: the courier whose prices they are, where the file does not say it. */
  readonly courier?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly skip_rows?: number;
  readonly sheet?: string;
  /** What the `sign` column says of money that came in. */
  readonly credit_words?: readonly string[];
  /** Settlements: how the row begins that states the totals of the rows above it. */
  readonly totals_row?: string;
  /** Settlements: what a RETURN row is in a header that is computed; as stated where absent. The courier's setting, never a map's own. */
  readonly returns?: ReturnsConvention;
  /** Built-in maps only. */
  readonly shop?: Shop;
}

/** A map reads a file as an earlier map read it. It may name more headers for a field, of which a file has one. */
export function readsAlike(earlier: ColumnMap, later: ColumnMap): boolean {
  const { columns: earlierColumns, ...earlierSettings } = earlier;
  const { columns: laterColumns, ...laterSettings } = later;
  const fields = Object.keys(earlierColumns);
  if (fields.length !== Object.keys(laterColumns).length) return false;
  // The earlier one comes out of JSON, which drops what is undefined.
  if (!isDeepStrictEqual(earlierSettings, JSON.parse(JSON.stringify(laterSettings)))) return false;
  return fields.every((field) => {
    const keys = new Set(headersOf(laterColumns[field] ?? []).map(headerKey));
    return headersOf(earlierColumns[field]!).every((header) => keys.has(headerKey(header)));
  });
}
