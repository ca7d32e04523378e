import { UsageError } from '../../base/errors.ts';
import type { Config } from '../../config/index.ts';
import type { ColumnMap } from '../../imports/maps/column-map.ts';
import { type Ledger, ledgerExists } from '../../ledger/index.ts';
import { readAccount } from '../../ledger/queries/account.ts';
import { because } from '../../words/errors/importing.ts';
import { type Books, usingBooks } from '../books.ts';
import { type Courier, couriersOf, ledgerOf, placeCouriers } from '../couriers.ts';

type Settings = Pick<Config, 'couriers' | 'hasSole' | 'courier'>;

/**
 * The name of the courier whose settlement sheets are imported: the one that is named, else the only one of the settings.
 *
 * @returns null for the courier whose settings stand at the top
 * @throws UsageError where there are several
 */
function sheetCourier({ couriers, hasSole, courier }: Settings): string | null {
  if (courier !== null) return courier;
  const names = Object.keys(couriers);
  if (names.length === 0) return null;
  const files = names.filter((name) => couriers[name]!.kind === 'files');
  if (files.length === 1 && !hasSole) return files[0]!;
  throw new UsageError(because({ id: 'whose-sheet', couriers: files.length > 0 ? files : names }));
}

/** The settings by which the sheets of that courier are read: those of its table, else those on record. */
export async function sheetSettings(books: Books): Promise<Pick<Config, 'map' | 'returns'>> {
  const { config } = books;
  const name = sheetCourier(config);
  if (name === null) return config;
  if (!(await ledgerExists(config.ledger))) return { ...config, ...config.couriers[name] };
  return usingBooks(books, { readOnly: true, anyZone: true, allCouriers: true }, async ({ db }) => {
    const chosen = { ...config, courier: name };
    const [courier] = await couriersOf(db, chosen);
    return { ...courier!.config, ...(await placeCouriers(db, chosen)).placed.get(courier!.key)?.own };
  });
}

/** The map with the courier's own convention for RETURN rows, where its settings name one: headers that are computed go by it. */
export function withReturns(map: ColumnMap | null, { returns }: Pick<Config, 'returns'>): ColumnMap | null {
  if (returns === 'auto' || returns === 'as-stated') return map;
  return { ...(map ?? { name: 'settlement', kind: 'settlement', columns: {} }), returns };
}

/** The books as that courier's, and its ledger. @throws UsageError where its invoices come of its API */
export async function usingSheets<T>(
  ledger: Ledger,
  books: Books,
  use: (ledger: Ledger, books: Books) => Promise<T>,
): Promise<T> {
  const name = sheetCourier(books.config);
  const couriers = await couriersOf(ledger.db, { ...books.config, courier: name });
  const [courier] = couriers as [Courier<Config>];
  const own = ledgerOf(ledger, courier);
  if (courier.config.kind !== 'files' && (await readAccount(own.db)) !== null) {
    throw new UsageError(because({ id: 'invoices-of-api', courier: courier.name }));
  }
  return use(own, { ...books, config: courier.config });
}
