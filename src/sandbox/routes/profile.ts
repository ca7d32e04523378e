import { Profile } from '../../api/wire.ts';
import type { MerchantRow } from '../store/rows.ts';
import { operation } from './operation.ts';

export const profileOperations = [
  operation({
    id: 'profile',
    method: 'GET',
    path: '/profile/',
    summary: "The organisation's branding",
    answers: 'one',
    schema: Profile,
    handle: ({ store, merchant, origin }) => {
      const row = store.get<MerchantRow>('select * from merchant where id = ?', merchant) as MerchantRow;
      return {
        organisation_name: row.name,
        brand: row.brand,
        logo_url: `${origin}/brand/${row.id}/logo.png`,
        primary_color: row.primary_color,
      };
    },
  }),
];
