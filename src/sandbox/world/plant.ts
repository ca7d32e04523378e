import type { Store } from '../store/store.ts';
import type { Shop } from './shop.ts';
export interface Planted {
  code: string;
  invoice_number: number | null;
  order_id: string | null;
  currency: string | null;
}
export function plantMismatches(_s: Store, _shop: Shop, _o: unknown): Planted[] {
  return [];
}
