/** What the shop's paid orders are written as. It imports nothing: the command line reads it at each start. */
export const SHOP_FORMATS = ['shopify', 'woocommerce'] as const;
export type ShopFormat = (typeof SHOP_FORMATS)[number];
