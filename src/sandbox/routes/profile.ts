import type { MerchantRow } from '../store/rows.ts';
import type { Handlers } from './handler.ts';

export const profileHandlers = {
  profile: ({ store, merchant, origin }) => {
    const row = store.get<MerchantRow>('select * from merchant where id = ?', merchant) as MerchantRow;
    return {
      organisation_name: row.name,
      brand: row.brand,
      logo_url: `${origin}/brand/${row.id}/logo.png`,
      primary_color: row.primary_color,
    };
  },
} satisfies Pick<Handlers, 'profile'>;
