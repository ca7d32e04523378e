import type { RecordsChanged } from '../derive/derive-order-pages.ts';
import type { Ledger } from '../ledger/index.ts';
import { readBookRecords } from '../ledger/read/index.ts';

/** An order's record in the ledger: the order, and the part that holds the bytes. */
export interface HeldRecord {
  readonly order_id: string;
  readonly part: number;
}

/** The records of the order book that the ledger holds, by the SHA-256 of their bytes: an order that is shown just so need not be read. */
export class HeldRecords {
  /** The orders that the order book held when it was last read. */
  readonly ids: readonly string[];
  readonly #records: Map<string, HeldRecord>;
  readonly #atFirst: ReadonlySet<string>;

  private constructor(ids: readonly string[], records: Map<string, HeldRecord>) {
    this.ids = ids;
    this.#records = records;
    this.#atFirst = new Set(records.keys());
  }

  static async read({ db }: Ledger): Promise<HeldRecords> {
    const ids: string[] = [];
    const records = new Map<string, HeldRecord>();
    for await (const page of readBookRecords(db)) {
      for (const { order_id, record_sha256, record_part, is_current } of page) {
        ids.push(order_id);
        if (is_current) records.set(record_sha256, { order_id, part: record_part });
      }
    }
    return new HeldRecords(ids, records);
  }

  find(sha256: string): HeldRecord | undefined {
    return this.#records.get(sha256);
  }

  /** Whether bytes were no order's record when the sync began: a question whose answer does not depend on what was written since. */
  isFresh(sha256: string): boolean {
    return !this.#atFirst.has(sha256);
  }

  apply({ former, now }: RecordsChanged): void {
    for (const sha256 of former) this.#records.delete(sha256);
    for (const { sha256, order_id, part } of now) this.#records.set(sha256, { order_id, part });
  }
}
