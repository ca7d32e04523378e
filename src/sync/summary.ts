/** What a sync did, as `sync --json` prints it. `seconds` is a wall-clock reading, not money. */
export interface SyncSummary {
  run: number;
  status: 'complete' | 'partial';
  periods: string[];
  requests: number;
  retries: number;
  invoices: { listed: number; fetched: number; unchanged: number; failed: number };
  orders: { listed: number; changed: number };
  malformed: number;
  bytes: number;
  seconds: number;
}
